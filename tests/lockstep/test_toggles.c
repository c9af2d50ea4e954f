/* Toggles of ports compared with counts from a wave of the same run; the result of `lockstep energy` from
 * them. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *vector_add(void) {
    return spawn_text("%s/benchmarks/vector_add", spawn_build());
}

static const json_t *named(const json_t *list, const char *key, const char *name) {
    size_t index;
    json_t *j;
    json_array_foreach(list, index,
                       j) if (strcmp(json_string_value(json_object_get(j, key)), name) == 0) return j;
    fail_msg("there is no %s", name);
    return NULL;
}

/* Returns the changes of ready_i of warp_scheduler's Verilog in a value change dump; it starts with 0. */
static uint64_t toggles_in_wave(const char *name) {
    char *path = fixture_path(name), *text = spawn_read(path), *rest = text, scope[2][64] = {"", ""},
         code[8] = "";
    char word[64], its[8], what[64];
    uint64_t was = 0, changes = 0;
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (sscanf(line, "$scope module %63s", word) == 1) {
            memcpy(scope[0], scope[1], sizeof scope[0]);
            memcpy(scope[1], word, sizeof scope[1]);
        }
        if (sscanf(line, "$var %*s %*u %7s %63s", its, what) == 2 && strcmp(what, "ready_i") == 0 &&
            strcmp(scope[0], "rtl") == 0 && strcmp(scope[1], "warp_scheduler") == 0)
            memcpy(code, its, sizeof code);
        const char *space = *line == 'b' ? strchr(line, ' ') : NULL;
        if (!space || !*code || strcmp(space + 1, code) != 0) continue;
        const uint64_t is = strtoull(line + 1, NULL, 2);
        changes += (unsigned)__builtin_popcountll(is ^ was);
        was = is;
    }
    free(text);
    free(path);
    return changes;
}

static void test_toggles_are_those_of_the_wave(void **state) {
    (void)state;
    char *program = vector_add();
    struct spawned run =
        LOCKSTEP("run", "--quiet", "--events", "--rtl", "warp_scheduler=check,subwarp_dispatcher=check",
                 "--stats", "s.json", "--trace", "t.vcd", "--", program, "--count", "1024");
    if (run.status) fail_msg("%s", run.err);
    json_t *s = fixture_statistics("s.json");
    const json_t *blocks = json_object_get(s, "rtl"), *scheduler = named(blocks, "block", "warp_scheduler"),
                 *dispatcher = named(blocks, "block", "subwarp_dispatcher"),
                 *ready = named(json_object_get(scheduler, "ports"), "port", "ready"),
                 *rounds = named(json_object_get(dispatcher, "ports"), "port", "rounds"),
                 *hold = named(json_object_get(dispatcher, "ports"), "port", "hold");
    const json_int_t toggles = fixture_number(ready, "toggles");
    assert_true(toggles > 100);
    assert_int_equal(toggles, toggles_in_wave("t.vcd"));
    assert_int_equal(fixture_number(ready, "bits"), 16);
    /* Warps of 32 take 8 rounds of 4 lanes: one bit, in all cycles. */
    assert_int_equal(fixture_number(rounds, "toggles"), 1);
    assert_int_equal(fixture_number(rounds, "ones"), fixture_number(dispatcher, "comparisons"));
    assert_int_equal(fixture_number(hold, "toggles"), 0);
    assert_int_equal(fixture_number(hold, "ones"), 0);
    json_decref(s);
    spawn_free(&run);
    free(program);
}

static void test_energy_of_logic(void **state) {
    (void)state;
    char *program = vector_add();
    struct spawned run = LOCKSTEP("run", "--quiet", "--events", "--rtl",
                                  "warp_scheduler=check,tpo_address=check", "--stats", "s.json", "--",
                                  program, "--count", "1024"),
                   text = LOCKSTEP("energy", "s.json"), json = LOCKSTEP("energy", "--json", "s.json");
    if (run.status || text.status || json.status) fail_msg("%s%s%s", run.err, text.err, json.err);
    assert_says(text.out, "from the toggles of their ports, by OpenSTA in osu018_stdcells");
    json_t *s = fixture_statistics("s.json"), *j = json_loads(json.out, 0, NULL);
    const json_t *logic = json_object_get(j, "logic"), *totals = json_object_get(s, "totals");
    static const struct {
        const char *block;
        unsigned number; /* the address mapping is in each of four lanes */
    } expected[] = {{"warp_scheduler", 1}, {"tpo_address", 4}};
    double all = 0;
    for (unsigned n = 0; n < 2; n++) {
        const json_t *b = named(json_object_get(logic, "blocks"), "block", expected[n].block);
        const double pj = json_number_value(json_object_get(b, "dynamic_pj_per_cycle")),
                     mw = json_number_value(json_object_get(b, "leakage_mw")),
                     nj = json_number_value(json_object_get(b, "nj")),
                     cycles = json_number_value(json_object_get(b, "cycles")),
                     ms = (double)fixture_number(totals, "time_ps") * 1e-9;
        assert_int_equal(fixture_number(b, "number"), expected[n].number);
        assert_true(pj > 0 && mw > 0);
        const double expected_nj = expected[n].number * (cycles * pj * 1e-3 + mw * ms * 1e3);
        if (fabs(nj / expected_nj - 1) > 1e-6) fail_msg("%f nJ, not %f", nj, expected_nj);
        all += nj;
    }
    assert_true(fabs(json_number_value(json_object_get(logic, "nj")) / all - 1) < 1e-6);
    json_decref(j);
    json_decref(s);
    spawn_free(&run);
    spawn_free(&text);
    spawn_free(&json);
    free(program);
}

static void assert_refused(struct spawned s, const char *part_of_message) {
    assert_status(&s, EXIT_USER);
    assert_says(s.err, part_of_message);
    assert_string_equal(s.out, "");
    spawn_free(&s);
}

static void test_mistakes(void **state) {
    (void)state;
    char *program = vector_add(), *empty = fixture_file("empty.lib", "", 0644);
    struct spawned with = LOCKSTEP("run", "--quiet", "--events", "--rtl", "warp_scheduler=check", "--stats",
                                   "with.json", "--", program, "--count", "256"),
                   without = LOCKSTEP("run", "--quiet", "--events", "--stats", "without.json", "--", program,
                                      "--count", "256");
    assert_status(&with, 0);
    assert_status(&without, 0);
    assert_refused(LOCKSTEP("energy", "--liberty", "empty.lib", "with.json"), "empty.lib: the file is empty");
    assert_refused(LOCKSTEP("energy", "--liberty", "empty.lib", "without.json"),
                   "without.json has no toggles of Verilog: repeat it with --rtl check --events");
    assert_refused(LOCKSTEP("energy", "--lef", "x.lef", "with.json"), "It needs --liberty");
    spawn_free(&with);
    spawn_free(&without);
    free(empty);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_toggles_are_those_of_the_wave),
        TEST(test_energy_of_logic),
        TEST(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
