/* `lockstep run --rtl`: results with Verilog compared with, or in place of, the models are unchanged;
 * messages and waveforms of differences. */
#include "sim/error.h"
#include "tb/twins/twin_block.h"
#include "tests/tb/rtl_text.h"

static void assert_says_not(const char *text, const char *part) {
    if (!strstr(text, part)) return;
    print_error("'%s' is in:\n%s\n", part, text);
    fail();
}

/* --- runs that agree --- */

static void assert_nothing_compared(const char *name) {
    json_t *j = fixture_statistics(name);
    assert_null(json_object_get(j, "rtl"));
    json_decref(j);
}

static void off_check_and_drive_give_the_same(void **state) {
    (void)state;
    /* The collector in the configuration of most programs, and with loads of stack objects that occupy all
     * but one of 3 ports. */
    static const struct {
        const char *name, *ports, *latency;
    } runs[] = {{"divergence", "tpm.read_ports=1", "tpm.latency=1"},
                {"own_reduction", "tpm.read_ports=1", "tpm.latency=1"},
                {"barrier_loop", "tpm.read_ports=1", "tpm.latency=1"},
                {"odd_groups", "tpm.read_ports=1", "tpm.latency=1"},
                {"private_array", "tpm.read_ports=1", "tpm.latency=1"},
                {"private_array", "tpm.read_ports=3", "tpm.latency=2"}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        char *program = fixture_host(runs[i].name), *ports = (char *)runs[i].ports,
             *latency = (char *)runs[i].latency;
        struct spawned off =
            LOCKSTEP("run", "--stats", "off.json", "--set", ports, "--set", latency, "--", program);
        struct spawned check = LOCKSTEP("run", "--stats", "check.json", "--rtl", "check", "--set", ports,
                                        "--set", latency, "--", program);
        struct spawned drive = LOCKSTEP("run", "--stats", "drive.json", "--rtl", "drive", "--set", ports,
                                        "--set", latency, "--", program);
        assert_status(&off, 0);
        assert_status(&check, 0);
        assert_status(&drive, 0);
        assert_string_equal(off.out, check.out);
        assert_string_equal(off.out, drive.out);
        assert_says_not(off.err, "comparisons");
        assert_same("off.json", "check.json", "totals");
        assert_same("off.json", "drive.json", "totals");
        assert_same("off.json", "check.json", "counters");
        assert_same("off.json", "drive.json", "counters");
        assert_nothing_compared("off.json");
        spawn_free(&off);
        spawn_free(&check);
        spawn_free(&drive);
        free(program);
    }
}

/* Checks that the share of Verilog and comparison is a part of the time, or is not printed. */
static void assert_share(const char *text) {
    double share, seconds;
    const char *says = strstr(text, "Verilog and comparison took ");
    assert_non_null(says);
    if (sscanf(says, "Verilog and comparison took about %lf s of %lf s CPU time\n", &share, &seconds) == 2)
        assert_true(share > 0 && share < seconds);
    else
        assert_says(says, "; the run is too short to tell which\n");
}

