/* ICS-First reconverges after early exits. Each form of tests/kernels/early_exits.cl leaves the same memory
 * as its structured twin, with at most as many warp instructions and cycles. The work that both forms have in
 * common takes the same number of warp instructions and threads, and has the same SIMD efficiency. (Over all
 * instructions a twin may have a higher efficiency: all threads compute its flags.) Functions of the math
 * library with several returns keep a warp together between calls. */
#include "tests/kernel_run.h"
#include "tests/seed.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ITEMS = 256, GROUP = 64, ROUNDS = 6, WARP = 32 };

/* Variants of the kernels: unchanged, and with different numbers of additional instructions in each step of
 * work. */
enum { PLAIN, PADDED, PADDED_MORE, BUILDS, PAD = 8 };
static struct kernel_run builds[BUILDS];

static int open_kernels(void **state) {
    static const char *const options[BUILDS] = {"-w", "-w -DPAD=8", "-w -DPAD=16"};
    char *path = spawn_text("%s/tests/kernels/early_exits.cl", spawn_source());
    (void)state;
    for (unsigned b = 0; b < BUILDS; b++) kernel_run_open(&builds[b], path, options[b]);
    free(path);
    return 0;
}

static int close_kernels(void **state) {
    (void)state;
    for (unsigned b = 0; b < BUILDS; b++) kernel_run_close(&builds[b]);
    return 0;
}

static double efficiency(const struct kernel_run_figures *f) {
    return (double)f->thread_instructions / (double)(f->warp_instructions * WARP);
}

/* Returns the counters of a kernel's launch; `words` receives its buffer. */
static struct kernel_run_figures run_build(unsigned build, const char *name, uint32_t words[ITEMS]) {
    static const char *const ics_first[] = {"simt.pc_policy=ics_first", NULL};
    const struct kernel_run_work w = {
        .kernel = name, .items = ITEMS, .group = GROUP, .numbers = {ROUNDS}, .check_levels = true};
    struct seed random = seed_of(1);
    struct kernel_run_figures f;
    struct error e = {0};
    for (unsigned i = 0; i < ITEMS; i++) words[i] = (uint32_t)seed_below(&random, 1u << 30);
    if (!kernel_run_measured(&builds[build], &w, ics_first, words, ITEMS, &f, &e))
        fail_msg("%s: %s", name, e.message);
    return f;
}

/* Instructions of a kernel in all, and of the steps of its work. */
struct executed {
    struct kernel_run_figures all;
    uint64_t warp_steps, thread_steps;
};

static struct executed run(const char *form, const char *version, uint32_t words[ITEMS]) {
    char *name = spawn_text("%s_%s", form, version);
    const struct kernel_run_figures less = run_build(PADDED, name, words),
                                    more = run_build(PADDED_MORE, name, words);
    const struct executed x = {run_build(PLAIN, name, words),
                               (more.warp_instructions - less.warp_instructions) / PAD,
                               (more.thread_instructions - less.thread_instructions) / PAD};
    print_message(
        "%-14s %7lu cycles, %6lu warp instructions, %6lu of the work, SIMD efficiency %4.1f %%, %4.1f %%\n",
        name, (unsigned long)x.all.cycles, (unsigned long)x.all.warp_instructions,
        (unsigned long)x.warp_steps, 100 * efficiency(&x.all),
        100 * (double)x.thread_steps / (double)(x.warp_steps * WARP));
    free(name);
    return x;
}

static void early_exits_cost_no_more_than_their_twins(void **state) {
    static const char *const forms[] = {"return",   "break",  "continue", "forward",
                                        "backward", "switch", "fall"};
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        uint32_t left[ITEMS], expected[ITEMS];
        const struct executed early = run(forms[i], "early", left), twin = run(forms[i], "twin", expected);
        assert_memory_equal(left, expected, sizeof left);
        assert_int_equal(early.thread_steps, twin.thread_steps);
        assert_int_equal(early.warp_steps, twin.warp_steps);
        /* The gates of a long chain of cases are more than the twin's conditions. */
        const double most = strcmp(forms[i], "fall") == 0 ? 1.07 : 1.0;
        assert_true((double)early.all.warp_instructions <= most * (double)twin.all.warp_instructions);
        assert_true((double)early.all.cycles <= 1.001 * most * (double)twin.all.cycles);
    }
}

/* Without reconvergence after different returns, the efficiencies are 18, 52 and 45 %. */
static void library_functions_keep_warps_together(void **state) {
    static const struct {
        const char *name;
        double least;
    } functions[] = {{"sin", 0.35}, {"expm1", 0.8}, {"atan2", 0.48}};
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        uint32_t words[ITEMS];
        char *name = spawn_text("library_%s", functions[i].name);
        const struct kernel_run_figures f = run_build(PLAIN, name, words);
        print_message("%s: SIMD efficiency %4.1f %%\n", name, 100 * efficiency(&f));
        assert_true(efficiency(&f) >= functions[i].least);
        free(name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(early_exits_cost_no_more_than_their_twins),
        cmocka_unit_test(library_functions_keep_warps_together),
    };
    return cmocka_run_group_tests(tests, open_kernels, close_kernels);
}
