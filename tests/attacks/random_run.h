/* random_run: a series of random kernels, one batch (random_batch.h) at a time, that can be stopped and
 * continued.
 *
 * Seeds are consecutive, from SEED (or the clock) on. With LOCKSTEP_RECORD=FILE the file contains, after each
 * batch, the first seed, the number of kernels done, and the counts; a run that finds the file continues
 * after them. LOCKSTEP_KERNELS=N runs N kernels in all, otherwise LOCKSTEP_LONG=1 runs the long form. A run
 * stops after LOCKSTEP_SECONDS (default: 15 minutes) and prints its progress. */
#ifndef TESTS_ATTACKS_RANDOM_RUN_H
#define TESTS_ATTACKS_RANDOM_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { RANDOM_RUN_COUNTS = 10 };

struct random_run {
    const char *const *names; /* names of the counts, NULL after the last */
    uint64_t seed;            /* seed of the first kernel */
    unsigned done, all;       /* kernels */
    unsigned long long count[RANDOM_RUN_COUNTS];
    unsigned batch; /* kernels of the current batch */
    const char *record;
    time_t deadline;
};

struct random_run random_run_start(unsigned some, unsigned all, const char *const *names);
/* Starts the next batch: r->batch kernels from random_run_seed() on. Records the previous one as done.
 * Returns false if there is none. */
bool random_run_next(struct random_run *r);
uint64_t random_run_seed(const struct random_run *r);
/* Prints the seeds and all counts. */
void random_run_end(const struct random_run *r);

#endif
