/*
 * barrier_table: barriers of the work-groups in flight (machine.md §3, §10; timing.md §3).
 *
 * Counts, for each work-group (in a slot of its own, which arrivals and exits name), its live threads and
 * those that wait at a barrier (named by its PC). A barrier opens when all live threads wait at it: the
 * comparison is made in the cycle in which the counts change, the threads are released at the end of the next
 * one. Live threads that all wait, but at different barriers, are a deadlock: of the barriers only the first
 * one's PC is kept, and that there are others. A barrier that opens after threads have exited is legal here
 * and counted: in OpenCL it is a mistake of the kernel. Work-groups do not influence each other; several can
 * open in one cycle.
 *
 * A work-group may have a scalar thread (cfg.scalar), with barriers of its own kind: __syncthreads(k ≠ 0),
 * in.arrive_scalar. One opens when all live threads wait at it and the scalar thread waits, too, or has
 * exited; a barrier among the SIMT threads alone opens as if there were no scalar thread. The scalar thread's
 * side of a barrier has no PC: it waits (in.scalar_arrives) for the next one that includes it. When all its
 * SIMT threads have exited it waits for nobody: it is released (an opening, too).
 *
 * In a cycle without a start, an arrival, an exit or a release nothing changes, and it need not be evaluated.
 */
#ifndef MODEL_CONTROL_BARRIER_TABLE_H
#define MODEL_CONTROL_BARRIER_TABLE_H

#include "generated/barrier_table_ports.h"
#include "model/config/limits.h"

/* What a work-group's entry has of a word each. */
struct barrier_table_words {
    uint32_t live[BARRIER_TABLE_MAX_GROUPS], waiting[BARRIER_TABLE_MAX_GROUPS], pc[BARRIER_TABLE_MAX_GROUPS];
};

/* --- parameters, ports and flip-flops --- */

struct barrier_table {
    struct {
        unsigned groups; /* 1–64 */
        bool scalar;     /* work-groups may have a scalar thread; false: inputs that tell of one are 0 */
    } cfg;
    struct barrier_table_in in; /* ports and flip-flops are described in rtl/barrier_table.sv */
    struct barrier_table_out out;
    struct barrier_table_state q, d; /* with pointers to `now`: */
    struct barrier_table_words now, next;
    bool changes;            /* this cycle does something; else it leaves d and next alone */
    uint64_t opened;         /* barriers opened so far: counters, no part of the hardware */
    uint64_t opened_without; /* of those, after threads that they are for had exited */
    uint64_t arrived;        /* threads that came to barriers; scalar threads are not counted */
};

/* --- functions --- */

/* In place: it points to itself and must not be copied. */
void barrier_table_init(struct barrier_table *b, unsigned groups, bool scalar); /* forgets counters, too */
void barrier_table_reset(struct barrier_table *b); /* flip-flops and ports only */
void barrier_table_eval(struct barrier_table *b);  /* in, q → out, d */
void barrier_table_clock(struct barrier_table *b); /* d → q: the edge; inputs are 0 again */

/* Does this cycle change anything? */
static inline bool barrier_table_active(const struct barrier_table *b) {
    return b->in.start || b->in.arrive_count || b->in.exit_count || b->in.scalar_arrives ||
           b->in.scalar_exits || b->q.release;
}

#endif
