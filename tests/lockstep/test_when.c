/* `lockstep run --when`: a condition that is evaluated during the run holds when `lockstep waves --when` says
 * that it does. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Returns the text from a place on up to the end of the line. */
static char *line_from(const char *text, const char *place) {
    const char *at = strstr(text, place);
    if (!at) fail_msg("no '%s' in:\n%s", place, text);
    return strndup(at, strcspn(at, "\n"));
}

static void assert_same(char *option, char *value, const char *benchmark, char *condition, bool holds) {
    char *program = spawn_text("%s/benchmarks/%s", spawn_build(), benchmark);
    struct spawned run =
        LOCKSTEP("run", option, value, "--when", condition, "--record", "t.lsr", "--", program);
    struct spawned alone = LOCKSTEP("run", option, value, "--when", condition, "--", program);
    struct spawned waves = LOCKSTEP("waves", "t.lsr", "--when", condition, "-o", "w.fst");
    assert_status(&run, 0);
    assert_status(&alone, 0);
    char *said = line_from(run.err, "  condition  ");
    assert_says(alone.err, said);
    if (holds) {
        char *found = line_from(waves.err, "first in cycle "), *first, cycle[32] = "", *times;
        first = strndup(found, strcspn(found, ";"));
        times = strndup(strstr(found, "begins to hold "), strcspn(strstr(found, "begins to hold "), ","));
        assert_says(said, first);
        for (const char *c = first + strlen("first in cycle "); *c; ++c)
            if (*c != ',') strncat(cycle, c, 1);
        assert_true(strlen(times) > strlen("begins to hold "));
        assert_says(said, times);
        char *look = spawn_text("lockstep waves t.lsr --at %s\n", cycle);
        assert_says(run.err, look);
        assert_says(run.err, "lockstep: the condition of --when holds first in cycle ");
        free(look);
        free(times);
        free(first);
        free(found);
    } else {
        assert_says(said, ": it never holds");
        assert_says(waves.err, ": it never holds");
    }
    free(said);
    spawn_free(&run);
    spawn_free(&alone);
    spawn_free(&waves);
    free(program);
}

static void test_base_machine(void **state) {
    (void)state;
    assert_same("--mode", "simt", "reduction", "rose(barrier_table.opens_o)", true);
    assert_same("--mode", "simt", "reduction",
                "warp2.now == \"barrier\" && warp3.now != \"barrier\" for 20 cycles", true);
    assert_same("--mode", "simt", "reduction", "cycle == 1234567 || kernel == \"none\"", true);
    assert_same("--mode", "simt", "reduction", "warp0.pc == 4", false);
}

/* Windows of many launches, and launches of which a part is evaluated before their ends. */
static void test_long_launches(void **state) {
    (void)state;
    assert_same("--mode", "simt", "hotspot", "warp1.now == \"memory\" && warp2.now == \"rounds start\"",
                true);
    assert_same("--config", "gtx285-like", "hotspot", "cluster3.warp1.now == 10 for 100 cycles", true);
}

static void test_mimd_mode(void **state) {
    (void)state;
    assert_same("--mode", "mimd", "reduction", "core1.state == \"waits\" for 30 cycles", true);
}

/* The message comes while the kernel runs, which never ends. */
static void test_endless_run(void **state) {
    (void)state;
    char *program = fixture_host("endless"), *errors = fixture_path("errors");
    char *line = spawn_text("'%s' run --when 'rose(warp0.now == \"fetch\")' -- '%s' --one 2>'%s'",
                            fixture_command, program, errors);
    struct spawned s =
        spawn_start(fixture_folder, false, (char *[]){"sh", "-c", spawn_text("exec %s", line), NULL});
    bool said = false;
    for (int i = 0; i < 6000 && !said; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        char *text = spawn_read(errors);
        said = text && strstr(text, "the condition of --when holds first in cycle ");
        free(text);
    }
    assert_true(said);
    kill(s.pid, SIGINT);
    spawn_finish(&s);
    spawn_free(&s);
    char *text = spawn_read(errors);
    assert_says(text, "  condition  rose(warp0.now == \"fetch\"): it begins to hold ");
    free(text);
    free(line);
    free(errors);
    free(program);
}

/* With --threads, SMs record on several threads. */
static void test_threads(void **state) {
    (void)state;
    char *program = spawn_text("%s/benchmarks/reduction", spawn_build()), *threads[] = {"1", "4"}, *said[2];
    for (unsigned n = 0; n < 2; ++n) {
        struct spawned s = LOCKSTEP("run", "--config", "gtx285-like", "--threads", threads[n], "--when",
                                    "cluster1.warp0.now == 10", "--", program);
        assert_status(&s, 0);
        said[n] = line_from(s.err, "  condition  ");
        spawn_free(&s);
    }
    assert_string_equal(said[0], said[1]);
    free(said[0]);
    free(said[1]);
    free(program);
}

static void assert_refused(char *option, char *value, char *condition, const char *says) {
    char *program = fixture_host("vector_add");
    struct spawned s = LOCKSTEP("run", option, value, "--when", condition, "--", program);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, says);
    assert_false(strstr(s.err, "kernel launches"));
    spawn_free(&s);
    free(program);
}

static void test_wrong_words(void **state) {
    (void)state;
    assert_refused("--mode", "simt", "wap1.now == 3",
                   "no signal is called 'wap1.now' (did you mean 'warp1.now'?)");
    assert_refused("--mode", "simt", "warp1.now == \"memroy\"",
                   "warp1.now is never 'memroy'; its values are");
    assert_refused("--mode", "simt", "kernel > 3", "a text and a number are compared");
    assert_refused("--config", "gtx285-like", "warp1.now == 3", "cluster0.warp1.now");
    assert_refused("--when", "cycle == 1", "cycle == 2", "--when is given twice");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_base_machine), TEST(test_long_launches), TEST(test_mimd_mode),
        TEST(test_endless_run),  TEST(test_threads),       TEST(test_wrong_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
