/* `lockstep run --rtl` with divergence engines: their blocks are compared with their Verilog in every
 * operation; messages for Verilog that differs. */
#include "tests/tb/rtl_text.h"

/* Runs a benchmark on a small fermi-like with an engine, whose Verilog builds quickly; `rtl` NULL: without
 * Verilog. */
static struct spawned run_engine(const char *engine, const char *rtl, const char *stats,
                                 const char *benchmark) {
    char *text = spawn_text("extends: %s/configs/fermi-like.yaml\n"
                            "cluster: {count: 1, threads: 256, lanes: 8, ldst_lanes: 8}\n"
                            "simt: {warp_size: 16, divergence: %s}\n"
                            "lwm: {threads: 64}\n"
                            "dwf: {lut_entries: 16}\n"
                            "harp: {barriers: 16, barrier_ways: 4, ready_lookup: 3, waiting_lookup: 3}\n",
                            spawn_source(), engine);
    char *config = fixture_file("small.yaml", text, 0644),
         *program = spawn_text("%s/benchmarks/%s", spawn_build(), benchmark);
    struct spawned s = LOCKSTEP("run", "--config", config, "--stats", (char *)stats, "--rtl",
                                rtl ? (char *)rtl : "off", "--", program);
    free(config);
    free(text);
    free(program);
    return s;
}

/* Every operation of every block is compared, with Verilog or the model driving, and changes nothing. */
static void verilog_changes_nothing(void **state) {
    (void)state;
    static const struct {
        const char *engine, *rtl, *blocks[8];
    } runs[] = {
        {"sbr", "re_convergence_stack=check", {"re_convergence_stack"}},
        {"lwm",
         "re_convergence_stack=drive,subwarp_packer=drive",
         {"re_convergence_stack", "subwarp_packer"}},
        {"dwf", "warp_formation_table=check", {"warp_formation_table"}},
        {"pc, mitigation: dpe", "warp_pc_arbiter=drive", {"warp_pc_arbiter"}},
        {"harp",
         "ready_lookup=check,waiting_lookup=check,re_convergence_barriers=check,second_level=check",
         {"ready_lookup", "waiting_lookup", "re_convergence_barriers", "second_level"}},
    };
    for (unsigned n = 0; n < sizeof runs / sizeof *runs; ++n) {
        struct spawned off = run_engine(runs[n].engine, NULL, "off.json", "n_queens"),
                       on = run_engine(runs[n].engine, runs[n].rtl, "on.json", "n_queens");
        assert_status(&off, EXIT_SOUND);
        assert_status(&on, EXIT_SOUND);
        json_t *without = fixture_statistics("off.json"), *with = fixture_statistics("on.json");
        assert_true(json_equal(json_object_get(without, "counters"), json_object_get(with, "counters")));
        assert_true(json_equal(json_object_get(without, "totals"), json_object_get(with, "totals")));
        for (const char *const *name = runs[n].blocks; *name; ++name) {
            const json_t *block = block_in(with, *name);
            assert_true(fixture_number(block, "comparisons") >= 30);
            assert_int_equal(fixture_number(block, "mismatches"), 0);
        }
        json_decref(without);
        json_decref(with);
        spawn_free(&off);
        spawn_free(&on);
    }
}

/* Each of these changes is detected and reported with its place. */
static void differences_are_seen(void **state) {
    (void)state;
    static const struct {
        const char *engine, *slot, *module, *mode, *from, *to, *place;
    } changes[] = {
        {"sbr", "re_convergence_stack", "re_convergence_stack", "check", " & ~exit_mask_i;", ";", "SM "},
        {"lwm", "subwarp_packer", "subwarp_packer", "drive", "& ~taken;", ";", "went on    as the"},
        {"dwf", "warp_formation_table", "warp_formation_table", "check", "come_i & ~taken", "come_i", "SM "},
        {"harp", "ready_lookup", "warp_lookup", "check", " | (made[n] ? left : '0);", ";", "kernel '"},
    };
    for (unsigned n = 0; n < sizeof changes / sizeof *changes; ++n) {
        char *path = rtl_text_changed(changes[n].module, changes[n].from, changes[n].to);
        char *rtl = spawn_text("%s=%s:%s,%s", changes[n].slot, changes[n].mode, path, changes[n].module);
        struct spawned s = run_engine(changes[n].engine, rtl, "s.json", "n_queens");
        assert_disagrees(&s, changes[n].slot, changes[n].to);
        assert_says(s.err, "and its Verilog disagree in cycle ");
        assert_says(s.err, changes[n].place);
        assert_readable("mismatch.fst");
        spawn_free(&s);
        free(path);
        free(rtl);
    }
}

