/* Every block as gates: each has an area and a longest path, at a small size (LOCKSTEP_LONG=1; otherwise only
 * blocks that once failed). */
#include "synthesis/netlist.h"
#include "synthesis/netlist_scan.h"
#include "tests/fixture.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

static const struct verilog_setting small[] = {
    {"WARPS", 4},         {"WARP_SIZE", 4},   {"LANES", 4},        {"LEVELS", 2},        {"CYCLIC", 0},
    {"ACTIVE", 2},        {"REGISTERS", 5},   {"PHYSICAL", 8},     {"ENTRIES", 4},       {"TAG_BITS", 4},
    {"OPCODE_BITS", 4},   {"COLLECTORS", 2},  {"READ_PORTS", 2},   {"WRITE_PORTS", 2},   {"READ_LATENCY", 2},
    {"VTPO_LINES", 2},    {"GROUPS", 2},      {"SCALAR", 0},       {"SCHEDULER", 0},     {"PC_POLICY", 0},
    {"QUEUE_ENTRIES", 2}, {"BANKS", 4},       {"BROADCAST", 0},    {"RULE", 0},          {"LINE_BYTES", 32},
    {"POLICY", 1},        {"QUEUE", 4},       {"LANE_GROUPS", 2},  {"BOUND", 1},         {"THREADS", 4},
    {"DIVISOR", 2},       {"CALLS", 1},       {"ROWS", 4},         {"SLOTS", 4},         {"REGISTER_ROWS", 8},
    {"RENEWS", 0},        {"SETS", 4},        {"POOL", 8},         {"WAYS", 2},          {"MSHRS", 2},
    {"MERGES", 2},        {"LINE_BITS", 8},   {"REQUEST_BITS", 4}, {"BARRIER_SETS", 2},  {"CLUSTERS", 2},
    {"L2S", 2},           {"FIRST_LEVEL", 2}, {"READY_SLOTS", 2},  {"WAITING_SLOTS", 2}, {"STAGES", 1},
    {"CONTEXTS", 512}};

static void assert_timed(const struct technology *t, const char *top) {
    struct netlist_result r;
    struct error e = {0};
    char *folder = spawn_text("%s/rtl", spawn_source());
    const struct netlist_request request = {.folder = folder,
                                            .top = top,
                                            .settings = small,
                                            .count = sizeof small / sizeof *small,
                                            .large = true};
    if (!netlist_make(&request, t, NULL, &r, &e)) fail_msg("%s: %s", top, e.message);
    print_message("%s %s: %.0f NAND2-equivalents, %.1f FO4, %s -> %s\n", top, r.parameters,
                  r.smallest.area_nand2, r.fastest.delay_fo4, r.fastest.from, r.fastest.to);
    assert_true(r.smallest.area_nand2 > 0 && r.fastest.delay_fo4 > 0 && *r.fastest.from && *r.fastest.to);
    free(folder);
}

static struct technology technology(void) {
    struct technology t;
    struct error e = {0};
    if (!technology_read(&t, NULL, NULL, &e)) fail_msg("%s", e.message);
    return t;
}

static void test_waiting_lookup(void **state) {
    (void)state;
    struct technology t = technology();
    assert_timed(&t, "warp_lookup");
    technology_free(&t);
}

static void test_long_every_block(void **state) {
    (void)state;
    if (!getenv("LOCKSTEP_LONG")) skip();
    char *pattern = spawn_text("%s/rtl/*.sv", spawn_source());
    glob_t found;
    struct technology t = technology();
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t n = 0; n < found.gl_pathc; n++) {
        char *name = strdup(strrchr(found.gl_pathv[n], '/') + 1);
        *strrchr(name, '.') = '\0';
        assert_timed(&t, name);
        free(name);
    }
    globfree(&found);
    technology_free(&t);
    free(pattern);
}

/* OpenSTA does not read an assignment to several parts of a wire, with which Yosys ends a netlist. */
static void test_divided_assignments(void **state) {
    (void)state;
    struct tool_folder f = {0};
    struct error e = {0};
    char *file = fixture_file("n.v",
                              "module m;\n  assign a = b;\n  assign { y_o[7:6], y_o[2], \\t.q[1] [3:0] } = "
                              "{ 3'h5, c, \\t.q[0]  };\nendmodule\n",
                              0644);
    snprintf(f.path, sizeof f.path, "%s", fixture_folder);
    for (unsigned n = 0; n < 2; n++) { /* the second time, nothing is left to divide */
        if (!netlist_divide_assignments(&f, "n.v", &e)) fail_msg("%s", e.message);
        char *text = spawn_read(file);
        assert_string_equal(text, "module m;\n  assign a = b;\n  wire [6:0] assigned_0;\n"
                                  "  assign assigned_0 = { 3'h5, c, \\t.q[0]  };\n"
                                  "  assign y_o[7:6] = assigned_0[6:5];\n  assign y_o[2] = assigned_0[4:4];\n"
                                  "  assign \\t.q[1] [3:0] = assigned_0[3:0];\nendmodule\n");
        free(text);
    }
    free(file);
}

int main(void) {
    spawn_limit_seconds = 3600;
    const struct CMUnitTest tests[] = {TEST(test_waiting_lookup), TEST(test_divided_assignments),
                                       TEST(test_long_every_block)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
