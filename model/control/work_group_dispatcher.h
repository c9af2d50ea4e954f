/*
 * work_group_dispatcher: the work-groups of a launch, in the order of their linear number. Requests are
 * served in the order of simulated time; within a cycle, lower clusters and cores go first, and the SMs of a
 * GPU-like machine take turns.
 *
 * A block with ports (rtl/work_group_dispatcher.sv). A cycle of it is a request: a launch begins, or a core
 * takes a work-group.
 */
#ifndef MODEL_CONTROL_WORK_GROUP_DISPATCHER_H
#define MODEL_CONTROL_WORK_GROUP_DISPATCHER_H

#include "generated/work_group_dispatcher_ports.h"
#include "model/control/block_twins.h"

struct work_group {
    uint64_t number; /* linear number, from 0 on */
    uint32_t id[3];
};

struct work_group_dispatcher {
    struct work_group_dispatcher_in in; /* ports and flip-flops: rtl/work_group_dispatcher.sv */
    struct work_group_dispatcher_out out;
    struct work_group_dispatcher_state q, d;
    uint32_t count[3]; /* work-groups of the launch in each dimension */
    struct block_requests requests;
};

/* Resets to no launch, with nothing left. Twins stay attached and are reset. */
void work_group_dispatcher_reset(struct work_group_dispatcher *w);
void work_group_dispatcher_eval(struct work_group_dispatcher *w);  /* in, q → out, d */
void work_group_dispatcher_clock(struct work_group_dispatcher *w); /* d → q: the edge */

/* Begins a launch of `count` work-groups in each dimension, at least 1, fewer than 2^64 in all. */
void work_group_dispatcher_begin(struct work_group_dispatcher *w, const uint32_t count[3]);
/* Takes the next work-group. Returns false if there is none. */
bool work_group_dispatcher_take(struct work_group_dispatcher *w, struct work_group *group);

/* Return the number of all work-groups of the launch, and of those taken. */
static inline uint64_t work_group_dispatcher_all(const struct work_group_dispatcher *w) {
    return (uint64_t)w->count[0] * w->count[1] * w->count[2];
}
static inline uint64_t work_group_dispatcher_begun(const struct work_group_dispatcher *w) {
    return w->q.left ? w->q.number : work_group_dispatcher_all(w);
}

#endif
