/* `lockstep diff`. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { DIFFERENT = 1 };

/* Runs vector_add, or another program, with options ("": none), separated by blanks. */
static void run(const char *options, const char *program) {
    struct spawned s = fixture_run(NULL, "", options, program);
    assert_status(&s, 0);
    spawn_free(&s);
}

#define VECTOR_ADD "benchmarks/vector_add"

/* Checks the exit status of `lockstep diff A B` with an option ("": none), and a part of its output. */
static void assert_diff(char *a, char *b, char *option, int status, const char *says) {
    struct spawned s = *option ? LOCKSTEP("diff", option, a, b) : LOCKSTEP("diff", a, b);
    assert_status(&s, status);
    assert_says(status == EXIT_USER ? s.err : s.out, says);
    spawn_free(&s);
}

static void test_equal_recordings(void **state) {
    (void)state;
    run("--record a.lsr", VECTOR_ADD);
    run("--record b.lsr --exact-steps", VECTOR_ADD);
    assert_diff("a.lsr", "b.lsr", "", 0, "no difference");
    assert_diff("a.lsr", "b.lsr", "--by=work", 0, "no difference");
    run("--record m.lsr --mode mimd", VECTOR_ADD);
    run("--record n.lsr --mode mimd --exact-steps", VECTOR_ADD);
    assert_diff("m.lsr", "n.lsr", "", 0, "no difference");
    assert_diff("m.lsr", "n.lsr", "--by=work", 0, "no difference");
    assert_diff("a.lsr", "m.lsr", "--by=work", DIFFERENT, "launch 0 differs");
}

/* Memory that answers 50 cycles sooner: the start-up code sees it first; of the warps the first load. */
static void test_other_latency(void **state) {
    (void)state;
    run("--record a.lsr", VECTOR_ADD);
    run("--record b.lsr --set mem.latency=150", VECTOR_ADD);
    assert_diff("a.lsr", "b.lsr", "", DIFFERENT, "the first difference is in cycle 3821:\n  both: cycle 0 ");
    assert_diff("a.lsr", "b.lsr", "", DIFFERENT, "\n  b.lsr: cycle 3821  cluster0  mode: enter SIMT\n");
    assert_diff("b.lsr", "a.lsr", "--by=work", DIFFERENT,
                "the first instruction that takes longer: launch 0, ");
    assert_diff("a.lsr", "b.lsr", "--by=work", DIFFERENT,
                "the first instruction that takes less: launch 0, ");
    assert_diff("a.lsr", "b.lsr", "--by=work", DIFFERENT, "\n           4 ");
    assert_diff("a.lsr", "b.lsr", "--by=work", DIFFERENT, "\n   all lines ");
}

/* The stamp that differs of an instruction is named. */
static void test_other_stamp(void **state) {
    (void)state;
    run("--record a.lsr --config gtx285-like", VECTOR_ADD);
    run("--record b.lsr --config gtx285-like --set dram.cl=14", VECTOR_ADD);
    assert_diff("a.lsr", "b.lsr", "", DIFFERENT, "  commit: ");
    assert_diff("a.lsr", "b.lsr", "--by=work", DIFFERENT, "takes longer");
}

/* The same code with another policy, so that other threads go first. */
static void test_other_path(void **state) {
    (void)state;
    run("--record a.lsr --set simt.priority_operations=off --set simt.pc_policy=min_pc",
        "tests/hosts/divergence");
    run("--record b.lsr --set simt.priority_operations=off --set simt.pc_policy=first_ready",
        "tests/hosts/divergence");
    assert_diff("a.lsr", "b.lsr", "--by=work", DIFFERENT, "the first other path: launch 0, kernel ");
}

static void test_other_launches(void **state) {
    (void)state;
    run("--record a.lsr", VECTOR_ADD);
    run("--record b.lsr", "benchmarks/reduction");
    assert_diff("a.lsr", "b.lsr", "", DIFFERENT,
                "the launches differ:\n  a.lsr: launch 0, kernel vector_add");
    assert_diff("a.lsr", "b.lsr", "--by=work", DIFFERENT, "launch 0 differs: kernel vector_add");
    run("--record c.lsr --set simt.warp_size=16", VECTOR_ADD);
    assert_diff("a.lsr", "c.lsr", "", EXIT_USER, "with --by=work");
    assert_diff("a.lsr", "c.lsr", "--by=work", EXIT_USER, "c.lsr of 16: their warps do other work");
}

