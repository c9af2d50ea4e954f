/* Data written by the host between launches do not hit in the next launch: the number of dropped lines, which
 * then miss, equals the number written, in both modes. */
#include "tests/fixture.h"

#include <string.h>

static json_int_t counter(const json_t *statistics, const char *scope, const char *name) {
    size_t n;
    json_t *c;
    json_array_foreach(json_object_get(statistics, "counters"), n, c) {
        if (!strcmp(json_string_value(json_object_get(c, "scope")), scope) &&
            !strcmp(json_string_value(json_object_get(c, "name")), name))
            return fixture_number(c, "value");
    }
    fail_msg("no counter %s %s", scope, name);
    return 0;
}

/* Returns the misses on one lane, whose L2 holds all that was read. */
static json_int_t misses_after(char *mode, char *how, json_int_t lines) {
    char *program = fixture_host("host_writes");
    struct spawned s =
        LOCKSTEP("run", "--mode", mode, "--set", "cluster.lanes=1", "--stats", "s.json", "--", program, how);
    assert_status(&s, 0);
    assert_says(s.out, "host_writes: PASS");
    json_t *statistics = fixture_statistics("s.json");
    assert_int_equal(counter(statistics, "cluster0.lane0.l2", "overwritten"), lines);
    const json_int_t misses = counter(statistics, "cluster0.lane0.l2", "misses");
    json_decref(statistics);
    spawn_free(&s);
    free(program);
    return misses;
}

static void test_lines_that_the_host_has_written_are_missed(void **state) {
    (void)state;
    static const struct {
        char *how;
        json_int_t lines;
    } cases[] = {{"write", 16},   {"odd", 4}, /* bytes 100 to 299 */
                 {"rect", 8},     {"fill", 8}, {"copy", 10}, {"map", 2},
                 {"map_read", 0}, {"read", 0}, {"all", 512}};
    static char *const modes[] = {"simt", "mimd"};
    for (unsigned m = 0; m < 2; m++) {
        const json_int_t misses = misses_after(modes[m], "none", 0);
        for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++)
            assert_int_equal(misses_after(modes[m], cases[n].how, cases[n].lines), misses + cases[n].lines);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_lines_that_the_host_has_written_are_missed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
