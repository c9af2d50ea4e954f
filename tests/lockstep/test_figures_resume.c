/* `lockstep figures` stores the results of its runs: it continues after Ctrl-C and SIGKILL, and never uses a
 * result of another simulator, compiler, program, kernel or machine. */
#include "lockstep/explore/points.h"
#include "tests/fixture.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Returns the number of files of a folder, without those being written. */
static size_t files_in(const char *folder) {
    char *path = fixture_path(folder);
    size_t count = 0;
    DIR *d = opendir(path);
    for (const struct dirent *f; d && (f = readdir(d));)
        count += f->d_name[0] != '.' && !strstr(f->d_name, ".part");
    if (d) closedir(d);
    free(path);
    return count;
}

static size_t results(const char *folder) {
    char *points = spawn_text("%s/points", folder);
    const size_t count = files_in(points);
    free(points);
    return count;
}

#define REPORT                                                                                               \
    "figures", "dual-mode", "--figure", "13a", "--benchmark", "dotproduct", "--benchmark", "nearest_neighbors"

static void wait_for_a_result(const char *folder) {
    while (results(folder) == 0) nanosleep(&(struct timespec){0, 5000000}, NULL);
}

/* Starts ten runs, one after the other, and stops after the first. */
static struct spawned stopped(int signal_number, bool terminal) {
    char *argv[] = {fixture_command, REPORT, "--jobs", "1", "--out", "stopped", NULL};
    struct spawned s = spawn_start(fixture_folder, terminal, argv);
    wait_for_a_result("stopped");
    kill(s.pid, signal_number);
    spawn_finish(&s);
    return s;
}

static void goes_on(void) {
    const size_t before = results("stopped");
    assert_true(before > 0 && before < 10);
    char *says = spawn_text("dual-mode: 2 benchmarks, 10 runs, of which %zu are in", before);
    struct spawned s = LOCKSTEP(REPORT, "--out", "stopped"), whole = LOCKSTEP(REPORT, "--out", "whole");
    assert_status(&s, 0);
    assert_says(s.err, says);
    assert_string_equal(s.out, whole.out);
    assert_int_equal(results("stopped"), 10);
    assert_int_equal(files_in("stopped/work"), 0);
    spawn_free(&s);
    s = LOCKSTEP(REPORT, "--out", "stopped");
    assert_says(s.err, "10 runs, of which 10 are in");
    assert_string_equal(s.out, whole.out);
    spawn_free(&s);
    spawn_free(&whole);
    free(says);
}

static void after_an_interrupt(void **state) {
    (void)state;
    struct spawned s = stopped(SIGINT, false);
    assert_status(&s, 125);
    assert_says(s.err, "lockstep: stopped: ");
    assert_says(s.err, " of 10 runs are in ");
    spawn_free(&s);
    goes_on();
}

static void after_a_kill(void **state) {
    (void)state;
    struct spawned s = stopped(SIGKILL, false);
    spawn_free(&s);
    goes_on();
}

/* On a terminal, a line shows the remaining time. */
static void tells_what_remains(void **state) {
    (void)state;
    char *argv[] = {fixture_command, REPORT, "--benchmark", "matrixmul", "--jobs", "1", "--out", "f", NULL};
    struct spawned s = spawn_start(fixture_folder, true, argv);
    spawn_finish(&s);
    assert_status(&s, 0);
    assert_says(s.err, "\r\033[K0 of 15 runs are done");
    assert_says(s.err, " of 15 runs are done, about ");
    assert_says(s.err, " s remain");
    spawn_free(&s);
}