static void comparisons_are_accounted_for(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s =
        LOCKSTEP("run", "--stats", "s.json", "--rtl", "check,warp_pc_arbiter=drive", "--", program);
    assert_status(&s, 0);
    json_t *stats = fixture_statistics("s.json"), *rtl = json_object_get(stats, "rtl");
    json_int_t cycles = fixture_number(json_object_get(stats, "totals"), "cycles");
    json_int_t items = fixture_number(json_object_get(stats, "totals"), "work_items");
    json_int_t first = fixture_number(json_array_get(rtl, CLUSTER_BLOCK_ARBITER), "comparisons");
    unsigned shared = 0;
    for (enum cluster_block n = 0; n < CLUSTER_BLOCK_COUNT; n++)
        shared += twin_block_is_shared(n) && n < CLUSTER_BLOCK_PREDICTOR;  /* blocks of superscalar cores */
    assert_int_equal(json_array_size(rtl), CLUSTER_BLOCK_TOKENS + shared); /* those of every machine */
    assert_true(first > 0 && first < cycles);                              /* less the start-up code */
    for (enum cluster_block n = 0; n < CLUSTER_BLOCK_TOKENS; n++) {
        json_t *block = json_array_get(rtl, n);
        assert_string_equal(json_string_value(json_object_get(block, "block")), twin_block[n].name);
        assert_string_equal(json_string_value(json_object_get(block, "mode")),
                            n == CLUSTER_BLOCK_ARBITER ? "drive" : "check");
        if (cluster_starts(n)) /* contexts start here, too: at most four in each cycle */
            assert_in_range(fixture_number(block, "comparisons"), first + items / 4, first + items);
        else
            assert_int_equal(fixture_number(block, "comparisons"), first);
        assert_int_equal(fixture_number(block, "mismatches"), 0);
        assert_in_range(fixture_number(block, "evaluated"), 1, fixture_number(block, "comparisons") - 1);
        assert_says(s.err, twin_block[n].name);
    }
    assert_true(5 * fixture_number(json_array_get(rtl, CLUSTER_BLOCK_BARRIERS), "evaluated") < first);
    assert_share(s.err);
    json_decref(stats);
    spawn_free(&s);
    s = LOCKSTEP("run", "--rtl", "barrier_table=check", "--", program);
    assert_status(&s, 0);
    assert_says(s.err, "barrier_table");
    assert_says_not(s.err, "warp_scheduler");
    spawn_free(&s);
    free(program);
}

static void every_size_has_its_own(void **state) {
    (void)state;
    char *program = fixture_host("divergence");
    struct spawned s = LOCKSTEP("run", "--rtl", "check", "--set", "simt.warp_size=16", "--set",
                                "simt.priority_levels=3", "--", program);
    assert_status(&s, 0);
    assert_says(s.err, "comparisons");
    spawn_free(&s);
    free(program);
}

static void a_run_that_compared_nothing_fails(void **state) {
    (void)state;
    char *program = fixture_host("no_kernel");
    struct spawned s = LOCKSTEP("run", "--stats", "off.json", "--", program);
    assert_status(&s, 0); /* without --rtl the run is sound */
    spawn_free(&s);
    s = LOCKSTEP("run", "--rtl", "check", "--stats", "s.json", "--", program);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--rtl: nothing was compared: no block had anything to do in this run");
    assert_exists("s.json", false);
    assert_outcome("s.json.part", "nothing-compared");
    spawn_free(&s);
    free(program);
}

/* Without SIMT mode the blocks of the co-processor have no cycle, and a note names them. To name one that has
 * none in --rtl is a mistake. */
static void blocks_without_a_cycle_are_named(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned all = LOCKSTEP("run", "--set", "mode=mimd", "--rtl", "check", "--stats", "s.json", "--",
                                  program),
                   one = LOCKSTEP("run", "--set", "mode=mimd", "--rtl", "check,warp_scheduler=check", "--",
                                  program),
                   none = LOCKSTEP("run", "--set", "mode=mimd", "--rtl",
                                   "check,work_group_dispatcher=off,snoop_directory=off", "--", program);
    assert_status(&all, EXIT_SOUND);
    assert_says(all.err, "  not compared: warp_scheduler, warp_pc_arbiter, subwarp_dispatcher, ");
    assert_says(all.err, ", writeback_arbiter (no work-group ran in SIMT mode)\n"
                         "  not compared: exclusive_monitor (the program has asked nothing of it)\n");
    json_t *stats = fixture_statistics("s.json");
    assert_true(fixture_number(block_in(stats, "work_group_dispatcher"), "comparisons") > 0);
    assert_int_equal(fixture_number(block_in(stats, "warp_scheduler"), "comparisons"), 0);
    json_decref(stats);
    assert_status(&one, EXIT_USER);
    assert_says(one.err, "--rtl: warp_scheduler was never compared: no work-group ran in SIMT mode");
    assert_status(&none, EXIT_USER);
    assert_says(none.err, "--rtl: nothing was compared: ");
    spawn_free(&all);
    spawn_free(&one);
    spawn_free(&none);
    free(program);
}

