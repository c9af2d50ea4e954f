/* `lockstep compare`: variants that run, output, and wrong input. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <signal.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CSV_TITLES                                                                                           \
    "variant,cycles,time_ps,speedup,instructions,memory_instructions,warp_instructions,"                     \
    "simd_efficiency,l2_misses,outcome,exit_status"

static char *program;

static int begin(void **state) {
    program = fixture_host("vector_add");
    return fixture_begin(state);
}

static int end(void **state) {
    free(program);
    return fixture_end(state);
}

/* Returns field `column` of line `line` of CSV text without quoted fields. */
static char *csv_field(const char *csv, unsigned line, unsigned column) {
    for (; line > 0; line--) {
        csv = strchr(csv, '\n');
        assert_non_null(csv);
        csv++;
    }
    for (; column > 0; column--) {
        csv += strcspn(csv, ",\n");
        assert_int_equal(*csv, ',');
        csv++;
    }
    return spawn_text("%.*s", (int)strcspn(csv, ",\n"), csv);
}

static void assert_csv(const char *csv, unsigned line, unsigned column, const char *expected) {
    char *field = csv_field(csv, line, column);
    assert_string_equal(field, expected);
    free(field);
}

static double csv_number(const char *csv, unsigned line, unsigned column) {
    char *field = csv_field(csv, line, column), *rest;
    double number = strtod(field, &rest);
    if (rest == field || *rest) fail_msg("'%s' in line %u is no number", field, line);
    free(field);
    return number;
}

/* Checks that the row has the figures of a separate run. */
static void assert_row_is_a_run(const char *csv, unsigned line, const char *setting) {
    struct spawned s = LOCKSTEP("run", "--set", (char *)setting, "--stats", "run.json", "--", program);
    assert_status(&s, 0);
    json_t *j = fixture_statistics("run.json"), *totals = json_object_get(j, "totals");
    assert_true(csv_number(csv, line, 1) == (double)fixture_number(totals, "cycles"));
    assert_true(csv_number(csv, line, 2) == (double)fixture_number(totals, "time_ps"));
    json_t *launches = json_object_get(j, "launches"), *launch;
    size_t i;
    json_int_t warp = 0, thread = 0;
    json_array_foreach(launches, i, launch) {
        warp += fixture_number(launch, "warp_instructions");
        thread += fixture_number(launch, "thread_instructions");
    }
    assert_true(csv_number(csv, line, 4) == (double)thread);
    assert_true(csv_number(csv, line, 6) == (double)warp);
    json_decref(j);
    spawn_free(&s);
}

static void assert_speedup(const char *csv, unsigned line) {
    char *expected = spawn_text("%.6f", csv_number(csv, 1, 2) / csv_number(csv, line, 2));
    assert_csv(csv, line, 3, expected);
    free(expected);
}

static void test_two_values_of_a_field(void **state) {
    (void)state;
    struct spawned s = LOCKSTEP("compare", "--set", "mem.latency=100,200", "--csv", "--", program);
    assert_status(&s, 0);
    assert_memory_equal(s.out, CSV_TITLES "\n", strlen(CSV_TITLES "\n"));
    assert_csv(s.out, 1, 0, "mem.latency=100");
    assert_csv(s.out, 2, 0, "mem.latency=200");
    assert_row_is_a_run(s.out, 1, "mem.latency=100");
    assert_row_is_a_run(s.out, 2, "mem.latency=200");
    assert_csv(s.out, 1, 3, "1.000000");
    assert_speedup(s.out, 2);
    assert_true(csv_number(s.out, 2, 1) > csv_number(s.out, 1, 1));
    assert_csv(s.out, 2, 9, "complete");
    assert_csv(s.out, 2, 10, "0");
    struct spawned repeated = LOCKSTEP("compare", "--csv", "--set", "mem.latency=100", "--set",
                                       "mem.latency=200", "--exact-steps", "--", program);
    assert_string_equal(repeated.out, s.out);
    spawn_free(&repeated);
    spawn_free(&s);
}

