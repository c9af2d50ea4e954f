/*
 * `lockstep run --trace-last`: the waveform of the end of a run is that of a run with such a window, byte for
 * byte.
 */
#include "sim/error.h"
#include "tests/fixture.h"
#include "tests/tb/rtl_text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Runs with options and a program (words separated by blanks), an option before both. */
static struct spawned run(char *option, const char *words) {
    char *line[40] = {fixture_command, "run", option}, *copy = strdup(words), *rest = copy;
    unsigned n = 3;
    for (char *word; (word = strsep(&rest, " ")) != NULL;) line[n++] = word;
    struct spawned s = spawn(fixture_folder, line);
    free(copy);
    return s;
}

/* Returns "FIRST:LAST" of the last waveform that a run mentions; to be freed. */
static char *window_of(const char *err) {
    const char *at = NULL;
    for (const char *next = err; (next = strstr(next, "last.fst: cycles ")) != NULL; ++next) at = next;
    if (!at) fail_msg("no waveform of the last cycles:\n%s", err);
    char first[32] = "", last[32] = "", *text = strdup(at);
    unsigned n = 0;
    for (char *from = text; *from && *from != '\n'; ++from)
        if (*from != ',') text[n++] = *from;
    text[n] = '\0';
    assert_int_equal(sscanf(text, "last.fst: cycles %31s to %31s", first, last), 2);
    free(text);
    return spawn_text("%s:%s", first, last);
}

static void assert_same_files(char *a, char *b) {
    struct spawned s = spawn(fixture_folder, (char *[]){"cmp", a, b, NULL});
    assert_status(&s, 0);
    spawn_free(&s);
}

/* The waveform of the last cycles is that of their window. */
static void assert_last(const char *cycles, const char *words, int status) {
    char *last = spawn_text("--trace-last=%s", cycles), *copy = spawn_text("--trace w.fst %s", words);
    struct spawned s = run(last, words);
    assert_status(&s, status);
    assert_exists("last.gtkw", true);
    char *window = window_of(s.err), *traced = spawn_text("--trace-cycles=%s", window);
    spawn_free(&s);
    s = run(traced, copy);
    assert_status(&s, status);
    spawn_free(&s);
    assert_same_files("last.fst", "w.fst");
    struct spawned vcd = spawn(fixture_folder, (char *[]){"fst2vcd", "last.fst", NULL});
    assert_status(&vcd, 0);
    assert_true(strlen(vcd.out) > 1000);
    spawn_free(&vcd);
    free(traced);
    free(window);
    free(copy);
    free(last);
}

static char *with_host(const char *options, const char *host) {
    return spawn_text("%s -- %s/tests/hosts/%s", options, spawn_build(), host);
}

static void assert_last_of(const char *options, const char *host, int status) {
    char *words = with_host(options, host);
    assert_last("1000", words, status);
    free(words);
}

/* Launches and writes of the program precede the one that fails. */
static void test_faults(void **state) {
    (void)state;
    assert_last_of("--quiet", "late_fault 5", EXIT_PROGRAM_FAULT);
    assert_last_of("--exact-steps", "late_fault 3", EXIT_PROGRAM_FAULT);
    assert_last_of("--mode mimd", "late_fault 5", EXIT_PROGRAM_FAULT);
    assert_last_of("--config gtx285-like", "late_fault 5", EXIT_PROGRAM_FAULT);
    assert_last_of("--config gtx285-like --threads 4", "late_fault 5", EXIT_PROGRAM_FAULT);
    assert_last_of("--quiet", "out_of_bounds far", EXIT_PROGRAM_FAULT);
}

/* A launch of more than a second, so that a copy is made during it; a concurrent recording is
 * not affected. */
static void test_limit_of_cycles(void **state) {
    (void)state;
    assert_last_of("--max-cycles 200000000 --record t.lsr", "endless --one", EXIT_PROGRAM_FAULT);
    struct spawned s = LOCKSTEP("waves", "t.lsr", "--at", "199999000", "-o", "x.fst");
    assert_status(&s, 0);
    spawn_free(&s);
}

