/* `lockstep run --rtl` on lane groups, and on spatial lanes that skip rounds: round_compactor, lane_scheduler
 * and local_memory_arbiter are compared with their Verilog in every cycle, driven by it, and replaced. */
#include "tests/tb/rtl_text.h"

/* Runs histogram on a machine of two SMs, with settings and --rtl (NULL: without). */
static struct spawned run_lanes(const char *machine, const char *setting, const char *rtl,
                                const char *stats) {
    char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machine),
         *program = spawn_text("%s/benchmarks/histogram", spawn_build());
    struct spawned s =
        LOCKSTEP("run", "--config", config, "--set", "cluster.count=2", "--set", "simt.livelock_cycles=5000",
                 "--set", (char *)setting, "--stats", (char *)stats, rtl ? "--rtl" : "--quiet",
                 rtl ? (char *)rtl : "--quiet", "--", program, "--words", "64", "--groups", "2");
    free(config);
    free(program);
    return s;
}

/* The blocks of lane groups, and of spatial lanes that skip rounds, in every cycle. */
static void lanes_in_verilog_change_nothing(void **state) {
    (void)state;
    static const struct {
        const char *machine, *setting, *mode;
        bool groups;
    } runs[] = {{"temporal-30x8", "kernel.scalarize=wide", "drive", true},
                {"spatio-temporal-30x8", "lanes.bound=off", "check", true},
                {"stsimt-30x8", "simt.compaction=round", "check", false}};
    static const char *const of_groups[] = {"lane_scheduler", "local_memory_arbiter"};
    for (unsigned n = 0; n < sizeof runs / sizeof *runs; ++n) {
        struct spawned off = run_lanes(runs[n].machine, runs[n].setting, NULL, "off.json"),
                       on = run_lanes(runs[n].machine, runs[n].setting, runs[n].mode, "on.json");
        assert_status(&off, EXIT_SOUND);
        assert_status(&on, EXIT_SOUND);
        assert_same("off.json", "on.json", "counters");
        assert_same("off.json", "on.json", "totals");
        json_t *stats = fixture_statistics("on.json");
        const json_int_t cycles = fixture_number(block_in(stats, "warp_scheduler"), "comparisons");
        const json_t *rounds = block_in(stats, "round_compactor");
        assert_true(fixture_number(rounds, "evaluated") > 0);
        assert_true(fixture_number(rounds, "comparisons") >= 2 * cycles);
        for (unsigned b = 0; runs[n].groups && b < 2; ++b) {
            assert_true(fixture_number(block_in(stats, of_groups[b]), "comparisons") == cycles);
            assert_true(fixture_number(block_in(stats, of_groups[b]), "evaluated") > 0);
        }
        json_decref(stats);
        spawn_free(&off);
        spawn_free(&on);
    }
}

/* Differences are reported with their place; Verilog that blocks all warps is stopped. A change costs a
 * build, a mode does not. `make mutants` tests that each part of a block is compared. */
static void differences_of_lanes_are_seen(void **state) {
    (void)state;
    static const struct {
        const char *block, *mode, *from, *to, *says;
    } changes[] = {
        {"round_compactor", "check", "left & ~first : left", "left : left", "SM "},
        {"round_compactor", "drive", "left & ~first : left", "left : left", ", kernel 'histogram'"},
        {"lane_scheduler", "check", "2'(waiting - 5'd1)", "2'(waiting)", "SM "},
        {"lane_scheduler", "drive", "2'(waiting - 5'd1)", "2'(waiting)", "went on    as the"},
        {"lane_scheduler", "drive", "assign eligible_o = sp_can | sfu_can | ldst_can;",
         "assign eligible_o = '0 & (sp_can | sfu_can | ldst_can);", "has let no warp issue for 5000 cycles"},
        {"local_memory_arbiter", "check", "if (active_i[lane]) begin",
         "if (active_i[lane] && lane != 1) begin", "SM "},
        {"local_memory_arbiter", "drive", "if (active_i[lane]) begin",
         "if (active_i[lane] && lane != 1) begin", "has served no thread for 5000 cycles"},
        {"local_memory_arbiter", "replace", "if (active_i[lane]) begin",
         "if (active_i[lane] && lane != 1) begin", "served_o is 0x3 in the C model, 0x1 in the Verilog"},
    };
    for (unsigned n = 0; n < sizeof changes / sizeof *changes; ++n) {
        char *path = rtl_text_changed(changes[n].block, changes[n].from, changes[n].to);
        char *rtl =
            spawn_text("%s=%s:%s,-Wno-UNUSEDSIGNAL,-Wno-UNUSED", changes[n].block, changes[n].mode, path);
        struct spawned s = run_lanes("temporal-30x8", "lanes.bound=on", rtl, "s.json");
        assert_disagrees(&s, changes[n].block, changes[n].to);
        assert_says(s.err, changes[n].says);
        spawn_free(&s);
        free(path);
        free(rtl);
    }
    struct spawned s = run_lanes("stsimt-30x8", "lanes.bound=on", "lane_scheduler=check", "s.json");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "lane_scheduler is in machines with lanes.kind temporal or spatio_temporal only");
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(lanes_in_verilog_change_nothing),
        TEST(differences_of_lanes_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
