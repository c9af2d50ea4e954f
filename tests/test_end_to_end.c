/* `lockstep run` from the command line to the exit status, on the programs of tests/hosts. What each of them
 * shall do stands at its own beginning. */
#include "model/machine.h"
#include "tests/spawn.h"

#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define STARTED_BYTES 100000 /* of a growing waveform: the kernel has run for a while */
#define PATIENCE_MS   30000

static char *folder;      /* of the running test, empty at its start */
static char *the_command; /* build/lockstep */

static int begin(void **state) {
    (void)state;
    folder = spawn_folder();
    the_command = spawn_text("%s/lockstep", spawn_build());
    return 0;
}

static int end(void **state) {
    (void)state;
    spawn_remove_folder(folder);
    free(the_command);
    return 0;
}

/* A path that lives until the process ends. */
static char *host(const char *name) {
    return spawn_text("%s/tests/hosts/%s", spawn_build(), name);
}

/* Runs `lockstep run ARGUMENTS` in the folder. */
#define RUN(...) spawn(folder, (char *[]){the_command, "run", __VA_ARGS__, NULL})

static void assert_says(const char *text, const char *part) {
    if (strstr(text, part)) return;
    print_error("'%s' is not in:\n%s\n", part, text);
    fail();
}

static void assert_status(const struct spawned *s, int status) {
    if (s->status == status) return;
    print_error("exit status %d, expected %d; it printed:\n%s\n%s\n", s->status, status, s->out, s->err);
    fail();
}

static char *contents(const char *name) {
    char *path = spawn_text("%s/%s", folder, name), *text = spawn_read(path);
    free(path);
    return text;
}

static void assert_exists(const char *name, bool expected) {
    char *path = spawn_text("%s/%s", folder, name);
    if ((access(path, F_OK) == 0) != expected) fail_msg("%s %s", name, expected ? "is missing" : "is there");
    free(path);
}

static json_t *statistics(const char *name) {
    char *text = contents(name);
    if (!text) fail_msg("%s is missing", name);
    json_error_t e;
    json_t *j = json_loads(text, 0, &e);
    if (!j) fail_msg("%s:%d: %s", name, e.line, e.text);
    free(text);
    return j;
}

static json_int_t number(const json_t *object, const char *key) {
    json_t *j = json_object_get(object, key);
    if (!json_is_integer(j)) fail_msg("'%s' is no number of the statistics", key);
    return json_integer_value(j);
}

static void assert_outcome(const char *name, const char *outcome) {
    json_t *j = statistics(name);
    assert_string_equal(json_string_value(json_object_get(j, "outcome")), outcome);
    json_decref(j);
}

/* --- programs that work -----------------------------------------------------------------------------------
 */

static void assert_works(const char *name, const char *argument) {
    char *program = host(name);
    struct spawned s = RUN("--", program, (char *)argument);
    print_message("%s\n", name);
    assert_status(&s, 0);
    assert_says(s.err, "  cycles  ");
    spawn_free(&s);
    free(program);
}

static void test_programs_of_the_issue(void **state) {
    (void)state;
    assert_works("vector_add", NULL);
    assert_works("matrix_multiply", NULL);
    assert_works("own_reduction", NULL);
}

static void test_more_programs(void **state) {
    (void)state;
    static const char *const names[] = {
        "atomics",         "barrier_loop",        "build_options",  "chars",
        "constant_memory", "divergence",          "local_argument", "math",
        "odd_groups",      "profiling",           "private_array",  "read_write_copy",
        "three_d",         "two_programs_kernels"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) assert_works(names[i], NULL);
}

static void test_programs_that_leave_in_a_hurry(void **state) {
    (void)state;
    char *program = host("exit_without_release");
    struct spawned s = RUN("--", program);
    assert_status(&s, 0);
    assert_says(s.out, "value 63 is 3969");
    spawn_free(&s);
    s = RUN("--", program, "--unfinished");
    assert_status(&s, 0);
    spawn_free(&s);
    free(program);
}

