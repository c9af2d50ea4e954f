/* `lockstep why`: the terms are those of the machine, and each cause is one. */
#include "recording/causes_core.h"
#include "tests/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void record_on(const char *machine, const char *settings, const char *program) {
    struct spawned s = fixture_run(machine, settings, "--record t.lsr", program);
    assert_status(&s, 0);
    spawn_free(&s);
}

static void record(const char *settings, const char *program) {
    record_on(NULL, settings, program);
}

/* How many of ten thousand stamps have a known cause at least: selections, first rounds and all others. */
struct least {
    unsigned selection, round, other;
};

/* Compares each stamp of the recording with the latest of the terms that `why` has for it. */
static void assert_terms(const char *machine, const char *settings, const char *program, struct least least) {
    char *path = fixture_path("t.lsr");
    struct recording r;
    struct causes c;
    struct error e = {0};
    record_on(machine, settings, program);
    assert_true(recording_open(&r, path, &e));
    assert_true(causes_read(&c, &r, 0, r.end / 2, &e));
    assert_true(c.count > 500);
    for (unsigned stamp = 0; stamp <= CAUSES_S; ++stamp) {
        size_t known = 0;
        for (size_t n = 8; n < c.count; ++n) known += causes_known(&c, (struct causes_at){n, stamp});
        const size_t share = known * 10000 / (c.count - 8);
        const unsigned enough = stamp == CAUSES_S   ? least.selection
                                : stamp == RECORD_X ? least.round
                                                    : least.other;
        if (share < enough)
            fail_msg("%s %s: of stamp %u only %zu of 10000 are explained", program, settings, stamp, share);
    }
    causes_free(&c);
    recording_close(&r);
    free(path);
}

