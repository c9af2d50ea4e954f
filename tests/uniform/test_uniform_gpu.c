/* Uniform values on GPU-like machines: the benchmarks have the same results with every treatment, and each
 * value is checked during the run. The option --exact-steps changes nothing. Waves show forms and tokens.
 * Machines that issue several instructions in a cycle refuse them. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static const char *const ways[][3] = {
    {"token", "on", "off"}, {"token", "off", "on"}, {"token", "on", "on"},
    {"srf", "on", "off"},   {"srf", "off", "on"},   {"srf", "on", "on"},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* Runs a benchmark with its arguments with a treatment, or without (−1), with more options; statistics go to
 * s.json. */
static struct spawned run_way(const char *machine, int way, char *const options[], const char *benchmark) {
    char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machine);
    char *program = spawn_text("%s/benchmarks/%s", spawn_build(), benchmark);
    char set[3][32], *argv[24] = {fixture_command, "run", "--stats", "s.json", "--config", config};
    static const char *const field[] = {"storage", "intra", "inter"};
    unsigned n = 6;
    for (unsigned k = 0; way >= 0 && k < 3; ++k) {
        snprintf(set[k], sizeof set[k], "uniform.%s=%s", field[k], ways[way][k]);
        argv[n++] = "--set";
        argv[n++] = set[k];
    }
    for (; *options; ++options) argv[n++] = *options;
    argv[n++] = "--";
    for (char *word = strtok(program, " "); word; word = strtok(NULL, " ")) argv[n++] = word;
    struct spawned s = spawn(fixture_folder, argv);
    free(config);
    free(program);
    return s;
}

/* Returns the sum over all clusters. */
static json_int_t sum_of(const char *name) {
    json_t *statistics = fixture_statistics("s.json"), *counter;
    size_t n;
    json_int_t all = 0;
    json_array_foreach(json_object_get(statistics, "counters"), n, counter) {
        if (strcmp(json_string_value(json_object_get(counter, "name")), name) == 0)
            all += fixture_number(counter, "value");
    }
    json_decref(statistics);
    return all;
}

static void results_are_the_same(void **state) {
    (void)state;
    static const char *const benchmarks[] = {"reduction", "path_finder", "n_queens",
                                             "bfs",       "histogram",   "fft"};
    static const char *const machines[] = {"gtx285-like", "gtx285-like-16", "stsimt-30x8"};
    for (unsigned b = 0; b < sizeof benchmarks / sizeof *benchmarks; ++b) {
        for (int way = 0; way < WAYS; ++way) {
            const char *machine = machines[(b + (unsigned)way) % 3];
            struct spawned s = run_way(machine, way, (char *[]){"--check-uniform", NULL}, benchmarks[b]);
            if (s.status || !strstr(s.out, "PASS"))
                fail_msg("%s on %s, way %d: %s%s", benchmarks[b], machine, way, s.out, s.err);
            assert_true(sum_of("uniform") > 0);
            spawn_free(&s);
        }
    }
}

static void exact_steps_are_the_same(void **state) {
    (void)state;
    for (int way = 0; way < WAYS; ++way) {
        json_t *part[2][2];
        for (unsigned exact = 0; exact < 2; ++exact) {
            struct spawned s =
                run_way("gtx285-like", way,
                        (char *[]){"--redundancy", exact ? "--exact-steps" : "--redundancy", NULL},
                        "reduction --count 16384");
            assert_status(&s, 0);
            spawn_free(&s);
            json_t *all = fixture_statistics("s.json");
            part[exact][0] = json_incref(json_object_get(all, "counters"));
            part[exact][1] = json_incref(json_object_get(all, "totals"));
            json_decref(all);
        }
        for (unsigned n = 0; n < 2; ++n) {
            assert_true(json_equal(part[0][n], part[1][n]));
            json_decref(part[0][n]);
            json_decref(part[1][n]);
        }
    }
}

/* The number of uniform instructions is the same with every treatment without a missing scalar register. */
static void instructions_are_the_same(void **state) {
    (void)state;
    struct spawned s = run_way("gtx285-like", -1, (char *[]){NULL}, "path_finder");
    assert_status(&s, 0);
    spawn_free(&s);
    const json_int_t all = sum_of("thread_instructions");
    json_int_t uniform = 0;
    for (int way = 0; way < WAYS; ++way) {
        s = run_way("gtx285-like", way, (char *[]){NULL}, "path_finder");
        assert_status(&s, 0);
        spawn_free(&s);
        assert_int_equal(sum_of("thread_instructions"), all); /* copies do not count as instructions of the
                                                               * program */
        assert_int_equal(sum_of("hazards"), 0);
        if (way) assert_int_equal(sum_of("uniform"), uniform);
        uniform = sum_of("uniform");
    }
}

static void waves_show_forms_and_tokens(void **state) {
    (void)state;
    struct spawned s =
        run_way("gtx285-like", 2, (char *[]){"--trace=t.vcd", "--trace-cycles=0:3000", NULL}, "reduction");
    assert_status(&s, 0);
    char *path = fixture_path("t.vcd"), *text = spawn_read(path);
    assert_says(text, " form ");
    assert_says(text, " tokens ");
    free(text);
    spawn_free(&s);
    s = run_way("gtx285-like", -1, (char *[]){"--trace=t.vcd", "--trace-cycles=0:3000", NULL}, "reduction");
    assert_status(&s, 0);
    text = spawn_read(path);
    assert_null(strstr(text, " tokens ")); /* nothing on a machine without */
    free(text);
    free(path);
    spawn_free(&s);
}

static void one_instruction_issues_in_a_cycle(void **state) {
    (void)state;
    struct spawned s = run_way("gt640-like", 0, (char *[]){NULL}, "reduction");
    assert_status(&s, 125);
    assert_says(s.err, "cluster.schedulers 4 x simt.issue_width 2");
    spawn_free(&s);
    s = run_way("fermi-like", 0, (char *[]){NULL}, "reduction");
    assert_status(&s, 125);
    assert_says(s.err, "cluster.schedulers 2 x simt.issue_width 1");
    spawn_free(&s);
}

static void redundancy_is_counted(void **state) {
    (void)state;
    static const char *const machines[] = {"gtx285-like", "fermi-like", "gt640-like"};
    for (unsigned m = 0; m < 3; ++m) {
        struct spawned s = run_way(machines[m], -1, (char *[]){"--redundancy", NULL}, "path_finder");
        assert_status(&s, 0);
        assert_says(s.err, "redundant operations, both");
        assert_true(sum_of("intra") > 0);
        assert_true(sum_of("both") >= sum_of("intra"));
        assert_int_equal(sum_of("operations"), sum_of("thread_instructions"));
        spawn_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(results_are_the_same),
        TEST(exact_steps_are_the_same),
        TEST(instructions_are_the_same),
        TEST(waves_show_forms_and_tokens),
        TEST(one_instruction_issues_in_a_cycle),
        TEST(redundancy_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
