/* scripts/test must see every kind of failure: stand-in test programs, in shell, that print what cmocka
 * prints. */
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define PASSING "echo '[==========] 3 test(s) run.'; echo '[  PASSED  ] 3 test(s).'\n"
#define FAILING                                                                                              \
    "echo the reason; echo '[  PASSED  ] 2 test(s).'; echo '[  FAILED  ] 1 test(s), listed below:'\n"        \
    "echo '[  FAILED  ] test_x'; exit 1\n"

static char *folder; /* stands in for build/ */

static int begin(void **state) {
    (void)state;
    folder = spawn_folder();
    char *tests = spawn_text("%s/tests", folder);
    mkdir(tests, 0755);
    free(tests);
    return 0;
}

static int end(void **state) {
    (void)state;
    spawn_remove_folder(folder);
    return 0;
}

/* Adds a program under a name that the sources have, as scripts/test wants it. */
static void add(const char *name, const char *script) {
    char *path = spawn_text("%s/tests/%s", folder, name), *text = spawn_text("#!/bin/sh\n%s", script);
    spawn_write(path, text);
    chmod(path, 0755);
    free(path);
    free(text);
}

/* Runs scripts/test; its last line must be `closing`, and `part` in what it printed (NULL: not asked). */
static void assert_closes(int status, const char *closing, const char *part) {
    char *line = spawn_text("B='%s' TEST_LIMIT_SECONDS=2 '%s/scripts/test' 2>&1", folder, spawn_source());
    struct spawned s = spawn(folder, (char *[]){"sh", "-c", line, NULL});
    char *last = s.out + strlen(s.out);
    if (last > s.out) last--;
    while (last > s.out && last[-1] != '\n') last--;
    if (strcmp(last, closing) != 0) fail_msg("the last line is not '%s':\n%s", closing, s.out);
    if (part && !strstr(s.out, part)) fail_msg("'%s' is not in:\n%s", part, s.out);
    assert_int_equal(s.status, status);
    spawn_free(&s);
    free(line);
}

static void test_all_pass(void **state) {
    (void)state;
    add("test_report", PASSING);
    add("test_scripts", "echo '[  PASSED  ] 1 test(s).'; " PASSING);
    assert_closes(0, "7 passed, 0 failed\n", "test_scripts");
}

static void test_one_fails(void **state) {
    (void)state;
    add("test_report", FAILING);
    add("test_scripts", PASSING);
    assert_closes(1, "5 passed, 1 failed\n", "    the reason\n");
}

static void test_a_crash_is_a_failure(void **state) {
    (void)state;
    add("test_report", "echo last words; kill -SEGV $$\n");
    add("test_scripts", PASSING);
    assert_closes(1, "3 passed, 1 failed\n", "killed by signal 11");
}

static void test_a_crash_after_passing_is_a_failure(void **state) {
    (void)state;
    add("test_report", PASSING "kill -ABRT $$\n");
    assert_closes(1, "3 passed, 1 failed\n", "killed by signal 6");
}

static void test_exit_status_counts(void **state) {
    (void)state;
    add("test_report", PASSING "exit 1\n");
    assert_closes(1, "3 passed, 1 failed\n", "exit status 1");
}

static void test_no_test_in_a_program_is_a_failure(void **state) {
    (void)state;
    add("test_report", "exit 0\n");
    add("test_scripts", PASSING);
    assert_closes(1, "3 passed, 1 failed\n", "ran no test");
}

static void test_a_hang_is_a_failure(void **state) {
    (void)state;
    add("test_report", "sleep 30\n");
    assert_closes(1, "0 passed, 1 failed\n", "did not end within 2 s");
}

static void test_no_program_is_a_failure(void **state) {
    (void)state;
    assert_closes(1, "0 passed, 0 failed\n", NULL);
    add("test_without_source", PASSING); /* left over from an older build */
    assert_closes(1, "0 passed, 0 failed\n", NULL);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_all_pass),
        TEST(test_one_fails),
        TEST(test_a_crash_is_a_failure),
        TEST(test_a_crash_after_passing_is_a_failure),
        TEST(test_exit_status_counts),
        TEST(test_no_test_in_a_program_is_a_failure),
        TEST(test_a_hang_is_a_failure),
        TEST(test_no_program_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
