/* `lockstep run` on wrong programs: a clear message, an exit status by kind, and no file that looks complete
 * but is not. The comments of tests/hosts describe the programs. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define STARTED_BYTES 100000 /* size of a growing waveform: the kernel has run for some time */
#define PATIENCE_MS   30000

/* No .part of a process's own. */
static void assert_nothing_grows(void) {
    struct spawned s = spawn(fixture_folder, (char *[]){"find", ".", "-name", "*.[0-9]*.part*", NULL});
    assert_string_equal(s.out, "");
    spawn_free(&s);
}

static void assert_no_results(void) {
    assert_exists("s.json", false);
    assert_exists("s.json.part", true);
    assert_nothing_grows();
}

static void test_no_opencl(void **state) {
    (void)state;
    char *program = fixture_host("no_opencl");
    struct spawned s = LOCKSTEP("run", "--stats", "s.json", "--", program);
    assert_status(&s, EXIT_USER);
    assert_string_equal(s.out, "hello\n");
    assert_says(s.err, "ended without using OpenCL");
    assert_no_results();
    assert_outcome("s.json.part", "no-opencl");
    spawn_free(&s);
    s = LOCKSTEP("run", "--", "true");
    assert_status(&s, EXIT_USER);
    spawn_free(&s);
    free(program);
}

static void test_no_opencl_and_failed(void **state) {
    (void)state;
    struct spawned s = LOCKSTEP("run", "--", "sh", "-c", "exit 3");
    assert_status(&s, 3);
    assert_says(s.err, "without using OpenCL");
    spawn_free(&s);
}

static void test_crash(void **state) {
    (void)state;
    char *program = fixture_host("crash"), *stale = fixture_path("s.json");
    spawn_write(stale, "{}\n"); /* result of an earlier run: must not be taken for this run's */
    struct spawned s = LOCKSTEP("run", "--stats", "s.json", "--trace", "t.fst", "--", program);
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

/* The launch that the program leaves unfinished is stopped; trace and counters contain its activity until
 * then. */
static void test_crash_in_a_launch(void **state) {
    (void)state;
    char *program = fixture_host("crash");
    struct spawned s = LOCKSTEP("run", "--stats", "s.json", "--trace", "t.fst", "--", program, "--in-launch");
    assert_status(&s, 128 + SIGSEGV);
    assert_says(s.out, "value 63 is 63");
    assert_says(s.err, "was killed by signal 11 (Segmentation fault)");
    assert_no_results();
    assert_outcome("s.json.part", "crashed");
    json_t *j = fixture_statistics("s.json.part"), *launches = json_object_get(j, "launches");
    assert_int_equal(json_array_size(launches), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(launches, 1), "kernel")), "endless");
    assert_causes_add_up(json_array_get(launches, 0));
    assert_causes_add_up(json_array_get(launches, 1));
    assert_causes_add_up(json_object_get(j, "totals"));
    json_decref(j);
    assert_readable("t.fst");
    spawn_free(&s);
    free(program);
}

/* All objects open, a launch never waited for: nothing is missing. */
static void test_exit_without_release(void **state) {
    (void)state;
    char *program = fixture_host("exit_without_release");
    struct spawned s =
        LOCKSTEP("run", "--stats", "s.json", "--trace", "t.fst", "--", program, "--unfinished");
    assert_status(&s, 0);
    assert_outcome("s.json", "complete");
    json_t *j = fixture_statistics("s.json");
    assert_causes_add_up(json_object_get(j, "totals"));
    json_decref(j);
    assert_readable("t.fst");
    spawn_free(&s);
    free(program);
}

static void test_syntax_error(void **state) {
    (void)state;
    char *program = fixture_host("syntax_error");
    struct spawned s = LOCKSTEP("run", "--", program);
    assert_status(&s, 1);
    assert_says(s.out, "the error was reported");
    assert_says(s.err, "undeclared_name");
    spawn_free(&s);
    free(program);
}

