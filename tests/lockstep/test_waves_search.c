/* `lockstep waves --at` and `--when`: the opening position of the view. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void record(const char *host, char *mode) {
    char *program = fixture_host(host);
    struct spawned s = LOCKSTEP("run", "--mode", mode, "--record", "t.lsr", "--", program);
    assert_status(&s, 0);
    spawn_free(&s);
    free(program);
}

/* Runs `lockstep waves t.lsr` with options; its output, or its error, must contain a text. */
static void assert_waves(char *const argv[], int status, const char *says) {
    char *line[16] = {fixture_command, "waves", "t.lsr", "-o", "w.vcd"};
    for (unsigned n = 0; argv[n]; ++n) line[n + 5] = argv[n];
    struct spawned s = spawn(fixture_folder, line);
    assert_status(&s, status);
    char *all = spawn_text("%s%s", s.out, s.err);
    assert_says(all, says);
    free(all);
    spawn_free(&s);
}

/* Returns the cycle that the view marks, at 1 GHz. */
static uint64_t marked(void) {
    char *path = fixture_path("w.gtkw"), *view = spawn_read(path);
    const char *at = strstr(view, "\n*");
    assert_non_null(at);
    const uint64_t cycle = strtoull(strchr(at, ' ') + 1, NULL, 10) / 1000;
    free(view);
    free(path);
    return cycle;
}

/* Returns the first time in the VCD at which a signal has a value, as a cycle. */
static uint64_t first_in_waves(const char *name, const char *value) {
    char *path = fixture_path("w.vcd"), *text = spawn_read(path), id[16] = "";
    char *label = spawn_text(" %s ", name), *line = strstr(text, "$scope module warp3 ");
    assert_non_null(line);
    line = strstr(line, label); /* "$var wire 4 ID now [3:0] $end" */
    assert_non_null(line);
    while (line[-1] != ' ') --line;
    sscanf(line, "%15s", id);
    char *change = spawn_text("\nb%s %s\n", value, id), *at = strstr(text, change);
    assert_non_null(at);
    while (strncmp(at, "\n#", 2) != 0) --at;
    const uint64_t cycle = strtoull(at + 2, NULL, 10) / 1000;
    free(change);
    free(label);
    free(text);
    free(path);
    return cycle;
}

static void test_when(void **state) {
    (void)state;
    record("vector_add", "simt");
    assert_waves((char *[]){"--when", "warp3.now == \"memory\"", NULL}, 0,
                 "the condition holds first in cycle ");
    assert_int_equal(marked(), first_in_waves("now", "1010"));
    const uint64_t first = marked();
    assert_waves((char *[]){"--when", "warp3.now == \"memory\" for 10 cycles", NULL}, 0, "holds first");
    assert_int_equal(marked(), first + 9);
    assert_waves((char *[]){"--when", "warp0.now == \"memory\"", "--launch", "1", NULL}, 0, "holds first");
    assert_true(marked() > 13031);
    assert_waves((char *[]){"--when", "warp3.now == 99", NULL}, EXIT_USER, "it never holds in cycles 0 to ");
    assert_waves((char *[]){"--when", "warp3.now = 9", NULL}, EXIT_USER,
                 "at character 11: the condition should");
    assert_waves((char *[]){"--when", "warp3.now == 9", "--at", "5", NULL}, EXIT_USER, "leave one out");
}

static void test_at(void **state) {
    (void)state;
    record("vector_add", "simt");
    assert_waves((char *[]){"--at", "12000", NULL}, 0, "w.vcd: cycles 2,000 to ");
    assert_int_equal(marked(), 12000);
    assert_waves((char *[]){"--at", "5", NULL}, 0, "w.vcd: cycles 0 to 19,999");
    assert_int_equal(marked(), 5);
    assert_waves((char *[]){"--at", "5000", "--cycles", "4900:5100", NULL}, 0, "cycles 4,900 to 5,100");
    assert_waves((char *[]){"--at", "4000", "--cycles", "4900:5100", NULL}, EXIT_USER, "4900 to 5100");
    assert_waves((char *[]){"--at", "99999999", NULL}, EXIT_USER, "t.lsr ends at cycle");
    assert_waves((char *[]){"--at", "-5", NULL}, EXIT_USER, "a cycle or KERNEL:LINE is needed");
    assert_waves((char *[]){"--at", "vector_add:", NULL}, EXIT_USER, "a cycle or KERNEL:LINE is needed");
    assert_waves((char *[]){"--at", "99999999999999999999", NULL}, EXIT_USER, "is needed");
}

/* A line of the kernel, in both modes: `line` is that number in the cycle that is marked. */
static void test_at_line(void **state) {
    (void)state;
    static char *const modes[] = {"simt", "mimd"};
    for (unsigned n = 0; n < 2; ++n) {
        record("vector_add", modes[n]);
        assert_waves((char *[]){"--at", "vector_adt:1", NULL}, EXIT_USER, "no such kernel ran (did you mean");
        assert_waves((char *[]){"--at", "vector_add:1000", NULL}, EXIT_USER, "the nearest that has some is ");
        struct spawned s = LOCKSTEP("waves", "t.lsr", "--at", "vector_add:1000", "-o", "w.vcd");
        char *line = strstr(s.err, "has some is ");
        assert_non_null(line);
        char *at = spawn_text("vector_add:%d", atoi(line + strlen("has some is ")));
        spawn_free(&s);
        assert_waves((char *[]){"--at", at, NULL}, 0, "w.vcd: cycles ");
        assert_true(marked() > 500);
        free(at);
    }
    struct spawned s = LOCKSTEP("timeline", "t.lsr", "--at", "5000");
    assert_status(&s, 0);
    assert_says(s.out, "cycles 0 to 19999");
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_when), TEST(test_at), TEST(test_at_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
