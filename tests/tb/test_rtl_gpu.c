/* `lockstep run --rtl` on GPU-like machines: blocks are compared with their Verilog in every cycle, or driven
 * by it; messages for Verilog that differs. */
#include "tests/tb/rtl_text.h"

static const char *const blocks[] = {"warp_scheduler", "coalescer",      "bank_conflict_resolver",
                                     "dram_scheduler", "miss_registers", "scoreboard",
                                     "barrier_table"};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

/* Runs a benchmark with settings and options. */
static struct spawned run_with_settings(const char *machine, const char *settings, const char *options,
                                        const char *stats, const char *benchmark) {
    char *all = spawn_text("--stats %s %s", stats, options),
         *program = spawn_text("benchmarks/%s", benchmark);
    struct spawned s = fixture_run(machine, settings, all, program);
    free(all);
    free(program);
    return s;
}

static struct spawned run_on(const char *machine, const char *options, const char *stats,
                             const char *benchmark) {
    return run_with_settings(machine, "", options, stats, benchmark);
}

/* Returns settings with fewer warps, whose Verilog builds faster; the long form uses the whole machine. */
static const char *fewer(const char *threads) {
    return getenv("LOCKSTEP_LONG") ? "" : threads;
}

/* Fewer miss registers than the 64 that Verilog has at most, and a queue that is built sooner. */
#define FEWER "l1d.mshrs=32 dram.queue=16 "

/* Local memory, stores, atomic operations; several schedulers, two issues a cycle, barrel issue. */
static void verilog_changes_nothing(void **state) {
    (void)state;
    static const struct {
        const char *machine, *threads, *settings, *benchmark, *option;
    } runs[] = {{"gtx285-like", "", "ldst.overlap=on", "reduction", "--rtl check"},
                {"gt640-like", "cluster.threads=512", FEWER "ldst.overlap=off", "histogram", "--rtl drive"},
                {"gt640-like", "cluster.threads=512", FEWER "ldst.overlap=on", "histogram", "--rtl check"},
                {"fermi-like", "cluster.threads=768", "ldst.overlap=on", "reduction", "--rtl drive"},
                {"stsimt-30x8", "cluster.threads=512", "ldst.overlap=off", "bfs", "--rtl check"}};
    for (unsigned n = 0; n < sizeof runs / sizeof *runs; ++n) {
        const char *machine = runs[n].machine, *program = runs[n].benchmark;
        char *settings = spawn_text("%s %s", runs[n].settings, fewer(runs[n].threads));
        struct spawned off = run_with_settings(machine, settings, "", "off.json", program),
                       on = run_with_settings(machine, settings, runs[n].option, "on.json", program);
        assert_status(&off, EXIT_SOUND);
        assert_status(&on, EXIT_SOUND);
        assert_same("off.json", "on.json", "counters");
        assert_same("off.json", "on.json", "totals");
        assert_same("off.json", "on.json", "histograms");
        json_t *stats = fixture_statistics("on.json");
        const bool barrel = strcmp(runs[n].machine, "fermi-like") == 0;
        for (unsigned b = 0; b < BLOCKS; ++b) {
            if (barrel && strcmp(blocks[b], "scoreboard") == 0) continue;
            const json_t *block = block_in(stats, blocks[b]);
            assert_true(fixture_number(block, "comparisons") > fixture_number(block, "evaluated"));
            assert_true(fixture_number(block, "evaluated") > 0);
            assert_int_equal(fixture_number(block, "mismatches"), 0);
        }
        json_decref(stats);
        spawn_free(&off);
        spawn_free(&on);
        free(settings);
    }
}

