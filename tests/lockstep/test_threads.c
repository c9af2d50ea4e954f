/* `--threads N`: the clusters of GPU-like machines on several threads of the host: the same bytes for every
 * N, also of waves, of faults and of launches that are stopped. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

static const char *const counts[] = {"1", "2", "4"};
enum { COUNTS = sizeof counts / sizeof *counts };

/* Runs with options after those of the threads, up to NULL. */
static struct spawned run_on(const char *machine, const char *threads, char *const *program,
                             char *const *options) {
    char *config = spawn_text("%s/configs/%s.yaml", spawn_source(), machine);
    char *argv[24] = {fixture_command, "run",           "--quiet", "--config", config,
                      "--threads",     (char *)threads, "--stats", "s.json"};
    unsigned n = 9;
    while (options && *options) argv[n++] = *options++;
    argv[n++] = "--";
    while (*program) argv[n++] = *program++;
    struct spawned s = spawn(fixture_folder, argv);
    free(config);
    return s;
}

/* Reads statistics, without host times. */
static json_t *statistics(void) {
    json_t *j = fixture_statistics("s.json");
    json_object_del(j, "host");
    json_object_del(j, "command");
    json_t *launches = json_object_get(j, "launches");
    for (size_t n = 0; n < json_array_size(launches); ++n)
        json_object_del(json_array_get(launches, n), "host");
    return j;
}

/* Checks that statistics, output, messages and a file (NULL: none) are the same for every N. */
static void assert_same_for_all(const char *machine, char *const *program, char *const *options,
                                const char *file, int status) {
    json_t *first = NULL;
    char *bytes = NULL, *said = NULL, *printed = NULL;
    for (unsigned n = 0; n < COUNTS; ++n) {
        struct spawned s = run_on(machine, counts[n], program, options);
        char *path = file ? fixture_path(file) : NULL, *text = file ? spawn_read(path) : strdup("");
        assert_status(&s, status);
        json_t *j = status == EXIT_SOUND ? statistics() : json_object(); /* other runs have no statistics */
        char *end = strstr(s.err, "\n  cycles "); /* the report has the host's seconds */
        if (end) *end = '\0';
        if (first) {
            if (!json_equal(first, j))
                fail_msg("%s on %s: %s threads count something else", *program, machine, counts[n]);
            assert_string_equal(said, s.err);
            assert_string_equal(printed, s.out);
            if (strcmp(bytes, text) != 0)
                fail_msg("%s: %s threads write something else to %s", *program, counts[n], file);
            json_decref(j);
            free(text);
        } else {
            first = j;
            bytes = text;
            said = strdup(s.err);
            printed = strdup(s.out);
        }
        free(path);
        spawn_free(&s);
    }
    json_decref(first);
    free(bytes);
    free(said);
    free(printed);
}

static void the_same_for_every_number(void **state) {
    (void)state;
    static const char *const runs[][2] = {{"gtx285-like", "reduction"},
                                          {"gt640-like", "fft"},
                                          {"fermi-like", "matrix_transpose"},
                                          {"stsimt-30x8", "path_finder"}};
    for (unsigned n = 0; n < sizeof runs / sizeof *runs; ++n) {
        char *program = spawn_text("%s/benchmarks/%s", spawn_build(), runs[n][1]);
        assert_same_for_all(runs[n][0], (char *[]){program, NULL}, NULL, NULL, EXIT_SOUND);
        free(program);
    }
}

/* The order of stores of different work-groups does not depend on the host, and no store of a work-item is
 * lost. */
static void races_too(void **state) {
    (void)state;
    char *program = fixture_host("races");
    static const char *const machines[] = {"gtx285-like", "fermi-like", "gt640-like", "stsimt-30x8"};
    for (unsigned n = 0; n < sizeof machines / sizeof *machines; ++n)
        assert_same_for_all(machines[n], (char *[]){program, NULL}, NULL, NULL, EXIT_SOUND);
    assert_same_for_all("fermi-like", (char *[]){program, NULL}, (char *[]){"--exact-steps", NULL}, NULL,
                        EXIT_SOUND);
    free(program);
}

static void waves_too(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/reduction", spawn_build());
    assert_same_for_all("gtx285-like", (char *[]){program, NULL},
                        (char *[]){"--trace", "w.vcd", "--trace-cycles", "1000:1200", NULL}, "w.vcd",
                        EXIT_SOUND);
    free(program);
}

static void faults_and_limits_too(void **state) {
    (void)state;
    char *outside = fixture_host("out_of_bounds"),
         *program = spawn_text("%s/benchmarks/reduction", spawn_build());
    assert_same_for_all("gtx285-like", (char *[]){outside, "far", NULL}, NULL, NULL, EXIT_PROGRAM_FAULT);
    assert_same_for_all("gtx285-like", (char *[]){program, NULL}, (char *[]){"--max-cycles", "5003", NULL},
                        NULL, EXIT_PROGRAM_FAULT);
    free(outside);
    free(program);
}

/* Ctrl-C: the process gets SIGINT while two threads run. */
static void ctrl_c_stops_the_launch(void **state) {
    (void)state;
    char *command =
        spawn_text("timeout --foreground -s INT 4 '%s' run --config '%s/configs/gtx285-like.yaml' "
                   "--threads 2 -- '%s/tests/hosts/endless'",
                   fixture_command, spawn_source(), spawn_build());
    struct spawned s = spawn(fixture_folder, (char *[]){"/bin/bash", "-c", command, NULL});
    assert_says(s.err, "interrupted");
    spawn_free(&s);
    free(command);
}

static void what_needs_one_order_has_one_thread(void **state) {
    (void)state;
    char *config = spawn_text("%s/configs/gtx285-like.yaml", spawn_source());
    char *histogram = spawn_text("%s/benchmarks/histogram", spawn_build()),
         *host = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--config", config, "--threads", "2", "--", histogram);
    assert_status(&s, EXIT_SOUND);
    assert_says(s.err, "runs on one host thread in spite of --threads: its program has atomic operations");
    spawn_free(&s);
    s = LOCKSTEP("run", "--threads", "2", "--", host);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "GPU-like machines (contexts: vrf) can have several");
    spawn_free(&s);
    s = LOCKSTEP("run", "--config", config, "--threads", "2", "--rtl", "check", "--", host);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--threads 2: Verilog (--rtl) runs on one host thread");
    spawn_free(&s);
    s = LOCKSTEP("run", "--config", config, "--threads", "2", "--redundancy", "--", host);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--redundancy depends on the order of all clusters");
    spawn_free(&s);
    s = LOCKSTEP("run", "--config", config, "--threads", "0", "--", host);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--threads 0: a number of host threads, 1 to 256, is needed");
    spawn_free(&s);
    free(config);
    free(histogram);
    free(host);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_same_for_every_number),
        TEST(races_too),
        TEST(waves_too),
        TEST(faults_and_limits_too),
        TEST(ctrl_c_stops_the_launch),
        TEST(what_needs_one_order_has_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