/* A faster clock shortens time, not cycles: the speed-up is of time. */
static void test_speedup_is_of_time(void **state) {
    (void)state;
    struct spawned s = LOCKSTEP("compare", "--set", "cluster.clock_mhz=1000,2000", "--csv", "--", program);
    assert_status(&s, 0);
    assert_true(csv_number(s.out, 1, 1) == csv_number(s.out, 2, 1));
    assert_csv(s.out, 2, 3, "2.000000");
    spawn_free(&s);
}

static void test_two_configurations(void **state) {
    (void)state;
    free(fixture_file("narrow.yaml", "simt:\n  warp_size: 8\n", 0644));
    free(fixture_file("wide.yaml", "simt:\n  warp_size: 32\n", 0644));
    struct spawned s = LOCKSTEP("compare", "--config", "narrow.yaml", "--config", "./wide.yaml", "--set",
                                "mem.latency=50", "--json", "--", program);
    assert_status(&s, 0);
    json_error_t why;
    json_t *j = json_loads(s.out, 0, &why);
    if (!j) fail_msg("line %d: %s in:\n%s", why.line, why.text, s.out);
    assert_string_equal(json_string_value(json_object_get(j, "schema")), "lockstep-compare");
    json_t *variants = json_object_get(j, "variants"), *variant;
    assert_int_equal(json_array_size(variants), 2);
    static const char *const names[] = {"narrow", "wide"};
    static const int sizes[] = {8, 32};
    size_t i;
    json_array_foreach(variants, i, variant) {
        json_t *run = json_object_get(variant, "run"), *c = json_object_get(run, "configuration");
        assert_string_equal(json_string_value(json_object_get(variant, "name")), names[i]);
        assert_int_equal(fixture_number(c, "simt.warp_size"), sizes[i]);
        assert_int_equal(fixture_number(c, "mem.latency"), 50);
        assert_true(json_is_real(json_object_get(variant, "speedup")));
        assert_string_equal(json_string_value(json_object_get(run, "outcome")), "complete");
        assert_int_equal(json_array_size(json_object_get(run, "launches")), 2);
    }
    json_decref(j);
    spawn_free(&s);
}

/* 2021 work-items, of which 24 have no element: the others load twice and store once. */
#define MEMORY_INSTRUCTIONS (3 * (1000 + 997))

static void test_modes(void **state) {
    (void)state;
    static const char *const names[] = {"mimd", "simt"};
    struct spawned s = LOCKSTEP("compare", "--csv", "--", program);
    assert_status(&s, 0);
    for (unsigned line = 1; line <= 2; line++) {
        assert_csv(s.out, line, 0, names[line - 1]);
        assert_csv(s.out, line, 9, "complete");
        assert_true(csv_number(s.out, line, 4) > csv_number(s.out, line, 5));
        assert_true(csv_number(s.out, line, 5) >= MEMORY_INSTRUCTIONS);
        assert_speedup(s.out, line);
    }
    assert_csv(s.out, 1, 6, "0");
    assert_csv(s.out, 1, 7, ""); /* no SIMD efficiency without warps */
    assert_row_is_a_run(s.out, 2, "mode=simt");
    struct spawned named = LOCKSTEP("compare", "--mode", "mimd", "--mode", "simt", "--csv", "--", program);
    assert_string_equal(named.out, s.out);
    spawn_free(&named);
    named = LOCKSTEP("compare", "--mode", "simt,mimd", "--set", "mem.latency=9", "--csv", "--", program);
    assert_csv(named.out, 1, 0, "simt");
    assert_csv(named.out, 2, 0, "mimd");
    assert_status(&named, 0);
    spawn_free(&named);
    spawn_free(&s);
}

/* The example of docs/modes.md. */
static void test_the_papers_figure_11(void **state) {
    (void)state;
    char *line = spawn_text("B='%s' '%s/scripts/modes'", spawn_build(), spawn_source());
    struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", line, NULL});
    assert_status(&s, 0);
    assert_says(s.out,
                "| | `modern`: instructions | memory | time | `snucl`: instructions | memory | time |\n");
    assert_says(s.out, "\n| `reduction` | ");
    assert_says(s.out, "\n| `hotspot` | ");
    assert_says(s.out, "\n| geometric mean | ");
    free(line);
    spawn_free(&s);
}

