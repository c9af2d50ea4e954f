/* Blocks as gates: sizes and delays equal earlier ones, in other libraries, with proofs, and from
 * the cache. */
#include "synthesis/netlist.h"
#include "tests/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct netlist_result make(const char *top, const struct verilog_setting *settings, unsigned count,
                                  const char *liberty, const char *lef) {
    struct technology t;
    struct netlist_result r;
    struct error e = {0};
    char *folder = spawn_text("%s/rtl", spawn_source());
    const struct netlist_request request = {
        .folder = folder, .top = top, .settings = settings, .count = count, .prove = true};
    if (!technology_read(&t, liberty, lef, &e) || !netlist_make(&request, &t, NULL, &r, &e))
        fail_msg("%s", e.message);
    technology_free(&t);
    free(folder);
    return r;
}

static const struct verilog_setting base[] = {{"WARP_SIZE", 32}, {"LEVELS", 8}, {"WARPS", 16}};
static const struct verilog_setting least[] = {{"WARP_SIZE", 4}, {"LEVELS", 1}, {"WARPS", 2}};

static void assert_ics_first(const struct verilog_setting settings[2], const char *parameters, double nand2,
                             double most_nand2, double fo4, double most_fo4) {
    const struct netlist_result r = make("warp_pc_arbiter", settings, 2, NULL, NULL);
    assert_string_equal(r.parameters, parameters);
    print_message("%.0f to %.0f NAND2-equivalents, %.1f FO4\n", r.smallest.area_nand2, r.fastest.area_nand2,
                  r.fastest.delay_fo4);
    assert_true(r.smallest.area_nand2 >= nand2 && r.fastest.area_nand2 <= most_nand2);
    assert_true(r.fastest.delay_fo4 >= fo4 && r.fastest.delay_fo4 <= most_fo4);
    assert_int_equal(r.fastest.flip_flops, 0);
    assert_int_equal(r.smallest.proof, PROOF_EQUAL);
    assert_int_equal(r.fastest.proof, PROOF_EQUAL);
    const struct netlist_result again = make("warp_pc_arbiter", settings, 2, NULL, NULL);
    assert_true(again.fastest.delay_fo4 == r.fastest.delay_fo4);
}

/* A warp of 8, for which no published figures exist: 28 FO4. */
static void test_ics_first(void **state) {
    (void)state;
    static const struct verilog_setting eight[] = {{"WARP_SIZE", 8}, {"LEVELS", 8}};
    assert_ics_first(eight, "WARP_SIZE=8 LEVELS=8", 1500, 2400, 25, 31);
}

static void test_long_ics_first(void **state) {
    (void)state;
    if (!getenv("LOCKSTEP_LONG")) skip();
    assert_ics_first(base, "WARP_SIZE=32 LEVELS=8", 6000, 9500, 34, 41);
}

static void test_flip_flops_are_proved(void **state) {
    (void)state;
    const struct netlist_result r = make("warp_scheduler", least, 3, NULL, NULL);
    assert_int_equal(r.fastest.proof, PROOF_EQUAL);
    assert_int_equal(r.fastest.flip_flops, 1);
    assert_true(r.smallest.flip_flop_nand2 > 0 && r.smallest.flip_flop_nand2 < r.smallest.area_nand2);
}

static struct netlist_result make_large(const char *top, const struct verilog_setting *settings,
                                        unsigned count, enum synthesis_effort effort, bool prove) {
    struct technology t;
    struct netlist_result r;
    struct error e = {0};
    char *folder = spawn_text("%s/rtl", spawn_source());
    const struct netlist_request request = {.folder = folder,
                                            .top = top,
                                            .settings = settings,
                                            .count = count,
                                            .large = true,
                                            .effort = effort,
                                            .prove = prove};
    if (!technology_read(&t, NULL, NULL, &e) || !netlist_make(&request, &t, NULL, &r, &e))
        fail_msg("%s", e.message);
    technology_free(&t);
    free(folder);
    return r;
}

/* A large block is synthesised with more than one script only with SYNTHESIS_FULL; it is proved
 * on request. */
