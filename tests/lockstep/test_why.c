/* `lockstep why`: the terms are those of the machine, and each cause is one. */
#include "recording/causes.h"
#include "tests/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void record(const char *settings, const char *program) {
    struct spawned s = fixture_run(NULL, settings, "--record t.lsr", program);
    assert_status(&s, 0);
    spawn_free(&s);
}

/* Compares each stamp of the recording with the latest of the terms that `why` has for it. At least `least`
 * of ten thousand are equal, and of the selections at least `least_of_selection`. */
static void assert_terms_known(const char *settings, const char *program, unsigned least,
                               unsigned least_of_selection) {
    char *path = fixture_path("t.lsr");
    struct recording r;
    struct causes c;
    struct error e = {0};
    record(settings, program);
    assert_true(recording_open(&r, path, &e));
    assert_true(causes_read(&c, &r, 0, r.end / 2, &e));
    assert_true(c.count > 500);
    for (unsigned stamp = 0; stamp <= CAUSES_S; ++stamp) {
        size_t known = 0;
        for (size_t n = 8; n < c.count; ++n) known += causes_known(&c, (struct causes_at){n, stamp});
        const size_t share = known * 10000 / (c.count - 8);
        if (share < (stamp == CAUSES_S ? least_of_selection : least))
            fail_msg("%s %s: of stamp %u only %zu of 10000 are explained", program, settings, stamp, share);
    }
    causes_free(&c);
    recording_close(&r);
    free(path);
}

static void test_terms(void **state) {
    (void)state;
    assert_terms_known("", "benchmarks/vector_add", 10000, 9800);
    assert_terms_known("", "benchmarks/reduction", 10000, 9000);
    assert_terms_known("", "tests/hosts/divergence", 10000, 9000);
    assert_terms_known("simt.collectors=2", "benchmarks/vector_add", 10000, 9800);
    assert_terms_known("simt.arbitrate_cycles=2 simt.queue_entries=4", "benchmarks/vector_add", 10000, 9800);
    assert_terms_known("simt.scheduler=two_level", "benchmarks/vector_add", 10000, 5000);
    assert_terms_known("simt.multi_issue=warps simt.issue_width=3 simt.collectors=6 tpm.read_ports=2",
                       "benchmarks/vector_add", 9900, 9000);
    assert_terms_known("simt.multi_issue=rounds", "benchmarks/reduction", 9900, 9000);
}

static uint64_t random_below(uint64_t *state, uint64_t limit) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % limit;
}

/* 200 places: each chain goes back in time, and every cause is a time of the recording. */
static void test_chains(void **state) {
    (void)state;
    char *path = fixture_path("t.lsr");
    struct recording r;
    struct error e = {0};
    uint64_t seed = 49;
    record("", "benchmarks/reduction");
    assert_true(recording_open(&r, path, &e));
    for (unsigned place = 0; place < 200; ++place) {
        struct causes c;
        struct causes_at at, before;
        char text[CAUSES_TEXT];
        const uint64_t cycle = random_below(&seed, r.end);
        assert_true(causes_read(&c, &r, 0, cycle, &e));
        if (causes_awaited(&c, (unsigned)random_below(&seed, r.units->warps), cycle, &at)) {
            assert_true(causes_cycle(&c, at) >= cycle);
            for (unsigned n = 0; n < 50 && causes_of(&c, at, text, &before); ++n) {
                assert_in_range(before.flight, 0, c.count - 1);
                assert_true(causes_cycle(&c, before) <= causes_cycle(&c, at) + 1);
                at = before;
            }
        }
        causes_free(&c);
    }
    recording_close(&r);
    free(path);
}

/* The cause, changed by force, changes the cycle: memory that answers 50 cycles sooner. */
static void test_causes_changed(void **state) {
    (void)state;
    record("", "benchmarks/vector_add");
    struct spawned s = LOCKSTEP("why", "cluster0.warp1.now@4900", "t.lsr", "--depth", "20");
    assert_status(&s, 0);
    assert_says(s.out, "in cycle 4,900 cluster0.warp1 waits for this:\n");
    assert_says(s.out, "memory answers 223 cycles");
    spawn_free(&s);
    record("mem.latency=150", "benchmarks/vector_add");
    s = LOCKSTEP("why", "warp1@4100", "t.lsr");
    assert_status(&s, 0);
    assert_says(s.out, "memory answers 173 cycles");
    spawn_free(&s);
}

static void assert_refused(char *place, char *option, const char *says) {
    struct spawned s = LOCKSTEP("why", place, "t.lsr", option);
    assert_status(&s, EXIT_USER);
    assert_says(s.err, says);
    spawn_free(&s);
}

static void test_wrong_words(void **state) {
    (void)state;
    record("", "benchmarks/vector_add");
    assert_refused("warp3", "--depth=8", "a warp and a cycle are needed");
    assert_refused("warp3@x", "--depth=8", "a warp and a cycle are needed");
    assert_refused("warp3@-1", "--depth=8", "a warp and a cycle are needed");
    assert_refused("core0@5", "--depth=8", "a warp and a cycle are needed");
    assert_refused("warp16@5", "--depth=8", "cluster0 has warps 0 to 15");
    assert_refused("warp1@999999999", "--depth=8", "t.lsr ends at cycle");
    assert_refused("warp1@2000000", "--depth=0", "1 to 1000");
    struct spawned s = LOCKSTEP("why", "warp1@5");
    assert_status(&s, EXIT_USER);
    assert_says(s.err, "a place and a recording are needed");
    spawn_free(&s);
    s = fixture_run("gtx285-like", "", "--record t.lsr", "benchmarks/vector_add");
    assert_status(&s, 0);
    spawn_free(&s);
    assert_refused("cluster0.warp1@1000", "--depth=8", "of a GPU-like machine");
    assert_refused("warp1@1000", "--depth=8", "Write cluster0.warp1@1000");
}

int main(void) {
    const struct CMUnitTest tests[] = {TEST(test_terms), TEST(test_chains), TEST(test_causes_changed),
                                       TEST(test_wrong_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