static void twins_stand_in_the_waves(void **state) {
    (void)state;
    char *program = fixture_host("divergence");
    struct spawned s = LOCKSTEP("run", "--rtl", "check", "--trace", "t.fst", "--", program);
    assert_status(&s, 0);
    assert_readable("t.fst");
    char *path = fixture_path("t.gtkw"), *view = spawn_read(path);
    assert_says(view, "rtl.warp_scheduler.grant_o[15:0]\n");
    assert_says(view, "rtl.warp_scheduler.last_q[3:0]\n");
    assert_says(view, "rtl.warp_pc_arbiter.wtid_o[31:0]\n");
    assert_says(view, "rtl.barrier_table.live_q[9:0]\n");
    assert_says(view, "rtl.tpo_address.row_o[31:0]\n");
    assert_says(view, "rtl.operand_collector.objects_o[47:0]\n");
    spawn_free(&s);
    free(path);
    free(view);
    free(program);
}

/* Each cluster has its own Verilog: 2 clusters compare, and are driven, as 1 is. */
static void every_cluster_has_twins(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s =
        LOCKSTEP("run", "--rtl", "check,warp_pc_arbiter=drive", "--set", "cluster.count=2", "--stats",
                 "s.json", "--trace", "t.fst", "--trace-cycles", "0:2000", "--", program);
    assert_status(&s, 0);
    json_t *stats = fixture_statistics("s.json"),
           *block = json_array_get(json_object_get(stats, "rtl"), CLUSTER_BLOCK_ARBITER);
    assert_true(fixture_number(block, "comparisons") >
                fixture_number(json_object_get(stats, "totals"), "cycles"));
    assert_int_equal(fixture_number(block, "mismatches"), 0);
    char *path = fixture_path("t.gtkw"), *view = spawn_read(path);
    assert_says(view, "rtl0.warp_scheduler.grant_o[15:0]\n");
    assert_says(view, "rtl1.warp_scheduler.grant_o[15:0]\n");
    assert_says(view, "cluster1.");
    json_decref(stats);
    spawn_free(&s);
    free(path);
    free(view);
    free(program);
}

/* --- runs that do not --- */

/* Returns the cycle in the message. */
static unsigned long cycle_of(const char *err) {
    const char *at = strstr(err, "disagree in cycle ");
    assert_non_null(at);
    return strtoul(at + strlen("disagree in cycle "), NULL, 10);
}

static void assert_window(const char *name, const char *block, const char *signal) {
    char *file = spawn_text("%s.fst", name), *view_name = spawn_text("%s.gtkw", name);
    char *path = fixture_path(view_name), *view = spawn_read(path);
    static const char *const scopes[] = {"model", "rtl", "diff"};
    assert_readable(file);
    assert_non_null(view);
    for (unsigned n = 0; n < 3; n++) {
        char *wanted = spawn_text("%s.%s.%s", scopes[n], block, signal);
        assert_says(view, wanted);
        free(wanted);
    }
    free(file);
    free(view_name);
    free(path);
    free(view);
}