/* Creates a separate tree with all files for a run of nearest_neighbors. */
static void make_tree(void) {
    char *command = spawn_text(
        "mkdir -p t/build/device t/build/benchmarks t/benchmarks t/configs && cd t && "
        "cp %s/configs/*.yaml configs && cp -r %s/benchmarks/nearest_neighbors benchmarks && cd %s && "
        "cp lockstep lockstep-cc liblockstep_cc.so liblockstep_opencl.so %s/t/build && "
        "cp benchmarks/nearest_neighbors %s/t/build/benchmarks && cp device/*.parts device/builtins.a "
        "device/twin_builtins.s device/startup*.o device/half_builtins.h device/lockstep_scalar.h "
        "%s/t/build/device",
        spawn_source(), spawn_source(), spawn_build(), fixture_folder, fixture_folder, fixture_folder);
    struct spawned s = spawn(fixture_folder, (char *[]){"bash", "-c", command, NULL});
    if (s.status) fail_msg("%s", s.err);
    spawn_free(&s);
    free(command);
}

/* Makes a change by a shell line (NULL: none); then a figure with five runs must have `expected`
 * new results. */
static void expect_new(const char *change, char *option, size_t expected) {
    const size_t before = results("f");
    struct spawned s = spawn(fixture_folder, (char *[]){"bash", "-c", (char *)(change ? change : ":"), NULL});
    assert_status(&s, 0);
    spawn_free(&s);
    s = spawn(fixture_folder, (char *[]){"t/build/lockstep", "figures", "dual-mode", "--figure", "13a",
                                         "--benchmark", "nearest_neighbors", "--out", "f", option, NULL});
    if (s.status) fail_msg("%s: %s", change, s.err);
    if (results("f") - before != expected)
        fail_msg("%s: %zu new results", change ? change : "nothing", results("f") - before);
    spawn_free(&s);
}

static void takes_no_stale_result(void **state) {
    (void)state;
    static const char *const changes[] = {
        "printf x >>t/build/benchmarks/nearest_neighbors",
        "printf '\\n' >>t/benchmarks/nearest_neighbors/nearest_neighbors.cl",
        "printf x >>t/build/lockstep-cc",
        "printf x >>t/build/liblockstep_cc.so",
        "printf x >>t/build/liblockstep_opencl.so",
        "printf '\\n' >>t/build/device/half_builtins.h",
    };
    make_tree();
    expect_new(NULL, NULL, 5);
    expect_new(NULL, NULL, 0);
    for (size_t n = 0; n < sizeof changes / sizeof *changes; n++) expect_new(changes[n], NULL, 5);
    expect_new("sed -i 's/latency: .*/latency: 77/' t/configs/dual-mode-4.yaml", NULL, 5);
    expect_new(NULL, "--set=mem.latency=78", 5);
    /* The simulator's hash, which the build stores in the command. */
    char *change = spawn_text("sed -i 's/%s/%.31sx/' t/build/lockstep", simulator_version, simulator_version);
    expect_new(change, NULL, 5);
    free(change);
    expect_new(NULL, NULL, 0);
}

/* A failing benchmark: its status, its log, and no result; after it is repaired, the same
 * command continues. */
static void keeps_no_failure(void **state) {
    (void)state;
    make_tree();
    struct spawned s = spawn(
        fixture_folder,
        (char *[]){
            "bash", "-c",
            "cd t/build/benchmarks && mv nearest_neighbors well && printf '#!/bin/sh\\necho ill\\nexit 7\\n' "
            ">nearest_neighbors && chmod +x nearest_neighbors",
            NULL});
    spawn_free(&s);
    char *argv[] = {"t/build/lockstep", "figures",           "dual-mode", "--figure", "13a",
                    "--benchmark",      "nearest_neighbors", "--out",     "f",        NULL};
    s = spawn(fixture_folder, argv);
    assert_status(&s, 7);
    assert_says(s.err, "nearest_neighbors failed on variant '");
    assert_says(s.err, "all that it printed is in ");
    assert_int_equal(results("f"), 0);
    spawn_free(&s);
    s = spawn(
        fixture_folder,
        (char *[]){"bash", "-c", "mv t/build/benchmarks/well t/build/benchmarks/nearest_neighbors", NULL});
    spawn_free(&s);
    expect_new(NULL, NULL, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(after_an_interrupt),    TEST(after_a_kill),     TEST(tells_what_remains),
        TEST(takes_no_stale_result), TEST(keeps_no_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
