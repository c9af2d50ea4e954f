/* What a compared cycle costs, in modes check and drive: each block beside its Verilog at the size of the
 * base machine, with random inputs in every cycle (a program's change less), rows of memories included, less
 * what the model and its inputs take; and what --rtl off costs. */
#include "tb/stimulus/blocks.h"

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

enum mode { ALONE, CHECK, DRIVE, MODES };

/* Seconds of the same cycles. */
static double run(const struct stimulus_block *b, const struct rtl_size *size, struct twin *t,
                  enum mode mode) {
    struct seed seed = seed_of(1);
    b->start(&seed, size);
    twin_reset(t);
    const double start = now();
    for (unsigned n = 0; n < CYCLES; ++n) {
        const bool reset = b->drive(&seed);
        if (mode != ALONE && reset) twin_reset(t);
        if (mode != ALONE) twin_cycle(t, n, b->in, b->out, b->q, mode == DRIVE);
        if (b->clock) b->clock();
        if (mode != ALONE) stimulus_rows(b, t);
    }
    return now() - start;
}

static bool open_twin(struct twin *t, const struct stimulus_block *b, const struct rtl_size *size) {
    char path[PATH_MAX], relative[64];
    struct error e = {0};
    snprintf(relative, sizeof relative, "rtl/%s.sv", b->name);
    if (!realpath(relative, path)) {
        perror(relative);
        return false;
    }
    if (twin_init(t, twin_block_called(b->name), path, size->setting, size->count, &e)) return true;
    fprintf(stderr, "bench_rtl: %s\n", e.message);
    return false;
}

/* Nanoseconds a cycle in each mode but ALONE. False: the Verilog cannot be built. */
static bool compared(const struct stimulus_block *b, const struct rtl_size *size, double cost[MODES],
                     uint64_t *mismatches) {
    static struct twin twin;
    double figure[MODES][RUNS];
    if (!open_twin(&twin, b, size)) return false;
    for (unsigned n = 0; n < RUNS; ++n) {
        const double alone = run(b, size, &twin, ALONE);
        for (enum mode m = CHECK; m < MODES; ++m) figure[m][n] = run(b, size, &twin, m) - alone;
    }
    for (enum mode m = CHECK; m < MODES; ++m) cost[m] = median(figure[m]);
    *mismatches += twin.mismatches;
    twin_free(&twin);
    return true;
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

/* A row of the table. */
static void print(const char *name, const double cost[MODES]) {
    printf("%-56s%8.1f ns%8.1f ns\n", name, cost[CHECK], cost[DRIVE]);
}

/* Is it compared in the base machine by --rtl check? */
static bool in_base(enum cluster_block b) {
    return b != CLUSTER_BLOCK_TOKENS && b != CLUSTER_BLOCK_RENAME && b != CLUSTER_BLOCK_REUSE &&
           twin_block_is_pure(b);
}

int main(void) {
    static struct rtl_size size[16]; /* the first is the base machine */
    uint64_t mismatches = 0;
    double block[CLUSTER_BLOCK_COUNT][MODES] = {{0}}, base[MODES] = {0}, all[MODES];
    if (!rtl_sizes_read(size, 16, "rtl/sizes")) {
        perror("rtl/sizes");
        return EXIT_USER;
    }
    printf("%-56s%8s   %8s\n", "a compared cycle of", "check", "drive");
    for (unsigned n = 0; n < STIMULUS_BLOCKS; ++n) {
        const struct stimulus_block *b = stimulus_blocks[n];
        double cost[MODES];
        if (!compared(b, size, cost, &mismatches)) return EXIT_USER;
        print(b->name, cost);
        /* Rivals of a slot come after the one of the base machine. */
        if (!block[b->slot][CHECK]) memcpy(block[b->slot], cost, sizeof cost);
    }
    for (enum cluster_block s = 0; s < CLUSTER_BLOCK_COUNT; ++s)
        for (enum mode m = CHECK; m < MODES && in_base(s); ++m) base[m] += block[s][m];
    for (enum mode m = CHECK; m < MODES; ++m)
        all[m] = base[m] + block[CLUSTER_BLOCK_RENAME][m] + block[CLUSTER_BLOCK_REUSE][m];
    print("all blocks of the base machine", base);
    print("all blocks with uniform.storage srf, uniform.inter on", all);
    printf("%-56s%8.1f ns\n", "--rtl off: a test of a null pointer for each", pass_by());
    if (mismatches) printf("%llu mismatches\n", (unsigned long long)mismatches);
    return mismatches ? EXIT_TWINS_DISAGREE : 0;
}