static void test_files_of_one_name(void **state) {
    (void)state;
    struct spawned s = spawn(fixture_folder, (char *[]){"mkdir", "a", "b", NULL});
    spawn_free(&s);
    free(fixture_file("a/m.yaml", "mem:\n  latency: 100\n", 0644));
    free(fixture_file("b/m.yaml", "mem:\n  latency: 200\n", 0644));
    s = LOCKSTEP("compare", "--config", "a/m.yaml", "--config", "b/m.yaml", "--csv", "--", program);
    assert_csv(s.out, 1, 0, "a/m.yaml");
    assert_csv(s.out, 2, 0, "b/m.yaml");
    spawn_free(&s);
}

static void test_all_combinations(void **state) {
    (void)state;
    struct spawned s = LOCKSTEP("compare", "--set", "simt.warp_size=16,32", "--set", "mem.mshrs=8", "--set",
                                "mem.latency=100,200", "--", program);
    assert_status(&s, 0);
    const char *at = s.out;
    static const char *const rows[] = {
        "\n  variant", "\n  simt.warp_size=16, mem.latency=100  ", "\n  simt.warp_size=16, mem.latency=200  ",
        "\n  simt.warp_size=32, mem.latency=100  ", "\n  simt.warp_size=32, mem.latency=200  "};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_says(at, rows[i]);
        at = strstr(at, rows[i]) + 1;
    }
    spawn_free(&s);
    s = LOCKSTEP("compare", "--csv", "--set", "simt.warp_size=16,32", "--set", "mem.latency=100,200", "--",
                 program);
    assert_says(s.out, "\n\"simt.warp_size=32, mem.latency=100\","); /* a comma in it */
    spawn_free(&s);
}

/* Whole columns line up: titles and values end, or begin, in the same place. */
static void test_table_is_aligned(void **state) {
    (void)state;
    struct spawned s = LOCKSTEP("compare", "--set", "mem.latency=1,1000", "--", program);
    assert_status(&s, 0);
    char *rest = s.out, *lines[4];
    for (unsigned i = 0; i < 4; i++) assert_non_null(lines[i] = strsep(&rest, "\n"));
    assert_string_equal(lines[0], "");
    assert_string_equal(rest, "");
    const size_t verdict = (size_t)(strstr(lines[1], "program") - lines[1]);
    const size_t cycles = (size_t)(strstr(lines[1], "cycles") - lines[1]) + 6;
    for (unsigned i = 2; i < 4; i++) {
        assert_string_equal(lines[i] + verdict, "success");
        assert_int_equal(lines[i][cycles], ' ');
        assert_in_range(lines[i][cycles - 1], '0', '9');
    }
    spawn_free(&s);
}

/* A program that succeeds once and fails from then on. */
#define FAILS_LATER "#!/bin/sh\n[ -e once ] && exit 3\ntouch once\nexec '%s'\n"

static void test_the_first_failure_is_the_exit_status(void **state) {
    (void)state;
    char *text = spawn_text(FAILS_LATER, program), *script = fixture_file("later", text, 0755);
    struct spawned s = LOCKSTEP("compare", "--set", "mem.latency=10,20", "--csv", "--", script);
    assert_status(&s, 3);
    assert_says(s.err, "ended with exit status 3");
    assert_csv(s.out, 1, 3, "1.000000");
    assert_csv(s.out, 1, 9, "complete");
    assert_csv(s.out, 2, 3, "");
    assert_csv(s.out, 2, 9, "program-failed");
    assert_csv(s.out, 2, 10, "3");
    spawn_free(&s);
    s = LOCKSTEP("compare", "--set", "mem.latency=10,20", "--max-cycles", "100", "--", program);
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.out, "  fault, exit status 120\n");
    spawn_free(&s);
    free(script);
    free(text);
}