static void test_standard_output_is_the_programs(void **state) {
    (void)state;
    char *program = host("exit_without_release");
    struct spawned s = RUN("--", program);
    assert_string_equal(s.out, "exit_without_release: value 63 is 3969, expected 3969\n");
    spawn_free(&s);
    free(program);
}

static void test_exit_status_passes_through(void **state) {
    (void)state;
    char *program = host("exit_without_release");
    struct spawned s = RUN("--stats", "s.json", "--", program, "--status", "42");
    assert_status(&s, 42);
    assert_says(s.err, "ended with exit status 42");
    assert_outcome("s.json", "program-failed");
    spawn_free(&s);
    free(program);
}

/* --- statistics and waveforms -----------------------------------------------------------------------------
 */

static void assert_causes_add_up(const json_t *part) {
    json_int_t sum = 0;
    const char *name;
    json_t *cycles;
    json_object_foreach(json_object_get(part, "cycles_by_cause"), name, cycles) sum +=
        json_integer_value(cycles);
    assert_int_equal(sum, number(part, "cycles"));
}

static void test_statistics(void **state) {
    (void)state;
    char *program = host("own_reduction");
    struct spawned s = RUN("--stats", "s.json", "--set", "mem.latency=150", "--", program);
    assert_status(&s, 0);
    json_t *j = statistics("s.json"), *launches = json_object_get(j, "launches"), *l, *c;
    assert_exists("s.json.part", false);
    assert_string_equal(json_string_value(json_object_get(j, "outcome")), "complete");
    assert_int_equal(number(j, "schema_version"), 1);
    assert_int_equal(number(json_object_get(j, "configuration"), "mem.latency"), 150);
    assert_true(json_array_size(launches) > 0);
    json_int_t cycles = 0, threads = 0, counted = -1;
    size_t i;
    json_array_foreach(launches, i, l) {
        assert_causes_add_up(l);
        assert_int_equal(number(l, "first_cycle"), cycles);
        cycles += number(l, "cycles");
        threads += number(l, "thread_instructions");
    }
    json_array_foreach(json_object_get(j, "counters"), i, c) {
        assert_true(strlen(json_string_value(json_object_get(c, "description"))) > 10);
        if (strcmp(json_string_value(json_object_get(c, "name")), "thread_instructions") == 0)
            counted = number(c, "value");
    }
    assert_causes_add_up(json_object_get(j, "totals"));
    assert_int_equal(number(json_object_get(j, "totals"), "cycles"), cycles);
    assert_int_equal(counted, threads);
    assert_true(threads > 0);
    assert_true(json_is_real(json_object_get(json_object_get(j, "host"), "seconds_simulating")));
    json_decref(j);
    spawn_free(&s);
    free(program);
}

static void assert_readable(const char *trace) {
    struct spawned s = spawn(folder, (char *[]){"fst2vcd", (char *)trace, NULL});
    assert_status(&s, 0);
    assert_says(s.out, "$enddefinitions");
    assert_says(s.out, "\n#");
    spawn_free(&s);
}

static void test_waveform_and_view(void **state) {
    (void)state;
    char *program = host("vector_add");
    struct spawned s = RUN("--trace", "t.fst", "--", program);
    assert_status(&s, 0);
    assert_says(s.err, "gtkwave t.fst t.gtkw");
    assert_exists("t.fst.part", false);
    assert_exists("t.gtkw.part", false);
    assert_readable("t.fst");
    char *view = contents("t.gtkw");
    assert_says(view, "t.fst");
    free(view);
    spawn_free(&s);
    free(program);
}

/* Without what is measured on the host. */
static char *results_only(const char *name) {
    json_t *j = statistics(name);
    json_object_del(j, "host");
    char *text = json_dumps(j, JSON_INDENT(1));
    json_decref(j);
    return text;
}

