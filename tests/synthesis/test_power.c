/* Power of a netlist: one inverter by hand, an idle block, and an active block. */
#include "synthesis/power.h"
#include "tests/fixture.h"

#include <math.h>
#include <stdlib.h>

static struct power take(const char *folder, const char *top, const struct power_port *ports,
                         unsigned count) {
    static const struct verilog_setting settings[] = {{"WARPS", 2}};
    const struct netlist_request r = {.folder = folder, .top = top, .settings = settings, .count = 1};
    struct technology t;
    struct power p;
    struct error e = {0};
    if (!technology_read(&t, NULL, NULL, &e) || !power_of(&r, &t, ports, count, NULL, &p, &e))
        fail_msg("%s", e.message);
    technology_free(&t);
    return p;
}

/* The inverter drives four of the smallest, 37.3 fF, at 1.8 V: ½CV² is 0.0604 pJ for a change; INVX1
 * dissipates 0.0316 internally, and ABC selects a larger one. */
static void test_an_inverter(void **state) {
    (void)state;
    char *file = fixture_file("one.sv",
                              "module one (input logic a_i, output logic y_o);\n"
                              "  assign y_o = ~a_i;\nendmodule\n",
                              0644);
    const struct power still = take(fixture_folder, "one", &(struct power_port){"a", 0, 0.5}, 1),
                       half = take(fixture_folder, "one", &(struct power_port){"a", 0.5, 0.5}, 1),
                       whole = take(fixture_folder, "one", &(struct power_port){"a", 1, 0.5}, 1);
    if (still.dynamic_pj > 1e-6 || still.leakage_mw <= 0)
        fail_msg("%g pJ, %g mW", still.dynamic_pj, still.leakage_mw);
    if (whole.dynamic_pj < 0.0604 || whole.dynamic_pj > 0.0604 + 4 * 0.0316)
        fail_msg("%f pJ", whole.dynamic_pj);
    assert_true(fabs(half.dynamic_pj / whole.dynamic_pj - 0.5) < 1e-6);
    free(file);
}

/* A clock takes something where nothing else changes; requests take more. */
static void test_a_block_with_flip_flops(void **state) {
    (void)state;
    char *folder = spawn_text("%s/rtl", spawn_source());
    const struct power_port still[] = {{"ready", 0, 0}, {"stalled", 0, 0}, {"take", 0, 0}},
                            works[] = {{"ready", 0.5, 0.5}, {"stalled", 0, 0}, {"take", 0, 1}};
    const struct power a = take(folder, "warp_scheduler", still, 3),
                       b = take(folder, "warp_scheduler", works, 3);
    assert_true(a.dynamic_pj > 0);
    assert_true(b.dynamic_pj > 1.1 * a.dynamic_pj);
    free(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_an_inverter), TEST(test_a_block_with_flip_flops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