static void test_waveforms(void **state) {
    (void)state;
    run("--record a.lsr", VECTOR_ADD);
    struct spawned s = LOCKSTEP("waves", "a.lsr", "-o", "a.fst");
    spawn_free(&s);
    s = LOCKSTEP("waves", "a.lsr", "--level", "2", "-o", "b.fst");
    spawn_free(&s);
    s = LOCKSTEP("waves", "a.lsr", "--cycles", "4700:9000", "-o", "c.fst");
    spawn_free(&s);
    assert_diff("a.fst", "a.fst", "", 0, "no difference");
    assert_diff("a.fst", "b.fst", "", DIFFERENT, "only in b.fst: cluster0.dispatcher.queue\n");
    assert_diff("a.fst", "c.fst", "", DIFFERENT, "variables differ, ");
    assert_diff("a.fst", "c.fst", "--by=work", EXIT_USER, "--by is of recordings");
}

static void test_statistics(void **state) {
    (void)state;
    run("--stats a.json", VECTOR_ADD);
    run("--stats b.json --exact-steps", VECTOR_ADD);
    run("--stats c.json --set mem.latency=150", VECTOR_ADD);
    run("--stats a.csv", VECTOR_ADD);
    run("--stats c.csv --set mem.latency=150", VECTOR_ADD);
    assert_diff("a.json", "b.json", "", 0, "no difference");
    assert_diff("a.json", "c.json", "", DIFFERENT, "configuration.mem.latency: 200, 150 (-50, -25.00 %)\n");
    assert_diff("a.csv", "a.csv", "", 0, "no difference");
    assert_diff("a.csv", "c.csv", "", DIFFERENT, "cluster0.cycles,memory,value: ");
    assert_diff("a.json", "a.csv", "", EXIT_USER, "two files of one format");
}

static void test_wrong_words(void **state) {
    (void)state;
    run("--record a.lsr", VECTOR_ADD);
    free(fixture_file("x.json", "{\"schema\": 3}", 0644));
    free(fixture_file("y.json", "{", 0644));
    free(fixture_file("z.csv", "a,b\n", 0644));
    assert_diff("a.lsr", "none.lsr", "", EXIT_USER, "none.lsr: No such file");
    assert_diff("a.lsr", "x.json", "", EXIT_USER, "two files of one kind");
    assert_diff("x.json", "x.json", "", EXIT_USER, "it is no file of --stats");
    assert_diff("y.json", "x.json", "", EXIT_USER, "y.json:1: ");
    assert_diff("z.csv", "z.csv", "", EXIT_USER, "it is no file of --stats");
    assert_diff("a.lsr", "a.lsr", "--by=line", EXIT_USER, "it is one of cycle, work");
    struct spawned s = LOCKSTEP("diff", "a.lsr");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "two files are needed");
    spawn_free(&s);
    s = LOCKSTEP("diff", "a.lsr", "b.lsr", "c.lsr");
    assert_status(&s, EXIT_USER);
    spawn_free(&s);
}

static double children_seconds(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)u.ru_utime.tv_sec + (double)u.ru_utime.tv_usec / 1e6;
}

/* Two recordings of hotspot, 1.9 M records each: at most 1 s. */
static void test_speed(void **state) {
    (void)state;
    run("--record a.lsr", "benchmarks/hotspot");
    run("--record b.lsr --set simt.scheduler=two_level", "benchmarks/hotspot");
    const double before = children_seconds();
    assert_diff("a.lsr", "b.lsr", "", DIFFERENT, "the first difference");
    const double between = children_seconds();
    assert_diff("a.lsr", "b.lsr", "--by=work", DIFFERENT, "all lines");
    assert_true(between - before < 1);
    assert_true(children_seconds() - between < 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_equal_recordings), TEST(test_other_latency),  TEST(test_other_stamp),
        TEST(test_other_path),       TEST(test_other_launches), TEST(test_waveforms),
        TEST(test_statistics),       TEST(test_wrong_words),    TEST(test_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