static void test_effort(void **state) {
    (void)state;
    const struct netlist_result fast = make_large("warp_scheduler", least, 3, SYNTHESIS_FAST, false),
                                full = make_large("warp_scheduler", least, 3, SYNTHESIS_FULL, true);
    assert_int_equal(fast.fastest.proof, PROOF_NOT_ASKED);
    assert_string_equal(fast.fastest.script, fast.smallest.script);
    assert_int_equal(full.fastest.proof, PROOF_EQUAL);
    assert_true(full.fastest.delay_fo4 <= fast.fastest.delay_fo4);
    assert_true(full.smallest.area_nand2 <= fast.smallest.area_nand2);
}

/* The Verilog has undefined bits here: rows that do not exist. */
static void test_long_descriptors_are_proved(void **state) {
    (void)state;
    static const struct verilog_setting settings[] = {
        {"WARPS", 2}, {"WARP_SIZE", 4}, {"LANES", 2}, {"LEVELS", 3}};
    if (!getenv("LOCKSTEP_LONG")) skip();
    const struct netlist_result r = make_large("thread_descriptor_table", settings, 4, SYNTHESIS_FULL, true);
    assert_int_equal(r.fastest.proof, PROOF_EQUAL);
    assert_int_equal(r.smallest.proof, PROOF_EQUAL);
}

/* The figures in docs/area.md for re_convergence_stack at 4 threads: the flip-flops of an entry are PC, RPC,
 * mask and call. */
static void test_long_stack(void **state) {
    (void)state;
    static const struct verilog_setting settings[] = {{"WARPS", 1}, {"WARP_SIZE", 4}, {"CALLS", 1}};
    if (!getenv("LOCKSTEP_LONG")) skip();
    const struct netlist_result r = make_large("re_convergence_stack", settings, 3, SYNTHESIS_FAST, false);
    assert_int_equal(r.fastest.flip_flops, (2 * 4 + 1) * (2 * 32 + 4 + 1) + 4);
    print_message("%.1f FO4\n", r.fastest.delay_fo4);
    assert_true(r.fastest.delay_fo4 > 60 && r.fastest.delay_fo4 < 80);
}

/* Min-PC costs more than twice ICS-First's area and delay (docs/area.md), and three libraries agree. */
static void test_long_comparisons(void **state) {
    (void)state;
    static const char *const libraries[][2] = {{"/usr/share/qflow/tech/osu018/osu018_stdcells.lib",
                                                "/usr/share/qflow/tech/osu018/osu018_stdcells.lef"},
                                               {"/usr/share/qflow/tech/osu035/osu035_stdcells.lib",
                                                "/usr/share/qflow/tech/osu035/osu035_stdcells.lef"},
                                               {"/usr/share/qflow/tech/osu050/osu05_stdcells.lib",
                                                "/usr/share/qflow/tech/osu050/osu050_stdcells.lef"}};
    if (!getenv("LOCKSTEP_LONG")) skip();
    double area[3], delay[3];
    for (unsigned n = 0; n < 3; n++) {
        const struct netlist_result r = make("warp_pc_arbiter", base, 3, libraries[n][0], libraries[n][1]);
        area[n] = r.smallest.area_nand2;
        delay[n] = r.fastest.delay_fo4;
    }
    for (unsigned n = 1; n < 3; n++) {
        if (fabs(area[n] / area[0] - 1) > 0.05) fail_msg("areas %f, %f", area[n], area[0]);
        if (fabs(delay[n] / delay[0] - 1) > 0.08) fail_msg("delays %f, %f", delay[n], delay[0]);
    }
    const struct netlist_result m = make("min_pc_arbiter", base, 3, NULL, NULL);
    const double slower = m.fastest.delay_fo4 / delay[0], larger = m.smallest.area_nand2 / area[0];
    if (slower < 1.9 || slower > 2.6 || larger < 2.0 || larger > 2.9)
        fail_msg("delay x %f, area x %f", slower, larger);
}

