/* Every configuration gives every program its right result: the programs of tests/hosts, which check
 * themselves, on machines that differ in each dimension. `make test` runs three programs a machine, in turn;
 * LOCKSTEP_LONG=1 (`make test-long`) all. Results do not depend on waves, single steps, the folder, or
 * repetition. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SETTINGS 4

static const char *const machines[][MOST_SETTINGS + 1] = {
    {"simt.warp_size=4", "cluster.threads_per_lane=32"},
    {"simt.warp_size=8"},
    {"simt.warp_size=16"},
    {"simt.warp_size=64"},
    {"cluster.lanes=1", "cluster.threads_per_lane=512"},
    {"cluster.lanes=2"},
    {"cluster.lanes=8"},
    {"cluster.lanes=16", "cluster.threads_per_lane=64"},
    {"simt.lane_map=cyclic"},
    {"simt.pc_policy=min_pc"},
    {"simt.pc_policy=first_ready"},
    {"simt.priority_levels=1"},
    {"simt.priority_levels=16"},
    {"l1d.size=16384", "l1d.line=32"},
    {"l1d.size=8192", "cluster.lanes=16", "cluster.threads_per_lane=64"},
    {"l1d.size=65536", "l1d.line=32"},
    {"l2.size=1024", "l2.ways=1", "mem.mshrs=2"},
    {"mem.latency=1", "l2.latency=1"},
    {"simt.queue_entries=1", "simt.collectors=1"},
    {"tpm.read_ports=2", "tpm.write_ports=4", "tpm.latency=3"},
    {"cluster.clock_mhz=333", "cluster.stack_size=256"},
    {"mode=mimd"},
    {"mode=mimd", "cluster.lanes=2"},
    {"mode=mimd", "cluster.lanes=16", "cluster.threads_per_lane=64"},
    {"mode=mimd", "l1d.size=16384", "l1d.line=32"},
    {"mode=mimd", "l2.size=1024", "l2.ways=1", "mem.mshrs=2"},
    {"mode=mimd", "mem.latency=1", "l2.latency=1", "l1d.latency=3"},
    {"mode=mimd", "core.branch_penalty=0", "occupancy.load_multiple=3"},
    {"cluster.count=16", "cluster.lanes=2"},
    {"mode=mimd", "cluster.count=4", "mem.page_walk=memory"},
    {"mode=mimd", "l1d.write_buffer=2", "core.hit_under_miss=2", "mem.bandwidth=2"},
    {"cluster.count=2", "mem.page_walk=memory", "l2.size=2048"},
    {"cluster.count=2", "cluster.lanes=16", "cluster.threads_per_lane=64"},
    {"mode=mimd", "cluster.count=16", "cluster.lanes=2"},
    {"cluster.count=3", "l2.banks=4", "snoop.occupancy=1", "directory.hop=1"},
    {"mode=mimd", "core.kind=in_order", "mem.page_walk=memory"},
    {"mode=mimd", "core.kind=out_of_order", "core.issue_width=3", "core.front_stages=15"},
    {"mode=mimd", "core.kind=in_order", "core.lsq=1", "core.fetch_queue=1"},
    {"mode=mimd", "core.kind=out_of_order", "core.window=3", "mem.mshrs=2"},
    {"core.kind=in_order", "core.issue_width=3"},
    {"simt.multi_issue=warps", "simt.issue_width=4", "simt.collectors=8", "cluster.count=2"},
    {"simt.multi_issue=rounds", "core.integer_units=4", "simt.mitigation=skip"},
};
static const char *const programs[] = {
    "atomics",        "barrier_loop", "chars",      "constant_memory", "divergence",
    "local_argument", "math",         "odd_groups", "own_reduction",   "matrix_multiply",
    "private_array",  "three_d",      "vector_add",
};
enum { MACHINES = sizeof machines / sizeof machines[0], PROGRAMS = sizeof programs / sizeof programs[0] };

static struct spawned run_on(const char *const *settings, char *program, char *const extra[]) {
    char *argv[32] = {fixture_command, "run"};
    unsigned n = 2;
    for (; *settings; ++settings) {
        argv[n++] = "--set";
        argv[n++] = (char *)*settings;
    }
    while (*extra) argv[n++] = *extra++;
    argv[n++] = "--";
    argv[n++] = program;
    return spawn(fixture_folder, argv);
}

static void every_machine_gives_the_right_result(void **state) {
    (void)state;
    const bool all = getenv("LOCKSTEP_LONG") != NULL;
    for (unsigned m = 0; m < MACHINES; ++m)
        for (unsigned p = 0; p < PROGRAMS; ++p) {
            if (!all && (p + 5 * m) % PROGRAMS >= 3) continue;
            char *program = fixture_host(programs[p]);
            struct spawned s = run_on(machines[m], program, (char *[]){NULL});
            if (s.status != 0 || !strstr(s.out, "PASS"))
                fail_msg("%s on the machine with %s…: exit status %d\n%s%s", programs[p], machines[m][0],
                         s.status, s.out, s.err);
            spawn_free(&s);
            free(program);
        }
}

/* Returns all simulated data of a run's statistics: launches, totals and counters. */
static char *simulated(const char *file) {
    json_t *all = fixture_statistics(file);
    json_t *part = json_pack("{s:O, s:O}", "totals", json_object_get(all, "totals"), "counters",
                             json_object_get(all, "counters"));
    assert_non_null(part);
    char *text = json_dumps(part, JSON_SORT_KEYS);
    json_decref(part);
    json_decref(all);
    return text;
}