/* Six work-groups are enough for four cores, but not for sixteen. */
static void test_units_without_work_are_told(void **state) {
    (void)state;
    static const char note[] = "  cluster.lanes=16: its units had no work-group in 62 % of their cycles";
    char *few = fixture_host("own_reduction");
    struct spawned s = LOCKSTEP("compare", "--mode", "mimd", "--set", "cluster.lanes=4,16", "--", few);
    assert_status(&s, 0);
    assert_says(s.out, note);
    assert_null(strstr(s.out, "cluster.lanes=4: "));
    spawn_free(&s);
    s = LOCKSTEP("compare", "--mode", "mimd", "--set", "cluster.lanes=4,16", "--quiet", "--csv", "--", few);
    assert_status(&s, 0);
    assert_null(strstr(s.out, "no work-group"));
    assert_says(s.err, note);
    spawn_free(&s);
    free(few);
}

static void test_what_the_program_prints_is_no_table(void **state) {
    (void)state;
    char *text = spawn_text("#!/bin/sh\necho to the screen\nexec '%s'\n", program);
    char *script = fixture_file("talks", text, 0755);
    struct spawned s = LOCKSTEP("compare", "--set", "mem.latency=10,20", "--csv", "--", script);
    assert_status(&s, 0);
    assert_memory_equal(s.out, CSV_TITLES, strlen(CSV_TITLES));
    assert_says(s.err, "--- mem.latency=10 (1 of 2)\nto the screen\n");
    assert_says(s.err, "--- mem.latency=20 (2 of 2)\nto the screen\n");
    spawn_free(&s);
    free(script);
    free(text);
}

static void test_every_run_reads_the_same_input(void **state) {
    (void)state;
    char *text = spawn_text("#!/bin/sh\ncat >>seen\nexec '%s'\n", program);
    free(fixture_file("reads", text, 0755));
    free(fixture_file("input", "skipped\nread\n", 0644));
    char *line =
        spawn_text("(read first; '%s' compare --set mem.latency=10,20 -- ./reads) <input", fixture_command);
    struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", line, NULL});
    assert_status(&s, 0);
    char *path = fixture_path("seen"), *seen = spawn_read(path);
    assert_string_equal(seen, "read\nread\n");
    spawn_free(&s);
    free(seen);
    free(path);
    free(line);
    free(text);
}