static void test_out_of_bounds(void **state) {
    (void)state;
    static char *const modes[] = {"far", "edge", "write", "below"};
    static const char *const addresses[] = {"0x64000000", "0x60000040", "0x60000040", "0x5fffffff"};
    char *program = fixture_host("out_of_bounds");
    for (int i = 0; i < 4; i++) {
        struct spawned s = LOCKSTEP("run", "--stats", "s.json", "--trace", "t.fst", "--", program, modes[i]);
        assert_status(&s, EXIT_PROGRAM_FAULT);
        assert_string_equal(s.out, "");
        assert_says(s.err, "out_of_bounds"); /* the kernel's name */
        assert_says(s.err, "work-item (37, 0, 0)");
        assert_says(s.err, addresses[i]);
        /* The optimiser merges the stores of lines 5 and 7 into one, with either line. */
        assert_true(strstr(s.err, ".cl:7 in ") ||
                    (strcmp(modes[i], "write") == 0 && strstr(s.err, ".cl:5 in ")));
        assert_says(s.err, "ends early, at cycle");
        assert_no_results();
        assert_outcome("s.json.part", "fault");
        assert_readable("t.fst");
        spawn_free(&s);
    }
    free(program);
}

/* The same accesses if tolerated: the run is sound, the place is printed, and the machine's time advances. */
static void test_outside_tolerated(void **state) {
    (void)state;
    static char *const modes[] = {"far", "edge", "write", "below"};
    char *program = fixture_host("out_of_bounds");
    for (int i = 0; i < 8; i++) {
        struct spawned s = LOCKSTEP("run", "--tolerate-outside", "--mode", i < 4 ? "simt" : "mimd", "--",
                                    program, modes[i % 4]);
        assert_status(&s, 0);
        assert_says(s.out, "as if nothing had happened");
        assert_says(s.err, i % 4 == 2 ? "kernel 'out_of_bounds' writes 1 byte at"
                                      : "kernel 'out_of_bounds' reads 1 byte at");
        assert_says(s.err, ", outside every buffer: tolerated");
        assert_says(s.err, "program1.cl:");
        spawn_free(&s);
    }
    free(program);
}

static void test_read_only_tolerated(void **state) {
    (void)state;
    char *program = fixture_host("out_of_bounds");
    static char *const modes[] = {"simt", "mimd"};
    for (int i = 0; i < 2; i++) {
        struct spawned s =
            LOCKSTEP("run", "--tolerate-outside", "--mode", modes[i], "--", program, "read_only");
        assert_status(&s, 0);
        assert_says(s.out, "as if nothing had happened");
        assert_says(s.err, "kernel 'out_of_bounds' writes ");
        assert_says(s.err, ", in buffer 1 (CL_MEM_READ_ONLY): tolerated, as may be more");
        assert_says(s.err, "program1.cl:");
        spawn_free(&s);
    }
    free(program);
}

static void test_read_only(void **state) {
    (void)state;
    char *program = fixture_host("out_of_bounds");
    static char *const modes[] = {"simt", "mimd"};
    for (int i = 0; i < 2; i++) {
        struct spawned s = LOCKSTEP("run", "--mode", modes[i], "--", program, "read_only");
        assert_status(&s, EXIT_PROGRAM_FAULT);
        assert_says(s.err, "writes to 0x600000");
        assert_says(s.err, "in buffer 1 (CL_MEM_READ_ONLY), which is read-only");
        assert_says(s.err, "program1.cl:"); /* the optimiser merges the stores of lines 5 and 7 */
        spawn_free(&s);
    }
    free(program);
}

/* An access to a released buffer is reported with the place of its release; a kernel launched with one, also
 * with the place of the launch. */
