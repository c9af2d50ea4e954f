/*
 * Superscalar cores run whole programs: right results, the order of the kinds, waves, explanations.
 */
#include "tests/fixture.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static char *const programs[] = {"benchmarks/reduction", "benchmarks/bitonic_sort", "benchmarks/histogram",
                                 "benchmarks/path_finder --columns 300 --rows 4 --halo 2"};
enum { PROGRAMS = sizeof programs / sizeof programs[0] };

/* With LOCKSTEP_LONG=1 (make test-long), larger_is_not_slower() runs the paper's programs, too. */
static char *const papers_programs[] = {"benchmarks/b_tree --input test",
                                        "benchmarks/backprop --input test",
                                        "benchmarks/dwthaar1d --input test",
                                        "benchmarks/fdtd3d --input test",
                                        "benchmarks/hotspot_pyramid --input test",
                                        "benchmarks/lud --input test",
                                        "benchmarks/matrixmul --input test",
                                        "benchmarks/nbody --input test",
                                        "benchmarks/nw --input test",
                                        "benchmarks/pathfinder --input test",
                                        "benchmarks/reduction_uint4 --input test",
                                        "benchmarks/bfs_frontier --input test",
                                        "benchmarks/bitonic_sort --input small",
                                        "benchmarks/black_scholes --input test",
                                        "benchmarks/cfd --input test",
                                        "benchmarks/dotproduct --input test",
                                        "benchmarks/gaussian --input test",
                                        "benchmarks/kmeans --input test",
                                        "benchmarks/lavamd --input test",
                                        "benchmarks/nearest_neighbors --input small",
                                        "benchmarks/particlefilter --input test",
                                        "benchmarks/srad --input test"};
enum { PAPERS_PROGRAMS = sizeof papers_programs / sizeof papers_programs[0] };

static json_int_t sum(const json_t *statistics, const char *name) {
    json_int_t all = 0;
    size_t index;
    json_t *row;
    json_array_foreach(json_object_get(statistics, "counters"), index, row) {
        if (strcmp(json_string_value(json_object_get(row, "name")), name) == 0)
            all += json_integer_value(json_object_get(row, "value"));
    }
    return all;
}

/* Runs a program with the right result. Returns its cycles, and its core instructions, if requested. */
static json_int_t cycles(const char *machine, const char *settings, const char *program,
                         json_int_t *instructions) {
    struct spawned s = fixture_run(machine, settings, "", program);
    if (s.status || !strstr(s.out, "PASS")) fail_msg("%s, %s: %s%s", program, settings, s.out, s.err);
    spawn_free(&s);
    json_t *j = fixture_statistics("s.json");
    if (instructions) *instructions = sum(j, "scalar_instructions");
    json_decref(j);
    return fixture_cycles("s.json");
}

/* The kinds execute about equally many instructions, and each is faster than the previous one. In histogram,
 * exclusive accesses, which wait for an empty window, take most of the time. */
static void out_of_order_is_faster_than_in_order_than_single(void **state) {
    (void)state;
    for (unsigned p = 0; p < PROGRAMS; ++p) {
        json_int_t count[3];
        const json_int_t single = cycles(NULL, "mode=mimd", programs[p], &count[0]),
                         in_order = cycles("in-order-2", "", programs[p], &count[1]),
                         out_of_order = cycles("out-of-order-3", "", programs[p], &count[2]);
        if (strstr(programs[p], "histogram")) continue;
        if (!(out_of_order < in_order && in_order < single))
            fail_msg("%s: %lld, %lld, %lld cycles", programs[p], (long long)single, (long long)in_order,
                     (long long)out_of_order);
        for (unsigned k = 1; k < 3; ++k)
            assert_in_range(count[k], count[0] - count[0] / 100, count[0] + count[0] / 100);
    }
}

/* Larger windows and issue widths are at most `percent` slower, apart from effects of the order of accesses
 * on the caches. A window of one instruction is not faster than issue in order. */
static void assert_larger_is_not_slower(char *program, unsigned percent) {
#define TILE "cluster.local_memory=65536" /* nw needs more than 32 KB */
    static const char *const sizes[] = {
        TILE " core.window=8 core.issue_width=2", TILE " core.window=32 core.issue_width=2",
        TILE " core.window=128 core.issue_width=2", TILE " core.window=128 core.issue_width=3"};
    const json_int_t in_order = cycles("in-order-2", TILE, program, NULL);
    json_int_t before = cycles("out-of-order-3", TILE " core.window=1", program, NULL);
    if (before < in_order)
        fail_msg("%s: %lld cycles with a window of 1, %lld in order", program, (long long)before,
                 (long long)in_order);
    for (unsigned n = 0; n < sizeof sizes / sizeof sizes[0]; ++n) {
        const json_int_t now = cycles("out-of-order-3", sizes[n], program, NULL);
        if (now > before + before * percent / 100)
            fail_msg("%s: %lld cycles with %s, %lld with less", program, (long long)now, sizes[n],
                     (long long)before);
        before = now;
    }
}

static void larger_is_not_slower(void **state) {
    (void)state;
    const char *l = getenv("LOCKSTEP_LONG");
    for (unsigned p = 0; p < PROGRAMS; ++p) assert_larger_is_not_slower(programs[p], 1);
    for (unsigned p = 0; l && *l && p < PAPERS_PROGRAMS; ++p)
        assert_larger_is_not_slower(papers_programs[p], 1);
}

/* Several rounds a cycle make SIMT mode faster, both in warps and in rounds, and three warps are not slower
 * than two. */
