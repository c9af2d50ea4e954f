/* Progress of a long command without a terminal: a line when a step begins, and further ones at intervals.
 * (test_bad_input tests a terminal.) */
#include "lockstep/output/progress.h"
#include "tests/fixture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char *said; /* standard error, after told() */

static void sleep_ms(long ms) {
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Runs body() with standard error in a file. */
static void tell(void (*body)(void), bool quiet) {
    char path[] = "/tmp/test_progress.XXXXXX";
    const int file = mkstemp(path), before = dup(STDERR_FILENO);
    dup2(file, STDERR_FILENO);
    progress_begin(quiet, 0.2);
    body();
    progress_end();
    dup2(before, STDERR_FILENO);
    close(before);
    close(file);
    free(said);
    said = spawn_read(path);
    unlink(path);
}

static unsigned lines(const char *with) {
    unsigned n = 0;
    for (const char *at = said; (at = strstr(at, with)); at++) n++;
    return n;
}

static void wait_only(void) {
    sleep_ms(700);
}

static void build_and_launch(void) {
    const struct machine_launch launch = {.kernel = "k", .global_size = {64, 1, 1}, .local_size = {8, 1, 1}};
    const struct machine_result so_far = {.cycles = 4000000, .work_groups = 2, .host_seconds = 2};
    progress_step("building %s", "it");
    sleep_ms(500);
    progress_note("%s", "");
    progress_show(NULL, &launch, &so_far);
    sleep_ms(500);
    progress_erase();
    sleep_ms(500);
}

static void tells_every_so_often(void **state) {
    (void)state;
    tell(wait_only, false);
    assert_true(
        lines("lockstep: after 0 s: no kernel runs: the program or the kernel compiler is at work\n") > 1);
    assert_int_equal(lines("\n"), lines("lockstep: after"));
}

static void tells_of_steps_and_launches(void **state) {
    (void)state;
    tell(build_and_launch, false);
    assert_int_equal(strncmp(said, "lockstep: building it\nlockstep: after 0 s: building it\n", 53), 0);
    assert_true(lines(" s: k: 4,000,000 cycles, 2 of 8 work-groups, 2.0 M cycles/s, about 6 s left\n") > 0);
    assert_true(lines(" s: no kernel runs") > 0);
    assert_int_equal(lines("\r"), 0);
}

static void quiet_says_nothing(void **state) {
    (void)state;
    tell(build_and_launch, true);
    assert_string_equal(said, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_every_so_often),
        cmocka_unit_test(tells_of_steps_and_launches),
        cmocka_unit_test(quiet_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
