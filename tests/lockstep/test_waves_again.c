/* `lockstep waves --level 3`: the program runs again, and is traced as `lockstep run --trace` does. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void run(char *const options[], char *const more[], char *program, int status) {
    char *line[32] = {fixture_command, "run"};
    unsigned n = 2;
    for (; *options; ++options) line[n++] = *options;
    for (; *more; ++more) line[n++] = *more;
    line[n++] = "--";
    line[n++] = program;
    if (strstr(program, "endless")) line[n] = "--one";
    struct spawned s = spawn(fixture_folder, line);
    assert_status(&s, status);
    spawn_free(&s);
}

static void assert_equal_files(const char *a, const char *b) {
    struct spawned s = spawn(fixture_folder, (char *[]){"cmp", (char *)a, (char *)b, NULL});
    assert_status(&s, 0);
    spawn_free(&s);
}

static void assert_refused(char *const argv[], const char *says) {
    char *line[16] = {fixture_command, "waves", "t.lsr", "--level", "3", "-o", "w.fst"};
    for (unsigned n = 0; argv[n]; ++n) line[n + 7] = argv[n];
    struct spawned s = spawn(fixture_folder, line);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, says);
    assert_exists("w.fst", false);
    assert_exists("w.gtkw", false);
    spawn_free(&s);
}

static uint64_t number_after(const char *file, const char *label) {
    char *path = fixture_path(file), *text = spawn_read(path), *at = strstr(text, label);
    assert_non_null(at);
    const uint64_t number = strtoull(at + strlen(label), NULL, 10);
    free(text);
    free(path);
    return number;
}

/* Checks that the waveform equals that of the same window of a run, byte by byte; other outputs of the run
 * are not written again. */
static void assert_traced(char *const options[], const char *host) {
    char *program = fixture_host(host);
    run(options, (char *[]){"--record", "t.lsr", "--stats=s.json", "--trace-last=9", NULL}, program, 0);
    run(options, (char *[]){"--trace", "t.fst", "--trace-cycles", "1000:4999", NULL}, program, 0);
    char *stats = fixture_path("s.json");
    unlink(stats);
    struct spawned s = LOCKSTEP("waves", "t.lsr", "--level", "3", "--cycles", "1000:4999", "-o", "w.fst");
    assert_status(&s, 0);
    assert_says(s.out, "w.fst: cycles 1,000 to 4,999, of a second run that had the same records");
    assert_equal_files("t.fst", "w.fst");
    assert_exists("w.gtkw", true);
    assert_exists("s.json", false);
    spawn_free(&s);
    free(stats);
    free(program);
}

static void test_base_machine(void **state) {
    (void)state;
    assert_traced((char *[]){"--set", "mem.latency=150", "--set=simt.collectors=2", NULL}, "vector_add");
    assert_traced((char *[]){"--mode=mimd", NULL}, "vector_add");
    assert_traced((char *[]){"--exact-steps", NULL}, "three_d");
}

static void test_gpu_like_machine(void **state) {
    (void)state;
    assert_traced((char *[]){"--config", "gtx285-like", "--threads", "2", NULL}, "vector_add");
}

/* A limit of the run is kept, and the view marks the failure. */
static void test_failed_run(void **state) {
    (void)state;
    char *program = fixture_host("endless");
    run((char *[]){"--max-cycles", "30000", NULL}, (char *[]){"--record", "t.lsr", NULL}, program,
        EXIT_PROGRAM_FAULT);
    struct spawned s = LOCKSTEP("waves", "t.lsr", "--level", "3", "-o", "w.fst");
    assert_status(&s, 0);
    assert_says(s.out, "cycles 10,000 to 29,999");
    assert_int_equal(number_after("w.gtkw", "[timestart] "), 29600000);
    assert_readable("w.fst");
    spawn_free(&s);
    free(program);
}

/* An endless run ends after the window. */
static void test_killed_run(void **state) {
    (void)state;
    char *program = fixture_host("endless");
    struct spawned s = spawn_start(
        fixture_folder, false, (char *[]){fixture_command, "run", "--record", "t.lsr", "--", program, NULL});
    char *part = spawn_text("t.lsr.%d.part", s.pid), *path = fixture_path(part);
    struct stat file = {0};
    for (int i = 0; i < 6000 && (stat(path, &file) != 0 || file.st_size < 20000); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    kill(s.pid, SIGKILL);
    spawn_finish(&s);
    spawn_free(&s);
    s = LOCKSTEP("waves", part, "--level", "3", "--cycles", "5000:5999", "-o", "w.fst");
    assert_status(&s, 0);
    assert_says(s.out, "cycles 5,000 to 5,999");
    assert_readable("w.fst");
    spawn_free(&s);
    unlink(path);
    free(path);
    free(part);
    free(program);
}

/* Creates a program that reads its kernel from a file. */
static char *make_program(void) {
    char *host = fixture_host("run_source"), *path = fixture_path("program"),
         *kernel = fixture_path("kernel.cl");
    char *text = spawn_text("#!/bin/sh\nexec '%s' \"$(cat '%s')\"\n", host, kernel);
    spawn_write(path, text);
    assert_int_equal(chmod(path, 0755), 0);
    spawn_write(kernel, "__kernel void f(__global int *a) { a[get_global_id(0)] = 1; }\n");
    free(text);
    free(kernel);
    free(host);
    return path;
}

static void test_other_run(void **state) {
    (void)state;
    char *program = make_program(), *kernel = fixture_path("kernel.cl");
    run((char *[]){NULL}, (char *[]){"--record", "t.lsr", NULL}, program, 0);
    spawn_write(kernel, "__kernel void f(__global int *a) { if (get_global_id(0) > 5) a[0] += 2; }\n");
    assert_refused((char *[]){NULL}, "the repeated run differs (--level 3)");
    unlink(program);
    assert_refused((char *[]){NULL}, "the run cannot be repeated (--level 3): lockstep: ");
    unlink(kernel);
    free(kernel);
    free(program);
}

static void test_wrong_words(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/reduction", spawn_build());
    run((char *[]){NULL}, (char *[]){"--record", "t.lsr", NULL}, program, 0);
    assert_refused((char *[]){"--scope", "cluster0.*", NULL}, "level 3 shows all that --trace does");
    assert_refused((char *[]){"--cycles", "0:1000000", NULL},
                   "choose at most 1,000,000 (--cycles), or add --all");
    struct spawned s = LOCKSTEP("waves", "t.lsr", "--level", "4");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "levels are 0 to 3");
    spawn_free(&s);
    s = LOCKSTEP("waves", "t.lsr", "--level", "3", "-o", "none/w.fst");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "none/w.fst: No such file");
    spawn_free(&s);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_base_machine), TEST(test_gpu_like_machine), TEST(test_failed_run),
        TEST(test_killed_run),   TEST(test_other_run),        TEST(test_wrong_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
