/* page_walk: walkers and waiting accesses: of a core, and in SIMT mode, in cycles from T as in
 * test_simt_pipeline. */
#include "tests/core/core_fixture.h"
#include "tests/cluster/simt_fixture.h"

#define LDR_R0_R1 0xe5910000u
#define STR_R0_R1 0xe5810000u
#define MOV_R0_1  0xe3a00001u

/* --- walkers --- */

static void take(struct page_walkers *w, uint64_t t, uint64_t start, uint64_t end) {
    const struct page_walk_times walk = page_walkers_take(w, 0, t);
    assert_int_equal(walk.start, start);
    assert_int_equal(walk.end, end);
}

static void a_walk_waits_for_the_walker_that_is_free_first(void **state) {
    (void)state;
    struct machine_config machine;
    struct page_walkers w;
    config_defaults(&machine_config_table, &machine);
    assert_int_equal(machine.mem.walkers, 1);
    page_walkers_init(&w, &machine, NULL);
    take(&w, 100, 100, 120);
    take(&w, 105, 120, 140);
    take(&w, 140, 140, 160);
    take(&w, 159, 160, 180);
    machine.mem.walkers = 2;
    page_walkers_init(&w, &machine, NULL);
    take(&w, 100, 100, 120);
    take(&w, 105, 105, 125);
    take(&w, 106, 120, 140);
    take(&w, 107, 125, 145);
    take(&w, 142, 142, 162);
}

/* --- a core: fetches and data share its walkers --- */

static void a_fetch_waits_for_a_walk_for_data(void **state) {
    (void)state;
    WARMED(LDR_R0_R1, LDR_R0_R1);
    core.itlb.used = core.dtlb.used = 0;
    assert_int_equal(core_translate(&core, &core.dtlb, DATA, WARM), WARM + 20);
    assert_int_equal(core_translate(&core, &core.dtlb, DATA + 8, WARM + 3), WARM + 20);
    /* the walker is free in 20; the line is in the L1I */
    assert_int_equal(core_fetch(&core, TEXT, WARM + 5), WARM + 40);
    assert_int_equal(core_translate(&core, &core.dtlb, DATA + 4096, WARM + 6), WARM + 60);
    assert_int_equal(core_translate(&core, &core.dtlb, DATA, WARM + 19), WARM + 20);
    assert_int_equal(core_translate(&core, &core.dtlb, DATA, WARM + 20), WARM + 20);
    assert_int_equal(core.dtlb.misses, 2 + 2);
    assert_int_equal(core.dtlb.walked, 2);
    assert_int_equal(core.walkers.wait_cycles, 15 + 34);
    core_free(&core);
}

/* A line at an untranslated address is requested after the walk. */
static void a_fetch_asks_the_l2_after_its_walk(void **state) {
    (void)state;
    WARMED(MOV_R0_1);
    core.itlb.used = 0;
    cache_invalidate(&core.l1i);
    issues(0, WARM + 20 + 8);
    assert_int_equal(core.l2.port[0].last, WARM + 21);
    core_free(&core);
}

/* --- SIMT mode --- */

/* Starts one warp of 32; r1 = DATA_BASE + stride · position; all lines in the L2s, no pages in the DTLBs. */
static struct bench *begin_cold(uint32_t instruction, uint32_t stride, unsigned walkers, unsigned cycles) {
    static uint32_t text[2];
    struct bench *b = bench_create();
    text[0] = instruction;
    text[1] = EXIT;
    b->config.mem.walkers = walkers;
    b->config.mem.tlb_miss_cycles = cycles;
    begin(b, text, 2, 32, stride);
    for (unsigned k = 0; k < 32; ++k) {
        uint64_t done;
        struct core *lane = &b->cluster.core[k / 8];
        private_l2_access(&lane->l2, DATA_BASE + stride * k, instruction == STR_R0_R1, 600, &done);
        lane->dtlb.used = 0;
    }
    return b;
}

/* Two threads of a lane a page: lookups in 6 to 13, misses of pages in 6, 8, 10, 12. With one walker their
 * walks end before 26, 46, 66, 86: the last two requests in 86 and 87, done at the end of 94, W 95. With two:
 * 6–25, 8–27, 26–45, 28–47: requests in 48 and 49, done 56, W 57. With four: 12–31, 32 and 33, 40, W 41. */