/* Runs on a small machine with HARP, whose Verilog builds quickly. */
static struct spawned run_whole(const char *rtl, const char *stats, const char *benchmark, char *stages) {
    char *config = spawn_text("%s/configs/fermi-like.yaml", spawn_source()),
         *program = spawn_text("%s/benchmarks/%s", spawn_build(), benchmark);
    struct spawned s =
        LOCKSTEP("run", "--config", config, "--set", "simt.divergence=harp", "--set", "cluster.count=1",
                 "--set", "cluster.threads=192", "--set", "cluster.groups=2", "--set", "cluster.lanes=4",
                 "--set", "cluster.ldst_lanes=4", "--set", "simt.warp_size=4", "--set", "harp.first_level=6",
                 "--set", "harp.barriers=8", "--set", "harp.barrier_ways=4", "--set", "harp.ready_lookup=2",
                 "--set", "harp.waiting_lookup=2", "--set", stages, "--stats", (char *)stats, "--rtl",
                 (char *)rtl, "--", program, "--size", "5");
    free(config);
    free(program);
    return s;
}

/* The whole is clocked on its own and compared with the machine's HARP, also together with a part, and
 * changes no result. */
static void the_whole_of_harp_is_compared(void **state) {
    (void)state;
    struct spawned off = run_whole("off", "off.json", "n_queens", "harp.barrier_stages=2"),
                   on = run_whole("second_level=check,harp_scheduler=drive", "on.json", "n_queens",
                                  "harp.barrier_stages=2");
    assert_status(&off, EXIT_SOUND);
    assert_status(&on, EXIT_SOUND);
    json_t *without = fixture_statistics("off.json"), *with = fixture_statistics("on.json");
    assert_true(json_equal(json_object_get(without, "counters"), json_object_get(with, "counters")));
    const json_t *block = block_in(with, "harp_scheduler");
    assert_true(fixture_number(block, "comparisons") > 10000);
    assert_int_equal(fixture_number(block, "mismatches"), 0);
    assert_true(fixture_number(block_in(with, "second_level"), "comparisons") > 1000);
    json_decref(without);
    json_decref(with);
    spawn_free(&off);
    spawn_free(&on);
}

/* A part that is not ours, or replaced. */
static void the_whole_is_made_of_its_parts(void **state) {
    (void)state;
    char *path = rtl_text_changed("warp_lookup", " | (made[n] ? left : '0);", ";"),
         *top = spawn_text("%s/rtl/harp_scheduler.sv", spawn_source()),
         *other = spawn_text("harp_scheduler=check:%s,%s,harp_scheduler", top, path),
         *replaced = spawn_text("harp_scheduler=check,ready_lookup=replace:%s,warp_lookup", path);
    struct spawned s = run_whole(other, "s.json", "n_queens", "harp.barrier_stages=2");
    assert_disagrees(&s, "harp_scheduler", "SM ");
    spawn_free(&s);
    s = run_whole(replaced, "s.json", "n_queens", "harp.barrier_stages=2");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "harp_scheduler is compared with the model, but ready_lookup is replaced in it");
    spawn_free(&s);
    free(path);
    free(top);
    free(other);
    free(replaced);
}

static void what_a_machine_has_not_is_named(void **state) {
    (void)state;
    static const struct {
        const char *engine, *block, *field;
    } cases[] = {
        {"harp", "re_convergence_stack", "simt.divergence sbr, lwm or oracle"},
        {"sbr", "subwarp_packer", "simt.divergence lwm"},
        {"sbr", "warp_pc_arbiter", "simt.divergence pc"},
        {"lwm", "ready_lookup", "simt.divergence harp"},
        {"dwf", "harp_scheduler", "simt.divergence harp"},
    };
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; ++n) {
        char *rtl = spawn_text("%s=check", cases[n].block);
        char *says = spawn_text("%s is in machines with %s only", cases[n].block, cases[n].field);
        struct spawned s = run_engine(cases[n].engine, rtl, "s.json", "vector_add");
        assert_status(&s, EXIT_USER);
        assert_says(s.err, says);
        spawn_free(&s);
        free(rtl);
        free(says);
    }
}

/* With all threads of the configuration. */
static void a_whole_second_level_is_compared(void **state) {
    (void)state;
    char *config = spawn_text("%s/configs/fermi-like.yaml", spawn_source());
    char *program = spawn_text("%s/benchmarks/n_queens", spawn_build());
    struct spawned s =
        LOCKSTEP("run", "--config", config, "--set", "simt.divergence=harp", "--set", "cluster.count=1",
                 "--stats", "whole.json", "--rtl", "second_level=drive", "--", program, "--size", "6");
    assert_status(&s, EXIT_SOUND);
    json_t *j = fixture_statistics("whole.json");
    const json_t *block = block_in(j, "second_level");
    assert_true(fixture_number(block, "comparisons") > 1000);
    assert_int_equal(fixture_number(block, "mismatches"), 0);
    json_decref(j);
    spawn_free(&s);
    free(config);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(verilog_changes_nothing),          TEST(differences_are_seen),
        TEST(a_whole_second_level_is_compared), TEST(the_whole_of_harp_is_compared),
        TEST(the_whole_is_made_of_its_parts),   TEST(what_a_machine_has_not_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
