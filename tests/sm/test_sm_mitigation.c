/* Mitigations of divergence on an SM (docs/policies.md §6) compared with cycles counted by hand. Cycles are
 * relative to T. */
#include "model/config/divergence_kind.h"
#include "tests/sm/sm_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Encodings, from the architecture manual. */
#define ADD_R2_R0_R1   0xe0802001u
#define ADD_R3_R2_R1   0xe0823001u
#define TST_R1_128     0xe3110080u
#define B_NEXT_BUT_1   0xea000000u
#define BNE_NEXT_BUT_1 0x1a000000u
#define TST_R1_8       0xe3110008u
#define ADDNE_R2_R0_R1 0x10802001u

/* The fullest of 8 lanes, by hand: threads 0 to 7 have a lane each; 0 to 11 two in lanes 0 to 3; 0, 8, 16 and
 * 24 have lane 0. With 64 lanes there is one round, also without a thread. */
static void rounds_are_those_of_the_fullest_lane(void **state) {
    (void)state;
    assert_int_equal(sm_packed_rounds(8, 0xff), 1);
    assert_int_equal(sm_packed_rounds(8, 0xfff), 2);
    assert_int_equal(sm_packed_rounds(8, 0x01010101), 4);
    assert_int_equal(sm_packed_rounds(8, 0x08040201), 1);
    assert_int_equal(sm_packed_rounds(64, ~UINT64_C(0)), 1);
    assert_int_equal(sm_packed_rounds(8, 0), 1);
}

/* 12 threads on 8 lanes, results 11 cycles after a round. Two rounds: X 2 and 3, W 13 and 14, where all four
 * take X 2 to 5, W 13 to 16. The second addition issues with the last W. */
static void lanes_execute_their_threads_without_gaps(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, EXIT};
    for (unsigned slp = 0; slp < 2; ++slp) {
        struct sm_bench *b = sm_bench_create();
        b->config.simt.mitigation = slp ? MITIGATION_SLP : MITIGATION_NONE;
        sm_begin(b, text, 3, 12, 1, 4);
        sm_run(b, 100, 1);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_int_equal(b->note[0].x, 2);
        assert_int_equal(b->note[0].x_last, slp ? 3 : 5);
        assert_int_equal(b->note[1].i, slp ? 14 : 16);
        assert_int_equal(b->sm.active_rounds, 3 * 2);
        assert_int_equal(b->sm.lanes.skipped, slp ? 3 * 2 : 0);
        sm_bench_free(b);
    }
}

/* Barrel issue, 16 lanes, a pipeline of 8 stages: an instruction of two rounds takes 9 cycles, of one
 * round 8.
 *
 *   S 0    comparison, 32 threads on 16 lanes: two rounds
 *   S 9    branch of threads 11 to 21, which are in different lanes: one round
 *   S 17   branch of the 21 others, with two in each of lanes 6 to 10: two rounds
 *   S 26   addition of threads 11 to 21: one round
 *   S 34   exit of all threads */
static void sides_of_a_branch_take_fewer_rounds(void **state) {
    (void)state;
    static const uint32_t code[] = {TST_R1_128, BNE_NEXT_BUT_1, B_NEXT_BUT_1, ADD_R3_R2_R1, EXIT},
                          s[] = {0, 9, 17, 26, 34};
    struct sm_bench *b = sm_bench_create();
    b->config.simt.divergence = DIVERGENCE_pc;
    b->config.simt.pc_policy = PC_MIN_PC;
    b->config.simt.mitigation = MITIGATION_SLP;
    sm_bench_barrel(b, 16);
    sm_begin(b, code, 5, 32, 1, 12);
    sm_run(b, 100, 1);
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned n = 0; n < 5; ++n) assert_int_equal(b->note[n].i, s[n]);
    assert_int_equal(b->passed[2], 0xffc007ff);
    assert_int_equal(b->note[2].x_last - b->note[2].x, 1);
    assert_int_equal(b->passed[3], 0x003ff800);
    assert_int_equal(b->note[3].x_last, b->note[3].x);
    sm_bench_free(b);
}