static void test_verilog(void **state) {
    (void)state;
    char *changed = rtl_text_changed("barrier_table", "live_q           <= live_d;", "live_q <= live_d + 1;");
    char *options = spawn_text("--rtl barrier_table=check:%s", changed);
    assert_last_of(options, "vector_add", EXIT_TWINS_DISAGREE);
    free(options);
    free(changed);
}

static bool file_is_there(const char *name) {
    char *path = fixture_path(name);
    const bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* Starts a program that does not end. SIGUSR1 requests a waveform, and the run continues. */
static struct spawned start_endless(void) {
    char *program = fixture_host("endless");
    signal(SIGUSR1, SIG_IGN); /* until the command has installed its handler */
    struct spawned s =
        spawn_start(fixture_folder, false,
                    (char *[]){fixture_command, "run", "--trace-last=1000", "--", program, "--one", NULL});
    free(program);
    for (unsigned n = 0; n < 600 && !file_is_there("last.fst"); ++n) {
        kill(s.pid, SIGUSR1);
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    assert_exists("last.fst", true);
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL); /* until the run continues */
    return s;
}

/* Ctrl-C ends a run with a waveform of its end. */
static void test_signals(void **state) {
    (void)state;
    struct spawned s = start_endless();
    kill(s.pid, SIGINT);
    spawn_finish(&s);
    assert_status(&s, EXIT_USER);
    char *window = window_of(s.err), *traced = spawn_text("--trace-cycles=%s", window);
    char *limit = spawn_text("--trace w.fst --max-cycles %s", strchr(window, ':') + 1);
    char *words = with_host(limit, "endless --one");
    spawn_free(&s);
    s = run(traced, words);
    assert_status(&s, EXIT_PROGRAM_FAULT);
    spawn_free(&s);
    assert_same_files("last.fst", "w.fst");
    free(words);
    free(limit);
    free(traced);
    free(window);
}

/* A crash of Lockstep itself. */
static void test_crash(void **state) {
    (void)state;
    struct spawned s = start_endless();
    kill(s.pid, SIGSEGV);
    spawn_finish(&s);
    assert_status(&s, 128 + SIGSEGV);
    assert_says(s.err, "lockstep: the last cycles before: last.fst");
    assert_readable("last.fst");
    spawn_free(&s);
}

/* Counters equal those without the option, and a sound run leaves no file and no process. */
static void test_sound_run(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", "--stats", "a.csv", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    s = LOCKSTEP("run", "--stats", "b.csv", "--trace-last", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    assert_same_files("a.csv", "b.csv");
    assert_exists("last.fst", false);
    free(program);
}

static void assert_refused(char *const argv[], const char *says) {
    char *line[16] = {fixture_command, "run"};
    for (unsigned n = 0; argv[n]; ++n) line[n + 2] = argv[n];
    struct spawned s = spawn(fixture_folder, line);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, says);
    spawn_free(&s);
}

static void test_wrong_words(void **state) {
    (void)state;
    assert_refused((char *[]){"--trace-last=0", "true", NULL}, "a number of cycles is needed");
    assert_refused((char *[]){"--trace-last=x", "true", NULL}, "a number of cycles is needed");
    assert_refused((char *[]){"--trace-last=99999999999", "true", NULL}, "a number of cycles is needed");
    assert_refused((char *[]){"--trace-last", "--trace", "t.fst", "true", NULL}, "leave one out");
    assert_refused((char *[]){"--trace-last", "--inject", "alu=1", "true", NULL}, "leave one out");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_faults), TEST(test_limit_of_cycles), TEST(test_verilog),     TEST(test_signals),
        TEST(test_crash),  TEST(test_sound_run),       TEST(test_wrong_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
