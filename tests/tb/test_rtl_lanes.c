/* `lockstep run --rtl` on lane groups, and on spatial lanes that skip rounds: round_compactor, lane_scheduler
 * and local_memory_arbiter beside their Verilog in every cycle, driven by it, and replaced. */
#include "sim/error.h"
#include "tests/tb/rtl_text.h"

static void assert_same(const char *part) {
    json_t *x = fixture_statistics("off.json"), *y = fixture_statistics("on.json");
    if (!json_equal(json_object_get(x, part), json_object_get(y, part))) fail_msg("%s differ", part);
    json_decref(x);
    json_decref(y);
}

static const json_t *block_in(const json_t *stats, const char *name) {
    const json_t *rtl = json_object_get(stats, "rtl");
    for (size_t n = 0; n < json_array_size(rtl); ++n) {
        const json_t *b = json_array_get(rtl, n);
        if (strcmp(json_string_value(json_object_get(b, "block")), name) == 0) return b;
    }
    fail_msg("%s was not compared", name);
    return NULL;
}

/* `lockstep run` of histogram on a machine of two SMs, with settings and --rtl (NULL: without). */
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
        assert_same("counters");
        assert_same("totals");
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

/* What differs is said, with its place; Verilog that lets nobody go on is stopped. */
static void differences_of_lanes_are_seen(void **state) {
    (void)state;
    static const struct {
        const char *block, *mode, *from, *to, *says;
    } changes[] = {
        {"round_compactor", "check", "if (needed == '0) needed[0] = 1'b1;", "", "SM "},
        {"round_compactor", "drive", "left & ~first : left;", "left : left;", ", kernel 'histogram'"},
        {"lane_scheduler", "check", "&& (BOUND == 1 ? ldst_takes", "&& (BOUND == 0 ? ldst_takes", "SM "},
        {"lane_scheduler", "drive", "2'(waiting - 5'd1)", "2'(waiting)", "went on    as the"},
        {"lane_scheduler", "drive", "assign eligible_o = sp_can | sfu_can | ldst_can;",
         "assign eligible_o = '0 & (sp_can | sfu_can | ldst_can);", "has let no warp issue for 5000 cycles"},
        {"local_memory_arbiter", "check", "(32'(turn_i) + n) % LANE_GROUPS", "n", "SM "},
        {"local_memory_arbiter", "replace", "if (active_i[lane]) begin",
         "if (active_i[lane] && lane != 1) begin", "has served no thread for 5000 cycles"},
    };
    for (unsigned n = 0; n < sizeof changes / sizeof *changes; ++n) {
        char *path = rtl_text_changed(changes[n].block, changes[n].from, changes[n].to);
        char *rtl =
            spawn_text("%s=%s:%s,-Wno-UNUSEDSIGNAL,-Wno-UNUSED", changes[n].block, changes[n].mode, path);
        struct spawned s = run_lanes("temporal-30x8", "lanes.bound=on", rtl, "s.json");
        if (s.status != EXIT_TWINS_DISAGREE) print_error("%s: %s\n", changes[n].block, changes[n].to);
        assert_status(&s, EXIT_TWINS_DISAGREE);
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