/* Returns the length of paths to a port, in ns at 40 nm, which OpenSTA computes from a netlist. */
static double ns_to(const struct technology *t, const char *gates, const char *top, const char *port) {
    char *cells = fixture_path("cells.lib"), *netlist = fixture_file("gates.v", gates, 0644);
    struct error e = {0};
    if (!liberty_write(&t->liberty, cells, &e)) fail_msg("%s", e.message);
    char *script = spawn_text("read_liberty cells.lib\nread_verilog gates.v\nlink_design %s\n"
                              "set_cmd_units -time ps -capacitance fF\n"
                              "create_clock -name clock -period 1000000 [get_ports clk_i]\n"
                              "foreach p [all_inputs] {if {[get_property $p full_name] ne {clk_i}} {\n"
                              "  set_input_delay 0 -clock clock $p\n  set_driving_cell -lib_cell %s $p}}\n"
                              "set_output_delay 0 -clock clock [all_outputs]\nset_load %g [all_outputs]\n"
                              "report_checks -path_delay max -digits 4 -to [get_ports %s]\nexit\n",
                              top, t->liberty.inverter->name, t->load_ff, port),
         *file = fixture_file("to.tcl", script, 0644);
    struct spawned s = spawn(fixture_folder, (char *[]){"sta", "-no_splash", "-exit", "to.tcl", NULL});
    const char *arrival = strstr(s.out, "data arrival time");
    if (!arrival) fail_msg("%s%s", s.out, s.err);
    while (arrival > s.out && arrival[-1] != '\n') arrival--;
    const double ns = technology_40nm_ns(strtod(arrival, NULL) / t->fo4_ps);
    spawn_free(&s);
    free(file);
    free(script);
    free(netlist);
    free(cells);
    return ns;
}

/* HARP's lookup tables at the paper's size, Table 7 and section 7.3.2: 0.022 mm² each,
 * searched in 0.38 ns. */
static void test_long_harp_lookup(void **state) {
    (void)state;
    if (!getenv("LOCKSTEP_LONG")) skip();
    static const struct verilog_setting paper[] = {
        {"LANES", 16}, {"SLOTS", 8}, {"GROUPS", 1}, {"REGISTER_ROWS", 64}, {"RENEWS", 1}};
    struct technology t;
    struct netlist_result r;
    struct error e = {0};
    char *folder = spawn_text("%s/rtl", spawn_source());
    const struct netlist_request request = {
        .folder = folder, .top = "warp_lookup", .settings = paper, .count = 5, .large = true};
    if (!technology_read(&t, NULL, NULL, &e)) fail_msg("%s", e.message);
    char *gates = netlist_gates(&request, &t, NULL, &r, &e);
    if (!gates) fail_msg("%s", e.message);
    const double mm2 = technology_40nm_mm2(r.smallest.area_nand2),
                 ns = ns_to(&t, gates, "warp_lookup", "joined_o*");
    print_message("%.4f mm2, searched in %.2f ns, a cycle of %.2f ns\n", mm2, ns,
                  technology_40nm_ns(r.fastest.delay_fo4));
    assert_true(fabs(mm2 / 0.022 - 1) < 0.25 && fabs(ns / 0.38 - 1) < 0.25);
    free(gates);
    technology_free(&t);
    free(folder);
}

/* Every cell under another name, and other units: the same in NAND2-equivalents and FO4. */
static void test_another_library(void **state) {
    (void)state;
    char *text = spawn_read("/usr/share/qflow/tech/osu018/osu018_stdcells.lib"), *other, *path;
    size_t size;
    FILE *out = open_memstream(&other, &size);
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        char name[64];
        if (sscanf(line, "cell (%63[A-Z0-9])", name) == 1)
            fprintf(out, "cell (Z_%s_Z) {\n", name);
        else if (strstr(line, "time_unit"))
            fprintf(out, "time_unit : \"1ps\";\n");
        else if (strstr(line, "capacitive_load_unit"))
            fprintf(out, "capacitive_load_unit (1,ff);\n");
        else
            fprintf(out, "%s\n", line);
    }
    fclose(out);
    path = fixture_file("other.lib", other, 0644);
    const struct netlist_result ours = make("warp_pc_arbiter", least, 3, TECHNOLOGY_LIBERTY, NULL),
                                theirs = make("warp_pc_arbiter", least, 3, path, NULL);
    assert_true(fabs(theirs.fastest.delay_fo4 / ours.fastest.delay_fo4 - 1) < 0.1);
    assert_true(fabs(theirs.smallest.area_nand2 / ours.smallest.area_nand2 - 1) < 0.1);
    free(path);
    free(other);
    free(text);
}

int main(void) {
    spawn_limit_seconds = 3600;
    const struct CMUnitTest tests[] = {
        TEST(test_ics_first),        TEST(test_flip_flops_are_proved),
        TEST(test_another_library),  TEST(test_effort),
        TEST(test_long_ics_first),   TEST(test_long_descriptors_are_proved),
        TEST(test_long_comparisons), TEST(test_long_stack),
        TEST(test_long_harp_lookup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
