/* The help of the commands, and that tests use every flag that it shows. */
#include "sim/error.h"
#include "tests/lockstep/command_line.h"

#include <stdlib.h>
#include <string.h>

static void test_help(void **state) {
    (void)state;
    assert_works(LOCKSTEP("--help"), "Usage: lockstep [OPTION...] COMMAND [ARGUMENT...]\n");
    assert_works(LOCKSTEP("-?"), "Usage: lockstep [OPTION...] COMMAND [ARGUMENT...]\n");
    assert_works(LOCKSTEP("--usage"), "Usage: lockstep [");
    assert_works(LOCKSTEP("help"), "Usage: lockstep [OPTION...] COMMAND [ARGUMENT...]\n");
    assert_works(LOCKSTEP("help", "run"), "Usage: lockstep run [OPTION...] PROGRAM [ARGUMENT...]\n");
    assert_works(LOCKSTEP("run", "--usage"), "Usage: lockstep run [");
    assert_works(LOCKSTEP("help", "compare"), "Usage: lockstep compare [OPTION...] PROGRAM [ARGUMENT...]\n");
    assert_works(LOCKSTEP("help", "explain"), "Usage: lockstep explain [OPTION...] PROGRAM [ARGUMENT...]\n");
    assert_works(LOCKSTEP("help", "config"), "Usage: lockstep config [OPTION...] [--describe [FIELD...]]\n");
    assert_works(LOCKSTEP("help", "area"), "Usage: lockstep area [OPTION...]\n");
    assert_works(LOCKSTEP("help", "energy"), "Usage: lockstep energy [OPTION...] STATS.json\n");
    assert_works(LOCKSTEP("help", "explore"), "Usage: lockstep explore [OPTION...] SWEEP.yaml\n");
    assert_works(LOCKSTEP("help", "report"), "Usage: lockstep report [OPTION...] DIR\n");
    assert_works(LOCKSTEP("help", "serve"), "Usage: lockstep serve [OPTION...]\n");
    assert_fails(LOCKSTEP("help", "me"), EXIT_USER, "no command is called 'me'");
    assert_fails(LOCKSTEP("help", "me"), EXIT_USER,
                 "rtl-test, rtl-lint, serve, synthesis-results, help; rtl is a topic, too");
}

/* At most 80 lines, grouped by task; names of blocks are a separate topic. */
static void test_help_of_run_is_short(void **state) {
    (void)state;
    static const char *const groups[] = {
        "Machine:", "Execution:", "Waveforms and statistics:", "Counters:", "Checks:", "Verilog"};
    struct spawned s = LOCKSTEP("run", "--help");
    unsigned lines = 0;
    const char *at = s.out;
    for (const char *c = s.out; *c; c++) lines += *c == '\n';
    assert_in_range(lines, 40, 80);
    for (size_t n = 0; n < sizeof groups / sizeof *groups; n++) {
        const char *group = strstr(at, groups[n]);
        if (!group) fail_msg("no group '%s' here:\n%s", groups[n], at);
        at = group;
    }
    spawn_free(&s);
    assert_works(LOCKSTEP("help", "rtl"), "  warp_pc_arbiter\n");
    assert_works(LOCKSTEP("help", "rtl"), "  snoop_directory\n");
}

static void test_help_has_examples(void **state) {
    (void)state;
    assert_works(LOCKSTEP("--help"), "Examples:\n");
    assert_works(LOCKSTEP("run", "--help"), "Examples:\n");
    assert_works(LOCKSTEP("compare", "--help"), "Examples:\n");
    assert_works(LOCKSTEP("explain", "--help"), "Examples:\n");
    assert_works(LOCKSTEP("config", "--help"), "Examples:\n");
    assert_works(LOCKSTEP("area", "--help"), "Examples:\n");
    assert_works(LOCKSTEP("energy", "--help"), "Examples:\n");
    assert_works(LOCKSTEP("explore", "--help"), "Examples:\n");
    assert_works(LOCKSTEP("serve", "--help"), "Examples:\n");
}

/* Asserts that `used`, a line for each flag that a source of the tests names, has the flags of a command's
 * help. */
static void assert_flags_used(const char *used, char *command) {
    struct spawned s = LOCKSTEP(command, "--help");
    char *options = strdup(s.out), *rest = options, *line;
    *strstr(options, "Print program version") = '\0'; /* followed by examples */
    unsigned flags = 0;
    while ((line = strsep(&rest, "\n"))) {
        char *flag = strstr(line, "--");
        if (!flag || flag > line + 6) continue;
        flag[strcspn(flag, "=[ ")] = '\0';
        char *whole = spawn_text("\n%s\n", flag);
        if (!strstr(used, whole)) fail_msg("%s %s is in the help, but no test uses it", command, flag);
        free(whole);
        flags++;
    }
    assert_in_range(flags, 4, 41);
    free(options);
    spawn_free(&s);
}

static void test_every_flag_is_used(void **state) {
    (void)state;
    char *search =
        spawn_text("echo && cd '%s' && grep -rhoE -e '--[a-z][a-z-]*' --include='*.c' tests", spawn_source());
    struct spawned used = spawn(fixture_folder, (char *[]){"sh", "-c", search, NULL});
    assert_int_equal(used.status, 0);
    static char *const commands[] = {"run",
                                     "rtl-test",
                                     "rtl-lint",
                                     "compare",
                                     "cc",
                                     "config",
                                     "explain",
                                     "area",
                                     "energy",
                                     "explore",
                                     "serve",
                                     "waves",
                                     "timeline",
                                     "log",
                                     "diff",
                                     "why",
                                     "report",
                                     "figures",
                                     "synthesis-results"};
    for (size_t n = 0; n < sizeof commands / sizeof *commands; n++) assert_flags_used(used.out, commands[n]);
    spawn_free(&used);
    free(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_help),
        TEST(test_help_of_run_is_short),
        TEST(test_help_has_examples),
        TEST(test_every_flag_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
