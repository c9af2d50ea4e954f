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

#include "tests/sim/trace_long.h"

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
    trace_string(t, text, 334, "gone");           /* same time as the next value: not visible */
    trace_string(t, text, 334, "");
    trace_value(t, how, 334, 0);
    trace_value(t, how, 334, 2); /* the last value of a time is kept */
    trace_value(t, bit, 334, 0);
    trace_value(t, bit, 334, 1); /* back to the previous value: no change */
    trace_string(t, text, 1000, "b");
    trace_string(t, text, 1000, ""); /* back to the previous value: no change */
    trace_value(t, wide, 1000000000000000, UINT64_MAX);
    trace_value(t, other, 1000000000000000, 0);
    assert_int_equal(trace_changes(t), 8); /* those of 10^15 ps are written at the end */
    assert_int_equal(access("values.fst", F_OK), -1);
    assert_int_equal(access(trace_part("values.fst", getpid(), ""), F_OK), 0);
    close_trace(t);
    assert_int_equal(access(trace_part("values.fst", getpid(), ""), F_OK), -1);
    assert_int_equal(access(trace_part("values.fst", getpid(), ".hier"), F_OK), -1);

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

/* Two parts of a model, one ahead of the other: held values are written in the order of times, with their
 * values at the time of the call. */
static void test_held_values(void **state) {
    (void)state;
    struct trace *t = open_trace("held.fst");
    const trace_variable a = trace_declare(t, "a", 8, TRACE_HEX), b = trace_declare(t, "b", 0, TRACE_STRING),
                         c = trace_declare(t, "c", 70, TRACE_BINARY),
                         d = trace_declare(t, "d", 0, TRACE_EVENT);
    const uint64_t wide[2] = {5, 0};
    char text[8] = "one";
    trace_hold(t);
    for (unsigned n = 0; n < 4; ++n) trace_value(t, a, 10 * n, n);
    trace_string(t, b, 0, text);
    strcpy(text, "two");
    trace_string(t, b, 25, text);
    trace_wide(t, c, 15, wide);
    trace_event(t, d, 30);
    trace_release(t, 25);
    assert_int_equal(trace_changes(t), 4); /* those of 20 are written at the end */
    trace_value(t, a, 40, 4);
    trace_string(t, b, 35, "three");
    trace_value(t, a, 40, 5);
    trace_release(t, 40);
    trace_value(t, a, 50, 6);
    trace_reach(t, 60);
    close_trace(t);
    char *text_read = trace_list("held.fst");
    const char *values = strstr(text_read, "\n0 ");
    assert_non_null(values);
    assert_string_equal(values + 1,
                        "0 a=00000000\n0 b=one\n10 a=00000001\n"
                        "15 c=0000000000000000000000000000000000000000000000000000000000000000000101\n"
                        "20 a=00000010\n25 b=two\n30 a=00000011\n30 d=1\n35 b=three\n40 a=00000101\n"
                        "50 a=00000110\n");
    free(text_read);
}

static void write_long(const char *path, const struct trace_options *options, uint64_t count) {
    struct trace_long l = trace_long_open(path, options);
    trace_long_steps(&l, count);
    close_trace(l.t);
}

static void test_same_input_same_bytes(void **state) {
    (void)state;
    write_long("one.fst", NULL, 100000);
    sleep(1); /* another second on the clock */
    write_long("two.fst", NULL, 100000);
    size_t n, m;
    char *one = trace_contents("one.fst", &n), *two = trace_contents("two.fst", &m);
    assert_int_equal(n, m);
    assert_memory_equal(one, two, n);
    free(one);
    free(two);
}

static void test_every_change_in_every_packing(void **state) {
    (void)state;
    static const struct trace_options options[] = {{TRACE_LZ4, 0},
                                                   {TRACE_FASTLZ, 0},
                                                   {TRACE_ZLIB, 0},
                                                   {TRACE_LZ4, 1},
                                                   {TRACE_ZLIB, TRACE_MAX_FLUSH_CHANGES}};
    static const uint64_t steps[] = {200000, 200000, 200000, 500, 200000};
    off_t bytes[5];
    for (int i = 0; i < 5; i++) {
        struct stat file;
        write_long("long.fst", &options[i], steps[i]);
        assert_int_equal(trace_long_check("long.fst"), steps[i]);
        assert_int_equal(stat("long.fst", &file), 0);
        bytes[i] = file.st_size;
    }
    assert_true(bytes[2] < bytes[0] && bytes[2] < bytes[1]); /* ZLIB is the smallest */
}

