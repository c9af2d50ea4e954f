/*
 * Barrel issue with lane groups, against cycles counted by hand from lanes.md §2. Cycles are relative to T,
 * in which the first warps are selected.
 */
#include "tests/sm/lanes_bench.h"

#include <stdio.h>

/* Creates a machine of eight lanes in groups of `group`, each with its scheduler. */
static struct sm_bench *barrel(unsigned group) {
    struct sm_bench *b = bench(group);
    sm_bench_barrel(b, 8);
    b->config.cluster.schedulers = 8 / group;
    return b;
}

/* S 0 A 1 F 2 D 3 O 4; X has a round for each `group` active threads, R in all: 5 to 4 + R. W of the last
 * round two cycles later, 6 + R, C at its end: S again in 7 + R. A pipeline of 16 stages: 8 cycles more. */
static void a_round_is_a_cycle(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, CMP_R0_R1, EXIT};
    static const struct {
        unsigned group, threads, depth, rounds;
    } cases[] = {{1, 1, 8, 1}, {1, 5, 8, 5},  {1, 32, 8, 32}, {2, 5, 8, 3},
                 {4, 5, 8, 2}, {4, 32, 8, 8}, {4, 32, 16, 8}};
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; ++n) {
        struct sm_bench *b = barrel(cases[n].group);
        b->config.simt.pipeline_depth = cases[n].depth;
        sm_begin(b, text, 4, cases[n].threads, 1, 4);
        sm_run(b, 200, 1);
        assert_int_equal(b->error.status, EXIT_SOUND);
        const uint64_t each = cases[n].rounds + cases[n].depth - 1;
        for (unsigned k = 0; k < 4; ++k) assert_int_equal(b->note[k].i, k * each);
        assert_int_equal(b->note[0].x, 5);
        assert_int_equal(b->note[0].x_last, 4 + cases[n].rounds);
        sm_bench_free(b);
    }
}

/* Warps 0 and 8 share a lane and its scheduler. Warp 0: S 0, A 1 to n for simt.arbitrate_cycles n, F n + 1, D
 * n + 2, O n + 3, X n + 4. A hands it over at the end of cycle n, in which S selects warp 8. */
static void a_warp_stays_in_a(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, EXIT};
    for (unsigned n = 1; n < 4; ++n) {
        struct sm_bench *b = barrel(1);
        b->config.simt.arbitrate_cycles = n;
        sm_begin(b, text, 3, 32 * 9, 1, 4);
        sm_run(b, 200, 1);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_int_equal(b->note[0].x, n + 4);
        assert_int_equal(b->note[8].warp, 8);
        assert_int_equal(b->note[8].i, n);
        sm_bench_free(b);
    }
}

/* The conditional addition has one active thread, 0: one round of the four. CMP: r0 = 0 in all threads; r1 is
 * 0 in thread 0 only. */
static void rounds_without_active_threads_are_skipped(void **state) {
    (void)state;
    const uint32_t text[] = {CMP_R0_R1, 0x00802001u /* addeq r2, r0, r1 */, ADD_R3_R2_R1, EXIT};
    struct sm_bench *b = barrel(1);
    b->base = 0;
    sm_begin(b, text, 4, 4, 1, 4);
    sm_run(b, 200, 1);
    assert_int_equal(b->note[1].i, 11);
    assert_int_equal(b->note[2].i, 11 + 8);
    assert_int_equal(b->note[3].i, 11 + 8 + 11);
    sm_bench_free(b);
}

/* Each of eight warps has a lane and a scheduler, which fetches for itself: all have S in 0 and X in 5
 * to 36. */
static void lane_groups_run_side_by_side(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, EXIT};
    struct sm_bench *b = barrel(1);
    sm_begin(b, text, 3, 32 * 8, 1, 4);
    sm_run(b, 200, 1);
    for (unsigned k = 0; k < 8; ++k) {
        assert_int_equal(b->note[k].warp, k);
        assert_int_equal(b->note[k].i, 0);
        assert_int_equal(b->note[k].x, 5);
        assert_int_equal(b->note[k].x_last, 36);
    }
    sm_bench_free(b);
}

/* Warps 0 and 8 share lane 0. Warp 0: O from 4, two rounds a cycle: the last of 32 are read in 19. Warp 8 has
 * D in 4 and the instruction register from 20 on; X from 37 on, after that of warp 0. */
static void the_instruction_register_is_awaited(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, EXIT};
    struct sm_bench *b = barrel(1);
    sm_begin(b, text, 3, 32 * 9, 1, 4);
    sm_run(b, 20, 1);
    assert_int_equal(b->sm.issued, 8); /* blocked in 19 */
    sm_run(b, 21, 1);
    assert_int_equal(b->sm.issued, 9);
    sm_run(b, 200, 1);
    assert_int_equal(b->note[8].warp, 8);
    assert_int_equal(b->note[8].x, 37);
    sm_bench_free(b);
}

/* X 5 to 12, served in 6 to 13, W of each round five cycles later: the last in 18, C at its end. */
static void local_loads_are_written_round_by_round(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, ADD_R2_R0_R1, EXIT};
    struct sm_bench *b = barrel(1);
    b->local_bytes = b->config.cluster.local_bytes = 4096;
    b->base = MEMORY_LOCAL_BASE;
    sm_begin(b, text, 3, 8, 1, 4);
    sm_run(b, 200, 1);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_int_equal(b->note[1].i, 19);
    sm_bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_round_is_a_cycle),
                                       cmocka_unit_test(a_warp_stays_in_a),
                                       cmocka_unit_test(rounds_without_active_threads_are_skipped),
                                       cmocka_unit_test(lane_groups_run_side_by_side),
                                       cmocka_unit_test(the_instruction_register_is_awaited),
                                       cmocka_unit_test(local_loads_are_written_round_by_round)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
