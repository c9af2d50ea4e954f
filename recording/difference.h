/*
 * difference: two recordings, compared.
 */
#ifndef RECORDING_DIFFERENCE_H
#define RECORDING_DIFFERENCE_H

#include "recording/recording.h"

#include <stdio.h>

/* Compares all records but accesses, cycle by cycle. Up to a cycle `last`, launches, runs of cores and stalls
 * are left out: a machine that steps divides runs and stalls otherwise. UINT64_MAX: compares them, too; of
 * two recordings of which one has accesses, only launches. Prints the first one that differs, with both
 * values and the records before; sets *differs. False and *e (EXIT_USER): the recordings are of other
 * machines, or one is damaged.
 */
bool difference_by_cycle(const struct recording *a, const struct recording *b, uint64_t last, FILE *out,
                         bool *differs, struct error *e);

/* Compares the instructions of each warp, or core in MIMD mode, of the same work-group of the same launch, in
 * whichever cycles they ran. Prints the first that takes another path; if there is none, the first that takes
 * longer, and the cycles of both by source line. Sets *differs. False and *e (EXIT_USER): the warps are not
 * the same, or a recording is damaged. */
bool difference_by_work(const struct recording *a, const struct recording *b, FILE *out, bool *differs,
                        struct error *e);

#endif
