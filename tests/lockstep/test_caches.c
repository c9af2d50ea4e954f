/* Replacement and write policies in whole runs: results are right, stepping every cycle gives the same
 * counters, and impossible machines are refused. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <stdlib.h>
#include <string.h>

#define SMALL              "l1i.size=1024 l1d.size=16384 l2.size=8192 mem.itlb_entries=2 mem.dtlb_entries=5 "
#define OF_CLUSTER(policy) "l1i.replacement=" policy " l2.replacement=" policy " mem.tlb_replacement=" policy
#define OF_CORE(policy)    OF_CLUSTER(policy) " mode=mimd l1d.replacement=" policy
#define OF_GPU(policy)                                                                                       \
    "l1i.replacement=" policy " l1d.replacement=" policy " l2.replacement=" policy                           \
    " constant.replacement=" policy " l1d.write_policy=write_back"

/* Returns the deterministic part of a run's statistics. */
static json_t *statistics_of(const char *machine, const char *settings, const char *options,
                             const char *program) {
    struct spawned s = fixture_run(machine, settings, options, program);
    if (s.status || !strstr(s.out, "PASS")) fail_msg("%s: %s%s", settings, s.out, s.err);
    spawn_free(&s);
    json_t *j = fixture_statistics("s.json");
    json_object_del(j, "host");
    json_object_del(j, "command");
    return j;
}

static void assert_same(const char *machine, const char *settings, const char *options, const char *others,
                        const char *program) {
    json_t *a = statistics_of(machine, settings, options, program),
           *b = statistics_of(machine, settings, others, program);
    if (!json_equal(a, b)) fail_msg("%s with %s is not the same with %s", program, settings, others);
    json_decref(a);
    json_decref(b);
}

static void exact_steps_change_nothing(void **state) {
    (void)state;
    static const char *const simt[] = {SMALL OF_CLUSTER("fifo"), SMALL OF_CLUSTER("plru"),
                                       SMALL OF_CLUSTER("random")};
    static const char *const mimd[] = {SMALL OF_CORE("fifo"), SMALL OF_CORE("plru"), SMALL OF_CORE("random")};
    static const char *const gpu[] = {OF_GPU("fifo"), OF_GPU("plru"), OF_GPU("random")};
    for (unsigned n = 0; n < 3; ++n) {
        assert_same(NULL, simt[n], "", "--exact-steps", "benchmarks/matrix_multiply");
        assert_same(NULL, mimd[n], "", "--exact-steps", "benchmarks/matrix_multiply");
        assert_same("gtx285-like", gpu[n], "", "--exact-steps", "benchmarks/histogram");
    }
}

/* Nor do the host's threads, or a second run. */
static void threads_change_nothing(void **state) {
    (void)state;
    assert_same("gt640-scalar", OF_GPU("random"), "", "--threads 2", "benchmarks/bfs_frontier");
}

static json_int_t cycles_of(const char *settings) {
    json_decref(statistics_of(NULL, settings, "", "benchmarks/matrix_multiply"));
    return fixture_cycles("s.json");
}

/* Each policy is its own, and so is each seed. */
static void policies_differ(void **state) {
    (void)state;
    const json_int_t cycles[] = {cycles_of(SMALL), cycles_of(SMALL "l2.replacement=fifo"),
                                 cycles_of(SMALL "l2.replacement=plru"),
                                 cycles_of(SMALL "l2.replacement=random"),
                                 cycles_of(SMALL "l2.replacement=random mem.replacement_seed=2")};
    for (unsigned a = 0; a < 5; ++a)
        for (unsigned b = 0; b < a; ++b) assert_int_not_equal(cycles[a], cycles[b]);
    assert_int_equal(cycles_of(SMALL "l2.replacement=lru"), cycles[0]);
}

/* Returns the sum of a counter over the scopes with this ending. */
static json_int_t count(const json_t *statistics, const char *ending, const char *name) {
    json_int_t sum = 0;
    size_t n;
    json_t *c;
    json_array_foreach(json_object_get(statistics, "counters"), n, c) {
        const char *scope = json_string_value(json_object_get(c, "scope"));
        const size_t length = strlen(scope), end = strlen(ending);
        if (length >= end && !strcmp(scope + length - end, ending) &&
            !strcmp(json_string_value(json_object_get(c, "name")), name))
            sum += fixture_number(c, "value");
    }
    return sum;
}

/* Stores reach the L2 as lines that were written, at the launch's end at the latest; two stores into a line
 * are one. */
static void written_lines_reach_the_l2(void **state) {
    (void)state;
    json_t *through = statistics_of("gtx285-like", "", "", "benchmarks/reduction"),
           *back = statistics_of("gtx285-like", "l1d.write_policy=write_back", "", "benchmarks/reduction");
    const json_int_t lines = count(back, ".l1d", "writebacks");
    assert_true(lines > 0);
    assert_true(count(back, ".l1d", "written_at_end") > 0);
    assert_true(count(back, ".l1d", "written_at_end") <= lines);
    assert_true(count(back, "l2", "writes") >= lines);
    assert_true(count(back, "l2", "writes") < count(through, "l2", "writes"));
    json_t *launch;
    size_t n;
    json_array_foreach(json_object_get(back, "launches"), n, launch) {
        assert_causes_add_up(launch);
    }
    json_decref(through);
    json_decref(back);
}

static void assert_refused(const char *setting, const char *part) {
    struct spawned s = LOCKSTEP("config", "--set", (char *)setting);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, part);
    spawn_free(&s);
}

static void wrong_settings(void **state) {
    (void)state;
    assert_refused("l1d.write_policy=write_back",
                   "l1d.write_policy is write_back, but contexts is tpm: other cores snoop the L2s alone");
    assert_refused("l2.replacement=mru", "'mru' is none of fifo, lru, plru, random (did you mean 'lru'?)");
    assert_refused("mem.replacement_seed=7", "does nothing here: it needs l1i.replacement=random or");
    assert_refused("mem.replacement_seed=0", "expected a whole number, 1 to 4294967295");
    assert_refused("constant.replacement=fifo", "it needs contexts=vrf");
    assert_refused("l1d.replacement=fifo", "it needs contexts=vrf or mode=mimd,auto");
}

/* Each policy is described in its own row. */
static void policies_are_described(void **state) {
    (void)state;
    struct spawned s = LOCKSTEP("config", "--describe", "--json", "l2.replacement");
    assert_status(&s, 0);
    assert_says(s.out, "plru: the one to which a tree of bits points");
    spawn_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(exact_steps_change_nothing), TEST(threads_change_nothing), TEST(policies_differ),
        TEST(written_lines_reach_the_l2), TEST(wrong_settings),         TEST(policies_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