static void test_released(void **state) {
    (void)state;
    static const struct {
        char *how, *mode;
        const char *says, *at;
    } rows[] = {
        {"argument", "simt", "kernel 'fill', work-item (0, 0, 0)", "program1.cl:2"},
        {"argument", "mimd", "kernel 'fill', core 0", "program1.cl:2"},
        {"pointer", "simt", "kernel 'follow', work-item (0, 0, 0)", "program1.cl:8"},
        {"pointer", "mimd", "kernel 'follow', core 0", "program1.cl:8"},
        {"image", "simt", "kernel 'look', work-item (0, 0, 0)", "at pc 0x"},
    };
    char *program = fixture_host("released");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct spawned s = LOCKSTEP("run", "--mode", rows[i].mode, "--", program, rows[i].how);
        assert_status(&s, EXIT_PROGRAM_FAULT);
        assert_says(s.err, rows[i].says);
        assert_says(s.err, rows[i].at);
        assert_says(s.err, ", which the program released at released.c:");
        if (strcmp(rows[i].how, "pointer") == 0)
            assert_says(s.err, "at 0x6000000c, in buffer 1 (64 bytes at 0x60000000)");
        else
            assert_says(s.err, " is a memory object that was released at released.c:");
        spawn_free(&s);
    }
    struct spawned s = LOCKSTEP("run", "--", program, "host");
    assert_says(s.out, "released: host ended");
    static const char *const calls[] = {"clEnqueueReadBuffer", "clSetKernelArg", "clReleaseMemObject",
                                        "clGetProgramInfo", "clReleaseKernel"};
    assert_says(s.err, "; only what uses it keeps it");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char *said = spawn_text("%s at released.c:", calls[i]);
        const char *first = strstr(s.err, said);
        assert_non_null(first);
        assert_null(strstr(first + 1, said)); /* once */
        free(said);
    }
    spawn_free(&s);
    free(program);
}

/* Explanations beyond the error code. */
static void test_launches_that_cannot_be_are_explained(void **state) {
    (void)state;
    char *program = fixture_host("api_errors_commands");
    struct spawned s = LOCKSTEP("run", "--", program);
    assert_says(s.out, "api_errors_commands: PASS");
    assert_says(s.err, "kernel scale: its argument 4 ('v') is not set");
    assert_says(s.err, "kernel scale: its work-groups need ");
    assert_says(s.err, " bytes of local memory, the device has ");
    assert_says(s.err, "kernel scale: work-groups of 3 do not divide 64 work-items in dimension 0\n");
    assert_says(s.err, "kernel scale: work-groups of 1024 work-items in dimension 0; the device has room for "
                       "512; a machine with room for them: lockstep run --set ");
    assert_says(s.err, "kernel scale: work-groups of 512 x 2 x 1 = 1024 work-items; the device has room for "
                       "512; a machine with room for them: lockstep run --set ");
    assert_says(s.err, "kernel required: no local size is given; its reqd_work_group_size is 8 x 2 x 1\n");
    assert_says(s.err, "kernel required: work-groups of 16 x 2 x 1; its reqd_work_group_size is 8 x 2 x 1\n");
    spawn_free(&s);
    free(program);
}

/* Calls of unsupported functions are reported once each. */
static void test_unsupported_calls(void **state) {
    (void)state;
    static const char *const calls[] = {"clCreatePipe\n", "clSVMAlloc\n", "images other than 2-D ones"};
    char *program = fixture_host("api_errors");
    struct spawned s = LOCKSTEP("run", "--", program);
    assert_says(s.out, "api_errors: PASS");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char *line = spawn_text("not supported by this device (OpenCL 1.2): %s", calls[i]);
        const char *first = strstr(s.err, line);
        if (!first) fail_msg("not said: %s", line);
        assert_null(strstr(first + 1, line));
        free(line);
    }
    spawn_free(&s);
    free(program);
}

