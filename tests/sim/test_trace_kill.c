/* Remains of a trace when the process dies, or the disk is full. */
#include "sim/trace_private.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fstapi.h>
#include <cmocka.h>

#include "tests/seed.h"
#include "tests/sim/trace_long.h"

#ifdef __SANITIZE_ADDRESS__
#define MOMENT_US 600000 /* time in which the first blocks are written, since writing is slow */
#else
#define MOMENT_US 60000
#endif

static bool exists(const char *path) {
    return access(path, F_OK) == 0;
}

/* --- SIGKILL --- */

/* Returns the number of complete blocks of value changes. */
static unsigned finished_blocks(const char *path) {
    FILE *f = fopen(path, "rb");
    unsigned count = 0;
    off_t at = 0;
    if (!f) return 0;
    for (;;) {
        unsigned char head[9];
        if (fseeko(f, at, SEEK_SET) || fread(head, sizeof head, 1, f) != 1 || head[0] == FST_BL_SKIP) break;
        off_t length = 0;
        for (int i = 1; i < 9; i++) length = length << 8 | head[i];
        count += head[0] == FST_BL_VCDATA_DYN_ALIAS2;
        at += 1 + length;
    }
    fclose(f);
    return count;
}

enum { FLUSH = 2000 };
static const struct trace_options flush = {.flush_changes = FLUSH};

static void test_killed_at_any_moment(void **state) {
    (void)state;
    struct seed seed = seed_start();
    const unsigned tries = getenv("LOCKSTEP_LONG") ? 500 : 25;
    unsigned readable = 0;
    for (unsigned i = 0; i < tries; i++) {
        const pid_t child = fork();
        if (child == 0) {
            struct trace_long l = trace_long_open("killed.fst", &flush);
            for (;;) trace_long_steps(&l, 1);
        }
        usleep(seed_below(&seed, MOMENT_US));
        assert_int_equal(kill(child, SIGKILL), 0);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_false(exists("killed.fst"));
        const unsigned blocks = finished_blocks(trace_part("killed.fst", child, ""));
        if (!blocks) continue;
        assert_int_equal(rename(trace_part("killed.fst", child, ""), "recovered.fst"), 0);
        assert_int_equal(rename(trace_part("killed.fst", child, ".hier"), "recovered.fst.hier"), 0);
        const uint64_t steps = trace_long_check("recovered.fst");
        assert_true(2 * steps >= (uint64_t)blocks * FLUSH);
        assert_true(2 * steps <= (uint64_t)(blocks + 1) * (FLUSH + 2));
        readable++;
    }
    assert_true(readable > tries / 4);
}

/* --- other signals --- */

static pid_t last_child;

/* Runs `body` in a child whose standard error goes to said.txt. Returns its status. */
static int in_child(void (*body)(void)) {
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen("said.txt", "w", stderr)) _exit(1);
        signal(SIGBUS, SIG_DFL); /* otherwise cmocka would continue with the next test */
        signal(SIGSEGV, SIG_DFL);
        body();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    last_child = child;
    return status;
}

static void die_by(int signal) {
    struct trace_long l = trace_long_open("dead.fst", &flush);
    trace_guard(l.t, signal);
    trace_long_steps(&l, 12345);
    kill(getpid(), signal);
    trace_long_steps(&l, 10000); /* a pending signal waits for the next step and ends the loop early */
}
static void die_by_int(void) {
    die_by(SIGINT);
}
static void die_by_term(void) {
    die_by(SIGTERM);
}
static void die_by_abort(void) {
    struct trace_long l = trace_long_open("dead.fst", &flush);
    trace_guard(l.t, SIGABRT);
    trace_long_steps(&l, 12345);
    abort();
}

static void test_closed_by_signals(void **state) {
    (void)state;
    static const struct {
        void (*body)(void);
        int signal;
    } ways[] = {{die_by_int, SIGINT}, {die_by_term, SIGTERM}, {die_by_abort, SIGABRT}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const int status = in_child(ways[i].body);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), ways[i].signal);
        assert_false(exists("dead.fst"));
        assert_false(exists("dead.fst.part.hier")); /* closed before */
        assert_int_equal(trace_long_check("dead.fst.part"), 12345);
        size_t size;
        char *said = trace_contents("said.txt", &size);
        assert_string_equal(said, "The waveform up to here is in dead.fst.part\n");
        free(said);
    }
}

static void wait_untraced(void) {
    struct trace_long l = trace_long_open("dead.fst", &flush);
    trace_guard(l.t, SIGINT);
    trace_long_steps(&l, 100000);
    kill(getpid(), SIGINT);
    kill(getpid(), SIGINT);
    for (;;) pause();
}

