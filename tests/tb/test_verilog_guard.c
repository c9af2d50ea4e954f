/* Effects of a user's Verilog, and of C that it imports, on the process: endless execution, exit, crash. Each
 * ends with status 121 and a message with block, place and file. One design contains them all, selected by
 * ACT, so that it is built once. */
#include "sim/error.h"
#include "tests/tb/rtl_text.h"

#include <stdlib.h>

static const char design[] = "\n  import \"DPI-C\" function int act(input int place);\n"
                             "  logic tick = 0;\n"
                             "  initial if (act(0) == 1) forever #5 tick = ~tick;\n"
                             "  int n;\n"
                             "  always_comb begin\n"
                             "    n = 0;\n"
                             "    if (ready_i[0] && act(1) == 2) while (n < 3) n = n * 2;\n"
                             "  end\n"
                             "endmodule";

static const char functions[] =
    "#include <signal.h>\n#include <stdlib.h>\n#include <string.h>\n" /* 1 to 3 */
    "static volatile int x;\n"
    "static int deep(int n) { volatile char a[4096]; a[n & 1] = 1; return n < 0 ? "
    "0 : deep(n + 1) + a[n & 1]; }\n"
    "int act(int place) {\n"
    "    static int (*volatile nowhere)(void);\n"
    "    static int calls;\n"
    "    const int what = getenv(\"ACT\") ? atoi(getenv(\"ACT\")) : 0;\n"
    "    if (what == place + 1) return what;\n"
    "    if (what == 4 && place == 0) while (1) x++;\n" /* line 11 */
    "    if (place != 1 || ++calls < 50) return 0;\n"
    "    if (what == 5) while (1) x++;\n"
    "    if (what == 6) exit(0);\n"
    "    if (what == 7) *(volatile char *)(long)(x + 8) = 1;\n"
    "    if (what == 8) return deep(1);\n"
    "    if (what == 9) abort();\n"
    "    if (what == 10) return nowhere() + 1;\n"
    "    if (what == 11) memset((void *)(long)(x + 8), x, 100 + x);\n"
    "    if (what == 12) return 100 / x;\n"
    "    return 0;\n"
    "}\n";

static void write_design(void) {
    char *text = rtl_text_change(rtl_text("warp_scheduler"), "endmodule", design);
    write_file("act.sv", text);
    write_file("act.c", functions);
    free(text);
}

#define RTL "warp_scheduler=replace:act.sv,act.c,-Wno-fatal"

static struct spawned test_block(unsigned what) {
    char *act = spawn_text("ACT=%u", what);
    struct spawned s =
        spawn(fixture_folder, (char *[]){"env", act, "LOCKSTEP_RTL_OPTIMIZE=1", fixture_command, "rtl-test",
                                         RTL, "--rtl-limit", "1", "--cycles", "1000", NULL});
    free(act);
    return s;
}

static void test_a_block_alone(void **state) {
    (void)state;
    static const struct {
        const char *says, *where; /* act.c's lines are those of `functions` */
    } acts[] = {
        [1] = {"does not come to an end: it has worked for 1 s of processor time without a cycle "
               "(--rtl-limit=1)",
               "an initial block, before its first cycle"},
        [2] = {"does not come to an end", "cycle"},
        [4] = {"does not come to an end",
               "act.c:11 (act), called by an initial block, before its first cycle"},
        [5] = {"does not come to an end", "act.c:13 (act), called by "},
        [6] = {"has called exit()", "act.c:14 (act), called by "},
        [7] = {"has crashed: signal 11 (Segmentation fault)", "act.c:15 (act), called by "},
        [8] = {"has crashed: signal 11 (Segmentation fault)", "act.c:5 (deep), called by "},
        [9] = {"has crashed: signal 6 (Aborted)", "act.c:17 (act), called by "},
        [10] = {"has crashed: signal 11 (Segmentation fault)", "act.c:18 (act), called by "},
        [11] = {"has crashed: signal 11 (Segmentation fault)", "act.c:19 (act), called by "},
        [12] = {"has crashed: signal 8 (Floating point exception)", "act.c:20 (act), called by "},
    };
    write_design();
    struct spawned s = test_block(0);
    if (s.status) fail_msg("%s", s.err);
    spawn_free(&s);
    for (unsigned n = 1; n < sizeof acts / sizeof *acts; n++) {
        if (!acts[n].says) continue;
        s = test_block(n);
        if (s.status != EXIT_TWINS_DISAGREE) fail_msg("act %u: status %d: %s", n, s.status, s.err);
        assert_says(s.err, "lockstep: the Verilog of warp_scheduler ");
        assert_says(s.err, acts[n].says);
        assert_says(s.err, "\n  where      ");
        assert_says(s.err, acts[n].where);
        assert_says(s.err, "/lockstep rtl-test ");
        spawn_free(&s);
    }
}

/* With a waveform, which is closed as when the simulator itself fails. */
static void test_a_run(void **state) {
    (void)state;
    static const char *const says[] = {
        [5] = "does not come to an end", [6] = "has called exit()", [7] = "has crashed: signal 11"};
    char *program = fixture_host("vector_add");
    write_design();
    for (unsigned n = 5; n < 8; n++) {
        char *act = spawn_text("ACT=%u", n);
        struct spawned s =
            spawn(fixture_folder, (char *[]){"env", act, "LOCKSTEP_RTL_OPTIMIZE=1", fixture_command, "run",
                                             "--quiet", "--rtl", RTL, "--rtl-limit=1", "--trace", "t.fst",
                                             "--stats", "s.json", "--", program, NULL});
        if (s.status != EXIT_TWINS_DISAGREE) fail_msg("act %u: status %d: %s", n, s.status, s.err);
        assert_says(s.err, "lockstep: the Verilog of warp_scheduler ");
        assert_says(s.err, says[n]);
        assert_says(s.err, "/lockstep run ");
        assert_exists("t.fst.part", true);
        assert_exists("t.fst", false);
        assert_exists("s.json", false);
        spawn_free(&s);
        free(act);
    }
    free(program);
}

static void test_the_limit(void **state) {
    (void)state;
    struct spawned s = LOCKSTEP("run", "--rtl-limit=5", "--", "true");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--rtl-limit says how long Verilog may work without a cycle, but --rtl is off");
    spawn_free(&s);
    s = LOCKSTEP("rtl-test", "warp_scheduler=check", "--rtl-limit=0");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "--rtl-limit 0: a number is needed, 1 to 86400");
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_a_block_alone), TEST(test_a_run), TEST(test_the_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
