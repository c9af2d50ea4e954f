/*
 * What this computer, not the program nor Lockstep, does not have: memory, room on a disk. The run says so
 * and ends with 125; it never calls that a mistake of its own, and never crashes.
 */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs vector_add on a large machine with so much address space, none of its kernels built before; its exit
 * status. 127: not even the loader had enough. */
static int run_within(unsigned megabytes, char **said) {
    char *program = fixture_host("vector_add");
    char *line = spawn_text("ulimit -v %u; rm -rf cache; LOCKSTEP_CACHE=$PWD/cache exec %s run --config "
                            "%s/configs/dual-mode-32x4.yaml -- %s",
                            megabytes << 10, fixture_command, spawn_source(), program);
    struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", line, NULL});
    *said = strdup(s.err);
    spawn_free(&s);
    free(line);
    free(program);
    return s.status;
}

static void test_too_little_memory(void **state) {
    (void)state;
    unsigned refused = 0;
    for (unsigned megabytes = 12; megabytes <= 400; megabytes += megabytes / 4) {
        char *said;
        const int status = run_within(megabytes, &said);
        const bool explained =
            strstr(said, "memory") || strstr(said, "no thread left") || strstr(said, "does not start");
        if (strstr(said, "internal error") || (status == EXIT_USER && !explained) ||
            (status != EXIT_SOUND && status != EXIT_USER && status != 127))
            fail_msg("with %u MB exit status %d:\n%s", megabytes, status, said);
        refused += status == EXIT_USER;
        free(said);
    }
    assert_true(refused > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_too_little_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