static void test_same_inputs_same_bytes(void **state) {
    (void)state;
    char *program = host("own_reduction");
    static char *const runs[][2] = {{"a.fst", "a.json"}, {"b.fst", "b.json"}};
    for (int i = 0; i < 2; i++) {
        struct spawned s = RUN("--trace", runs[i][0], "--stats", runs[i][1], "--", program);
        assert_status(&s, 0);
        spawn_free(&s);
    }
    struct spawned untraced = RUN("--stats", "c.json", "--", program);
    assert_status(&untraced, 0);
    spawn_free(&untraced);
    struct spawned s = spawn(folder, (char *[]){"cmp", "a.fst", "b.fst", NULL});
    assert_status(&s, 0);
    spawn_free(&s);
    char *a = results_only("a.json"), *b = results_only("b.json"), *c = results_only("c.json");
    assert_string_equal(a, b);
    assert_string_equal(a, c); /* a waveform changes nothing */
    free(a);
    free(b);
    free(c);
    free(program);
}

static json_int_t cycles_of(char *const arguments[]) {
    struct spawned s = spawn(folder, arguments);
    assert_status(&s, 0);
    spawn_free(&s);
    json_t *j = statistics("s.json");
    json_int_t cycles = number(json_object_get(j, "totals"), "cycles");
    json_decref(j);
    return cycles;
}

static void test_the_machine_is_the_configured_one(void **state) {
    (void)state;
    char *program = host("vector_add"), *path = spawn_text("%s/slow.yaml", folder);
    spawn_write(path, "mem:\n  latency: 1000\n");
    json_int_t base = cycles_of((char *[]){the_command, "run", "--stats", "s.json", program, NULL});
    json_int_t slow =
        cycles_of((char *[]){the_command, "run", "--config", path, "--stats", "s.json", program, NULL});
    json_int_t set = cycles_of(
        (char *[]){the_command, "run", "--set", "mem.latency=1000", "--stats", "s.json", program, NULL});
    assert_true(slow > base);
    assert_int_equal(slow, set);
    free(path);
    free(program);
}

/* A counter that no program moves is a counter nobody can trust. The L2 is made small and slow to fill, so
 * that lines are evicted and misses wait for miss registers. */
static void test_every_counter_moves(void **state) {
    (void)state;
    static char *const programs[] = {"matrix_multiply", "math", "barrier_loop", "divergence", "atomics"};
    json_t *moved = json_object();
    for (size_t p = 0; p < sizeof programs / sizeof *programs + 1; p++) {
        bool last = p == sizeof programs / sizeof *programs;
        char *program = host(last ? "barrier_missed" : programs[p]);
        struct spawned s = RUN("--set", "l2.size=1024", "--set", "l2.ways=1", "--set", "mem.mshrs=1", "--set",
                               "l1i.size=1024", "--stats", "s.json", "--", program, last ? "early" : NULL);
        assert_status(&s, last ? EXIT_PROGRAM_FAULT : 0);
        spawn_free(&s);
        free(program);
        json_t *j = statistics(last ? "s.json.part" : "s.json"), *c;
        size_t i;
        json_array_foreach(json_object_get(j, "counters"), i, c) {
            char *name = spawn_text("%s %s", json_string_value(json_object_get(c, "scope")),
                                    json_string_value(json_object_get(c, "name")));
            json_int_t before = json_integer_value(json_object_get(moved, name));
            json_object_set_new(moved, name, json_integer(before + number(c, "value")));
            free(name);
        }
        json_decref(j);
    }
    const char *name;
    json_t *value;
    unsigned still = 0;
    json_object_foreach(moved, name, value) {
        if (json_integer_value(value) == 0) print_error("no program moved: %s\n", name);
        still += json_integer_value(value) == 0;
    }
    assert_true(json_object_size(moved) > 20);
    assert_int_equal(still, 0);
    json_decref(moved);
}

