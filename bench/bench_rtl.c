/* What a compared cycle costs: each block of the base machine beside its Verilog, with random inputs in every
 * cycle (a program's change less), less what the model and its inputs take; and what --rtl off costs. */
#include "tests/rtl_stimulus.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CYCLES 200000
#define RUNS   5

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double median(double figure[RUNS]) {
    qsort(figure, RUNS, sizeof figure[0], compare_doubles);
    return figure[RUNS / 2] * 1e9 / CYCLES;
}

/* Seconds of the same cycles with the twin, or with the model alone. */
static double run(const struct stimulus_block *b, const struct rtl_size *size, struct twin *t) {
    struct seed seed = {1};
    b->start(&seed, size);
    if (t) twin_reset(t);
    const double start = now();
    for (unsigned n = 0; n < CYCLES; ++n) stimulus_cycle(b, &seed, t, n);
    return now() - start;
}

/* Nanoseconds a cycle; negative if the Verilog cannot be built. */
static double compared(const struct stimulus_block *b, const struct rtl_size *size, uint64_t *mismatches) {
    static struct twin twin;
    char path[PATH_MAX], relative[64];
    double figure[RUNS];
    struct error e = {0};
    snprintf(relative, sizeof relative, "rtl/%s.sv", b->name);
    if (!realpath(relative, path)) {
        perror(relative);
        return -1;
    }
    if (!twin_init(&twin, &twin_block[b->slot], path, size->setting, size->count, &e)) {
        fprintf(stderr, "bench_rtl: %s\n", e.message);
        return -1;
    }
    for (unsigned n = 0; n < RUNS; ++n) {
        const double alone = run(b, size, NULL);
        figure[n] = run(b, size, &twin) - alone;
    }
    *mismatches += twin.mismatches;
    twin_free(&twin);
    return median(figure);
}

/* What the cluster does for each block in a cycle while nothing is attached. */
static double pass_by(void) {
    static const struct cluster_twins *volatile none;
    double figure[RUNS];
    for (unsigned r = 0; r < RUNS; ++r) {
        const double start = now();
        for (unsigned n = 0; n < CYCLES * CLUSTER_BLOCK_COUNT; ++n)
            if (__builtin_expect(none != NULL, 0)) abort();
        figure[r] = now() - start;
    }
    return median(figure);
}

int main(void) {
    static struct rtl_size size[16]; /* the first is the base machine */
    uint64_t mismatches = 0;
    bool machine[CLUSTER_BLOCK_COUNT] = {false};
    double sum = 0;
    if (!rtl_sizes_read(size, 16, "scripts/sizes")) {
        perror("scripts/sizes");
        return EXIT_USER;
    }
    for (unsigned n = 0; n < STIMULUS_BLOCKS; ++n) {
        const struct stimulus_block *b = stimulus_blocks[n];
        const double cost = compared(b, size, &mismatches);
        if (cost < 0) return EXIT_USER;
        printf("a compared cycle of %-36s%8.1f ns\n", b->name, cost);
        if (!machine[b->slot]) sum += cost;
        machine[b->slot] = true; /* rivals of a slot come after the one of the base machine */
    }
    printf("%-56s%8.1f ns\n", "of all blocks of the base machine", sum);
    printf("%-56s%8.1f ns\n", "--rtl off: a test of a null pointer for each", pass_by());
    if (mismatches) printf("%llu mismatches\n", (unsigned long long)mismatches);
    return mismatches ? EXIT_TWINS_DISAGREE : 0;
}