/* Each of these changes is detected and reported with its place. */
static void differences_are_seen(void **state) {
    (void)state;
    static const struct {
        const char *block, *mode, *from, *to, *place;
    } changes[] = {
        {"coalescer", "check", "address_o + ADDRESS_BITS'(64)", "address_o", "SM "},
        {"coalescer", "drive", "length_o == 9'd128 && (", "1'b0 && (", "went on    as the"},
        {"coalescer", "drive", "assign last_o    = valid_i && !begun_d", "assign last_o    = 1'b0",
         "went on    as the"},
        {"bank_conflict_resolver", "check", "valid_i ? left & ~served : left_q", "left & ~served", "warp "},
        {"bank_conflict_resolver", "drive", "assign last_o    = valid_i && !begun_d",
         "assign last_o    = valid_i", "scheduler 0, kernel '"},
        {"scoreboard", "check", "| writes_i;", ";", "SM "},
        {"scoreboard", "drive",
         "== '0\n                && (destinations_i[w*DESTINATIONS_BITS +: DESTINATIONS_BITS] & "
         "unread_i[w*UNREAD_BITS +: UNREAD_BITS]) == '0",
         "== '0", "went on    as the"},
        {"dram_scheduler", "check", "assign ready_o = 32'(count_q) < QUEUE;", "assign ready_o = 1'b1;",
         "of DRAM, in cycles of its command clock"},
        {"barrier_table", "check", "waiting + LIVE_BITS'(arrive_count_i)",
         "waiting | LIVE_BITS'(arrive_count_i)", "SM "},
        {"miss_registers", "check", "taken_q & ~filled;", "taken_q;", "SM "},
        {"warp_scheduler", "check", "WARPS'(2) << last_q", "WARPS'(1) << last_q", "SM "},
    };
    for (unsigned n = 0; n < sizeof changes / sizeof *changes; ++n) {
        char *path = rtl_text_changed(changes[n].block, changes[n].from, changes[n].to);
        char *rtl = spawn_text("--rtl %s=%s:%s", changes[n].block, changes[n].mode, path);
        const bool dram = strcmp(changes[n].block, "dram_scheduler") == 0;
        struct spawned s = run_with_settings("gtx285-like", fewer("cluster.threads=512"), rtl, "s.json",
                                             dram ? "vector_add" : "reduction");
        assert_disagrees(&s, changes[n].block, changes[n].to);
        assert_says(s.err, "and its Verilog disagree in cycle ");
        assert_says(s.err, changes[n].place);
        assert_readable("mismatch.fst");
        spawn_free(&s);
        free(path);
        free(rtl);
    }
}

/* Runs a program with scalar kernels. */
static struct spawned run_scalar(const char *options, const char *stats, const char *kernel) {
    char *all = spawn_text("--stats %s %s", stats, options);
    char *program = spawn_text("tests/hosts/scalar_kernels %s 2048", kernel);
    struct spawned s = fixture_run("gt640-scalar", "scalar.clock_divisor=2", all, program);
    free(all);
    free(program);
    return s;
}

/* Each scalar unit is a place of its own: compared with its Verilog, which also drives; one that differs; one
 * with another policy, and one that grants no thread; barriers that open without the scalar thread. */
