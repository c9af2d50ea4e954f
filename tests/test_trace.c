#include "sim/trace.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fstapi.h>
#include <cmocka.h>

#include "tests/trace_list.h"

static char directory[] = "/tmp/test_trace.XXXXXX";

static int enter(void **state) {
    (void)state;
    return !mkdtemp(directory) || chdir(directory);
}

static int leave(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return chdir("/") || system(command);
}

static struct trace *open_trace(const char *path) {
    struct error e = {0};
    struct trace *t = trace_open(path, NULL, &e);
    if (!t) fail_msg("%s", e.message);
    return t;
}

static void close_trace(struct trace *t) {
    struct error e = {0};
    if (!trace_close(t, &e)) fail_msg("%s", e.message);
}

static const char *const states[] = {"idle", "at barrier", "run"};

/* --- tests --- */

static void test_values_and_times(void **state) {
    (void)state;
    struct trace *t = open_trace("values.fst");
    assert_string_equal(trace_path(t), "values.fst");
    trace_scope(t, "top");
    trace_variable pc = trace_declare(t, "pc", 32, TRACE_HEX);
    trace_scope(t, "warp[3]");
    trace_variable bit = trace_declare(t, "ready", 1, TRACE_BINARY);
    trace_variable how = trace_declare_enum(t, "state", "warp_state", 3, states);
    trace_variable text = trace_declare(t, "instruction", 0, TRACE_STRING);
    trace_upscope(t);
    trace_variable wide = trace_declare(t, "mask", 64, TRACE_BINARY);
    trace_variable other = trace_declare_enum(t, "other", "warp_state", 3, states);
    trace_upscope(t);

    trace_value(t, pc, 0, 0x10);
    trace_string(t, text, 0, "nop");
    trace_value(t, bit, 0, 0);
    trace_value(t, bit, 333, 1);
    trace_value(t, pc, 333, 0x10); /* unchanged */
    trace_value(t, how, 333, 1);
    trace_string(t, text, 333, "add r0, r1, #1");
    trace_string(t, text, 334, "add r0, r1, #1"); /* unchanged */
    trace_string(t, text, 334, "gone");           /* at the same time as the next: never seen */
    trace_string(t, text, 334, "");
    trace_value(t, how, 334, 0);
    trace_value(t, how, 334, 2); /* the last of one time stands */
    trace_value(t, bit, 334, 0);
    trace_value(t, bit, 334, 1); /* and back again: nothing changed */
    trace_string(t, text, 1000, "b");
    trace_string(t, text, 1000, ""); /* and back again: nothing changed */
    trace_value(t, wide, 1000000000000000, UINT64_MAX);
    trace_value(t, other, 1000000000000000, 0);
    assert_int_equal(trace_changes(t), 8); /* those of 10^15 ps are written when it is over */
    assert_int_equal(access("values.fst", F_OK), -1);
    assert_int_equal(access("values.fst.part", F_OK), 0);
    close_trace(t);
    assert_int_equal(access("values.fst.part", F_OK), -1);
    assert_int_equal(access("values.fst.part.hier", F_OK), -1);

    char *text_read = trace_list("values.fst");
    assert_string_equal(
        text_read, "Lockstep|Thu Jan  1 00:00:00 1970|-12\n"
                   "{top pc:32 {warp_3_ ready:1 enum(warp_state 3 idle at\\040barrier run 00 01 10) #1 #1 "
                   "state:2 instruction:0 } mask:64 #1 other:2 } \n"
                   "0 instruction=nop\n"
                   "0 pc=00000000000000000000000000010000\n"
                   "0 ready=0\n"
                   "333 instruction=add r0, r1, #1\n"
                   "333 ready=1\n"
                   "333 state=01\n"
                   "334 instruction=\n"
                   "334 state=10\n"
                   "1000000000000000 mask=1111111111111111111111111111111111111111111111111111111111111111\n"
                   "1000000000000000 other=00\n");
    free(text_read);
}

static char *contents(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *bytes = malloc(1 << 22);
    *size = fread(bytes, 1, 1 << 22, f);
    bytes[*size] = 0;
    fclose(f);
    return bytes;
}

/* A counter in the low bits, noise above; enough for several flushes. */
static uint64_t noise(uint64_t i) {
    return (i * 0x9e3779b97f4a7c15u) >> 40;
}

static void write_long(const char *path, uint64_t count, bool then_die) {
    struct trace *t = open_trace(path);
    trace_variable a = trace_declare(t, "a", 24, TRACE_HEX), b = trace_declare(t, "b", 0, TRACE_STRING);
    for (uint64_t i = 0; i < count; i++) {
        char text[32];
        snprintf(text, sizeof text, "i%lu", i);
        trace_value(t, a, 10 * i, noise(i));
        trace_string(t, b, 10 * i, text);
    }
    if (then_die) kill(getpid(), SIGKILL);
    close_trace(t);
}