static void test_every_kind_of_value(void **state) {
    (void)state;
    struct trace *t = open_trace("kinds.fst");
    const trace_variable real = trace_declare(t, "real", 0, TRACE_REAL);
    const trace_variable wide = trace_declare(t, "wide", 70, TRACE_HEX);
    const trace_variable narrow = trace_declare(t, "narrow", 3, TRACE_HEX);
    const trace_variable event = trace_declare(t, "event", 0, TRACE_EVENT);
    const uint64_t one[] = {1, 0}, high[] = {0, 0x21}, five[] = {5};
    trace_real(t, real, 5, 0.1);
    trace_wide(t, wide, 5, one);
    trace_wide(t, narrow, 5, five); /* a vector of one word */
    trace_event(t, event, 5);
    trace_real(t, real, 6, 0.1);
    trace_wide(t, wide, 6, one);
    trace_event(t, event, 6);
    trace_event(t, event, 6); /* several at one time are one */
    trace_real(t, real, 7, -1e300);
    trace_wide(t, wide, 7, high);
    trace_wide(t, wide, 8, one);
    trace_wide(t, wide, 8, high); /* back to the previous value: no change */
    trace_real(t, real, 9, 0.0);
    assert_int_equal(trace_changes(t), 7);
    close_trace(t);
    char *text = trace_list("kinds.fst");
    char expected[1024];
    snprintf(expected, sizeof expected,
             "\nreal:8 wide:70 narrow:3 event:1 \n"
             "5 event=1\n5 narrow=101\n5 real=0.1\n5 wide=%069d1\n"
             "6 event=1\n"
             "7 real=-1e+300\n7 wide=100001%064d\n"
             "9 real=0\n",
             0, 0);
    char *changes = strstr(text, "\nreal:8");
    assert_non_null(changes);
    /* fstapi reads reals with 16 digits */
    assert_string_equal(changes, expected);
    free(text);
}

/* Larger than the blocks passed to the writer. */
static void test_very_wide(void **state) {
    (void)state;
    enum { WIDTH = 1 << 20, WORDS = WIDTH / 64, LENGTH = 300000 };
    uint64_t *words = calloc(WORDS, sizeof *words);
    char *string = malloc(LENGTH + 1);
    memset(string, 'y', LENGTH);
    string[LENGTH] = 0;
    struct trace *t = open_trace("wide.fst");
    const trace_variable v = trace_declare(t, "v", WIDTH, TRACE_HEX), n = trace_declare(t, "n", 8, TRACE_HEX),
                         s = trace_declare(t, "s", 0, TRACE_STRING);
    for (uint64_t i = 0; i < 10; i++) {
        words[i * 1000] = i + 1;
        trace_value(t, n, i, i);
        trace_wide(t, v, i, words);
        string[i] = 'x';
        trace_string(t, s, i, string);
    }
    close_trace(t);
    void *reader = fstReaderOpen("wide.fst");
    char *buffer = malloc(WIDTH + 1);
    for (uint64_t i = 0; i < 10; i++) {
        const char *digits = fstReaderGetValueFromHandleAtTime(reader, i, 1, buffer);
        assert_int_equal(strlen(digits), WIDTH);
        unsigned ones = 0;
        for (int d = 0; d < WIDTH; d++) ones += digits[d] == '1';
        unsigned expected = 0;
        for (uint64_t k = 0; k <= i; k++) expected += (unsigned)__builtin_popcountll(k + 1);
        assert_int_equal(ones, expected);
        assert_int_equal(digits[WIDTH - 1], '1');
    }
    fstReaderClose(reader);
    free(buffer);
    free(string);
    free(words);
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
    text = trace_contents("panic.txt", &size);
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
    assert_int_equal(access(trace_part("taken.fst", getpid(), ""), F_OK), -1);
}

