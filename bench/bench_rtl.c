/* What a compared cycle costs: scheduler, arbiter and barrier table of the base machine beside their Verilog,
 * with random inputs in every cycle (a program's change less); and what --rtl off costs. */
#include "tests/rtl_stimulus.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CYCLES 256 /* recorded, then replayed */
#define PASSES 2000
#define RUNS   5

static struct recorded {
    struct warp_scheduler scheduler;
    struct warp_pc_arbiter arbiter;
    struct warp_descriptors descriptors;
    struct barrier_table barriers;
    bool reset; /* of the barrier table: before the cycle */
} recorded[CYCLES];

static struct twin twin[CLUSTER_BLOCK_COUNT];
static struct stimulus stimulus;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void record(void) {
    stimulus_init(&stimulus, (struct seed){1}, 16, 32, 8);
    for (unsigned n = 0; n < CYCLES; ++n) {
        struct recorded *r = &recorded[n];
        stimulus_scheduler(&stimulus);
        stimulus_arbiter(&stimulus);
        r->reset = stimulus_barriers(&stimulus);
        r->scheduler = stimulus.scheduler;
        r->arbiter = stimulus.arbiter;
        r->descriptors = stimulus.descriptors;
        r->barriers = stimulus.barriers;
        warp_pc_arbiter_read(&r->arbiter, &r->descriptors);
        warp_scheduler_clock(&stimulus.scheduler);
        barrier_table_clock(&stimulus.barriers);
    }
}

static void replay(unsigned pass) {
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) twin_reset(&twin[b]);
    for (unsigned n = 0; n < CYCLES; ++n) {
        struct recorded *r = &recorded[n];
        const uint64_t t = (uint64_t)pass * CYCLES + n;
        if (r->reset) twin_reset(&twin[CLUSTER_BLOCK_BARRIERS]);
        twin_cycle(&twin[CLUSTER_BLOCK_SCHEDULER], t, &r->scheduler.in, &r->scheduler.out, &r->scheduler.q,
                   false);
        twin_cycle(&twin[CLUSTER_BLOCK_ARBITER], t, &r->arbiter.in, &r->arbiter.out, NULL, false);
        twin_cycle(&twin[CLUSTER_BLOCK_BARRIERS], t, &r->barriers.in, &r->barriers.out, &r->barriers.q,
                   false);
    }
}

/* What the cluster does for each block in a cycle while nothing is attached. */
static void pass_by(unsigned pass) {
    static const struct cluster_twins *volatile none;
    (void)pass;
    for (unsigned n = 0; n < CYCLES * CLUSTER_BLOCK_COUNT; ++n)
        if (__builtin_expect(none != NULL, 0)) abort();
}

/* Median of the runs, in nanoseconds a cycle. */
static double measure(void (*cycles)(unsigned pass)) {
    double figure[RUNS];
    for (unsigned run = 0; run < RUNS; ++run) {
        const double start = now();
        for (unsigned pass = 0; pass < PASSES; ++pass) cycles(pass);
        figure[run] = (now() - start) * 1e9 / ((double)PASSES * CYCLES);
    }
    qsort(figure, RUNS, sizeof figure[0], compare_doubles);
    return figure[RUNS / 2];
}

static bool open_twins(void) {
    static const struct verilog_setting settings[] = {{"WARPS", 16}, {"WARP_SIZE", 32}, {"LEVELS", 8}};
    char path[PATH_MAX], relative[64];
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
        struct error e = {0};
        snprintf(relative, sizeof relative, "rtl/%s.sv", twin_block[b].name);
        if (!realpath(relative, path)) {
            perror(relative);
            return false;
        }
        if (twin_init(&twin[b], &twin_block[b], path, settings, 3, &e)) continue;
        fprintf(stderr, "bench_rtl: %s\n", e.message);
        return false;
    }
    return true;
}

int main(void) {
    if (!open_twins()) return EXIT_USER;
    record();
    printf("%-56s%8.1f ns\n", "a compared cycle of scheduler, arbiter, barrier table", measure(replay));
    printf("%-56s%8.1f ns\n", "--rtl off: a test of a null pointer for each", measure(pass_by));
    uint64_t mismatches = 0;
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; ++b) {
        mismatches += twin[b].mismatches;
        twin_free(&twin[b]);
    }
    if (mismatches) printf("%llu mismatches\n", (unsigned long long)mismatches);
    return mismatches ? EXIT_TWINS_DISAGREE : 0;
}