/* Waits until a program that creates the file `started` has begun: ten seconds at most. */
static void await_start(void) {
    char *path = fixture_path("started");
    for (int waited = 0; access(path, F_OK) != 0 && waited < 1000; waited++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    free(path);
    assert_exists("started", true);
}

static void test_ctrl_c_ends_all(void **state) {
    (void)state;
    char *endless = fixture_host("endless");
    char *text = spawn_text("#!/bin/sh\ntouch started\nexec '%s'\n", endless);
    free(fixture_file("begins", text, 0755));
    struct spawned s = spawn_start(fixture_folder, false,
                                   (char *[]){fixture_command, "compare", "--set", "mem.latency=10,20",
                                              "--csv", "--", "./begins", NULL});
    await_start();
    kill(s.pid, SIGINT);
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_csv(s.out, 1, 9, "interrupted");
    assert_csv(s.out, 1, 10, "125");
    assert_csv(s.out, 2, 0, "mem.latency=20");
    assert_csv(s.out, 2, 9, "not-run");
    assert_null(strstr(s.err, "(2 of 2)"));
    spawn_free(&s);
    free(text);
    free(endless);
}

/* --- wrong input: nothing has run --- */

#define REFUSED(status, part, ...)                                                                           \
    assert_refused(LOCKSTEP("compare", __VA_ARGS__, "--", "./witness"), status, part)

static void assert_refused(struct spawned s, int status, const char *part) {
    assert_says(s.err, part);
    assert_int_equal(s.status, status);
    assert_string_equal(s.out, "");
    assert_exists("started", false);
    spawn_free(&s);
}

/* More than fit a machine word, and just too many. */
/* Each program has its rows, speed-ups are over its own first row, and a geometric mean ends the table. */
static void test_several_programs(void **state) {
    (void)state;
    char *vector_add = spawn_text("%s/benchmarks/vector_add", spawn_build()),
         *mandelbrot = spawn_text("%s/benchmarks/mandelbrot", spawn_build());
    char *argv[] = {fixture_command,
                    "compare",
                    "--set",
                    "mem.latency=100,200",
                    "--csv",
                    "--",
                    vector_add,
                    ":::",
                    mandelbrot,
                    "--size",
                    "16",
                    "m.ppm",
                    NULL};
    struct spawned s = spawn(fixture_folder, argv);
    if (s.status) fail_msg("%s", s.err);
    static const char *const begins[] = {"vector_add,mem.latency=100,",
                                         "vector_add,mem.latency=200,",
                                         "mandelbrot --size 16 m.ppm,mem.latency=100,",
                                         "mandelbrot --size 16 m.ppm,mem.latency=200,",
                                         "geometric mean,mem.latency=100,",
                                         "geometric mean,mem.latency=200,"};
    double times[6], speedups[6];
    char *rest = strchr(s.out, '\n') + 1;
    assert_int_equal(strncmp(s.out, "program,variant,cycles,time_ps,speedup,", 39), 0);
    for (unsigned n = 0; n < 6; n++) {
        assert_int_equal(strncmp(rest, begins[n], strlen(begins[n])), 0);
        const char *time = strchr(rest + strlen(begins[n]), ',') + 1;
        assert_int_equal(sscanf(time, "%lf,%lf", &times[n], &speedups[n]), 2);
        rest = strchr(rest, '\n') + 1;
    }
    assert_string_equal(rest, "");
    for (unsigned n = 0; n < 6; n += 2) {
        assert_true(speedups[n] == 1 && fabs(speedups[n + 1] - times[n] / times[n + 1]) < 1e-5);
        assert_true(speedups[n + 1] < 1);
    }
    assert_true(fabs(times[4] - sqrt(times[0] * times[2])) < 1 &&
                fabs(times[5] - sqrt(times[1] * times[3])) < 1);
    assert_true(fabs(speedups[5] - sqrt(speedups[1] * speedups[3])) < 1e-5);
    spawn_free(&s);
    argv[4] = "--quiet";
    s = spawn(fixture_folder, argv);
    assert_status(&s, 0);
    assert_says(s.out, "\n  geometric mean  ");
    spawn_free(&s);
    free(mandelbrot);
    free(vector_add);
}

/* A program that fails has no mean; nothing runs if a later program is missing. */
static void test_several_programs_fail(void **state) {
    (void)state;
    char *vector_add = spawn_text("%s/benchmarks/vector_add", spawn_build());
    struct spawned s = LOCKSTEP("compare", "--set", "mem.latency=100,200", "--", vector_add,
                                ":::", vector_add, "--no-such-option");
    assert_true(s.status != 0);
    assert_says(s.out, "not of all programs");
    spawn_free(&s);
    s = LOCKSTEP("compare", "--", vector_add, ":::", "./missing");
    assert_status(&s, EXIT_NOT_FOUND);
    assert_string_equal(s.out, "");
    spawn_free(&s);
    s = LOCKSTEP("compare", "--", vector_add, ":::");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "a program is missing after :::");
    spawn_free(&s);
    s = LOCKSTEP("compare", "--", ":::", vector_add);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "a program is missing before :::");
    spawn_free(&s);
    free(vector_add);
}

static void test_too_many_variants(void **state) {
    (void)state;
    char set[20][32], *argv[44] = {fixture_command, "compare"};
    int n = 2;
    free(fixture_file("witness", "#!/bin/sh\ntouch started\n", 0755));
    for (int i = 0; i < 20; i++) {
        snprintf(set[i], sizeof set[i], "f%d=0,1,2,3,4,5,6,7,8,9", i);
        argv[n++] = "--set";
        argv[n++] = set[i];
    }
    argv[n] = "./witness";
    assert_refused(spawn(fixture_folder, argv), EXIT_USER, "more than 10000 variants");
    argv[12] = "./witness"; /* after five: 100,000 */
    argv[13] = NULL;
    assert_refused(spawn(fixture_folder, argv), EXIT_USER, "more than 10000 variants");
}