/* --- bad input --------------------------------------------------------------------------------------------
 */

static void assert_no_results(void) {
    assert_exists("s.json", false);
    assert_exists("s.json.part", true);
}

static void test_no_opencl(void **state) {
    (void)state;
    char *program = host("no_opencl");
    struct spawned s = RUN("--stats", "s.json", "--", program);
    assert_status(&s, EXIT_USER);
    assert_string_equal(s.out, "hello\n");
    assert_says(s.err, "ended without using OpenCL");
    assert_no_results();
    assert_outcome("s.json.part", "no-opencl");
    spawn_free(&s);
    s = RUN("--", "true");
    assert_status(&s, EXIT_USER);
    spawn_free(&s);
    free(program);
}

static void test_no_opencl_and_failed(void **state) {
    (void)state;
    struct spawned s = RUN("--", "sh", "-c", "exit 3");
    assert_status(&s, 3);
    assert_says(s.err, "without using OpenCL");
    spawn_free(&s);
}

static void test_crash(void **state) {
    (void)state;
    char *program = host("crash"), *stale = spawn_text("%s/s.json", folder);
    spawn_write(stale, "{}\n"); /* of an earlier run: must not pass for this one's */
    struct spawned s = RUN("--stats", "s.json", "--trace", "t.fst", "--", program);
    assert_status(&s, 128 + SIGSEGV);
    assert_says(s.out, "value 63 is 63");
    assert_says(s.err, "was killed by signal 11 (Segmentation fault)");
    assert_no_results();
    assert_outcome("s.json.part", "crashed");
    assert_readable("t.fst");
    spawn_free(&s);
    free(stale);
    free(program);
}

static void test_syntax_error(void **state) {
    (void)state;
    char *program = host("syntax_error");
    struct spawned s = RUN("--", program);
    assert_status(&s, 1);
    assert_says(s.out, "the error was reported");
    assert_says(s.err, "undeclared_name");
    spawn_free(&s);
    s = RUN("--stats", "s.json", "--", program, "--ignore");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "undeclared_name");
    assert_says(s.err, "1 kernel source of ");
    assert_no_results();
    assert_outcome("s.json.part", "build-failed");
    spawn_free(&s);
    free(program);
}

static void test_out_of_bounds(void **state) {
    (void)state;
    static char *const modes[] = {"far", "edge", "write", "below"};
    char *program = host("out_of_bounds");
    for (int i = 0; i < 4; i++) {
        struct spawned s = RUN("--stats", "s.json", "--trace", "t.fst", "--", program, modes[i]);
        assert_status(&s, EXIT_PROGRAM_FAULT);
        assert_string_equal(s.out, "");
        assert_says(s.err, "out_of_bounds"); /* the kernel's name */
        assert_says(s.err, "work-item (37, 0, 0)");
        assert_says(s.err, "0x");
        assert_says(s.err, i == 2 ? ":5" : ":7"); /* the line of the access */
        assert_says(s.err, "ends early, at cycle");
        assert_no_results();
        assert_outcome("s.json.part", "fault");
        assert_readable("t.fst");
        spawn_free(&s);
    }
    free(program);
}

static void test_cycle_limit(void **state) {
    (void)state;
    char *program = host("endless");
    struct spawned s = RUN("--max-cycles", "20000", "--stats", "s.json", "--trace", "t.fst", "--", program);
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "endless");
    assert_says(s.err, "20000");
    assert_says(s.err, "ends early, at cycle");
    assert_no_results();
    assert_outcome("s.json.part", "fault");
    assert_readable("t.fst");
    json_t *j = statistics("s.json.part"), *totals = json_object_get(j, "totals");
    assert_in_range(number(totals, "cycles"), 19000, 21000);
    assert_causes_add_up(totals);
    json_decref(j);
    spawn_free(&s);
    free(program);
}