static void the_first_mismatch_stops_the_run(void **state) {
    (void)state;
    char *program = fixture_host("divergence");
    char *changed = rtl_text_changed("warp_pc_arbiter", "level_o = LEVEL_BITS'(n);", "level_o = '0;");
    char *check = spawn_text("check,warp_pc_arbiter=check:%s", changed);
    char *drive = spawn_text("warp_pc_arbiter=drive:%s", changed);
    struct spawned s = LOCKSTEP("run", "--rtl", check, "--stats", "s.json", "--", program);
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, "warp_pc_arbiter and its Verilog disagree in cycle ");
    assert_says(s.err, "level_o is 0x1 in the C model, 0x0 in the Verilog\n");
    assert_says(s.err, "kernel '");
    assert_says(s.err, ", warp ");
    assert_says(s.err, ".cl:");
    assert_says(s.err, changed);
    assert_says(s.err, " priority_i[1]=");
    assert_says(s.err, "window     mismatch.fst");
    assert_says(s.err, "/lockstep run --rtl check,warp_pc_arbiter=check:/");
    assert_window("mismatch", "warp_pc_arbiter", "level_o[2:0]");
    assert_exists("s.json", false);
    assert_outcome("s.json.part", "twins-disagree");
    unsigned long cycle = cycle_of(s.err);
    spawn_free(&s);
    /* Driven by the changed Verilog: the same mismatch, in the same cycle, with another name for the
     * waveform. */
    s = LOCKSTEP("run", "--rtl", drive, "--rtl-window", "w.fst", "--", program);
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_int_equal(cycle_of(s.err), cycle);
    assert_says(s.err, "which drives");
    assert_window("w", "warp_pc_arbiter", "level_o[2:0]");
    spawn_free(&s);
    free(program);
    free(changed);
    free(check);
    free(drive);
}

static void flip_flops_are_compared_too(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    char *changed = rtl_text_changed("barrier_table", "live_q           <= live_d;", "live_q <= live_d + 1;");
    char *check = spawn_text("barrier_table=check:%s", changed);
    struct spawned s = LOCKSTEP("run", "--rtl", check, "--", program);
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, "live_q is 0x");
    assert_window("mismatch", "barrier_table", "live_q[9:0]");
    spawn_free(&s);
    free(program);
    free(changed);
    free(check);
}

static void rows_of_memories_are_compared_when_they_are_written(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    char *changed = rtl_text_changed("thread_descriptor_table",
                                     "next_pc_q[execute_warp_i]      <= targets(pc_q[execute_warp_i]);",
                                     "next_pc_q[execute_warp_i]      <= targets(pc_q[execute_warp_i]) ^ 1;");
    char *check = spawn_text("thread_descriptor_table=check:%s", changed);
    struct spawned s = LOCKSTEP("run", "--rtl", check, "--", program);
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, ": next_pc_q[0][0] is 0x");
    assert_window("mismatch", "thread_descriptor_table", "live_q[9:0]");
    spawn_free(&s);
    free(program);
    free(changed);
    free(check);
}

/* Runs Verilog that corrupts (`corruption`) a row which is not written any more, in a run that ends soon
 * afterwards. */
static struct spawned run_corrupted(const char *corruption, char *program, char *argument) {
    static const char edge[] = "      live_q     <= live_d;\n";
    char *to = spawn_text("%s      %s\n", edge, corruption);
    char *changed = rtl_text_changed("thread_descriptor_table", edge, to);
    char *check = spawn_text("thread_descriptor_table=check:%s", changed);
    struct spawned s = LOCKSTEP("run", "--rtl", check, "--", program, argument);
    assert_status(&s, EXIT_TWINS_DISAGREE);
    free(to);
    free(changed);
    free(check);
    return s;
}

/* The PC of an Idle thread of another warp, when the last thread of the only work-group exits. */
static void all_rows_are_compared_when_simt_mode_is_left(void **state) {
    (void)state;
    char *program = fixture_host("forks");
    struct spawned s = run_corrupted(
        "if (exit_count_o != '0 && live_d == '0) pc_q[WARP_BITS'(operates[0])][31:0] <= 32'h3039;", program,
        NULL);
    assert_says(s.err, ": pc_q[0][0] is 0x"); /* warp 1 ends last */
    assert_says(s.err, " in the C model, 0x3039 in the Verilog");
    spawn_free(&s);
    free(program);
}

/* Corrupts a warp that never runs, when threads arrive at a different barrier than the waiting ones: a
 * deadlock. */