static void several_rounds_a_cycle_are_faster(void **state) {
    (void)state;
    for (unsigned p = 0; p < PROGRAMS; ++p) {
        const json_int_t off = cycles("dual-mode-superscalar", "simt.multi_issue=off", programs[p], NULL),
                         rounds =
                             cycles("dual-mode-superscalar", "simt.multi_issue=rounds", programs[p], NULL),
                         two = cycles("dual-mode-superscalar", "simt.issue_width=2", programs[p], NULL),
                         three = cycles("dual-mode-superscalar", "", programs[p], NULL);
        if (!(rounds < off && two < off && three <= two + two / 100))
            fail_msg("%s: %lld, %lld, %lld, %lld cycles", programs[p], (long long)off, (long long)rounds,
                     (long long)two, (long long)three);
    }
}

/* Fig. 17 of dual-mode-simt-arm, for five of its programs: in the mean of those with many barriers, the
 * dual-mode machine is faster than out-of-order cores, and those faster than in-order cores. Programs with
 * few barriers are faster on cores (docs/superscalar.md, section 6). */
static void machines_have_the_order_of_the_paper(void **state) {
    (void)state;
    static const struct {
        char *program;
        bool has_barriers;
    } runs[] = {
        {"benchmarks/dwthaar1d --input small", true},
        {"benchmarks/lud --input small", true},
        {"benchmarks/pathfinder --input small", true},
        {"benchmarks/bfs_frontier --input small", false},
        {"benchmarks/bitonic_sort --group 256 --log2-count 12", false},
    };
    double product[3] = {1, 1, 1};
    for (unsigned n = 0; n < sizeof runs / sizeof runs[0]; ++n) {
        static const char *const cores = "kernel.math=classic mimd.coalescing=snucl";
        const json_int_t in_order = cycles("in-order-2", cores, runs[n].program, NULL),
                         out_of_order = cycles("out-of-order-3", cores, runs[n].program, NULL),
                         dual_mode =
                             cycles("dual-mode-superscalar", "kernel.math=classic", runs[n].program, NULL);
        if (!(out_of_order < in_order && (runs[n].has_barriers || in_order < dual_mode)))
            fail_msg("%s: %lld, %lld, %lld cycles", runs[n].program, (long long)in_order,
                     (long long)out_of_order, (long long)dual_mode);
        if (!runs[n].has_barriers) continue;
        product[0] *= (double)in_order;
        product[1] *= (double)out_of_order;
        product[2] *= (double)dual_mode;
    }
    assert_true(product[2] < product[1] && product[1] < product[0]);
}

/* Returns how often a variable is declared in a trace. */
static unsigned declared(const char *vcd, const char *name) {
    char *text = spawn_text(" %s $end", name);
    unsigned count = 0;
    for (const char *at = vcd; (at = strstr(at, text)); ++at) ++count;
    free(text);
    return count;
}

static void waves_show_queue_window_and_predictor(void **state) {
    (void)state;
    struct spawned s = fixture_run("out-of-order-3", "", "--trace t.fst --trace-cycles 0:3000", programs[0]);
    assert_status(&s, 0);
    spawn_free(&s);
    s = spawn(fixture_folder, (char *[]){"fst2vcd", "t.fst", NULL});
    assert_status(&s, 0);
    static const char *const names[] = {"issued", "fetch_pc", "fetch_rests", "fetch_queue",
                                        "lsq",    "window",   "branches",    "branches_wrong"};
    for (unsigned n = 0; n < sizeof names / sizeof names[0]; ++n) {
        char *vector = spawn_text("%s[", names[n]);
        if (declared(s.out, names[n]) != 4 && !strstr(s.out, vector)) fail_msg("no %s", names[n]);
        free(vector);
    }
    spawn_free(&s);
}

/* The cycles of lines and causes add up, which the command checks, and a wrong prediction is a cause. */
static void explain_knows_the_causes(void **state) {
    (void)state;
    static const char *const machines[] = {"in-order-2", "out-of-order-3", "dual-mode-superscalar"},
                             *const causes[] = {"\"memory\"", "\"window\"", "\"occupied\""};
    for (unsigned n = 0; n < 3; ++n) {
        char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machines[n]),
             *program = spawn_text("%s/%s", spawn_build(), programs[0]);
        struct spawned s = LOCKSTEP("explain", "--json", "--config", config, "--", program);
        assert_status(&s, 0);
        if (n < 2) assert_says(s.out, "\"branch\"");
        assert_says(s.out, causes[n]);
        spawn_free(&s);
        free(program);
        free(config);
    }
}

/* The columns of the table name the causes that occur. A full load-store queue or write buffer is memory. */
static void explain_groups_the_causes(void **state) {
    (void)state;
    static const struct {
        char *kind, *setting, *memory;
    } machines[] = {{"core.kind=in_order", "core.lsq=2", "\n  memory    memory, load-store queue\n"},
                    {"core.kind=out_of_order", "core.lsq=2", "\n  memory    memory, load-store queue\n"},
                    {"core.kind=single", "l1d.write_buffer=1", "\n  memory    memory, write buffer\n"}};
    char *program = spawn_text("%s/%s", spawn_build(), programs[0]);
    for (unsigned n = 0; n < sizeof machines / sizeof machines[0]; ++n) {
        struct spawned s = LOCKSTEP("explain", "--mode", "mimd", "--set", machines[n].kind, "--set",
                                    machines[n].setting, "--", program);
        assert_status(&s, 0);
        assert_says(s.out, machines[n].memory);
        spawn_free(&s);
    }
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(out_of_order_is_faster_than_in_order_than_single),
        TEST(larger_is_not_slower),
        TEST(waves_show_queue_window_and_predictor),
        TEST(several_rounds_a_cycle_are_faster),
        TEST(machines_have_the_order_of_the_paper),
        TEST(explain_knows_the_causes),
        TEST(explain_groups_the_causes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
