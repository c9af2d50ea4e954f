/* `lockstep run --rtl simt_coprocessor=…`: the whole co-processor in Verilog is the machine's, cycle for
 * cycle, from reset to the last thread's exit; and a wire that is not where it belongs is seen. */
#include "sim/error.h"
#include "tests/tb/rtl_text.h"

#define SMALL "--set", "simt.warp_size=8", "--set", "cluster.lanes=2"

static void assert_whole(const char *name, char *const machine[], char *const program[]) {
    static char *const modes[] = {"off", "simt_coprocessor=check", "simt_coprocessor=drive"};
    json_t *first = NULL;
    for (unsigned m = 0; m < 3; ++m) {
        char *path = spawn_text("%s/%s", spawn_build(), program[0]);
        char *argv[40] = {fixture_command, "run", "--stats", "s.json", "--rtl", modes[m]};
        unsigned n = 6;
        for (char *const *a = machine; *a; ++a) argv[n++] = *a;
        argv[n++] = "--";
        argv[n++] = path;
        for (char *const *a = program + 1; *a; ++a) argv[n++] = *a;
        struct spawned s = spawn(fixture_folder, argv);
        if (s.status != EXIT_SOUND) fail_msg("%s on %s, %s: %s", program[0], name, modes[m], s.err);
        json_t *statistics = fixture_statistics("s.json");
        if (!first)
            first = json_incref(statistics);
        else if (!json_equal(json_object_get(first, "totals"), json_object_get(statistics, "totals")) ||
                 !json_equal(json_object_get(first, "counters"), json_object_get(statistics, "counters")))
            fail_msg("%s on %s: other figures with %s", program[0], name, modes[m]);
        json_decref(statistics);
        spawn_free(&s);
        free(path);
    }
    json_decref(first);
}

/* With inputs of their own; test_policies has all benchmarks with small ones. */
static void every_program_runs_on_it(void **state) {
    (void)state;
    char *const programs[][6] = {
        {"tests/hosts/odd_groups"},
        {"tests/hosts/private_array"},
        {"benchmarks/vector_add", "--count", "30000"},
        {"benchmarks/convolution", "--size", "64", "--radius", "3"},
        {"benchmarks/scalar_product", "--vectors", "9", "--length", "3000"},
        {"benchmarks/path_finder", "--columns", "3000", "--rows", "9"},
        {"benchmarks/mandelbrot", "--size", "128"},
        {"benchmarks/reduction"},
        {"benchmarks/hotspot", "--steps", "1"},
    };
    const unsigned count = getenv("LOCKSTEP_LONG") ? sizeof programs / sizeof programs[0] : 2;
    for (unsigned n = 0; n < count; ++n) assert_whole("the base machine", (char *[]){NULL}, programs[n]);
}

/* Every scheduler, every PC policy, and what changes the pipeline. */
static void every_machine_has_it(void **state) {
    (void)state;
    char *const machines[][20] = {
        {"--set", "simt.scheduler=greedy_oldest", "--set", "simt.pc_policy=min_pc", "--set",
         "cluster.count=2", "--set", "simt.queue_entries=5", "--set", "simt.collectors=3", "--set",
         "tpm.latency=3"},
        {SMALL, "--set", "simt.scheduler=two_level", "--set", "simt.pc_policy=first_ready", "--set",
         "simt.lane_map=cyclic", "--set", "simt.queue_entries=1", "--set", "simt.collectors=1"},
        {"--set", "uniform.storage=token", "--set", "uniform.intra=on", "--set", "uniform.inter=on"},
        {"--set", "uniform.storage=srf", "--set", "uniform.intra=on", "--set", "uniform.broadcast_cycles=2"},
    };
    const unsigned count = sizeof machines / sizeof machines[0];
    for (unsigned n = 0; n < count; ++n) {
        char *name = spawn_text("machine %u", n);
        if (n < 2) assert_whole(name, machines[n], (char *[]){"tests/hosts/divergence", NULL});
        assert_whole(name, machines[n], (char *[]){"tests/hosts/barrier_loop", NULL});
        free(name);
    }
}

static void a_wrong_wire_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
    } changes[] = {
        {".commit_i(commit_i), .release_i(release_o)", ".commit_i(commit_i), .release_i(opens_o)"},
        {"runnable_o & ~in_a", "runnable_o"},
        {".execute_warp_i(waiting_q[WAITING_BITS-1:0])", ".execute_warp_i(a_warp_q)"},
        {"32'(queue_left) + 32'(d_valid_q) < QUEUE_ENTRIES", "32'(queue_left) < QUEUE_ENTRIES"},
        {".start_live_i(live_o)", ".start_live_i(LIVE_BITS'(exit_count_o))"},
    };
    char *path = fixture_host("barrier_loop");
    for (unsigned n = 0; n < sizeof changes / sizeof changes[0]; ++n) {
        char *changed = rtl_text_changed("simt_coprocessor", changes[n].from, changes[n].to);
        char *rtl = spawn_text("simt_coprocessor=check:%s", changed);
        struct spawned s = LOCKSTEP("run", SMALL, "--rtl", rtl, "--", path);
        if (s.status != EXIT_TWINS_DISAGREE)
            fail_msg("'%s' for '%s': status %d\n%s", changes[n].to, changes[n].from, s.status, s.err);
        assert_says(s.err, "simt_coprocessor");
        spawn_free(&s);
        free(rtl);
        free(changed);
    }
    free(path);
}

/* Ours is made of our parts. */
static void a_replaced_part_is_refused(void **state) {
    (void)state;
    char *own = rtl_text_changed("warp_scheduler", "Loose", "loose");
    char *rtl = spawn_text("simt_coprocessor=check,warp_scheduler=replace:%s", own);
    char *path = fixture_host("divergence");
    struct spawned s = LOCKSTEP("run", "--rtl", rtl, "--", path);
    assert_status(&s, EXIT_USER);
    assert_says(s.err,
                "--rtl: simt_coprocessor is compared with the model, but warp_scheduler is replaced in it");
    spawn_free(&s);
    free(path);
    free(rtl);
    free(own);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(every_program_runs_on_it), TEST(every_machine_has_it),
                                       TEST(a_wrong_wire_is_seen), TEST(a_replaced_part_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