static void test_same_input_same_bytes(void **state) {
    (void)state;
    write_long("one.fst", 100000, false);
    sleep(1); /* another second on the clock */
    write_long("two.fst", 100000, false);
    size_t n, m;
    char *one = contents("one.fst", &n), *two = contents("two.fst", &m);
    assert_int_equal(n, m);
    assert_memory_equal(one, two, n);
    free(one);
    free(two);
}

struct check {
    uint64_t values, texts;
    bool wrong;
};

static void check_text(void *user, uint64_t time, fstHandle handle, const unsigned char *value,
                       uint32_t length) {
    struct check *c = user;
    char expected[32];
    snprintf(expected, sizeof expected, "i%lu", c->texts);
    c->wrong |= handle != 2 || time != 10 * c->texts || length != strlen(expected) ||
                memcmp(value, expected, length) != 0;
    c->texts++;
}

static void check_value(void *user, uint64_t time, fstHandle handle, const unsigned char *value) {
    struct check *c = user;
    c->wrong |=
        handle != 1 || time != 10 * c->values || strtoul((const char *)value, NULL, 2) != noise(c->values);
    c->values++;
}

static struct check check_long(const char *path) {
    struct check c = {0};
    void *reader = fstReaderOpen(path);
    assert_non_null(reader);
    fstReaderSetFacProcessMaskAll(reader);
    fstReaderIterBlocks2(reader, check_value, check_text, &c, NULL);
    fstReaderClose(reader);
    assert_false(c.wrong);
    return c;
}

static void test_every_change_across_flushes(void **state) {
    (void)state;
    write_long("long.fst", 200000, false);
    struct check c = check_long("long.fst");
    assert_int_equal(c.values, 200000);
    assert_int_equal(c.texts, 200000);
}

static void test_killed_is_readable_to_the_last_flush(void **state) {
    (void)state;
    FILE *old = fopen("killed.fst", "w"); /* an earlier result must not stay and pass for this run's */
    fclose(old);
    pid_t child = fork();
    if (child == 0) {
        write_long("killed.fst", 200000, true);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(access("killed.fst", F_OK), -1);
    struct check c = check_long("killed.fst.part");
    /* two changes a step, a flush every 65536: at most two intervals are lost */
    assert_in_range(c.values, 200000 - 65536, 200000);
    assert_int_equal(c.values, c.texts);
    assert_int_equal(rename("killed.fst.part", "recovered.fst"), 0);
    assert_int_equal(rename("killed.fst.part.hier", "recovered.fst.hier"), 0);
    assert_int_equal(check_long("recovered.fst").values, c.values);
}

static void test_panic_closes_the_part(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("panic.txt", "w", stderr)) _exit(1);
        struct trace *t = open_trace("panic.fst");
        trace_variable a = trace_declare(t, "a", 0, TRACE_STRING);
        trace_string(t, a, 5, "last words");
        invariant(false, "impossible");
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), EXIT_INTERNAL);
    assert_int_equal(access("panic.fst", F_OK), -1);
    char *text = trace_list("panic.fst.part");
    assert_non_null(strstr(text, "5 a=last words\n"));
    free(text);
    size_t size;
    text = contents("panic.txt", &size);
    assert_non_null(strstr(text, "The waveform up to here is in panic.fst.part\n"));
    free(text);
}

static void test_unwritable(void **state) {
    (void)state;
    struct error e = {0};
    assert_null(trace_open("no/such/dir.fst", NULL, &e));
    assert_int_equal(e.status, EXIT_USER);
    assert_string_equal(e.message, "cannot write the trace 'no/such/dir.fst': No such file or directory");
    e = (struct error){0};
    mkdir("taken.fst", 0777);
    assert_null(trace_open("taken.fst", NULL, &e));
    assert_string_equal(e.message,
                        "cannot write the trace 'taken.fst': there is something else of that name");
    assert_int_equal(access("taken.fst.part", F_OK), -1);
}

/* A file that may not grow, as on a full disk. */
static void test_full_disk(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        struct rlimit limit = {200000, 200000};
        setrlimit(RLIMIT_FSIZE, &limit);
        struct trace *t = open_trace("full.fst");
        trace_variable a = trace_declare(t, "a", 64, TRACE_HEX);
        for (uint64_t i = 0; i < 200000; i++) trace_value(t, a, i, noise(i) * noise(i + 7));
        struct error e = {0};
        bool ok = trace_close(t, &e);
        _exit(!ok && e.status == EXIT_USER && strstr(e.message, "'full.fst'") ? 42 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 42);
    assert_int_equal(access("full.fst", F_OK), -1);
}