static void test_empty_trace_and_late_first_value(void **state) {
    (void)state;
    struct error e = {0};
    assert_false(trace_close(open_trace("empty.fst"), &e));
    assert_string_equal(e.message, "nothing was traced, so there is no trace 'empty.fst'");
    assert_int_equal(access("empty.fst", F_OK), -1);
    assert_int_equal(access(trace_part("empty.fst", getpid(), ""), F_OK), -1);
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
static void late_window(struct trace *t, trace_variable v) {
    trace_window(t, v + 100, 200);
}
static void too_wide(struct trace *t) {
    trace_declare(t, "w", (1 << 20) + 1, TRACE_HEX);
}
static void no_width(struct trace *t) {
    trace_declare(t, "w", 0, TRACE_DECIMAL);
}
static void too_large(struct trace *t) {
    trace_value(t, trace_declare(t, "w", 4, TRACE_HEX), 0, 16);
}
static void too_large_wide(struct trace *t) {
    const uint64_t words[] = {0, 2};
    trace_wide(t, trace_declare(t, "w", 65, TRACE_HEX), 0, words);
}
static void number_for_wide(struct trace *t) {
    trace_value(t, trace_declare(t, "w", 65, TRACE_HEX), 0, 1);
}
static void real_for_number(struct trace *t) {
    trace_real(t, trace_declare(t, "w", 64, TRACE_HEX), 0, 1);
}
static void event_for_real(struct trace *t) {
    trace_event(t, trace_declare(t, "w", 0, TRACE_REAL), 0);
}
static void window_backwards(struct trace *t) {
    trace_window(t, 5, 4);
}
static void windows_overlap(struct trace *t) {
    trace_window(t, 5, 10);
    trace_window(t, 10, 12);
}
static void upscope_at_top(struct trace *t) {
    trace_upscope(t);
}
static void scope_in_group(struct trace *t) {
    trace_group(t, "g");
    trace_scope(t, "s");
}
static void group_in_group(struct trace *t) {
    trace_group(t, "g");
    trace_group(t, "h");
}
static void no_group(struct trace *t) {
    trace_end_group(t);
}
static int panic_status(void (*f)(struct trace *t)) {
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        f(open_trace("panics.fst"));
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

static void test_misuse_is_a_panic(void **state) {
    (void)state;
    assert_int_equal(panics(fine), 0);
    assert_int_equal(panics(back_in_time), EXIT_INTERNAL);
    assert_int_equal(panics(without_name), EXIT_INTERNAL);
    assert_int_equal(panics(undeclared), EXIT_INTERNAL);
    assert_int_equal(panics(text_for_number), EXIT_INTERNAL);
    assert_int_equal(panics(declared_late), EXIT_INTERNAL);
    assert_int_equal(panics(late_window), EXIT_INTERNAL);
    void (*const before_the_first_value[])(struct trace *) = {
        too_wide,        no_width,       too_large,        too_large_wide,  number_for_wide,
        real_for_number, event_for_real, window_backwards, windows_overlap, upscope_at_top,
        scope_in_group,  group_in_group, no_group};
    for (size_t i = 0; i < sizeof before_the_first_value / sizeof *before_the_first_value; i++)
        if (panic_status(before_the_first_value[i]) != EXIT_INTERNAL) fail_msg("misuse %zu is accepted", i);
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
    trace_group(t, "some [of them]");
    trace_declare(t, "n", 8, TRACE_DECIMAL);
    trace_declare(t, "one", 1, TRACE_BINARY);
    trace_end_group(t);
    trace_group(t, "nothing");
    trace_hide(t, trace_declare(t, "z", 1, TRACE_BINARY));
    trace_end_group(t);
    trace_declare(t, "real", 0, TRACE_REAL);
    trace_declare(t, "event", 0, TRACE_EVENT);
    trace_hide(t, trace_declare(t, "y", 1, TRACE_BINARY));
    trace_declare(t, "text", 0, TRACE_STRING);
    struct error e = {0};
    /* 1,000 pixels, 5 times 200, for 2,560,000 ps: 2^9 · 1000 ps in 200 pixels,
     * and log2(512000) = 18.965784 */
    assert_true(trace_write_view(t, 500000, 3060000, &e));
    size_t size;
    char *text = trace_contents("view.gtkw", &size);
    assert_string_equal(
        text, "[dumpfile] \"view.fst\"\n[timestart] 500000\n[size] 1600 900\n[pos] -1 -1\n"
              "*-18.965784 500000 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 "
              "-1 -1 -1 -1\n[sst_width] 200\n[signals_width] 360\n[sst_expanded] 0\n"
              "@800200\n-top\n@800200\n-warp0\n@22\ntop.warp0.pc[31:0]\n@100000028\n"
              "top.warp0.state[1:0]\n@1000200\n-warp0\n@800200\n-some [of them]\n@24\ntop.n[7:0]\n@28\n"
              "top.one\n@1000200\n-some [of them]\n@820\ntop.real\n@28\ntop.event\n@820\n"
              "top.text\n@1000200\n-top\n");
    free(text);
    close_trace(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_held_values),
        cmocka_unit_test(test_values_and_times),
        cmocka_unit_test(test_same_input_same_bytes),
        cmocka_unit_test(test_every_change_in_every_packing),
        cmocka_unit_test(test_every_kind_of_value),
        cmocka_unit_test(test_very_wide),
        cmocka_unit_test(test_panic_closes_the_part),
        cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_empty_trace_and_late_first_value),
        cmocka_unit_test(test_misuse_is_a_panic),
        cmocka_unit_test(test_view),
    };
    return cmocka_run_group_tests(tests, trace_enter, trace_leave);
}
