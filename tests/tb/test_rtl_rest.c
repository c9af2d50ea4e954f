/* Verilog that rests while nothing changes: our own, and a user's with `pure`; and comparisons that end
 * before the program does. */
#include "sim/error.h"
#include "tb/twins/twin_block.h"
#include "tests/tb/rtl_text.h"

static json_int_t number_of(const char *stats, unsigned block, const char *key) {
    json_t *all = fixture_statistics(stats);
    const json_int_t n = fixture_number(json_array_get(json_object_get(all, "rtl"), block), key);
    json_decref(all);
    return n;
}

/* A counter of edges that the model lacks: only Verilog that rests counts fewer than a thousand. */
static void a_users_block_rests_if_it_says_so(void **state) {
    (void)state;
    char *path = rtl_text_changed("barrier_table", "endmodule",
                                  "  logic [9:0] edges;\n"
                                  "  always_ff @(posedge clk_i or negedge rst_ni) begin\n"
                                  "    if (!rst_ni) edges <= '0;\n"
                                  "    else edges <= edges + 10'd1;\n"
                                  "    if (edges == 10'd1000) $fatal(1, \"a thousand edges\");\n"
                                  "  end\n"
                                  "endmodule");
    struct spawned s = run_with("barrier_table=check:changed.sv", "own_reduction", "s.json");
    assert_status(&s, EXIT_TWINS_DISAGREE);
    assert_says(s.err, "a thousand edges");
    spawn_free(&s);
    s = run_with("barrier_table=check:changed.sv,pure", "own_reduction", "pure.json");
    assert_status(&s, EXIT_SOUND);
    assert_true(number_of("pure.json", 0, "comparisons") > 1000);
    assert_in_range(number_of("pure.json", 0, "evaluated"), 1, 1000);
    spawn_free(&s);
    s = run_with("barrier_table=replace:changed.sv,pure", "own_reduction", "s.json");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "pure speaks of the flip-flops that are compared");
    spawn_free(&s);
    free(path);
}

/* A table that never releases is detected at the first barrier, before which it has rested for long. */
static void what_has_rested_differs_in_the_same_cycle(void **state) {
    (void)state;
    char *path = rtl_text_changed("barrier_table", "release_q        <= opens_o;", "release_q        <= '0;");
    struct spawned always = run_with("barrier_table=check:changed.sv", "own_reduction", "s.json");
    struct spawned rests = run_with("barrier_table=check:changed.sv,pure", "own_reduction", "s.json");
    assert_status(&always, EXIT_TWINS_DISAGREE);
    assert_status(&rests, EXIT_TWINS_DISAGREE);
    const char *told = strstr(always.err, "disagree in cycle");
    assert_non_null(told);
    char *line = strndup(told, strcspn(told, "\n"));
    assert_says(rests.err, line);
    free(line);
    spawn_free(&always);
    spawn_free(&rests);
    free(path);
}

/* Without `pure` a user's block is evaluated in every cycle, our own never when nothing has changed. */
static void evaluations_are_counted(void **state) {
    (void)state;
    char *path = rtl_text_changed("barrier_table", "endmodule", "endmodule // mine");
    struct spawned s = run_with("check,barrier_table=check:changed.sv", "own_reduction", "s.json");
    assert_status(&s, EXIT_SOUND);
    assert_int_equal(number_of("s.json", CLUSTER_BLOCK_BARRIERS, "evaluated"),
                     number_of("s.json", CLUSTER_BLOCK_BARRIERS, "comparisons"));
    assert_true(2 * number_of("s.json", CLUSTER_BLOCK_ARBITER, "evaluated") <
                number_of("s.json", CLUSTER_BLOCK_ARBITER, "comparisons"));
    spawn_free(&s);
    free(path);
}

static json_t *totals(const char *name) {
    json_t *all = fixture_statistics(name), *part = json_incref(json_object_get(all, "totals"));
    json_decref(all);
    return part;
}

/* Work-groups of the first cycles are compared, and the run is the same. */
static void comparisons_can_end_early(void **state) {
    (void)state;
    char *program = fixture_host("own_reduction");
    struct spawned whole = LOCKSTEP("run", "--rtl", "check", "--stats", "whole.json", "--", program);
    struct spawned early =
        LOCKSTEP("run", "--rtl", "check", "--rtl-cycles", "1", "--stats", "early.json", "--", program);
    assert_status(&whole, EXIT_SOUND);
    assert_status(&early, EXIT_SOUND);
    const json_int_t compared = number_of("early.json", CLUSTER_BLOCK_ARBITER, "comparisons");
    assert_in_range(compared, 1, number_of("whole.json", CLUSTER_BLOCK_ARBITER, "comparisons") - 1);
    json_t *a = totals("whole.json"), *b = totals("early.json");
    assert_true(json_equal(a, b));
    json_decref(a);
    json_decref(b);
    spawn_free(&whole);
    spawn_free(&early);
    whole = LOCKSTEP("run", "--rtl", "drive", "--rtl-cycles", "1", "--", program);
    assert_status(&whole, EXIT_USER);
    assert_says(whole.err, "warp_scheduler drives the machine: mode check");
    spawn_free(&whole);
    whole = LOCKSTEP("run", "--rtl-cycles", "1", "--", program);
    assert_status(&whole, EXIT_USER);
    assert_says(whole.err, "--rtl-cycles says how long is compared, but --rtl is off");
    spawn_free(&whole);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_users_block_rests_if_it_says_so),
        TEST(what_has_rested_differs_in_the_same_cycle),
        TEST(evaluations_are_counted),
        TEST(comparisons_can_end_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