/* A second signal does not wait for a step that may never come. */
static void test_second_interrupt_kills(void **state) {
    (void)state;
    const int status = in_child(wait_untraced);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
    assert_in_range(2 * trace_long_check(trace_part("dead.fst", last_child, "")), 200000 - 3 * FLUSH, 200000);
}

static void abort_within(void) {
    struct trace_long l = trace_long_open("dead.fst", &flush);
    trace_guard(l.t, SIGABRT);
    trace_long_steps(&l, 200000);
    l.t->busy = true;
    abort();
}

static void bus_error_within(void) {
    struct trace_long l = trace_long_open("dead.fst", &flush);
    trace_guard(l.t, SIGBUS);
    trace_long_steps(&l, 200000);
    l.t->busy = true;
    raise(SIGBUS);
}

/* libfst's maps fail if the disk behind them is full. */
static void test_bus_error_within_the_tracer(void **state) {
    (void)state;
    const int status = in_child(bus_error_within);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGBUS);
    assert_true(trace_long_check(trace_part("dead.fst", last_child, "")) > 100000);
    size_t size;
    char *said = trace_contents("said.txt", &size);
    assert_non_null(
        strstr(said, "The disk may be full, that of /tmp or of the trace\nThe waveform up to the"));
    free(said);
}

static void test_abort_within_the_tracer(void **state) {
    (void)state;
    const int status = in_child(abort_within);
    assert_true(WIFSIGNALED(status));
    assert_true(exists(trace_part("dead.fst", last_child, ".hier")));
    assert_true(trace_long_check(trace_part("dead.fst", last_child, "")) > 100000);
    size_t size;
    char *said = trace_contents("said.txt", &size);
    char says[400];
    snprintf(says, sizeof says,
             "up to the last flush is in %s: to read it, rename it and %s to X.fst and X.fst.hier",
             trace_part("dead.fst", last_child, ""), trace_part("dead.fst", last_child, ".hier"));
    assert_non_null(strstr(said, says));
    free(said);
}

static void two_traces(void) {
    struct trace_long a = trace_long_open("a.fst", &flush), b = trace_long_open("b.fst", &flush);
    trace_guard(a.t, SIGABRT);
    trace_guard(b.t, SIGABRT);
    trace_guard(b.t, SIGABRT);
    trace_long_steps(&a, 100);
    trace_long_steps(&b, 200);
    abort();
}

static void test_every_guarded_trace_is_closed(void **state) {
    (void)state;
    assert_true(WIFSIGNALED(in_child(two_traces)));
    assert_int_equal(trace_long_check("a.fst.part"), 100);
    assert_int_equal(trace_long_check("b.fst.part"), 200);
}

static void on_signal(int signal) {
    (void)signal;
}

static void test_handlers_are_restored(void **state) {
    (void)state;
    struct error e = {0};
    struct sigaction now;
    stack_t stack_before, stack;
    sigaltstack(NULL, &stack_before);
    struct trace_long a = trace_long_open("a.fst", &flush), b = trace_long_open("b.fst", &flush);
    signal(SIGUSR1, on_signal);
    trace_guard(a.t, SIGUSR1);
    trace_guard(b.t, SIGUSR1);
    sigaction(SIGUSR1, NULL, &now);
    assert_true(now.sa_handler != on_signal);
    trace_long_steps(&a, 1);
    trace_long_steps(&b, 1);
    assert_true(trace_close(a.t, &e));
    sigaction(SIGUSR1, NULL, &now);
    assert_true(now.sa_handler != on_signal);
    assert_true(trace_close(b.t, &e));
    sigaction(SIGUSR1, NULL, &now);
    assert_true(now.sa_handler == on_signal);
    sigaltstack(NULL, &stack);
    assert_true(stack.ss_sp == stack_before.ss_sp);
    signal(SIGUSR1, SIG_DFL);
}

/* A signal after the last time step, and its effect on an unguarded trace afterwards. */
static void interrupted_at_the_end(void) {
    struct trace_long a = trace_long_open("a.fst", &flush);
    trace_guard(a.t, SIGTERM);
    trace_long_steps(&a, 100);
    raise(SIGTERM);
    close_trace(a.t);
}

static void go_on_after_it(void) {
    signal(SIGTERM, on_signal);
    interrupted_at_the_end();
    struct trace_long b = trace_long_open("b.fst", &flush);
    trace_long_steps(&b, 200);
    close_trace(b.t);
}

static void test_signal_after_the_last_step(void **state) {
    (void)state;
    int status = in_child(interrupted_at_the_end);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
    assert_int_equal(trace_long_check("a.fst"), 100);
    status = in_child(go_on_after_it);
    assert_true(WIFEXITED(status));
    assert_int_equal(trace_long_check("b.fst"), 200);
}