static void scalar_units(void **state) {
    (void)state;
    for (unsigned n = 0; n < 2; ++n) {
        const char *kernel = n ? "compaction" : "mixture";
        struct spawned off = run_scalar("", "off.json", kernel),
                       on = run_scalar(n ? "--rtl drive" : "--rtl check", "on.json", kernel);
        assert_status(&off, EXIT_SOUND);
        assert_status(&on, EXIT_SOUND);
        assert_same("off.json", "on.json", "counters");
        assert_same("off.json", "on.json", "totals");
        json_t *stats = fixture_statistics("on.json");
        const json_t *block = block_in(stats, "scalar_scheduler");
        /* Four schedulers, six units for each SM. */
        assert_int_equal(2 * fixture_number(block, "comparisons"),
                         3 * fixture_number(block_in(stats, "scoreboard"), "comparisons"));
        json_decref(stats);
        spawn_free(&off);
        spawn_free(&on);
    }
    static const struct {
        const char *block, *mode, *from, *to, *says;
    } changes[] = {
        {"scalar_scheduler", "check", "assign first   = later != '0 ? later : ready_i;",
         "assign first   = ready_i;", "scalar unit 0, kernel 'mixture', the scalar thread in slot"},
        {"scalar_scheduler", "replace", "assign first   = later != '0 ? later : ready_i;",
         "assign first   = ready_i;", NULL},
        {"scalar_scheduler", "replace", "assign valid_o = tick_o && ready_i != '0;",
         "assign valid_o = tick_o && ready_i != '0 && THREADS == 0;", "one_if_one_is_ready"},
        {"scalar_scheduler", "replace", "== 3'd0;", "== 3'd0 && THREADS == 0;",
         "livelock: scalar_scheduler of scalar unit 0 of SM 0 has granted no thread"},
        /* A barrier of its work-items alone does not wait for the scalar thread. */
        {"barrier_table", "check", "!scalar_live_d[g] || scalar_waits_d[g]", "SCALAR != 0", "opens_o"},
        {"barrier_table", "replace", "!scalar_live_d[g] || scalar_waits_d[g]", "SCALAR != 0",
         "never_opens_early"}};
    for (unsigned n = 0; n < sizeof changes / sizeof *changes; ++n) {
        char *path = rtl_text_changed(changes[n].block, changes[n].from, changes[n].to);
        char *rtl = spawn_text("--rtl %s=%s:%s", changes[n].block, changes[n].mode, path);
        struct spawned s = run_scalar(rtl, "s.json", "mixture");
        assert_status(&s, changes[n].says ? EXIT_TWINS_DISAGREE : EXIT_SOUND);
        if (changes[n].says) assert_says(s.err, changes[n].says);
        spawn_free(&s);
        free(path);
        free(rtl);
    }
}

/* The blocks of uniform values of an SM. */
static void uniform_values(void **state) {
    (void)state;
    static const struct {
        const char *storage, *block, *from, *to;
    } cases[] = {
        {"token", "token_file", "if (start_i && start_warps_i[w])", "if (start_i)"},
        {"srf", "srf_rename", "MAP_BITS'(PHYSICAL - 1 - w)", "MAP_BITS'(w)"},
        {"srf", "instruction_reuse_buffer", "(found & good) != '0 && !hit_o", "(found & good) != '0"}};
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; ++n) {
        char *settings = spawn_text("uniform.storage=%s uniform.intra=on uniform.inter=on", cases[n].storage);
        char *path = rtl_text_changed(cases[n].block, cases[n].from, cases[n].to);
        char *changed = spawn_text("--rtl %s=check:%s", cases[n].block, path);
#define RUN(stats, options) run_with_settings("gtx285-like", settings, options, stats, "reduction")
        struct spawned off = RUN("off.json", ""), on = RUN("on.json", "--rtl check"),
                       differs = RUN("s.json", changed);
#undef RUN
        assert_status(&off, EXIT_SOUND);
        assert_status(&on, EXIT_SOUND);
        assert_same("off.json", "on.json", "counters");
        assert_same("off.json", "on.json", "totals");
        json_t *stats = fixture_statistics("on.json");
        assert_int_equal(fixture_number(block_in(stats, cases[n].block), "comparisons"),
                         fixture_number(block_in(stats, "warp_scheduler"), "comparisons"));
        json_decref(stats);
        assert_status(&differs, EXIT_TWINS_DISAGREE);
        assert_says(differs.err, "SM ");
        spawn_free(&off);
        spawn_free(&on);
        spawn_free(&differs);
        free(settings);
        free(path);
        free(changed);
    }
}

