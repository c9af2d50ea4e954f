/* `lockstep run --rtl simt_coprocessor=…`: the whole co-processor in Verilog is the machine's, cycle for
 * cycle, from reset to the last thread's exit; and a wire that is not where it belongs is seen. */
#include "sim/error.h"
#include "tests/tb/rtl_text.h"

#define WHOLE "WARPS=4,WARP_SIZE=8,LANES=2"
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

/* With inputs of this test; test_policies runs all benchmarks with small ones. */
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

/* Every scheduler, every PC policy, and fields that change the pipeline. */
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

/* Our whole contains our parts. */
static void a_replaced_part_is_refused(void **state) {
    (void)state;
    char *own = rtl_text_changed("warp_scheduler", "loose", "Loose");
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

/* --- another whole in its place --- */

#define GREEDY "parameter  logic [31:0] OTHER_SCHEDULER = 0,\n    localparam logic [31:0] SCHEDULER = 1,"

static struct spawned run_replaced(const char *items, char *machine) {
    char *path = fixture_host("divergence");
    struct spawned s =
        LOCKSTEP("run", SMALL, "--stats", "s.json", "--set", machine, "--rtl", (char *)items, "--", path);
    free(path);
    return s;
}

static json_int_t cycles_with(const char *items, char *machine, const char *out) {
    struct spawned s = run_replaced(items, machine);
    if (s.status != EXIT_SOUND) fail_msg("%s: %s", items, s.err);
    if (out) assert_string_equal(s.out, out);
    json_t *statistics = fixture_statistics("s.json");
    const json_int_t cycles = fixture_number(json_object_get(statistics, "totals"), "cycles");
    json_decref(statistics);
    spawn_free(&s);
    return cycles;
}

/* The whole with another scheduler, or arbiter, is the machine that has that part, to the cycle. */
static void a_whole_of_another_policy_drives_the_machine(void **state) {
    (void)state;
    struct spawned own = run_replaced("off", "simt.scheduler=round_robin");
    char *greedy =
        rtl_text_changed("simt_coprocessor", "parameter  logic [31:0] SCHEDULER           = 0,", GREEDY);
    char *rtl = spawn_text("barrier_table=check,simt_coprocessor=replace:%s", greedy);
    assert_int_equal(cycles_with(rtl, "simt.scheduler=round_robin", own.out),
                     cycles_with("off", "simt.scheduler=greedy_oldest", own.out));
    free(rtl);
    free(greedy);
    char *min_pc = rtl_text_changed("simt_coprocessor", "case (PC_POLICY)", "case (1)");
    char *part =
        spawn_text("warp_pc_arbiter=replace:%s/rtl/min_pc_arbiter.sv,min_pc_arbiter", spawn_source());
    rtl = spawn_text("simt_coprocessor=replace:%s", min_pc);
    const json_int_t cycles = cycles_with(rtl, "simt.scheduler=round_robin", own.out);
    assert_int_equal(cycles, cycles_with(part, "simt.scheduler=round_robin", own.out));
    assert_true(cycles != cycles_with("off", "simt.scheduler=round_robin", own.out));
    free(rtl);
    free(part);
    free(min_pc);
    spawn_free(&own);
}

/* A of the template, but it passes only in every second cycle: slower, and right. */
static void a_whole_may_wait(void **state) {
    (void)state;
    struct spawned own = run_replaced("off", "simt.scheduler=round_robin");
    struct spawned template = LOCKSTEP("rtl-template", "simt_coprocessor");
    assert_says(template.out, "//   another output is not what follows from these\n");
    const json_int_t cycles = cycles_with("off", "simt.scheduler=round_robin", own.out);
    char *slow = rtl_text_change(strdup(template.out), "assign a_leaves   = a_valid_q && (",
                                 "logic odd_q;\n  always_ff @(posedge clk_i or negedge rst_ni)\n"
                                 "    if (!rst_ni) odd_q <= 1'b0; else odd_q <= !odd_q;\n"
                                 "  assign a_leaves   = odd_q && a_valid_q && (");
    write_file("slow.sv", slow);
    assert_true(cycles_with("simt_coprocessor=replace:slow.sv", "simt.scheduler=round_robin", own.out) >
                cycles);
    struct spawned random =
        LOCKSTEP("rtl-test", "simt_coprocessor=replace:slow.sv", "--cycles", "20000", "--sizes", WHOLE);
    assert_status(&random, EXIT_SOUND);
    assert_says(random.out, "20,000 cycles, within its contract");
    spawn_free(&random);
    free(slow);
    spawn_free(&template);
    spawn_free(&own);
}

static void a_whole_that_breaks_its_contract_is_stopped(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *says;
    } changes[] = {
        {"runnable_o & ~in_a", "runnable_o", "only_the_ready_are_selected: select_warp_o is not runnable"},
        {"(!a_valid_q || a_leaves);", "1'b1;", "a_takes_one_when_it_is_free: "},
        {"a_valid_q && (!f_valid_q || f_leaves);", "a_valid_q;", "f_takes_one_when_it_is_free: "},
        {"assign fetch_threads_o = a_leaves ? participating",
         "assign fetch_threads_o = a_leaves ? participating | WARP_SIZE'(fetch_pc_o[4])",
         "what_the_arbiter_chooses_leaves_a: "},
        {"assign fetch_wtid_o    = a_leaves ? chosen", "assign fetch_wtid_o    = a_leaves ? '0",
         "what_the_arbiter_chooses_leaves_a: "},
        /* consequences of its choices */
        {"? queue_q >> QUEUE_BITS", "? queue_q >> (queue_count_q == 2 ? 0 : QUEUE_BITS)", "offer_warp_o"},
        {".release_i(release_o)", ".release_i(release_o && live_o != 1)", "simt_coprocessor"},
    };
    const bool all = getenv("LOCKSTEP_LONG") != NULL;
    for (unsigned n = 0; n < sizeof changes / sizeof changes[0]; n += all ? 1 : 3) {
        char *changed = rtl_text_changed("simt_coprocessor", changes[n].from, changes[n].to);
        char *items = spawn_text("simt_coprocessor=replace:%s,-Wno-WIDTH", changed);
        struct spawned random = LOCKSTEP("rtl-test", items, "--cycles", "100000", "--sizes", WHOLE);
        if (random.status != EXIT_TWINS_DISAGREE || !strstr(random.err, changes[n].says))
            fail_msg("'%s' alone: status %d\n%s", changes[n].to, random.status, random.err);
        spawn_free(&random);
        if (n < 1) {
            struct spawned s = run_replaced(items, "simt.scheduler=round_robin");
            if (s.status != EXIT_TWINS_DISAGREE || !strstr(s.err, changes[n].says))
                fail_msg("'%s': status %d\n%s", changes[n].to, s.status, s.err);
            spawn_free(&s);
        }
        free(items);
        free(changed);
    }
}

/* The whole contains a scheduler and an arbiter of its own. */
static void a_part_that_is_not_there_is_refused(void **state) {
    (void)state;
    struct spawned s = run_replaced("warp_scheduler=check,simt_coprocessor=replace:x.sv", "cluster.count=1");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--rtl: where simt_coprocessor is replaced, warp_scheduler is not in the machine");
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_program_runs_on_it),
        TEST(every_machine_has_it),
        TEST(a_wrong_wire_is_seen),
        TEST(a_replaced_part_is_refused),
        TEST(a_whole_of_another_policy_drives_the_machine),
        TEST(a_whole_may_wait),
        TEST(a_whole_that_breaks_its_contract_is_stopped),
        TEST(a_part_that_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
