/*
 * random_run: a series of random kernels, a batch (random_batch.h) at a time, that can be stopped and
 * continued.
 *
 * Seeds follow each other from SEED (or the clock). With LOCKSTEP_RECORD=FILE the file keeps, after each
 * batch, the first seed, how many kernels were done, and what was counted; a run that finds it goes on behind
 * them. LOCKSTEP_KERNELS=N takes N kernels in all, else LOCKSTEP_LONG=1 the many of the long form. A run
 * stops after LOCKSTEP_SECONDS (default: 15 minutes) and says how far it came.
 */
#ifndef TESTS_ATTACKS_RANDOM_RUN_H
#define TESTS_ATTACKS_RANDOM_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { RANDOM_RUN_COUNTS = 10 };

struct random_run {
    const char *const *names; /* of what is counted, NULL behind the last */
    uint64_t seed;            /* of the first kernel */
    unsigned done, all;       /* kernels */
    unsigned long long count[RANDOM_RUN_COUNTS];
    unsigned batch; /* kernels of the running batch */
    const char *record;
    time_t deadline;
};

struct random_run random_run_start(unsigned some, unsigned all, const char *const *names);
/* Is there a next batch? Then r->batch kernels from random_run_seed(). The one before is recorded as done. */
bool random_run_next(struct random_run *r);
uint64_t random_run_seed(const struct random_run *r);
/* Prints the seeds and all counts. */
void random_run_end(const struct random_run *r);

#endif
