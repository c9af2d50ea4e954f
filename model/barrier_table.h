/*
 * barrier_table: work-group barriers (machine.md §3; timing.md, 'Barrier').
 *
 * Counts, for the work-group in flight, its live threads and those that wait at each barrier (a barrier is
 * named by its PC). A barrier opens when all live threads wait at it: the comparison is made in the cycle in
 * which the counts change, the threads are released at the end of the next one. Live threads that all wait,
 * but at different barriers, are a deadlock. A barrier that opens after threads have exited is legal here and
 * counted: in OpenCL it is a mistake of the kernel.
 */
#ifndef MODEL_BARRIER_TABLE_H
#define MODEL_BARRIER_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define BARRIER_TABLE_ENTRIES                                                                                \
    64 /* barriers at which threads wait at one time; more is a deadlock in any case */

struct barrier_table {
    unsigned live, waiting, exited; /* threads of the work-group */
    unsigned used;
    struct barrier_entry {
        uint32_t pc;
        unsigned count;
    } entry[BARRIER_TABLE_ENTRIES];
    uint64_t opened;         /* barriers opened so far */
    uint64_t opened_without; /* of those, after threads of the work-group had exited */
};

void barrier_table_init(struct barrier_table *b);                 /* forgets counters, too */
void barrier_table_start(struct barrier_table *b, unsigned live); /* a work-group begins */
void barrier_table_arrive(struct barrier_table *b, uint32_t pc, unsigned threads);
void barrier_table_exit(struct barrier_table *b, unsigned threads);

/* The comparison: true if a barrier opens; its PC in *pc. */
bool barrier_table_opens(const struct barrier_table *b, uint32_t *pc);
/* The release of that barrier's threads. */
void barrier_table_release(struct barrier_table *b);
bool barrier_table_deadlock(const struct barrier_table *b);

#endif
