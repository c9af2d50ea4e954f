/*
 * Programs that are vectorised by hand (--vectors on): each passes its check against C in every mode, with
 * VFP and with Advanced SIMD, and on PoCL. A kernel in which one constant is another fails the check.
 * Machines that cannot have Advanced SIMD are refused.
 */
#include "tests/lockstep/benchmark_checks.h"
#include "tests/pocl.h"

#include <stdlib.h>
#include <string.h>

/* A change of a kernel: a text that occurs once, and its replacement. */
enum { FROM, TO, PARTS };

static const struct program {
    char *words[BENCHMARK_WORDS];
    const char *change[PARTS];
} programs[] = {
    {{"bitonic_sort", "--vectors", "on"}, {"(p.even, q.even)", "(p.even, q.odd)"}},
    {{"black_scholes", "--items", "256", "--vectors", "on"}, {"0.2316419f", "0.3316419f"}},
    {{"dotproduct", "--products", "4096", "--vectors", "on"}, {"p.s37bf", "p.s37be"}},
    {{"dwthaar1d", "--log2-length", "10", "--vectors", "on"},
     {"pairs.even - pairs.odd", "pairs.odd - pairs.even"}},
    {{"hotspot_pyramid", "--size", "37", "--steps", "5", "--pyramid", "3", "--vectors", "on"},
     {"own, x == most_x", "own, x == most_x - 1"}},
    {{"kmeans", "--vectors", "on"}, {"distance < least", "distance > least"}},
    {{"matrixmul", "--vectors", "on"}, {"sum = 0.0f", "sum = 1.0f"}},
    {{"nbody", "--vectors", "on"}, {"pull[k] * 0.5f", "pull[k] * 0.75f"}},
    {{"nearest_neighbors", "--vectors", "on"}, {"four.odd - y", "four.odd + y"}},
    {{"reduction_uint4", "--elements", "9216", "--vectors", "on"}, {"first + 4, count", "first + 3, count"}},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* Groups that are not full, pieces of fewer than four pairs, tiles at the edges of a small grid. */
static void other_sizes(void **state) {
    static char *const runs[][BENCHMARK_WORDS] = {
        {"dwthaar1d", "--log2-length", "3", "--vectors", "on"},
        {"dwthaar1d", "--log2-length", "11", "--vectors", "on"},
        {"hotspot_pyramid", "--size", "3", "--steps", "4", "--pyramid", "1", "--vectors", "on"},
        {"hotspot_pyramid", "--size", "16", "--steps", "9", "--pyramid", "7", "--vectors", "on"},
        {"matrixmul", "--rows", "1", "--columns", "3", "--inner", "1", "--vectors", "on"},
        {"reduction_uint4", "--elements", "1024", "--vectors", "on"},
        {"reduction_uint4", "--elements", "8192", "--vectors", "on"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++)
        free(benchmark_passed((const char *const[]){"cluster.isa=neon", NULL, NULL}, runs[n]));
}

static void every_mode_says_the_same_with_advanced_simd(void **state) {
    (void)state;
    for (size_t p = 0; p < PROGRAMS; p++) benchmark_says_the_same("cluster.isa=neon", programs[p].words);
}

/* Singles differ where subnormals or NaNs meet, which happens in black_scholes only. */
static void vfp_says_the_same_as_advanced_simd(void **state) {
    (void)state;
    for (size_t p = 0; p < PROGRAMS; p++) {
        if (strcmp(programs[p].words[0], "black_scholes") == 0) continue;
        char *vfp = benchmark_passed((const char *const[]){"mode=simt", NULL, NULL}, programs[p].words),
             *neon =
                 benchmark_passed((const char *const[]){"cluster.isa=neon", NULL, NULL}, programs[p].words);
        assert_string_equal(vfp, neon);
        free(vfp);
        free(neon);
    }
}

static void pass_on_pocl(void **state) {
    (void)state;
    struct pocl pocl;
    if (!pocl_start(&pocl)) skip();
    pocl_end(&pocl);
    for (size_t p = 0; p < PROGRAMS; p++) free(benchmark_passed(NULL, programs[p].words));
}

static void a_changed_constant_fails(void **state) {
    (void)state;
    for (size_t p = 0; p < PROGRAMS; p++)
        benchmark_fails_with(NULL, programs[p].change[FROM], programs[p].change[TO], programs[p].words);
}

static void wrong_options_are_named(void **state) {
    (void)state;
    benchmark_refuses("is no multiple of 4",
                      (char *[]){"dotproduct", "--products", "3", "--vectors", "on", NULL});
    benchmark_refuses("is no multiple of 4", (char *[]){"kmeans", "--points", "9", "--vectors", "on", NULL});
    benchmark_refuses("needs --swap on", (char *[]){"kmeans", "--swap", "off", "--vectors", "on", NULL});
    benchmark_refuses("is no multiple of 128",
                      (char *[]){"nbody", "--bodies", "32", "--vectors", "on", NULL});
    benchmark_refuses("--log2-count 3",
                      (char *[]){"bitonic_sort", "--log2-count", "2", "--vectors", "on", NULL});
    benchmark_refuses("--log2-length 3",
                      (char *[]){"dwthaar1d", "--log2-length", "2", "--vectors", "on", NULL});
    benchmark_refuses("needs --local on", (char *[]){"matrixmul", "--local", "off", "--vectors", "on", NULL});
    benchmark_refuses("is no multiple of 1024",
                      (char *[]){"reduction_uint4", "--elements", "1000", "--vectors", "on", NULL});
    benchmark_refuses("has no vectors",
                      (char *[]){"hotspot_pyramid", "--model", "openmp", "--vectors", "on", NULL});
    benchmark_refuses("has no vectors", (char *[]){"kmeans", "--model", "openmp", "--vectors", "on", NULL});
}

/* The checks follow vector loads and stores, but no values in vectors. */
static void checks_find_nothing(void **state) {
    char *const argv[] = {fixture_command,
                          "run",
                          "--check-memory",
                          "--check-races",
                          "--set",
                          "cluster.isa=neon",
                          "--",
                          spawn_text("%s/benchmarks/matrixmul", spawn_build()),
                          "--vectors",
                          "on",
                          NULL};
    (void)state;
    struct spawned s = spawn(fixture_folder, argv);
    assert_status(&s, 0);
    spawn_free(&s);
    free(argv[7]);
}

static void machines_that_cannot_have_it_say_why(void **state) {
    static const struct {
        const char *settings[2], *says;
    } wrong[] = {
        {{"uniform.storage=token", "uniform.intra=on"}, "uniform.storage is not none"},
        {{"l1d.size=1024", NULL}, "x 80 registers"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        struct spawned s = benchmark_run(
            (const char *const[]){"cluster.isa=neon", wrong[n].settings[0], wrong[n].settings[1]},
            programs[2].words);
        assert_status(&s, 125);
        assert_says(s.err, wrong[n].says);
        spawn_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(other_sizes),
        TEST(every_mode_says_the_same_with_advanced_simd),
        TEST(vfp_says_the_same_as_advanced_simd),
        TEST(pass_on_pocl),
        TEST(a_changed_constant_fails),
        TEST(wrong_options_are_named),
        TEST(checks_find_nothing),
        TEST(machines_that_cannot_have_it_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
