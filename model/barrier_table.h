/*
 * barrier_table: work-group barriers (machine.md §3; timing.md, 'Barrier').
 *
 * Counts, for the work-group in flight, its live threads and those that wait at a barrier (named by its PC).
 * A barrier opens when all live threads wait at it: the comparison is made in the cycle in which the counts
 * change, the threads are released at the end of the next one. Live threads that all wait, but at different
 * barriers, are a deadlock: of the barriers only the first one's PC is kept, and that there are others. A
 * barrier that opens after threads have exited is legal here and counted: in OpenCL it is a mistake of the
 * kernel.
 *
 * In a cycle without a start, an arrival, an exit or a release nothing changes, and it need not be evaluated.
 */
#ifndef MODEL_BARRIER_TABLE_H
#define MODEL_BARRIER_TABLE_H

#include "generated/barrier_table_ports.h"

struct barrier_table {
    struct barrier_table_in in; /* ports and flip-flops are described in rtl/barrier_table.sv */
    struct barrier_table_out out;
    struct barrier_table_state q, d;
    uint64_t opened;         /* barriers opened so far: counters, no part of the hardware */
    uint64_t opened_without; /* of those, after threads of the work-group had exited */
};

void barrier_table_init(struct barrier_table *b);  /* forgets counters, too */
void barrier_table_reset(struct barrier_table *b); /* flip-flops and ports only */
void barrier_table_eval(struct barrier_table *b);  /* in, q → out, d */
void barrier_table_clock(struct barrier_table *b); /* d → q: the edge; inputs are 0 again */

/* Does this cycle change anything? */
static inline bool barrier_table_active(const struct barrier_table *b) {
    return b->in.start || b->in.arrive_count || b->in.exit_count || b->q.release;
}

#endif
