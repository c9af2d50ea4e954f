/* Traces of some times only. */
#include "tests/sim/trace_fixture.h"

static void set_blackout(void *reader, char *out, size_t size) {
    *out = 0;
    for (uint32_t i = 0; i < fstReaderGetNumberDumpActivityChanges(reader); i++)
        snprintf(out + strlen(out), size - strlen(out), "%lu:%d ",
                 fstReaderGetDumpActivityChangeTime(reader, i),
                 fstReaderGetDumpActivityChangeValue(reader, i));
}

static void test_windows(void **state) {
    (void)state;
    struct trace *t = open_trace("windows.fst");
    const trace_variable a = trace_declare(t, "a", 8, TRACE_HEX), s = trace_declare(t, "s", 0, TRACE_STRING),
                         event = trace_declare(t, "e", 0, TRACE_EVENT),
                         never = trace_declare(t, "n", 8, TRACE_HEX);
    trace_window(t, 10, 20);
    trace_window(t, 21, 21);
    trace_window(t, 40, 50);
    trace_window(t, 60, UINT64_MAX);
    trace_value(t, a, 3, 3);
    trace_string(t, s, 3, "text");
    trace_event(t, event, 9); /* an event has no value to begin with */
    trace_value(t, a, 12, 12);
    trace_value(t, a, 20, 20);
    trace_event(t, event, 20);
    trace_value(t, a, 21, 21);
    trace_value(t, a, 22, 22); /* between windows */
    trace_string(t, s, 39, "other");
    trace_string(t, s, 40, "third"); /* the last of one time */
    trace_value(t, a, 55, 55);
    trace_value(t, a, 56, 22);
    trace_reach(t, 70);
    close_trace(t);
    void *reader = fstReaderOpen("windows.fst");
    char blackout[256];
    set_blackout(reader, blackout, sizeof blackout);
    assert_int_equal(fstReaderGetEndTime(reader), 70);
    fstReaderClose(reader);
    assert_string_equal(blackout, "21:0 21:1 22:0 40:1 51:0 60:1 ");
    char *text = trace_list("windows.fst");
    assert_string_equal(strstr(text, "\na:8"), "\na:8 s:0 e:1 n:8 \n"
                                               "10 a=00000011\n10 s=text\n"
                                               "12 a=00001100\n"
                                               "20 a=00010100\n20 e=1\n"
                                               "21 a=00010101\n21 s=text\n"
                                               "40 a=00010110\n40 s=third\n"
                                               "60 a=00010110\n60 s=third\n");
    free(text);
    (void)never;
}

static void test_empty_windows_are_errors(void **state) {
    (void)state;
    struct error e = {0};
    struct trace *t = open_trace("window.fst");
    trace_variable a = trace_declare(t, "a", 8, TRACE_HEX);
    trace_window(t, 5, 10);
    trace_window(t, 1000, 2000);
    trace_value(t, a, 3, 3);
    trace_value(t, a, 999, 4); /* constant in the first window, which is not empty */
    assert_false(trace_close(t, &e));
    assert_int_equal(e.status, EXIT_USER);
    assert_string_equal(e.message,
                        "the trace 'window.fst' has nothing to show from 1000 to 2000 ps: the last "
                        "value is of 999 ps");
    char *text = trace_list("window.fst"); /* written data are kept */
    assert_non_null(strstr(text, "\n5 a=00000011\n"));
    free(text);
    e = (struct error){0};
    t = open_trace("window.fst");
    a = trace_declare(t, "a", 8, TRACE_HEX);
    trace_window(t, 5, 10);
    assert_false(trace_close(t, &e));
    assert_non_null(strstr(e.message, "has nothing to show from 5 to 10 ps"));
    e = (struct error){0};
    t = open_trace("window.fst");
    a = trace_declare(t, "a", 8, TRACE_HEX);
    trace_window(t, 5, 10);
    trace_value(t, a, 2, 1);
    trace_reach(t, 5);
    assert_true(trace_close(t, &e));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_empty_windows_are_errors),
    };
    return cmocka_run_group_tests(tests, trace_enter, trace_leave);
}
