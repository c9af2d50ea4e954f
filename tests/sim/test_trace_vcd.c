/* The tracer's second format. */
#include "tests/sim/trace_fixture.h"

static const char *const states[] = {"idle", "at $end", "run"};

static void write_all(const char *path) {
    struct trace *t = open_trace(path);
    trace_scope(t, "top");
    const trace_variable number = trace_declare(t, "number", 8, TRACE_HEX);
    const trace_variable bit = trace_declare(t, "bit", 1, TRACE_BINARY);
    trace_scope(t, "inner");
    const trace_variable wide = trace_declare(t, "wide", 70, TRACE_HEX);
    const trace_variable how = trace_declare_enum(t, "how", "states", 3, states);
    trace_upscope(t);
    const trace_variable real = trace_declare(t, "real", 0, TRACE_REAL);
    const trace_variable text = trace_declare(t, "text", 0, TRACE_STRING);
    const trace_variable event = trace_declare(t, "event", 0, TRACE_EVENT);
    const uint64_t words[] = {5, 1};
    trace_window(t, 0, 30);
    trace_window(t, 40, 100);
    trace_value(t, number, 0, 0);
    trace_value(t, bit, 0, 1);
    trace_value(t, number, 7, 0x16);
    trace_wide(t, wide, 7, words);
    trace_value(t, how, 7, 2);
    trace_real(t, real, 8, -0.25);
    trace_string(t, text, 8, "two words\\");
    trace_event(t, event, 9);
    trace_value(t, bit, 35, 0);
    trace_value(t, number, 50, 255);
    assert_int_equal(trace_changes(t), 8 + 6 + 0);
    trace_reach(t, 60);
    struct error e = {0};
    assert_true(trace_write_view(t, 0, 100, &e));
    close_trace(t);
}

static void test_the_whole_file(void **state) {
    (void)state;
    size_t size;
    write_all("all.vcd");
    char *text = trace_contents("all.vcd", &size);
    assert_string_equal(text,
                        "$version Lockstep $end\n$timescale 1ps $end\n"
                        "$scope module top $end\n"
                        "$var wire 8 ! number [7:0] $end\n"
                        "$var wire 1 \" bit $end\n"
                        "$scope module inner $end\n"
                        "$var wire 70 # wide [69:0] $end\n"
                        "$comment states: 0 idle, 1 at _end, 2 run $end\n"
                        "$var wire 2 $ how [1:0] $end\n"
                        "$upscope $end\n"
                        "$var real 64 % real $end\n"
                        "$var string 1 & text $end\n"
                        "$var event 1 ' event $end\n"
                        "$upscope $end\n"
                        "$enddefinitions $end\n"
                        "#0\nb0 !\n1\"\n"
                        "#7\nb10110 !\nb10000000000000000000000000000000000000000000000000000000000000101 #\n"
                        "b10 $\n"
                        "#8\nr-0.25 %\nstwo\\040words\\\\ &\n"
                        "#9\n1'\n"
                        "#31\n$dumpoff\nbx !\nx\"\nbx #\nbx $\n$end\n"
                        "#40\n$dumpon $end\nb10110 !\n0\"\n"
                        "b10000000000000000000000000000000000000000000000000000000000000101 #\n"
                        "b10 $\nr-0.25 %\nstwo\\040words\\\\ &\n"
                        "#50\nb11111111 !\n"
                        "#60\n");
    free(text);
    text = trace_contents("all.gtkw", &size);
    assert_non_null(strstr(text, "[dumpfile] \"all.vcd\"\n"));
    assert_non_null(strstr(text, "@24\ntop.inner.how[1:0]\n")); /* there are no names to show */
    free(text);
}

/* Removes the bit ranges from the names, since an FST's names do not contain them. */
static void drop_ranges(char *text) {
    for (char *at; (at = strstr(text, " ["));) memmove(at, strchr(at, ']') + 1, strlen(strchr(at, ']')));
}

/* Compares with the output of GTKWave's converter. */
static void test_vcd_and_fst_say_the_same(void **state) {
    (void)state;
    write_all("all.vcd");
    write_all("all.fst");
    assert_int_equal(system("vcd2fst all.vcd converted.fst >/dev/null 2>&1"), 0);
    char *fst = trace_list("all.fst"), *vcd = trace_list("converted.fst");
    drop_ranges(vcd);
    static const char *const same[] = {"0 bit=1\n",   "7 how=10\n", "7 number=00010110\n", "8 real=-0.25\n",
                                       "9 event=1\n", "40 bit=0\n", "50 number=11111111\n"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        if (!strstr(fst, same[i])) fail_msg("the FST does not say %s", same[i]);
        if (!strstr(vcd, same[i])) fail_msg("the VCD does not say %s", same[i]);
    }
    free(fst);
    free(vcd);
}

/* Codes of one, two and three characters: no two are alike. */
static void test_many_variables(void **state) {
    (void)state;
    enum { N = 9000 };
    struct trace *t = open_trace("many.vcd");
    static trace_variable v[N];
    for (unsigned i = 0; i < N; i++) {
        char name[16];
        snprintf(name, sizeof name, "v%u", i);
        v[i] = trace_declare(t, name, 16, TRACE_HEX);
    }
    for (unsigned i = 0; i < N; i++) trace_value(t, v[i], i, i);
    close_trace(t);
    size_t size;
    char *text = trace_contents("many.vcd", &size), *rest = text, *line;
    static char codes[N][5];
    unsigned declared = 0, changed = 0;
    while ((line = strsep(&rest, "\n"))) {
        char code[8], digits[32];
        if (sscanf(line, "$var wire 16 %4s v%*u", codes[declared]) == 1)
            declared++;
        else if (sscanf(line, "b%31s %7s", digits, code) == 2) {
            const unsigned long i = strtoul(digits, NULL, 2);
            assert_string_equal(code, codes[i]);
            changed++;
        }
    }
    assert_int_equal(declared, N);
    assert_int_equal(changed, N);
    for (unsigned i = 1; i < N; i++) assert_string_not_equal(codes[i], codes[i - 1]);
    assert_int_equal(strlen(codes[93]), 1);
    assert_int_equal(strlen(codes[94]), 2);
    assert_int_equal(strlen(codes[N - 1]), 3);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_whole_file),
        cmocka_unit_test(test_vcd_and_fst_say_the_same),
        cmocka_unit_test(test_many_variables),
    };
    return cmocka_run_group_tests(tests, trace_enter, trace_leave);
}