/* --- no room --- */

static const char *full_path;
static rlim_t full_limit;

/* 42: refused with a message for the user; 43: it worked. */
static void write_within_limit(void) {
    struct error e = {0};
    signal(SIGXFSZ, on_signal);
    const struct rlimit limit = {full_limit, full_limit};
    setrlimit(RLIMIT_FSIZE, &limit);
    struct trace *t = trace_open(full_path, NULL, &e);
    if (!t) _exit(e.status == EXIT_USER && strstr(e.message, full_path) ? 42 : 1);
    trace_variable v[300];
    for (unsigned i = 0; i < 300; i++) {
        char name[16];
        snprintf(name, sizeof name, "v%u", i);
        v[i] = trace_declare(t, name, 64, TRACE_HEX);
    }
    for (uint64_t i = 0; i < 100000; i++)
        trace_value(t, v[i % 300], 1000 * i, trace_noise(i) * trace_noise(i + 7));
    const bool ok = trace_close(t, &e);
    _exit(ok ? 43 : e.status == EXIT_USER && strstr(e.message, full_path) ? 42 : 2);
}

/* A file that may not grow, as on a full disk, at any point of the trace's life. */
static void test_full_disk(void **state) {
    (void)state;
    static const char *const paths[] = {"full.fst", "full.vcd"};
    static const rlim_t limits[] = {0, 1, 100, 330, 4000, 5000, 20000, 100000, 700000, 780000};
    for (unsigned p = 0; p < 2; p++)
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            full_path = paths[p];
            full_limit = limits[i];
            const int status = in_child(write_within_limit);
            if (!WIFEXITED(status) || WEXITSTATUS(status) != 42)
                fail_msg("%s, at most %lu bytes: status %x", full_path, (unsigned long)full_limit,
                         (unsigned)status);
            assert_false(exists(full_path));
            assert_false(exists(trace_part("full.fst", last_child, ".probe")));
        }
    full_path = "full.fst";
    full_limit = 100 << 20;
    assert_int_equal(WEXITSTATUS(in_child(write_within_limit)), 43);
}

static void test_no_room_for_temporary_files(void **state) {
    (void)state;
    full_path = "full.fst";
    full_limit = 500000;
    (void)in_child(write_within_limit);
    assert_false(exists(trace_part("full.fst", last_child, ""))); /* the error occurred before the
                                                                   * first value */
    assert_false(exists(trace_part("full.fst", last_child, ".hier")));
}

/* A device that is full. */
static void test_dev_full(void **state) {
    (void)state;
    struct error e = {0};
    assert_int_equal(symlink("/dev/full", "device.fst"), 0);
    assert_null(trace_open("device.fst", NULL, &e));
    assert_non_null(strstr(e.message, "there is something else of that name"));
}

/* Existing links with the name of the part or of the trace are not followed or changed. */
static void test_links_are_not_followed(void **state) {
    (void)state;
    static const char *const paths[] = {"linked.fst", "linked.vcd"};
    for (unsigned p = 0; p < 2; p++) {
        struct error e = {0};
        struct stat s;
        fclose(fopen("theirs", "w"));
        assert_int_equal(symlink("theirs", paths[p]), 0);
        assert_null(trace_open(paths[p], NULL, &e));
        assert_non_null(strstr(e.message, "there is something else of that name"));
        assert_int_equal(unlink(paths[p]), 0);
        const char *part = trace_part(paths[p], getpid(), "");
        assert_int_equal(symlink("theirs", part), 0);
        struct trace *t = open_trace(paths[p]);
        trace_variable v = trace_declare(t, "v", 8, TRACE_HEX);
        trace_value(t, v, 10, 1);
        close_trace(t);
        assert_int_equal(stat("theirs", &s), 0);
        assert_int_equal(s.st_size, 0);
        assert_int_equal(lstat(part, &s), 0);
        assert_true(S_ISLNK(s.st_mode));
        assert_int_equal(lstat(paths[p], &s), 0);
        assert_true(S_ISREG(s.st_mode) && s.st_size > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_killed_at_any_moment),
        cmocka_unit_test(test_closed_by_signals),
        cmocka_unit_test(test_second_interrupt_kills),
        cmocka_unit_test(test_abort_within_the_tracer),
        cmocka_unit_test(test_bus_error_within_the_tracer),
        cmocka_unit_test(test_every_guarded_trace_is_closed),
        cmocka_unit_test(test_handlers_are_restored),
        cmocka_unit_test(test_signal_after_the_last_step),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_no_room_for_temporary_files),
        cmocka_unit_test(test_dev_full),
        cmocka_unit_test(test_links_are_not_followed),
    };
    return cmocka_run_group_tests(tests, trace_enter, trace_leave);
}