static void walks_of_a_lane_queue_for_its_walkers(void **state) {
    (void)state;
    static const struct {
        unsigned walkers, commit, waited;
    } cases[] = {{1, 95, 18 + 36 + 54}, {2, 57, 16 + 16}, {4, 41, 0}};
    for (unsigned n = 0; n < 3; ++n) {
        struct bench *b = begin_cold(LDR_R0_R1, 2048, cases[n].walkers, 20);
        run(b);
        assert_int_equal(b->commit[0][0], cases[n].commit);
        for (unsigned lane = 0; lane < 4; ++lane) {
            const struct tlb *t = &b->cluster.core[lane].dtlb;
            assert_int_equal(t->misses, 8);
            assert_int_equal(t->walked, 4);
            assert_int_equal(t->walk_cycles, 80);
            assert_int_equal(b->cluster.core[lane].walkers.wait_cycles, cases[n].waited);
        }
        assert_int_equal(b->cluster.cause[MACHINE_CAUSE_EXECUTE], 8 + 8); /* rounds continue */
        bench_free(b);
    }
}

/* A page for each thread: eight walks, one after the other. Lookups in 6 to 13. With walks of 1 cycle: they
 * end before 7 to 14, the last request completes at the end of 21, W 22. With 200: before 206 … 1606,
 * complete at the end of 1613. */
static void a_stride_of_a_page_takes_what_its_walks_take(void **state) {
    (void)state;
    static const unsigned cases[][2] = {{1, 22}, {20, 6 + 8 * 20 + 8}, {200, 6 + 8 * 200 + 8}};
    for (unsigned n = 0; n < 3; ++n) {
        struct bench *b = begin_cold(LDR_R0_R1, 4096, 1, cases[n][0]);
        run(b);
        assert_int_equal(b->commit[0][0], cases[n][1]);
        bench_free(b);
    }
}

/* O 4–5 · X 6–13 · lookups 7 to 14; all stores are accepted in 27, when their walk 7–26 has ended. */
static void a_store_is_accepted_after_its_walk(void **state) {
    (void)state;
    struct bench *b = begin_cold(STR_R0_R1, 64, 1, 20);
    run(b);
    assert_int_equal(b->commit[0][0], 27);
    bench_free(b);
    b = begin_cold(STR_R0_R1, 64, 1,
                   3); /* walk 7–9: the stores of rounds 6, 7, 8 in 10, the others immediately */
    run(b);
    assert_int_equal(b->commit[0][0], 14);
    bench_free(b);
}

/* Eight lines a lane, two miss registers. The rounds start without waiting, and after the walk 6–25 all make
 * their requests in 26. Two are accepted; the others follow when lines arrive. */
static void held_accesses_wait_for_miss_registers(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, EXIT};
    struct bench *b = bench_create();
    b->config.mem.mshrs = 2;
    begin(b, text, 2, 32, 64);
    for (unsigned i = 0; i < 4; ++i) b->cluster.core[i].dtlb.used = 0;
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned i = 0; i < 4; ++i) {
        assert_int_equal(b->cluster.core[i].l2.tags.misses, 8 + !i); /* the text's */
        assert_int_equal(b->cluster.core[i].l2.in_flight.max, 2);
    }
    assert_in_range(b->commit[0][0], 4 * 200, 4 * 260); /* two at a time */
    bench_free(b);
}

/* Another warp continues meanwhile, since its page is present. */
static void a_walk_holds_only_its_warp(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, EXIT};
    struct bench *b = bench_create();
    b->config.mem.tlb_miss_cycles = 500;
    begin(b, text, 2, 64, 0);
    for (unsigned k = 0; k < 32; ++k) b->cluster.threads[0].registers[32 + k] = DATA_BASE + 8192;
    for (unsigned i = 0; i < 4; ++i) {
        uint64_t done;
        private_l2_access(&b->cluster.core[i].l2, DATA_BASE, false, 0, &done);
        private_l2_access(&b->cluster.core[i].l2, DATA_BASE + 8192, false, 0, &done);
    }
    run(b);
    /* warp 0: X 5–12, walk 6–505, requests 506 to 513, complete 520, W 521; warp 1: X 13–20, complete 28, W
     * 29 */
    assert_int_equal(b->commit[0][0], 521);
    assert_int_equal(b->commit[1][0], 29);
    bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_waits_for_the_walker_that_is_free_first),
        cmocka_unit_test(a_fetch_waits_for_a_walk_for_data),
        cmocka_unit_test(a_fetch_asks_the_l2_after_its_walk),
        cmocka_unit_test(walks_of_a_lane_queue_for_its_walkers),
        cmocka_unit_test(a_stride_of_a_page_takes_what_its_walks_take),
        cmocka_unit_test(a_store_is_accepted_after_its_walk),
        cmocka_unit_test(held_accesses_wait_for_miss_registers),
        cmocka_unit_test(a_walk_holds_only_its_warp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