static void test_wrong_input(void **state) {
    (void)state;
    free(fixture_file("witness", "#!/bin/sh\ntouch started\n", 0755));
    free(fixture_file("wrong.yaml", "mem:\n  latency: 1\n  latenzy: 2\n", 0644));
    free(fixture_file("right.yaml", "mem:\n  latency: 1\n", 0644));
    REFUSED(EXIT_USER, "nothing to compare it with", "--mode", "simt");
    REFUSED(EXIT_USER, "nothing to compare it with", "--mode", "simt", "--set", "mem.latency=9");
    REFUSED(EXIT_USER, "--set mode=mist: ", "--mode", "simt,mist");
    REFUSED(EXIT_USER, "mode is given twice: simt", "--mode", "simt", "--set", "mode=simt");
    REFUSED(EXIT_USER, "mem.latency is given twice: 9", "--set", "mem.latency=9,8,9");
    REFUSED(EXIT_USER, "--config is given twice: right.yaml", "--config", "right.yaml", "--config",
            "right.yaml");
    REFUSED(EXIT_USER, "--set mem.latency: FIELD=VALUE is needed", "--set", "mem.latency");
    REFUSED(EXIT_USER, "mem.latency: an empty value", "--set", "mem.latency=1,");
    REFUSED(EXIT_USER, "--set mem.latenzy=2: ", "--set", "mem.latency=1,2", "--set", "mem.latenzy=2");
    REFUSED(EXIT_USER, "out of range", "--set", "mem.latency=100,0");
    REFUSED(EXIT_USER, "wrong.yaml:3: ", "--config", "right.yaml", "--config", "wrong.yaml");
    REFUSED(EXIT_USER, "'nowhere.yaml'", "--config", "right.yaml", "--config", "nowhere.yaml");
    REFUSED(EXIT_USER, "variant 'cluster.lanes=16': ", "--set", "simt.warp_size=8", "--set",
            "cluster.lanes=4,16");
    REFUSED(EXIT_USER, "--json and --csv exclude each other", "--set", "mem.latency=1,2", "--json", "--csv");
    REFUSED(EXIT_USER, "a number of cycles", "--set", "mem.latency=1,2", "--max-cycles", "none");
    REFUSED(EXIT_USER, "unrecognized option", "--trace", "t.fst");
    assert_refused(LOCKSTEP("compare", "--set", "mem.latency=1,2"), EXIT_USER, "no program is given");
    assert_refused(LOCKSTEP("compare", "--set", "mem.latency=1,2", "--", "./nowhere"), EXIT_NOT_FOUND,
                   "./nowhere: there is no such program");
    assert_refused(LOCKSTEP("compare", "--set", "mem.latency=1,2", "--", "./right.yaml"), EXIT_CANNOT_RUN,
                   "not executable");
}

static void test_output_that_cannot_be_written(void **state) {
    (void)state;
    char *line =
        spawn_text("'%s' compare --set mem.latency=1,2 -- '%s' >/dev/full", fixture_command, program);
    assert_refused(spawn(fixture_folder, (char *[]){"sh", "-c", line, NULL}), EXIT_USER,
                   "standard output cannot be written");
    free(line);
}

#undef TEST
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_two_values_of_a_field),
        TEST(test_speedup_is_of_time),
        TEST(test_two_configurations),
        TEST(test_modes),
        TEST(test_the_papers_figure_11),
        TEST(test_files_of_one_name),
        TEST(test_all_combinations),
        TEST(test_table_is_aligned),
        TEST(test_the_first_failure_is_the_exit_status),
        TEST(test_units_without_work_are_told),
        TEST(test_what_the_program_prints_is_no_table),
        TEST(test_every_run_reads_the_same_input),
        TEST(test_ctrl_c_ends_all),
        TEST(test_wrong_input),
        TEST(test_several_programs),
        TEST(test_several_programs_fail),
        TEST(test_too_many_variants),
        TEST(test_output_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