static void test_limit_not_reached(void **state) {
    (void)state;
    char *program = host("vector_add");
    struct spawned s = RUN("--max-cycles", "100000000", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    free(program);
}

static void sleep_ms(long ms) {
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Waits until the waveform has grown, so that the kernel is running. */
static void await_waveform(void) {
    char *path = spawn_text("%s/t.fst.part", folder);
    struct stat file = {0};
    for (int waited = 0; waited < PATIENCE_MS; waited += 20) {
        if (stat(path, &file) == 0 && file.st_size > STARTED_BYTES) break;
        sleep_ms(20);
    }
    if (file.st_size <= STARTED_BYTES) fail_msg("the waveform does not grow");
    free(path);
}

static void assert_interrupted(int signal_number) {
    char *program = host("endless");
    struct spawned s = spawn_start(folder, false,
                                   (char *[]){the_command, "run", "--stats", "s.json", "--trace", "t.fst",
                                              "--", program, "--one", NULL});
    await_waveform();
    kill(s.pid, signal_number);
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "warp 0");
    assert_says(s.err, "warp 1");
    assert_says(s.err, "barrier");
    assert_says(s.err, "ends early, at cycle");
    assert_no_results();
    assert_outcome("s.json.part", "interrupted");
    assert_exists("t.fst.part", false);
    assert_readable("t.fst");
    spawn_free(&s);
    free(program);
}

static void test_ctrl_c(void **state) {
    (void)state;
    assert_interrupted(SIGINT);
}

static void test_termination(void **state) {
    (void)state;
    assert_interrupted(SIGTERM);
}

static void test_progress_on_a_terminal(void **state) {
    (void)state;
    char *program = host("endless");
    struct spawned s = spawn_start(folder, true, (char *[]){the_command, "run", "--", program, NULL});
    sleep_ms(4000);
    kill(s.pid, SIGINT);
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "\r\033[Kendless: ");
    assert_says(s.err, " of 2 work-groups, ");
    assert_says(s.err, " M cycles/s");
    spawn_free(&s);
    free(program);
}

static void test_barrier_missed(void **state) {
    (void)state;
    char *program = host("barrier_missed");
    struct spawned s = RUN("--", program, "deadlock");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "deadlock");
    spawn_free(&s);
    s = RUN("--stats", "s.json", "--", program, "early");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "kernel early, launch 1: 2 barriers opened although"); /* one a work-group */
    assert_no_results();
    assert_outcome("s.json.part", "barrier-missed");
    spawn_free(&s);
    free(program);
}

/* A program that was started without us: the driver starts a simulator of its own (`lockstep serve`). */
static void test_driver_alone(void **state) {
    (void)state;
    char *program = host("vector_add");
    char *setting = spawn_text("OCL_ICD_VENDORS=%s/liblockstep_opencl.so", spawn_build());
    struct spawned s = spawn(folder, (char *[]){"env", setting, program, NULL});
    assert_status(&s, 0);
    spawn_free(&s);
    free(setting);
    free(program);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_programs_of_the_issue),
        TEST(test_more_programs),
        TEST(test_programs_that_leave_in_a_hurry),
        TEST(test_standard_output_is_the_programs),
        TEST(test_exit_status_passes_through),
        TEST(test_statistics),
        TEST(test_waveform_and_view),
        TEST(test_same_inputs_same_bytes),
        TEST(test_the_machine_is_the_configured_one),
        TEST(test_every_counter_moves),
        TEST(test_no_opencl),
        TEST(test_no_opencl_and_failed),
        TEST(test_crash),
        TEST(test_syntax_error),
        TEST(test_out_of_bounds),
        TEST(test_cycle_limit),
        TEST(test_limit_not_reached),
        TEST(test_ctrl_c),
        TEST(test_termination),
        TEST(test_progress_on_a_terminal),
        TEST(test_barrier_missed),
        TEST(test_driver_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