static void test_empty_trace_and_late_first_value(void **state) {
    (void)state;
    struct error e = {0};
    assert_false(trace_close(open_trace("empty.fst"), &e));
    assert_string_equal(e.message, "nothing was traced, so there is no trace 'empty.fst'");
    assert_int_equal(access("empty.fst", F_OK), -1);
    assert_int_equal(access("empty.fst.part", F_OK), -1);
    struct trace *t = open_trace("silent.fst");
    trace_declare(t, "a", 3, TRACE_DECIMAL);
    trace_declare(t, "s", 0, TRACE_STRING);
    close_trace(t);
    free(trace_list("silent.fst"));
    t = open_trace("late.fst");
    trace_variable a = trace_declare(t, "a", 3, TRACE_DECIMAL);
    trace_value(t, a, 700, 5);
    close_trace(t);
    char *text = trace_list("late.fst");
    assert_non_null(strstr(text, "700 a=101\n"));
    free(text);
}

static int panics(void (*f)(struct trace *t, trace_variable v)) {
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        struct trace *t = open_trace("panics.fst");
        trace_variable v = trace_declare_enum(t, "v", "three", 3, states);
        trace_value(t, v, 10, 1);
        f(t, v);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}
static void fine(struct trace *t, trace_variable v) {
    trace_value(t, v, 10, 2);
}
static void back_in_time(struct trace *t, trace_variable v) {
    trace_value(t, v, 9, 2);
}
static void without_name(struct trace *t, trace_variable v) {
    trace_value(t, v, 11, 3);
}
static void undeclared(struct trace *t, trace_variable v) {
    trace_value(t, v + 1, 11, 0);
}
static void text_for_number(struct trace *t, trace_variable v) {
    trace_string(t, v, 11, "x");
}
static void declared_late(struct trace *t, trace_variable v) {
    trace_declare(t, "w", v + 1, TRACE_HEX);
}
static void too_wide(struct trace *t, trace_variable v) {
    trace_declare(t, "w", v + 65, TRACE_HEX);
}

static void test_misuse_is_a_panic(void **state) {
    (void)state;
    assert_int_equal(panics(fine), 0);
    assert_int_equal(panics(back_in_time), EXIT_INTERNAL);
    assert_int_equal(panics(without_name), EXIT_INTERNAL);
    assert_int_equal(panics(undeclared), EXIT_INTERNAL);
    assert_int_equal(panics(text_for_number), EXIT_INTERNAL);
    assert_int_equal(panics(declared_late), EXIT_INTERNAL);
    assert_int_equal(panics(too_wide), EXIT_INTERNAL);
}

static void test_view(void **state) {
    (void)state;
    struct trace *t = open_trace("view.fst");
    trace_scope(t, "top");
    trace_scope(t, "warp0");
    trace_declare(t, "pc", 32, TRACE_HEX);
    trace_declare_enum(t, "state", "s", 3, states);
    trace_upscope(t);
    trace_scope(t, "hidden");
    trace_hide(t, trace_declare(t, "x", 4, TRACE_HEX));
    trace_upscope(t);
    trace_declare(t, "n", 8, TRACE_DECIMAL);
    trace_declare(t, "one", 1, TRACE_BINARY);
    trace_hide(t, trace_declare(t, "y", 1, TRACE_BINARY));
    trace_declare(t, "text", 0, TRACE_STRING);
    struct error e = {0};
    /* 1,000 pixels, 5 times 200, for 2,560,000 ps: 2^9 · 1000 ps in 200 pixels, and log2(512000) = 18.965784
     */
    assert_true(trace_write_view(t, 500000, 3060000, &e));
    size_t size;
    char *text = contents("view.gtkw", &size);
    assert_string_equal(
        text, "[dumpfile] \"view.fst\"\n[timestart] 500000\n[size] 1600 900\n[pos] -1 -1\n"
              "*-18.965784 500000 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 "
              "-1 -1 -1 -1\n[sst_width] 200\n[signals_width] 360\n[sst_expanded] 0\n"
              "@800200\n-top\n@800200\n-warp0\n@22\ntop.warp0.pc[31:0]\n@100000028\n"
              "top.warp0.state[1:0]\n@1000200\n-warp0\n@24\ntop.n[7:0]\n@28\ntop.one\n@820\n"
              "top.text\n@1000200\n-top\n");
    free(text);
    close_trace(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_and_times),
        cmocka_unit_test(test_same_input_same_bytes),
        cmocka_unit_test(test_every_change_across_flushes),
        cmocka_unit_test(test_killed_is_readable_to_the_last_flush),
        cmocka_unit_test(test_panic_closes_the_part),
        cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_empty_trace_and_late_first_value),
        cmocka_unit_test(test_misuse_is_a_panic),
        cmocka_unit_test(test_view),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
