/*
 * barrier_table: barriers of the work-groups in flight (machine.md §3, §10; timing.md §3).
 *
 * Each work-group has a slot, which arrivals and exits name. The table counts its live threads and its
 * threads that wait at a barrier (named by its PC). A barrier opens when all live threads wait at it: the
 * counts are compared in the cycle in which they change, and the threads are released at the end of the next
 * cycle. If all live threads wait, but at different barriers, the work-group is deadlocked: the table keeps
 * the PC of the first barrier, and a flag that there are others. A barrier that opens after threads have
 * exited is legal here and counted: in OpenCL it is a mistake of the kernel. Work-groups do not influence
 * each other; several barriers can open in one cycle.
 *
 * A work-group may have a scalar thread (cfg.scalar), with a second kind of barrier: __syncthreads(k ≠ 0),
 * in.arrive_scalar. Such a barrier opens when all live threads wait at it and the scalar thread waits too, or
 * has exited. A barrier among the SIMT threads alone ignores the scalar thread. The scalar thread's side of a
 * barrier has no PC: the thread waits (in.scalar_arrives) for the next barrier that includes it. When all
 * SIMT threads have exited, a waiting scalar thread is released (an opening, too).
 *
 * In a cycle without a start, an arrival, an exit or a release nothing changes, and the block need not be
 * evaluated.
 */
#ifndef MODEL_CONTROL_BARRIER_TABLE_H
#define MODEL_CONTROL_BARRIER_TABLE_H

#include "generated/barrier_table_ports.h"
#include "model/config/limits.h"

/* Fields of one word for each work-group. */
struct barrier_table_words {
    uint32_t live[BARRIER_TABLE_MAX_GROUPS], waiting[BARRIER_TABLE_MAX_GROUPS], pc[BARRIER_TABLE_MAX_GROUPS];
};

/* --- parameters, ports and flip-flops --- */

struct barrier_table {
    struct {
        unsigned groups; /* 1 to 64 */
        bool scalar; /* work-groups may have a scalar thread; if false, the inputs of scalar threads are 0 */
    } cfg;
    struct barrier_table_in in; /* ports and flip-flops are described in rtl/barrier_table.sv */
    struct barrier_table_out out;
    struct barrier_table_state q, d; /* points to `now`; d points to `next` */
    struct barrier_table_words now, next;
    bool changes;            /* the cycle changes something; if false, d and next are not written */
    uint64_t opened;         /* barriers opened so far; a counter, not hardware */
    uint64_t opened_without; /* barriers opened after some of their threads had exited */
    uint64_t arrived;        /* threads that arrived at barriers, without scalar threads */
};

/* --- functions --- */

/* Initialises in place: the structure points to itself and must not be copied. */
void barrier_table_init(struct barrier_table *b, unsigned groups, bool scalar); /* clears counters, too */
void barrier_table_reset(struct barrier_table *b); /* flip-flops and ports only */
void barrier_table_eval(struct barrier_table *b);  /* in, q → out, d */
void barrier_table_clock(struct barrier_table *b); /* d → q: the edge; inputs are 0 again */

/* Returns whether this cycle changes anything. */
static inline bool barrier_table_active(const struct barrier_table *b) {
    return b->in.start || b->in.arrive_count || b->in.exit_count || b->in.scalar_arrives ||
           b->in.scalar_exits || b->q.release;
}

#endif
