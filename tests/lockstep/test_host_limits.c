/* Limits of the host, not of the program nor of Lockstep: memory, stack, descriptors, disk space. The run
 * reports them and ends with 125; it never calls them an internal error, and never crashes. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs vector_add on a large machine with limited address space, without built kernels. Returns its exit
 * status; 127: too little even for the loader. */
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
    /* With 12 MB the dynamic loader has too little memory: it says so (127), or crashes before main(). */
    for (unsigned megabytes = 14; megabytes <= 400; megabytes += megabytes / 4) {
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

/* Runs a command under a limit of the shell. Returns its exit status. */
static int run_limited(const char *limit, const char *command, char **said) {
    char *program = fixture_host("vector_add");
    char *line = spawn_text("exec >out 2>err; ulimit %s; exec %s %s --quiet -- %s", limit, fixture_command,
                            command, program);
    struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", line, NULL});
    char *path = fixture_path("err");
    *said = spawn_read(path);
    const int status = s.status;
    spawn_free(&s);
    free(path);
    free(line);
    free(program);
    return status;
}

static const char *const commands[] = {"run", "run --trace t.fst --stats s.json", "explain", "compare",
                                       "run --rtl warp_scheduler=check"};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* The soft limit is raised; if the hard limit is too low, the run says so. */
static void test_little_stack(void **state) {
    (void)state;
    static const char *const limits[] = {"-S -s 64", "-S -s 128", "-s 1024", "-s 128", "-s 64"};
    for (unsigned n = 0; n < sizeof limits / sizeof *limits; n++)
        for (unsigned c = 0; c < COMMANDS; c++) {
            char *said;
            const int status = run_limited(limits[n], commands[c], &said);
            const bool hard = n > 2;
            if (status != (hard ? EXIT_USER : EXIT_SOUND))
                fail_msg("%s, %s: %d: %s", limits[n], commands[c], status, said);
            if (hard) assert_says(said, "raise `ulimit -s`");
            free(said);
        }
}

static void test_few_descriptors(void **state) {
    (void)state;
    unsigned refused = 0;
    for (unsigned most = 5; most < 26; most += 1 + most / 12)
        for (unsigned c = 0; c < COMMANDS; c++) {
            char *said, *limit = spawn_text("-n %u", most);
            const int status = run_limited(limit, commands[c], &said);
            /* 1, 127: too few for the program itself, or for the loader */
            if (status != EXIT_SOUND && status != EXIT_USER && status != 127 && status != 1)
                fail_msg("%u descriptors, %s: %d: %s", most, commands[c], status, said);
            refused += status == EXIT_USER;
            free(limit);
            free(said);
        }
    assert_true(refused > 0);
}

static void test_bad_size_of_the_cache(void **state) {
    (void)state;
    char *program = fixture_host("vector_add");
    struct spawned s = spawn(fixture_folder, (char *[]){"env", "LOCKSTEP_CACHE_MB=junk", fixture_command,
                                                        "run", "--", program, NULL});
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "lockstep-cc: LOCKSTEP_CACHE_MB junk: a number from 1 to 1000000 is needed");
    assert_null(strstr(s.err, "(null)"));
    spawn_free(&s);
    free(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_too_little_memory), TEST(test_little_stack),
                                       TEST(test_few_descriptors), TEST(test_bad_size_of_the_cache)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