static void another_scheduler_drives(void **state) {
    (void)state;
    char *own = rtl_text("warp_scheduler"), *end = strstr(own, "\n);\n");
    assert_non_null(end);
    end[4] = '\0';
    char *lowest = spawn_text("%s  assign grant_o = take_i ? ready_i & (~ready_i + WARPS'(1)) : '0;\n"
                              "  assign valid_o = grant_o != '0;\n"
                              "  always_comb begin\n"
                              "    warp_o = '0;\n"
                              "    for (int unsigned w = 0; w < WARPS; w++) if (grant_o[w]) warp_o = "
                              "$bits(warp_o)'(w);\n"
                              "  end\n"
                              "endmodule\n",
                              own);
    char *none = spawn_text(
        "%s  assign grant_o = '0;\n  assign valid_o = 1'b0;\n  assign warp_o = '0;\nendmodule\n", own);
    write_file("lowest.sv", lowest);
    write_file("none.sv", none);
    struct spawned s =
        run_on("gtx285-like", "--rtl warp_scheduler=replace:lowest.sv,-Wno-UNUSEDSIGNAL,-Wno-UNUSED",
               "s.json", "reduction");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.out, "PASS");
    spawn_free(&s);
    s = run_on("gtx285-like", "--rtl warp_scheduler=replace:none.sv,-Wno-UNUSEDSIGNAL,-Wno-UNUSED", "s.json",
               "reduction");
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, "a_grant_comes_in_time");
    spawn_free(&s);
    free(own);
    free(lowest);
    free(none);
}

/* For a block that never drives, the first difference ends the launch, here in the first cycles of the
 * machine. */
static void dram_is_not_driven_by_a_difference(void **state) {
    (void)state;
    struct spawned t = LOCKSTEP("rtl-template", "dram_scheduler");
    write_file("zeros.sv", t.out);
    struct spawned s = run_on("gtx285-like", "--rtl dram_scheduler=replace:zeros.sv", "s.json", "vector_add");
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, "ready_o is 0x1 in the C model, 0x0 in the Verilog");
    spawn_free(&s);
    spawn_free(&t);
}

static void the_first_cycles_alone_are_compared(void **state) {
    (void)state;
    struct spawned off = run_on("gtx285-like", "", "off.json", "reduction"),
                   some = run_on("gtx285-like", "--rtl check --rtl-cycles 2000", "some.json", "reduction");
    assert_status(&some, EXIT_SOUND);
    assert_same("off.json", "some.json", "counters");
    json_t *stats = fixture_statistics("some.json");
    assert_in_range(fixture_number(block_in(stats, "coalescer"), "comparisons"), 1000, 2000 * 30);
    assert_int_equal(fixture_number(block_in(stats, "dram_scheduler"), "comparisons"), 2000 * 16);
    json_decref(stats);
    spawn_free(&off);
    spawn_free(&some);
}

/* Waves have the ports in the scope of their place. */
static void waves_show_the_verilog(void **state) {
    (void)state;
    struct spawned s =
        run_on("gtx285-like", "--rtl check --trace w.vcd --trace-cycles 100:1500", "s.json", "vector_add");
    assert_status(&s, EXIT_SOUND);
    char *path = fixture_path("w.vcd"), *waves = spawn_read(path);
    assert_says(waves, "$scope module rtl_sm29_scheduler0 $end");
    assert_says(waves, "$scope module rtl_channel15 $end");
    assert_says(waves, "$scope module dram_scheduler $end");
    assert_says(waves, " pieces_o ");
    free(waves);
    free(path);
    spawn_free(&s);
}

static void what_a_machine_has_not_is_named(void **state) {
    (void)state;
    struct spawned s = run_with("coalescer=check", "vector_add", "s.json");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "coalescer is in machines with contexts vrf only");
    spawn_free(&s);
    s = run_on("gtx285-like", "--rtl thread_descriptor_table=check", "s.json", "vector_add");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "thread_descriptor_table is in machines with contexts tpm only");
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(verilog_changes_nothing),
        TEST(differences_are_seen),
        TEST(uniform_values),
        TEST(scalar_units),
        TEST(another_scheduler_drives),
        TEST(dram_is_not_driven_by_a_difference),
        TEST(the_first_cycles_alone_are_compared),
        TEST(waves_show_the_verilog),
        TEST(what_a_machine_has_not_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
