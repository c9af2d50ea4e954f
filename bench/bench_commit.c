/* bench_commit: committed instructions per second that the commit checker executes and compares, told one by
 * one and in batches: warps of 32 threads with all values, addresses and data, and cores. */
#include "tests/library/commit_design.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ITEMS = 65536, GROUP = 256, UNITS = 8, MOST = 100000, REPEATS = 15 };

static struct lockstep_committed *told;
static size_t told_count;
static uint32_t *words, *next_word; /* their values, addresses and data, one after the other */

static const uint32_t *copy(const uint32_t *from, size_t count) {
    memcpy(next_word, from, count * sizeof *from);
    return (next_word += count) - count;
}

static bool keep(struct design *d, const struct design_commit *t) {
    if (told_count < MOST) {
        struct lockstep_committed *k = &told[told_count++];
        const unsigned words_stored = machine_code_at(d->checker->launch->code, t->told.pc)->access_bytes;
        *k = t->told;
        k->values = copy(t->values, (size_t)__builtin_popcountll(k->destinations) * d->threads);
        if (k->addresses) k->addresses = copy(t->addresses, d->threads);
        if (k->data) k->data = copy(t->data, (words_stored + 3) / 4 * d->threads);
    }
    return lockstep_commit(d->checker, &t->told, 1);
}

static void fail(const char *what) {
    fprintf(stderr, "bench_commit: %s: %s\n", what, lockstep_error());
    exit(1);
}

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct lockstep_checker *begin(struct lockstep_machine *m) {
    const struct lockstep_range range = {{ITEMS}, {GROUP}};
    struct lockstep_checker *c = lockstep_checker_create(m, &range, UNITS);
    if (!c) fail("a launch");
    return c;
}

/* Starts the warp of a commit, if it has ended, as the design has. */
static bool start(struct lockstep_checker *c, const struct lockstep_committed *t, uint64_t *next) {
    uint32_t group[3];
    if (c->mimd || c->unit[t->unit].live) return false;
    commit_group_ids(c, *next / GROUP, group);
    if (!lockstep_checker_start(c, t->unit, group, (uint32_t)(*next % GROUP))) fail("a start");
    *next += c->threads;
    return true;
}

/* One by one: notes at which commits warps start, which batches end before. */
static double measure(struct lockstep_machine *m, size_t most) {
    static bool starts[MOST + 1];
    double best = 0;
    for (int r = 0; r < REPEATS; ++r) {
        struct lockstep_checker *c = begin(m);
        uint64_t next = 0;
        const double begun = cpu();
        for (size_t n = 0, count; n < told_count; n += count) {
            const bool started = start(c, &told[n], &next);
            if (most == 1) starts[n] = started;
            for (count = 1; count < most && n + count < told_count && !starts[n + count];) ++count;
            if (!lockstep_commit(c, &told[n], count)) fail("a commit");
        }
        const double rate = (double)told_count / (cpu() - begun);
        if (rate > best) best = rate;
        lockstep_checker_destroy(c);
    }
    return best / 1e6;
}

static void bench(const char *image, const char *mode, const char *kernel) {
    char settings[64];
    uint8_t *host;
    snprintf(settings, sizeof settings, "mode=%s", mode);
    struct lockstep_machine *m = lockstep_create(NULL, settings, image);
    if (!m) fail("the machine");
    const uint32_t in = lockstep_buffer(m, ITEMS * 8, &host), out = lockstep_buffer(m, ITEMS * 8, NULL);
    for (uint32_t n = 0; n < ITEMS; ++n) ((uint32_t *)host)[n] = n * 7 % 41 + 1;
    if (!lockstep_kernel(m, kernel) || !lockstep_pointer(m, in) || !lockstep_pointer(m, out)) fail(kernel);
    if (!strcmp(kernel, "sums") && !lockstep_local(m, GROUP * 4)) fail(kernel);
    struct design d = {.commit = keep};
    told_count = 0;
    next_word = words;
    struct lockstep_checker *c = begin(m);
    if (!design_run(&d, c, UNITS) || !lockstep_checker_end(c)) fail("the design");
    lockstep_checker_destroy(c);
    design_free(&d);
    const double one_by_one = measure(m, 1);
    printf("%-6s %-8s %10zu %14.1f %12.1f\n", mode, kernel, told_count, one_by_one, measure(m, 64));
    lockstep_destroy(m);
}

int main(int argc, char **argv) {
    (void)argc;
    char command[4096], image[] = "/tmp/bench_commit.XXXXXX";
    const char *slash = strrchr(argv[0], '/');
    const int descriptor = mkstemp(image);
    if (descriptor < 0 || !slash) return 1;
    snprintf(command, sizeof command, "'%.*s/../lockstep-cc' -o %s tests/kernels/commit.cl",
             (int)(slash - argv[0]), argv[0], image);
    if (system(command)) return 1;
    told = calloc(MOST, sizeof *told);
    words = calloc(MOST, 3 * 32 * sizeof *words);
    if (!told || !words) return 1;
    printf("M instructions a second of CPU time, best of %d; warps of 32 threads, or cores\n", REPEATS);
    printf("mode   kernel      commits     one by one   in batches\n");
    bench(image, "simt", "collatz");
    bench(image, "simt", "sums");
    bench(image, "mimd", "collatz");
    bench(image, "mimd", "sums");
    remove(image);
    free(told);
    free(words);
    return 0;
}