/* An instruction that is not decoded stops the run with its PC, encoding and source line. */
static void test_refused(void **state) {
    (void)state;
    char *program = fixture_host("refused");
    struct spawned s = LOCKSTEP("run", "--", program);
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "kernel 'refused', work-item (70, 0, 0)");
    assert_says(s.err, "0xf2000840");
    assert_says(s.err, "Advanced SIMD and D16 to D31 need cluster.isa=neon");
    assert_says(s.err, "at pc 0x");
    assert_says(s.err, "program1.cl:6");
    spawn_free(&s);
    s = LOCKSTEP("run", "--", program, "stack");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "work-item (70, 0, 0)");
    assert_says(s.err, "private memory of another work-item");
    assert_says(s.err, "program1.cl:8");
    spawn_free(&s);
    free(program);
}

static void test_cycle_limit(void **state) {
    (void)state;
    char *program = fixture_host("endless");
    struct spawned s =
        LOCKSTEP("run", "--max-cycles", "20000", "--stats", "s.json", "--trace", "t.fst", "--", program);
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "endless");
    assert_says(s.err, "20000");
    assert_says(s.err, "ends early, at cycle");
    assert_no_results();
    assert_outcome("s.json.part", "fault");
    assert_readable("t.fst");
    json_t *j = fixture_statistics("s.json.part"), *totals = json_object_get(j, "totals");
    assert_in_range(fixture_number(totals, "cycles"), 19000, 21000);
    assert_causes_add_up(totals);
    json_decref(j);
    spawn_free(&s);
    free(program);
}

static void test_limit_not_reached(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--max-cycles", "100000000", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    free(program);
}