static void all_rows_are_compared_when_a_launch_ends_early(void **state) {
    (void)state;
    char *program = fixture_host("kernel_mistakes");
    struct spawned s = run_corrupted("for (int unsigned w = 0; w < WARPS; w++) "
                                     "if (operates[w] && waits && barrier_q[w] != '0) by_q[WARPS-1] <= 4'd9;",
                                     program, "deadlock");
    assert_says(s.err, ": by_q[15] is 0x0 in the C model, 0x9 in the Verilog");
    assert_says(s.err,
                "found      when the launch had ended: kernel 'deadlock': deadlock: all live work-items");
    spawn_free(&s);
    free(program);
}

/* --- impossible requests --- */

static void assert_refused(const char *option, const char *argument, const char *says) {
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--rtl", "check", (char *)option, (char *)argument, "--", program);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, says);
    assert_exists("mismatch.fst", false);
    spawn_free(&s);
    free(program);
}

/* The blocks that only machines with uniform values have: compared, and in place of the model. */
static void uniform_values_have_blocks_of_their_own(void **state) {
    (void)state;
    static const struct {
        char *storage, *says, *says_not;
    } cases[] = {{"uniform.storage=token", "token_file", "srf_rename"},
                 {"uniform.storage=srf", "srf_rename", "token_file"}};
    char *program = fixture_host("vector_add");
    for (unsigned n = 0; n < 2; n++) {
        json_int_t cycles[3];
        static char *const modes[] = {"off", "check", "drive"};
        for (unsigned m = 0; m < 3; m++) {
            struct spawned s =
                LOCKSTEP("run", "--stats", "s.json", "--set", cases[n].storage, "--set", "uniform.intra=on",
                         "--set", "uniform.inter=on", "--check-uniform", "--rtl", modes[m], "--", program);
            assert_status(&s, 0);
            if (m) assert_says(s.err, cases[n].says);
            if (m) assert_says(s.err, "instruction_reuse_buffer");
            assert_says_not(s.err, cases[n].says_not);
            json_t *stats = fixture_statistics("s.json");
            cycles[m] = fixture_number(json_object_get(stats, "totals"), "cycles");
            json_decref(stats);
            spawn_free(&s);
        }
        assert_int_equal(cycles[0], cycles[1]);
        assert_int_equal(cycles[0], cycles[2]);
    }
    free(program);
    assert_refused("--rtl", "token_file=check", "token_file is in machines with uniform.storage token only");
}

/* A takes several cycles: the blocks support that; the whole, whose A takes one, is refused. */
static void arbitration_of_several_cycles(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    json_int_t cycles[3];
    static char *const modes[] = {"off", "check", "drive"};
    for (unsigned m = 0; m < 3; m++) {
        struct spawned s = LOCKSTEP("run", "--stats", "s.json", "--set", "simt.arbitrate_cycles=3", "--rtl",
                                    modes[m], "--", program);
        assert_status(&s, 0);
        json_t *stats = fixture_statistics("s.json");
        cycles[m] = fixture_number(json_object_get(stats, "totals"), "cycles");
        json_decref(stats);
        spawn_free(&s);
    }
    assert_int_equal(cycles[0], cycles[1]);
    assert_int_equal(cycles[0], cycles[2]);
    struct spawned s =
        LOCKSTEP("run", "--set", "simt.arbitrate_cycles=3", "--rtl", "simt_coprocessor=check", "--", program);
    assert_status(&s, EXIT_USER);
    assert_says(s.err,
                "simt_coprocessor is in machines with simt.arbitrate_cycles 1 only: its A takes one cycle");
    spawn_free(&s);
    free(program);
}

