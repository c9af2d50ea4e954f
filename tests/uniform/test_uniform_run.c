/* Every benchmark with every treatment of uniform values: the same results, and each value is checked during
 * the run; the run's report, statistics and waves. */
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static const char *const ways[][3] = {
    {"token", "on", "off"}, {"token", "off", "on"}, {"token", "on", "on"},
    {"srf", "on", "off"},   {"srf", "off", "on"},   {"srf", "on", "on"},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

struct settings {
    char storage[32], intra[32], inter[32];
};

static struct settings settings_of(unsigned way) {
    struct settings s;
    snprintf(s.storage, sizeof s.storage, "uniform.storage=%s", ways[way][0]);
    snprintf(s.intra, sizeof s.intra, "uniform.intra=%s", ways[way][1]);
    snprintf(s.inter, sizeof s.inter, "uniform.inter=%s", ways[way][2]);
    return s;
}

/* Returns the line with the benchmark's result. */
static char *verdict(const struct spawned *s) {
    const char *at = strstr(s->out, ": PASS");
    if (!at) fail_msg("it did not pass:\n%s\n%s", s->out, s->err);
    while (at > s->out && at[-1] != '\n') --at;
    return strndup(at, strcspn(at, "\n"));
}

/* Runs with a treatment, or without. */
static struct spawned run_way(int way, char *program, char *const arguments[]) {
    struct settings set = settings_of(way < 0 ? 0 : (unsigned)way);
    char *argv[24] = {fixture_command, "run", "--stats", "s.json"};
    unsigned n = 4;
    if (way >= 0) {
        char *const some[] = {"--set", set.storage, "--set",          set.intra,
                              "--set", set.inter,   "--check-uniform"};
        for (unsigned k = 0; k < sizeof some / sizeof *some; ++k) argv[n++] = some[k];
    }
    argv[n++] = "--";
    argv[n++] = program;
    for (unsigned k = 0; arguments[k]; ++k) argv[n++] = arguments[k];
    return spawn(fixture_folder, argv);
}

static json_int_t instructions(void) {
    json_t *statistics = fixture_statistics("s.json"), *counter;
    size_t n;
    json_int_t all = 0;
    json_array_foreach(json_object_get(statistics, "counters"), n, counter) {
        if (strcmp(json_string_value(json_object_get(counter, "name")), "thread_instructions") == 0)
            all += fixture_number(counter, "value");
    }
    json_decref(statistics);
    return all;
}

static void same_results(const char *name, char *const arguments[]) {
    char *program = spawn_text("%s/benchmarks/%s", spawn_build(), name);
    struct spawned base = run_way(-1, program, arguments);
    char *expected = verdict(&base);
    const json_int_t count = instructions();
    spawn_free(&base);
    for (int way = 0; way < WAYS; ++way) {
        struct spawned s = run_way(way, program, arguments);
        char *found = verdict(&s);
        assert_string_equal(found, expected);
        assert_int_equal(instructions(), count); /* copies do not count as instructions of the program */
        free(found);
        spawn_free(&s);
    }
    free(expected);
    free(program);
}

static void every_benchmark_has_the_same_results(void **state) {
    (void)state;
    same_results("hotspot", (char *[]){"--steps", "1", NULL});
    same_results("reduction", (char *[]){NULL});
    same_results("vector_add", (char *[]){"--count", "9000", NULL});
    same_results("convolution", (char *[]){"--size", "48", "--radius", "3", NULL});
    same_results("scalar_product", (char *[]){"--vectors", "9", "--length", "700", NULL});
    same_results("path_finder", (char *[]){"--columns", "900", "--rows", "32", NULL});
    same_results("mandelbrot", (char *[]){"--size", "48", "--iterations", "64", "picture.ppm", NULL});
}

/* Skipping quiet cycles changes nothing: totals and counters. */
static void exact_steps_are_the_same(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/path_finder", spawn_build());
    for (unsigned way = 0; way < WAYS; ++way) {
        struct settings set = settings_of(way);
        json_t *part[2][3];
        for (unsigned exact = 0; exact < 2; ++exact) {
            struct spawned s =
                LOCKSTEP("run", "--stats", "s.json", "--set", set.storage, "--set", set.intra, "--set",
                         set.inter, "--redundancy", exact ? "--exact-steps" : "--redundancy", "--", program,
                         "--columns", "700", "--rows", "24");
            assert_status(&s, 0);
            spawn_free(&s);
            json_t *all = fixture_statistics("s.json"), *totals = json_object_get(all, "totals");
            part[exact][0] = json_integer(fixture_number(totals, "cycles"));
            part[exact][1] = json_incref(json_object_get(all, "counters"));
            part[exact][2] = json_incref(json_object_get(all, "ratios"));
            json_decref(all);
        }
        for (unsigned n = 0; n < 3; ++n) {
            assert_true(json_equal(part[0][n], part[1][n]));
            json_decref(part[0][n]);
            json_decref(part[1][n]);
        }
    }
    free(program);
}

static void waves_show_forms_and_tokens(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/path_finder", spawn_build());
    struct spawned s =
        LOCKSTEP("run", "--trace", "t.vcd", "--set", "uniform.storage=token", "--set", "uniform.intra=on",
                 "--set", "uniform.inter=on", "--", program, "--columns", "64", "--rows", "4");
    assert_status(&s, 0);
    char *path = fixture_path("t.vcd"), *text = spawn_read(path);
    assert_says(text, " form ");
    assert_says(text, " tokens ");
    free(text);
    free(path);
    spawn_free(&s);
    s = LOCKSTEP("run", "--trace", "t.vcd", "--", program, "--columns", "64", "--rows", "4");
    assert_status(&s, 0);
    path = fixture_path("t.vcd"), text = spawn_read(path);
    assert_null(strstr(text, " tokens ")); /* nothing on a machine without */
    free(text);
    free(path);
    spawn_free(&s);
    free(program);
}

static void redundancy_is_reported(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/vector_add", spawn_build());
    struct spawned s = LOCKSTEP("run", "--redundancy", "--", program, "--count", "4096");
    assert_status(&s, 0);
    assert_says(s.err, "redundant operations, intra-warp");
    assert_says(s.err, "redundant operations, both");
    spawn_free(&s);
    s = LOCKSTEP("run", "--", program, "--count", "4096");
    assert_status(&s, 0);
    assert_null(strstr(s.err, "redundant"));
    spawn_free(&s);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_benchmark_has_the_same_results),
        TEST(exact_steps_are_the_same),
        TEST(waves_show_forms_and_tokens),
        TEST(redundancy_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
