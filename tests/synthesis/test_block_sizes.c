/* Blocks at two small sizes, with the real tools: the larger one has more area, and no shorter path where
 * that follows from its function. tests/lockstep/test_knobs.c tests which field sets which parameter. */
#include "synthesis/netlist.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

#define SETTINGS 8

static const struct size {
    const char *module, *parameter;
    unsigned low, high;
    bool slower; /* the delay grows, too */
    bool quick;  /* also without LOCKSTEP_LONG=1 */
    struct verilog_setting others[SETTINGS];
} sizes[] = {
    {"warp_scheduler", "WARPS", 4, 16, true, true, {{0}}},
    {"two_level_scheduler", "ACTIVE", 2, 4, false, false, {{"WARPS", 8}}},
    {"warp_pc_arbiter", "WARP_SIZE", 4, 8, true, true, {{"LEVELS", 2}}},
    {"warp_pc_arbiter", "LEVELS", 2, 4, true, false, {{"WARP_SIZE", 4}}},
    {"min_pc_arbiter", "WARP_SIZE", 4, 8, true, true, {{0}}},
    {"barrier_table", "WARPS", 2, 4, false, true, {{"WARP_SIZE", 4}, {"GROUPS", 1}, {"SCALAR", 0}}},
    {"subwarp_dispatcher", "WARP_SIZE", 8, 16, false, true, {{"WARPS", 4}, {"LANES", 4}}},
    {"operand_collector", "COLLECTORS", 1, 4, false, false, {{"LANES", 2}, {"WARPS", 4}}},
    {"writeback_arbiter", "WRITE_PORTS", 1, 4, false, false, {{"LANES", 2}, {"WARPS", 4}}},
    {"bank_conflict_resolver", "BANKS", 2, 4, false, false, {{"WARP_SIZE", 4}}},
    {"miss_registers", "MSHRS", 1, 2, false, true, {{"MERGES", 2}, {"LINE_BITS", 8}, {"REQUEST_BITS", 4}}},
    {"miss_registers", "MERGES", 1, 2, false, false, {{"MSHRS", 2}, {"LINE_BITS", 8}, {"REQUEST_BITS", 4}}},
    {"warp_lookup",
     "SLOTS",
     2,
     4,
     false,
     false,
     {{"LANES", 4}, {"GROUPS", 2}, {"REGISTER_ROWS", 4}, {"RENEWS", 1}}},
    {"dram_scheduler", "QUEUE", 2, 4, true, false, {{"BANKS", 2}, {"TAG_BITS", 2}, {"ROW_BITS", 4}}},
    {"scalar_scheduler", "THREADS", 2, 4, false, true, {{"DIVISOR", 1}}},
    {"snoop_directory", "CLUSTERS", 2, 4, false, true, {{"L2S", 2}}},
};

static struct netlist_result make(const struct technology *t, const struct size *s, unsigned value) {
    struct verilog_setting settings[SETTINGS + 1];
    struct netlist_result result;
    struct error e = {0};
    unsigned count = 0;
    char *folder = spawn_text("%s/rtl", spawn_source());
    for (; count < SETTINGS && s->others[count].name; count++) settings[count] = s->others[count];
    settings[count++] = (struct verilog_setting){s->parameter, value};
    const struct netlist_request r = {
        .folder = folder, .top = s->module, .settings = settings, .count = count, .large = true};
    if (!netlist_make(&r, t, NULL, &result, &e))
        fail_msg("%s %s=%u: %s", s->module, s->parameter, value, e.message);
    char *assignment = spawn_text("%s=%u", s->parameter, value);
    assert_non_null(strstr(result.parameters, assignment));
    free(assignment);
    free(folder);
    return result;
}

static void test_sizes(void **state) {
    (void)state;
    struct technology t;
    struct error e = {0};
    if (!technology_read(&t, NULL, NULL, &e)) fail_msg("%s", e.message);
    for (const struct size *s = sizes; s < sizes + sizeof sizes / sizeof *sizes; s++) {
        if (!s->quick && !getenv("LOCKSTEP_LONG")) continue;
        const struct netlist_result low = make(&t, s, s->low), high = make(&t, s, s->high);
        print_message("%s %s=%u to %u: %.0f to %.0f NAND2-equivalents, %.1f to %.1f FO4\n", s->module,
                      s->parameter, s->low, s->high, low.smallest.area_nand2, high.smallest.area_nand2,
                      low.fastest.delay_fo4, high.fastest.delay_fo4);
        assert_true(high.smallest.area_nand2 > low.smallest.area_nand2);
        if (s->slower) assert_true(high.fastest.delay_fo4 > low.fastest.delay_fo4);
    }
    technology_free(&t);
}

int main(void) {
    spawn_limit_seconds = 3600;
    const struct CMUnitTest tests[] = {TEST(test_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