/* If rounds are skipped, the dispatcher would broadcast the threads of other rounds. */
static void left_out_rounds_are_refused(void **state) {
    (void)state;
    static const struct {
        char *rtl;
        const char *says;
    } rows[] = {{"subwarp_dispatcher=check",
                 "subwarp_dispatcher is in machines with simt.mitigation none, slp or dpe"},
                {"simt_coprocessor=check",
                 "simt_coprocessor is in machines with simt.mitigation none or slp only: it "
                 "dispatches the last rounds of an instruction that has fewer than all"}};
    char *program = spawn_text("%s/benchmarks/vector_add", spawn_build());
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct spawned s =
            LOCKSTEP("run", "--set", "simt.mitigation=skip", "--rtl", rows[n].rtl, "--", program);
        assert_status(&s, EXIT_USER);
        assert_says(s.err, rows[n].says);
        spawn_free(&s);
    }
    free(program);
}

/* Blocks of the pipeline need one instruction in the lanes. Blocks that clusters share are compared. */
static void several_rounds_a_cycle_are_refused(void **state) {
    (void)state;
    static char *const blocks[] = {"warp_scheduler", "subwarp_dispatcher", "operand_collector",
                                   "writeback_arbiter"};
    char *program = spawn_text("%s/benchmarks/vector_add", spawn_build());
    for (size_t n = 0; n < sizeof blocks / sizeof *blocks; n++) {
        char *rtl = spawn_text("%s=check", blocks[n]),
             *says = spawn_text("%s is in machines with simt.multi_issue off only", blocks[n]);
        struct spawned s = LOCKSTEP("run", "--set", "simt.multi_issue=rounds", "--rtl", rtl, "--", program);
        assert_status(&s, EXIT_USER);
        assert_says(s.err, says);
        spawn_free(&s);
        free(rtl);
        free(says);
    }
    free(program);
}

static void mistakes_are_named(void **state) {
    (void)state;
    assert_refused("--rtl", "on", "'on' is none of off, check, drive and replace");
    assert_refused("--rtl", "warp_scheduler=", "'' is none of off, check, drive and replace");
    for (enum cluster_block b = 0; b < CLUSTER_BLOCK_COUNT; b++)
        assert_refused("--rtl", "arbiter=check", twin_block[b].name);
    assert_refused("--rtl", "arbiter=check", "no block is called 'arbiter'");
    assert_refused("--rtl-window", "w.vcd", "the name must end in .fst");
    assert_refused("--rtl-seed", "0", "a number is needed, 1 to 2147483647");
    assert_refused("--rtl-seed", "2147483648", "a number is needed");
    assert_refused("--rtl-seed", "x", "a number is needed");
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--rtl-seed", "3", "--", program);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "but --rtl is off");
    spawn_free(&s);
    free(program);
}

static void missing_tools_are_named(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    char *cache = spawn_text("LOCKSTEP_CACHE=%s/cache", fixture_folder);
    struct spawned s =
        spawn(fixture_folder, (char *[]){"/usr/bin/env", cache, "PATH=/nowhere", fixture_command, "run",
                                         "--rtl", "check", "--", program, NULL});
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "verilator cannot be run");
    assert_says(s.err, "scripts/setup");
    spawn_free(&s);
    free(cache);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(off_check_and_drive_give_the_same),
        TEST(comparisons_are_accounted_for),
        TEST(every_size_has_its_own),
        TEST(a_run_that_compared_nothing_fails),
        TEST(blocks_without_a_cycle_are_named),
        TEST(twins_stand_in_the_waves),
        TEST(every_cluster_has_twins),
        TEST(the_first_mismatch_stops_the_run),
        TEST(flip_flops_are_compared_too),
        TEST(rows_of_memories_are_compared_when_they_are_written),
        TEST(all_rows_are_compared_when_simt_mode_is_left),
        TEST(all_rows_are_compared_when_a_launch_ends_early),
        TEST(uniform_values_have_blocks_of_their_own),
        TEST(arbitration_of_several_cycles),
        TEST(left_out_rounds_are_refused),
        TEST(several_rounds_a_cycle_are_refused),
        TEST(mistakes_are_named),
        TEST(missing_tools_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
