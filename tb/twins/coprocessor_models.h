/*
 * coprocessor_models: the C models of a SIMT co-processor and its blocks, wired to each other, without a
 * cluster.
 */
#ifndef TB_COPROCESSOR_MODELS_H
#define TB_COPROCESSOR_MODELS_H

#include "model/config/scheduler_policy.h"
#include "model/control/simt_coprocessor.h"
#include "model/control/thread_descriptor_table.h"

struct coprocessor_sizes {
    unsigned warps, warp_size, lanes, levels, active_warps, queue_entries, collectors;
    const struct scheduler_policy *scheduler;
    enum pc_policy pc_policy;
    bool cyclic; /* threads of a round are not neighbours */
};

/* Must not be copied: the struct contains pointers to itself. */
struct coprocessor_models {
    struct simt_coprocessor whole;
    struct warp_scheduler scheduler;
    struct warp_pc_arbiter arbiter;
    struct thread_descriptor_table descriptors;
    struct barrier_table barriers;
    struct subwarp_dispatcher dispatcher;
    struct tdt_room room; /* rows of the descriptors */
};

/* Makes the models in the state after a reset. */
void coprocessor_models_init(struct coprocessor_models *m, const struct coprocessor_sizes *s);

#endif