/* 16 threads: those of 3k with bit 3, that is 3, 4, 5, 8, 9, 10, 14, 15 and the same of the next 16. On a
 * group of 4 lanes each lane has four of them, in rows 1, 2, 5, 6 (lanes 0 and 1), 2, 3, 6, 7 (lane 2) and 0,
 * 3, 4, 7 (lane 3). */
#define SOME 0xc738c738u

static void a_round_has_a_thread_of_each_lane(void **state) {
    (void)state;
    assert_int_equal(sm_packed_rounds(4, SOME), 4);
    assert_int_equal(sm_packed_threads(4, SOME, 0), 1u << 4 | 1u << 5 | 1u << 10 | 1u << 3);
    assert_int_equal(sm_packed_threads(4, SOME, 3), 1u << 24 | 1u << 25 | 1u << 30 | 1u << 31);
    assert_int_equal(sm_packed_threads(4, SOME, 4), 0);
}

/* Lane groups of 4, latency 11, 8 banks. TST of 32 threads: two rounds are read a cycle, X 2 to 9, flags
 * in 20. Rows of the addition's rounds in the four lanes: 1 1 2 0, 2 2 3 3, 5 5 6 4, 6 6 7 7. r0 is in bank
 * row, r1 in bank row + 1.
 *
 *   O 21   round 0; r1 of round 1, whose r0 is in the bank of round 0's r1 in lanes 0 and 1
 *   O 22   r0 of round 1; round 2
 *   O 23   round 3
 *
 * X 22 to 25, W 33 to 36. Without slp every row has one of the threads: X 22 to 29, W 33 to 40. The third
 * instruction issues with the last W. */
static void lanes_of_a_group_read_rows_of_their_own(void **state) {
    (void)state;
    static const uint32_t text[] = {TST_R1_8, ADDNE_R2_R0_R1, ADD_R3_R2_R1, EXIT};
    for (unsigned slp = 0; slp < 2; ++slp) {
        struct sm_bench *b = sm_bench_create();
        b->config.lanes.kind = LANES_SPATIO_TEMPORAL;
        b->config.lanes.group = 4;
        b->config.simt.mitigation = slp ? MITIGATION_SLP : MITIGATION_NONE;
        b->base = 0;
        sm_begin(b, text, 4, 32, 1, 3);
        sm_run(b, 100, 1);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_int_equal(b->note[0].x_last, 9);
        assert_int_equal(b->note[1].i, 20);
        assert_int_equal(b->passed[1], SOME);
        assert_int_equal(b->note[1].x, 22);
        assert_int_equal(b->note[1].x_last, slp ? 25 : 29);
        assert_int_equal(b->note[2].i, slp ? 36 : 40);
        sm_bench_free(b);
    }
}

/* A register is read when its banks are free in all lanes of the round: of the rows above, round 1's r1
 * beside round 0, and round 1's r0 after it. */
static void a_bank_conflicts_if_that_of_a_lane_does(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT};
    static const struct sm_flight f = {.kind = SM_SP, .passed = SOME};
    struct sm_bench *b = sm_bench_create();
    b->config.lanes.kind = LANES_SPATIO_TEMPORAL;
    b->config.lanes.group = 4;
    b->config.simt.mitigation = MITIGATION_SLP;
    sm_begin(b, text, 1, 32, 1, 3);
    assert_true(sm_take_banks(&b->sm, &f, 0, 0, false));
    assert_true(sm_take_banks(&b->sm, &f, 1, 0, false));
    assert_false(sm_take_banks(&b->sm, &f, 0, 1, false));
    assert_true(sm_take_banks(&b->sm, &f, 1, 1, false));
    assert_false(sm_take_banks(&b->sm, &f, 0, 0, true));
    sm_bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_are_those_of_the_fullest_lane),
        cmocka_unit_test(lanes_execute_their_threads_without_gaps),
        cmocka_unit_test(sides_of_a_branch_take_fewer_rounds),
        cmocka_unit_test(a_round_has_a_thread_of_each_lane),
        cmocka_unit_test(lanes_of_a_group_read_rows_of_their_own),
        cmocka_unit_test(a_bank_conflicts_if_that_of_a_lane_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