static void sleep_ms(long ms) {
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Waits until the waveform has grown, so that the kernel is running. */
static void await_waveform(const struct spawned *s) {
    char *path = spawn_text("%s/t.fst.%d.part", fixture_folder, s->pid);
    struct stat file = {0};
    for (int waited = 0; waited < PATIENCE_MS; waited += 20) {
        if (stat(path, &file) == 0 && file.st_size > STARTED_BYTES) break;
        sleep_ms(20);
    }
    if (file.st_size <= STARTED_BYTES) fail_msg("the waveform does not grow");
    free(path);
}

static void assert_interrupted(int signal_number) {
    char *program = fixture_host("endless");
    struct spawned s = spawn_start(fixture_folder, false,
                                   (char *[]){fixture_command, "run", "--stats", "s.json", "--trace", "t.fst",
                                              "--", program, "--one", NULL});
    await_waveform(&s);
    kill(s.pid, signal_number);
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "warp 0");
    assert_says(s.err, "warp 1");
    assert_says(s.err, "barrier");
    assert_says(s.err, "ends early, at cycle");
    assert_no_results();
    assert_outcome("s.json.part", "interrupted");
    assert_nothing_grows();
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

static void test_hang_up(void **state) {
    (void)state;
    assert_interrupted(SIGHUP);
}

static void test_quit(void **state) {
    (void)state;
    assert_interrupted(SIGQUIT);
}

/* A stopped program and its children end immediately, too. */
static void test_termination_of_a_stopped_program(void **state) {
    (void)state;
    char *script = fixture_file("stops",
                                "#!/bin/sh\nsh -c 'echo $$ >child; kill -STOP $$' &\n"
                                "until test -s child; do sleep .02; done\necho $$ >up; kill -STOP $$\n",
                                0755);
    struct spawned s =
        spawn_start(fixture_folder, false,
                    (char *[]){fixture_command, "run", "--stats", "s.json", "--", "./stops", NULL});
    char *up = fixture_path("up");
    while (access(up, F_OK) != 0) sleep_ms(20);
    sleep_ms(200);
    kill(s.pid, SIGTERM);
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    assert_outcome("s.json.part", "interrupted");
    struct spawned left =
        spawn(fixture_folder, (char *[]){"sh", "-c",
                                         "for p in $(cat up child); do test -e /proc/$p && grep "
                                         "-q 'State:.[^Z]' /proc/$p/status && echo $p; done",
                                         NULL});
    assert_string_equal(left.out, "");
    spawn_free(&left);
    spawn_free(&s);
    free(up);
    free(script);
}

/* Half a message of a persistent local process blocks no other. */
static void test_half_a_message(void **state) {
    (void)state;
    char *half = fixture_host("half_message"), *program = fixture_host("vector_add");
    const unsigned limit = spawn_limit_seconds;
    spawn_limit_seconds = 30; /* each line held up ten seconds once */
    struct spawned s = LOCKSTEP("run", "--quiet", "--", half, program);
    spawn_limit_seconds = limit;
    if (s.status) fail_msg("status %d: %s", s.status, s.err);
    spawn_free(&s);
    free(half);
    free(program);
}

/* The program's own status reports the failed call; a line explains it. */
static void test_a_vector_of_three(void **state) {
    (void)state;
    char *program = fixture_host("vector_of_three");
    struct spawned s = LOCKSTEP("run", "--quiet", "--", program);
    assert_status(&s, 0);
    assert_says(s.err,
                "kernel f: its argument 1 ('v') is of type float3, which has 16 bytes; 12 are given (a "
                "vector of 3 is as large as one of 4)");
    spawn_free(&s);
    free(program);
}

static void test_objects_of_a_parent(void **state) {
    (void)state;
    char *program = fixture_host("forks");
    struct spawned s = LOCKSTEP("run", "--quiet", "--", program, "inherit");
    assert_status(&s, 0);
    assert_says(s.out, "child: 5\n");
    const char *said = strstr(s.err, "a process that was forked uses OpenCL objects of its parent");
    assert_non_null(said);
    assert_null(strstr(said + 1, "a process that was forked"));
    spawn_free(&s);
    free(program);
}

static void test_progress_on_a_terminal(void **state) {
    (void)state;
    char *program = fixture_host("endless");
    struct spawned s =
        spawn_start(fixture_folder, true, (char *[]){fixture_command, "run", "--", program, NULL});
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
    char *program = fixture_host("barrier_missed");
    struct spawned s = LOCKSTEP("run", "--", program, "deadlock");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "deadlock");
    spawn_free(&s);
    s = LOCKSTEP("run", "--stats", "s.json", "--", program, "early");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "kernel early, launch 1: 2 barriers opened although"); /* one arrival is missing in
                                                                               * each work-group */
    assert_no_results();
    assert_outcome("s.json.part", "barrier-missed");
    spawn_free(&s);
    const char *const kernels[] = {"deadlock", "early"};
    for (unsigned k = 0; k < 2; k++) {
        s = LOCKSTEP("run", "--mode", "mimd", "--", program, (char *)kernels[k]);
        assert_status(&s, EXIT_PROGRAM_FAULT);
        assert_says(s.err, kernels[k]);
        assert_says(s.err, "not all work-items of the work-group come to the same barriers");
        spawn_free(&s);
    }
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_no_opencl),
        TEST(test_no_opencl_and_failed),
        TEST(test_crash),
        TEST(test_crash_in_a_launch),
        TEST(test_exit_without_release),
        TEST(test_syntax_error),
        TEST(test_out_of_bounds),
        TEST(test_outside_tolerated),
        TEST(test_read_only),
        TEST(test_read_only_tolerated),
        TEST(test_released),
        TEST(test_launches_that_cannot_be_are_explained),
        TEST(test_unsupported_calls),
        TEST(test_refused),
        TEST(test_cycle_limit),
        TEST(test_limit_not_reached),
        TEST(test_ctrl_c),
        TEST(test_termination),
        TEST(test_hang_up),
        TEST(test_quit),
        TEST(test_termination_of_a_stopped_program),
        TEST(test_half_a_message),
        TEST(test_objects_of_a_parent),
        TEST(test_a_vector_of_three),
        TEST(test_progress_on_a_terminal),
        TEST(test_barrier_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
