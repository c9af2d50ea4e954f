/*
 * work_group_dispatcher: the work-groups of a launch, handed out in the order of their linear number to
 * whoever asks first in simulated time (of those that ask in one cycle: the lower cluster, then the lower
 * core; the SMs of a GPU-like machine are asked in turn).
 *
 * A block with ports (rtl/work_group_dispatcher.sv); a cycle of it is a request: a launch begins, or somebody
 * takes a work-group.
 */
#ifndef MODEL_CONTROL_WORK_GROUP_DISPATCHER_H
#define MODEL_CONTROL_WORK_GROUP_DISPATCHER_H

#include "generated/work_group_dispatcher_ports.h"
#include "model/control/block_twins.h"

struct work_group {
    uint64_t number; /* linear, from 0 on */
    uint32_t id[3];
};

struct work_group_dispatcher {
    struct work_group_dispatcher_in in; /* ports and flip-flops: rtl/work_group_dispatcher.sv */
    struct work_group_dispatcher_out out;
    struct work_group_dispatcher_state q, d;
    uint32_t count[3]; /* of the launch, in each dimension */
    struct block_requests requests;
};

/* No launch, nothing left. What runs beside it stays, and is reset. */
void work_group_dispatcher_reset(struct work_group_dispatcher *w);
void work_group_dispatcher_eval(struct work_group_dispatcher *w);  /* in, q → out, d */
void work_group_dispatcher_clock(struct work_group_dispatcher *w); /* d → q: the edge */

/* A launch begins, of so many work-groups in each dimension, 1 at least, fewer than 2^64 in all. */
void work_group_dispatcher_begin(struct work_group_dispatcher *w, const uint32_t count[3]);
/* The next one. False: there is none left. */
bool work_group_dispatcher_take(struct work_group_dispatcher *w, struct work_group *group);

/* Of the launch: all, and those that have been taken. */
static inline uint64_t work_group_dispatcher_all(const struct work_group_dispatcher *w) {
    return (uint64_t)w->count[0] * w->count[1] * w->count[2];
}
static inline uint64_t work_group_dispatcher_begun(const struct work_group_dispatcher *w) {
    return w->q.left ? w->q.number : work_group_dispatcher_all(w);
}

#endif