static void assert_terms_known(const char *settings, const char *program, unsigned least,
                               unsigned least_of_selection) {
    assert_terms(NULL, settings, program, (struct least){least_of_selection, least, least});
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

/* Fetches, banks of the register file and transactions have no records, so that some stamps stay open. */
static void test_terms_of_sms(void **state) {
    (void)state;
    assert_terms("gtx285-like", "", "benchmarks/vector_add", (struct least){8600, 7500, 10000});
    assert_terms("gtx285-like", "", "benchmarks/reduction", (struct least){9400, 9400, 10000});
    assert_terms("gt640-like", "", "benchmarks/vector_add", (struct least){8500, 9000, 10000});
    assert_terms("fermi-like", "", "benchmarks/reduction", (struct least){9700, 9200, 9900});
}

/* --- causes by hand --- */

/* Finds the last instruction of warp 0 whose text begins so, and the next one of the warp. */
static void find_pair(const struct causes *c, const char *begin, size_t *first, size_t *next) {
    *first = *next = SIZE_MAX;
    for (size_t n = 0; n < c->count; ++n) {
        const struct record *f = &c->flight[n];
        const struct recording_launch *l = recording_launch_at(c->r, f->cycle);
        if (f->place != 0) continue;
        if (*first != SIZE_MAX && *next == SIZE_MAX) *next = n;
        if (strncmp(recording_text(l->code, f->pc), begin, strlen(begin)) == 0) {
            *first = n;
            *next = SIZE_MAX;
        }
    }
    assert_true(*first != SIZE_MAX && *next != SIZE_MAX);
}

/* The store of a sum is selected so many cycles after the addition, and because of it. */
static void assert_store_waits(const char *machine, const char *setting, uint64_t cycles, const char *why) {
    char *path = fixture_path("t.lsr"), *settings = spawn_text("cluster.count=1 %s", setting);
    char text[CAUSES_TEXT];
    struct recording r;
    struct causes c;
    struct causes_at before;
    struct error e = {0};
    size_t addition, store;
    record_on(machine, settings, "tests/hosts/vector_add");
    assert_true(recording_open(&r, path, &e));
    assert_true(causes_read(&c, &r, 0, r.end - 1, &e));
    find_pair(&c, "vadd.f32", &addition, &store);
    assert_int_equal(c.flight[store].cycle - c.flight[addition].cycle, cycles);
    assert_true(causes_of(&c, (struct causes_at){store, CAUSES_S}, text, &before));
    assert_string_equal(text, why);
    assert_int_equal(before.flight, addition);
    assert_int_equal(before.stamp, RECORD_COMMIT);
    causes_free(&c);
    recording_close(&r);
    free(settings);
    free(path);
}

/* gtx285-like: I 0, O 1, rounds 2 to 5; the last result is written 11 cycles after its round and read in the
 * same cycle. fermi-like (barrel): S 0, A 1, F 2, D 3, O 4, rounds 5 and 6, written pipeline_depth − 6 cycles
 * later, S again in the next cycle. */
static void test_sms_by_hand(void **state) {
    (void)state;
    assert_store_waits("gtx285-like", "", 16, "0x1002c writes s0");
    assert_store_waits("gtx285-like", "latency.vfp_add_single=20", 25, "0x1002c writes s0");
    assert_store_waits("fermi-like", "", 9, "its instruction before commits");
    assert_store_waits("fermi-like", "simt.pipeline_depth=12", 13, "its instruction before commits");
    record_on("gtx285-like", "cluster.count=1", "tests/hosts/vector_add");
    struct spawned s = LOCKSTEP("why", "warp0@57716", "t.lsr", "--depth", "4");
    assert_status(&s, 0);
    assert_string_equal(s.out,
                        "in cycle 57,716 cluster0.warp0 waits for this:\n"
                        "        57,731  warp 0 issues (0x10030, line 4): 0x1002c writes s0\n"
                        "        57,731  warp 0 commits (0x1002c, line 4): its result is there\n"
                        "        57,731  warp 0 has its result (0x1002c, line 4): its result is there 11 "
                        "cycles after its last round\n"
                        "        57,720  warp 0 starts its last round (0x1002c, line 4): its rounds start "
                        "from the first one on, in 4 cycles\n");
    spawn_free(&s);
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

/* --- signals of blocks --- */

static struct causes_at explained(const struct causes *c, const char *name, uint64_t cycle) {
    char *place = spawn_text("%s@%" PRIu64, name, cycle);
    struct causes_at at;
    assert_int_equal(causes_signal(c, place, cycle, &at), CAUSES_SIGNAL_HAS);
    free(place);
    return at;
}

/* In each cycle of a stage its signals are explained by the instruction that is there; in the cycle before,
 * by the one that comes next. */
static void test_blocks(void **state) {
    (void)state;
    char *path = fixture_path("t.lsr");
    struct recording r;
    struct causes c;
    struct error e = {0};
    record("", "benchmarks/reduction");
    assert_true(recording_open(&r, path, &e));
    assert_true(causes_read(&c, &r, 0, r.end / 2, &e));
    for (size_t n = c.count / 2; n < c.count / 2 + 50; ++n) {
        const struct causes_at s = {n, CAUSES_S}, f = {n, RECORD_F}, left = {n, RECORD_LEFT},
                               o = {n, RECORD_O}, collected = {n, RECORD_COLLECTED};
        assert_int_equal(explained(&c, "warp_scheduler.grant_o", causes_cycle(&c, s)).flight, n);
        assert_int_equal(explained(&c, "fetch.warp", causes_cycle(&c, f)).flight, n);
        assert_int_equal(explained(&c, "fetch.pc", causes_cycle(&c, left)).flight, n);
        assert_int_equal(explained(&c, "dispatcher.queue", causes_cycle(&c, o)).flight, n);
        assert_int_equal(explained(&c, "operand_collector.warp", causes_cycle(&c, o)).stamp, RECORD_O);
        assert_int_equal(explained(&c, "operand_collector.warp", causes_cycle(&c, collected)).flight, n);
        assert_int_equal(explained(&c, "warp_scheduler.grant_o", causes_cycle(&c, s) + 1).flight, n + 1);
    }
    const struct causes_at opens = explained(&c, "barrier_table.opens_o", r.end / 2);
    assert_int_equal(opens.stamp, RECORD_COMMIT);
    assert_true(strncmp(recording_text(r.launches[0].code, c.flight[opens.flight].pc), "barrier", 7) == 0);
    causes_free(&c);
    recording_close(&r);
    free(path);
    struct spawned s = LOCKSTEP("why", "cluster0.fetch.warp@200000", "t.lsr", "--depth=1");
    assert_status(&s, 0);
    assert_says(s.out, "in cycle 200,000 cluster0.fetch.warp waits for this:\n");
    assert_says(s.out, " enters F (");
    spawn_free(&s);
    record_on("fermi-like", "cluster.count=1", "tests/hosts/vector_add");
    s = LOCKSTEP("why", "scheduler1.pc@20000", "t.lsr", "--depth=1");
    assert_status(&s, 0);
    assert_says(s.out, "cluster0.scheduler1.pc waits for this:\n");
    spawn_free(&s);
    assert_refused("scheduler2.pc@20000", "--depth=1", "scheduler0.warp, scheduler0.pc and");
}

/* --- cores in MIMD mode --- */

static void record_mimd(const char *settings, const char *program) {
    struct spawned s = fixture_run(NULL, settings, "--record t.lsr --record-accesses --mode mimd", program);
    assert_status(&s, 0);
    spawn_free(&s);
}

/* Opens the recording and reads core 1 around the middle. */
static void read_core(struct recording *r, struct causes_core *c, char *path, unsigned core) {
    struct error e = {0};
    assert_true(recording_open(r, path, &e));
    assert_true(causes_core_read(c, r, 0, core, r->end / 2, &e));
    assert_true(c->count > 500);
}

/* Asserts that at least so many of ten thousand runs end in the computed cycle. Each step but the first one
 * of the cycles that are read must have a cause. */
static void assert_cores_known(const char *settings, const char *program, size_t least) {
    char *path = fixture_path("t.lsr");
    struct recording r;
    struct causes_core c;
    record_mimd(settings, program);
    read_core(&r, &c, path, 1);
    if (c.exact * 10000 < c.runs * least)
        fail_msg("%s %s: of %zu runs %zu are explained", program, settings, c.runs, c.exact);
    for (size_t n = 1; n < c.count; ++n) {
        const struct core_step *s = &c.step[n];
        assert_int_not_equal(s->cause, CORE_CAUSE_UNKNOWN);
        assert_true(s->cycle > s[-1].cycle);
        assert_true(s->before < n || s->cause == CORE_CAUSE_LAUNCH);
    }
    causes_core_free(&c);
    recording_close(&r);
    free(path);
}

static void test_cores(void **state) {
    (void)state;
    assert_cores_known("", "benchmarks/reduction", 10000);
    assert_cores_known("", "benchmarks/fft", 10000);
    assert_cores_known("l1d.latency=3 core.branch_penalty=5", "benchmarks/fft", 10000);
    assert_cores_known("l1d.write_buffer=1", "benchmarks/histogram", 10000);
    /* several loads that missed are in flight at once: their order is not recorded */
    assert_cores_known("core.hit_under_miss=2", "benchmarks/fft", 9700);
}

/* On superscalar cores every wait has a recorded cause. */
static void assert_waits_recorded(const char *kind) {
    char *path = fixture_path("t.lsr"), *settings = spawn_text("core.kind=%s", kind);
    struct recording r;
    struct causes_core c;
    size_t waits = 0;
    record_mimd(settings, "benchmarks/reduction");
    read_core(&r, &c, path, 0);
    for (size_t n = 1; n < c.count; ++n) {
        const bool recorded = c.step[n].cause == CORE_CAUSE_RECORDED;
        waits += recorded;
        assert_true(recorded || c.step[n].cause == CORE_CAUSE_BEFORE || c.step[n].cause == CORE_CAUSE_LAUNCH);
        if (c.step[n].waited > c.step[n - 1].count + 1) assert_true(recorded || !c.step[n - 1].count);
    }
    assert_true(waits > 100);
    causes_core_free(&c);
    recording_close(&r);
    free(settings);
    free(path);
}

static void test_superscalar_cores(void **state) {
    (void)state;
    assert_waits_recorded("in_order");
    assert_waits_recorded("out_of_order");
}

/* Finds the last step of a core whose instruction begins so. */
static size_t find_step(const struct causes_core *c, const char *begin) {
    for (size_t n = c->count; n-- > 0;) {
        const struct recording_launch *l = recording_launch_at(c->r, c->step[n].cycle);
        if (strncmp(recording_text(l->code, c->step[n].pc), begin, strlen(begin)) == 0) return n;
    }
    fail_msg("no %s", begin);
    return 0;
}

/* The store of a sum waits for the addition: its latency after the issue of the addition. */
static void assert_core_store_waits(const char *settings, uint64_t cycles) {
    char *path = fixture_path("t.lsr"), text[CAUSES_TEXT], *expected;
    struct recording r;
    struct causes_core c;
    size_t before;
    record_mimd(settings, "tests/hosts/vector_add");
    read_core(&r, &c, path, 0);
    const size_t addition = find_step(&c, "vaddlt.f32"), store = find_step(&c, "vstrlt");
    assert_int_equal(c.step[store].cycle - c.step[addition].cycle, cycles);
    expected = spawn_text("0x%" PRIx32 " writes s0, which is there after %" PRIu64 " cycles",
                          c.step[addition].pc, cycles);
    assert_true(causes_core_of(&c, store, text, &before));
    assert_string_equal(text, expected);
    assert_int_equal(before, addition);
    free(expected);
    causes_core_free(&c);
    recording_close(&r);
    free(path);
}

static void test_cores_by_hand(void **state) {
    (void)state;
    assert_core_store_waits("", 4);
    assert_core_store_waits("latency.vfp_add_single=20", 20);
}

/* Each chain of 200 places goes back in time. */
static void test_chains_of_cores(void **state) {
    (void)state;
    char *path = fixture_path("t.lsr"), text[CAUSES_TEXT];
    struct recording r;
    struct causes_core c;
    uint64_t seed = 50;
    record_mimd("", "benchmarks/reduction");
    read_core(&r, &c, path, 2);
    for (unsigned place = 0; place < 200; ++place) {
        size_t at = random_below(&seed, c.count), before;
        for (unsigned n = 0; n < 50 && causes_core_of(&c, at, text, &before); ++n, at = before)
            assert_true(before < at && c.step[before].cycle < c.step[at].cycle);
    }
    causes_core_free(&c);
    recording_close(&r);
    free(path);
}

/* Memory that answers 50 cycles sooner takes 50 cycles less; the access is named. */
static void test_causes_of_cores_changed(void **state) {
    (void)state;
    record_mimd("", "benchmarks/reduction");
    struct spawned s = LOCKSTEP("why", "core0.state@5000", "t.lsr", "--depth", "20");
    assert_status(&s, 0);
    assert_says(s.out, "in cycle 5,000 cluster0.core0 waits for this:\n");
    assert_says(s.out, "the load at 0x104d0 (0x60000200: another L2 or memory) takes 210 cycles\n");
    spawn_free(&s);
    record_mimd("mem.latency=150", "benchmarks/reduction");
    s = LOCKSTEP("why", "core0@4000", "t.lsr");
    assert_status(&s, 0);
    assert_says(s.out, "the load at 0x104d0 (0x600001c0: another L2 or memory) takes 160 cycles\n");
    spawn_free(&s);
    s = LOCKSTEP("why", "core0@100", "t.lsr");
    assert_says(s.out, "the launch has begun 178 cycles before\n");
    spawn_free(&s);
}

/* --- mistakes of the user --- */

static void test_wrong_words(void **state) {
    (void)state;
    record("", "benchmarks/vector_add");
    assert_refused("warp3", "--depth=8", "a signal and a cycle are needed");
    assert_refused("warp3@x", "--depth=8", "a signal and a cycle are needed");
    assert_refused("warp3@-1", "--depth=8", "a signal and a cycle are needed");
    assert_refused("warp3.nowx@5", "--depth=8", "signals of a warp are now, pc,");
    assert_refused("fetch.warps@5", "--depth=8", "'fetch.warps@5': no such signal is explained");
    assert_refused("scheduler0.warp@5", "--depth=8", "no such signal is explained");
    assert_refused("core4@5", "--depth=8", "cluster0 has cores 0 to 3");
    assert_refused("core0@5", "--depth=8", "that launch runs in SIMT mode");
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
    assert_refused("warp1@1000", "--depth=8", "Write cluster0.warp1@1000");
    assert_refused("cluster0.core1@1000", "--depth=8", "cluster0 has no cores");
    record_mimd("", "benchmarks/vector_add");
    assert_refused("warp0@5", "--depth=8", "that launch runs in MIMD mode");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_terms),         TEST(test_terms_of_sms),    TEST(test_sms_by_hand),
        TEST(test_chains),        TEST(test_causes_changed),  TEST(test_wrong_words),
        TEST(test_blocks),        TEST(test_cores),           TEST(test_superscalar_cores),
        TEST(test_cores_by_hand), TEST(test_chains_of_cores), TEST(test_causes_of_cores_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