static void waves_and_single_steps_change_nothing(void **state) {
    (void)state;
    for (unsigned m = 0; m < MACHINES; m += m < 33 ? 3 : 1) { /* all superscalar ones, and several clusters */
        char *program = fixture_host("barrier_loop");
        char *const extra[4][7] = {
            {"--stats", "plain.json"},
            {"--stats", "exact.json", "--exact-steps"},
            {"--stats", "traced.json", "--trace", "traced.fst"},
            {"--stats", "window.json", "--trace", "window.fst", "--trace-cycles", "700:1900"}};
        for (unsigned n = 0; n < 4; ++n) {
            struct spawned s = run_on(machines[m], program, extra[n]);
            assert_status(&s, 0);
            spawn_free(&s);
        }
        char *plain = simulated("plain.json"), *exact = simulated("exact.json"),
             *traced = simulated("traced.json"), *window = simulated("window.json");
        assert_string_equal(plain, exact);
        assert_string_equal(plain, traced);
        assert_string_equal(plain, window);
        free(window);
        free(plain);
        free(exact);
        free(traced);
        free(program);
    }
}

static void a_traced_window_is_part_of_the_whole(void **state) {
    (void)state;
    char *program = fixture_host("barrier_loop");
    struct spawned s = LOCKSTEP("run", "--trace", "window.fst", "--trace-cycles", "1000:3000", "--", program);
    assert_status(&s, 0);
    assert_readable("window.fst");
    spawn_free(&s);
    s = LOCKSTEP("run", "--trace", "none.fst", "--trace-cycles", "900000000:900000001", "--", program);
    assert_status(&s, 125);
    assert_says(s.err, "is empty: the run ended at cycle");
    spawn_free(&s);
    s = LOCKSTEP("run", "--trace", "none.fst", "--trace-cycles", "9:3", "--", program);
    assert_status(&s, 125);
    assert_says(s.err, "FIRST not above LAST");
    spawn_free(&s);
    s = LOCKSTEP("run", "--trace-cycles", "1:3", "--", program);
    assert_status(&s, 125);
    assert_says(s.err, "--trace does not say where");
    spawn_free(&s);
    free(program);
}

/* In MIMD mode each core shows the work-group it runs. */
static void cores_show_their_work_groups(void **state) {
    (void)state;
    char *program = fixture_host("matrix_multiply");
    struct spawned s =
        LOCKSTEP("run", "--mode", "mimd", "--trace", "m.fst", "--trace-cycles", "0:20000", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    s = spawn(fixture_folder, (char *[]){"fst2vcd", "m.fst", NULL});
    assert_status(&s, 0);
    const char *at = s.out;
    unsigned variables = 0;
    while ((at = strstr(at + 1, " work_group $end"))) ++variables;
    assert_int_equal(variables, 1 + 4);
    for (unsigned n = 0; n < 4; ++n) {
        char group[32];
        snprintf(group, sizeof group, "s(%u,\\0400,\\0400)", n);
        assert_says(s.out, group);
    }
    spawn_free(&s);
    free(program);
}

/* 32 cores, each width of Fig. 14: all have work, and the result is right. */
static void the_machines_of_figure_14(void **state) {
    (void)state;
    static const unsigned widths[] = {2, 4, 8, 16};
    char *program = fixture_host("matrix_multiply");
    for (unsigned n = 0; n < 4; ++n) {
        char *config = spawn_text("%s/configs/dual-mode-32x%u.yaml", spawn_source(), widths[n]);
        struct spawned s = LOCKSTEP("run", "--config", config, "--stats", "figure.json", "--", program);
        assert_status(&s, 0);
        json_t *j = fixture_statistics("figure.json"), *c;
        unsigned clusters = 0, lanes = 0;
        size_t i;
        json_array_foreach(json_object_get(j, "counters"), i, c) {
            const char *name = json_string_value(json_object_get(c, "name"));
            clusters += strcmp(name, "warp_instructions") == 0 && fixture_number(c, "value") > 0;
            lanes += strcmp(name, "scalar_instructions") == 0 && fixture_number(c, "value") > 0;
        }
        assert_int_equal(lanes, 32);
        assert_in_range(clusters, 1, 32 / widths[n]);
        json_decref(j);
        spawn_free(&s);
        free(config);
    }
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_machine_gives_the_right_result),
        TEST(waves_and_single_steps_change_nothing),
        TEST(a_traced_window_is_part_of_the_whole),
        TEST(cores_show_their_work_groups),
        TEST(the_machines_of_figure_14),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
