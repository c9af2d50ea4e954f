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
#define AND_R2_R1_12   0xe201200cu
#define ADD_PC_PC_R2   0xe08ff002u
#define TST_R1_32      0xe3110020u
#define LDRNE_R0_R1    0x15910000u
#define TST_R1_8       0xe3110008u
#define ADDNE_R2_R0_R1 0x10802001u
#define MOV_R2_1       0xe3a02001u
#define RAISE          0xee030710u /* mcr p7, 0, r0, c3, c0, 0 */
#define LOWER_1        0xee030731u /* mcr p7, 0, r0, c3, c1, 1 */

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

/* 16 threads, for which 3 · thread has bit 3: 3, 4, 5, 8, 9, 10, 14, 15 and the same of the next 16. On a
 * group of 4 lanes each lane has four of them. Their rows are 1, 2, 5, 6 in lanes 0 and 1; 2, 3, 6, 7 in lane
 * 2; 0, 3, 4, 7 in lane 3. */
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

/* Two special function units take the threads round by round: the last of the 4 of round 0 in their second
 * cycle, the last of all 16 in the eighth. */
static void special_functions_take_round_after_round(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT};
    static const struct sm_flight f = {.kind = SM_SFU, .passed = SOME};
    struct sm_bench *b = sm_bench_create();
    b->config.lanes.kind = LANES_SPATIO_TEMPORAL;
    b->config.lanes.group = 4;
    b->config.simt.mitigation = MITIGATION_SLP;
    sm_begin(b, text, 1, 32, 1, 3);
    assert_int_equal(sm_lanes_sfu_cycle(&b->sm, &f, 0), 1);
    assert_int_equal(sm_lanes_sfu_cycle(&b->sm, &f, 3), 7);
    sm_bench_free(b);
}

/* The 16 threads load from local memory, where each round has four banks: flags in 20 as above, O 21 and 22,
 * X 22 to 25, served in 23 to 26, W five cycles later. Without slp X 22 to 29, the last W 35. */
static void local_memory_serves_packed_rounds(void **state) {
    (void)state;
    static const uint32_t text[] = {TST_R1_32, LDRNE_R0_R1, ADD_R2_R0_R1, EXIT};
    for (unsigned slp = 0; slp < 2; ++slp) {
        struct sm_bench *b = sm_bench_create();
        b->config.lanes.kind = LANES_SPATIO_TEMPORAL;
        b->config.lanes.group = 4;
        b->config.local.banks = 16;
        b->config.simt.mitigation = slp ? MITIGATION_SLP : MITIGATION_NONE;
        b->local_bytes = b->config.cluster.local_bytes = 4096;
        b->base = MEMORY_LOCAL_BASE;
        sm_begin(b, text, 4, 32, 1, 12);
        sm_run(b, 100, 1);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_int_equal(b->passed[1], SOME);
        assert_int_equal(b->note[2].i, slp ? 31 : 35);
        assert_int_equal(b->sm.ldst->local_accesses, 16);
        sm_bench_free(b);
    }
}

/* Creates a machine with barrel issue, 16 lanes and a PC for each thread, by ICS-First. */
static struct sm_bench *dual_path(bool dpe) {
    struct sm_bench *b = sm_bench_create();
    b->config.simt.divergence = DIVERGENCE_pc;
    b->config.simt.mitigation = dpe ? MITIGATION_DPE : MITIGATION_NONE;
    sm_bench_barrel(b, 16);
    return b;
}

/* Checks S of all instructions. */
static void expect(struct sm_bench *b, const uint32_t *code, unsigned words, const uint64_t *s,
                   unsigned count) {
    sm_begin(b, code, words, 32, 1, 12);
    sm_run(b, 200, 1);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_int_equal(b->sm.issued, count);
    for (unsigned n = 0; n < count; ++n) assert_int_equal(b->note[n].i, s[n]);
    sm_bench_free(b);
}

/* Two rounds, 9 cycles an instruction. Threads 11 to 21 branch.
 *
 *   S 0, 9     TST, BNE of all threads
 *   S 18       B of the 21 others, since thread 0 is among them: A 19, O 22, X 23 and 24, C 26
 *   S 20       ADD of threads 11 to 21, after A of B: O 24, X 25 and 26, C 28
 *   S 27       EXIT of the 21: the others are in flight still in its A
 *   S 29       EXIT of threads 11 to 21
 *
 * Without dpe S is in 18, 27 (EXIT of the 21), 36 (ADD) and 45. */
static void both_sides_are_in_flight(void **state) {
    (void)state;
    static const uint32_t code[] = {TST_R1_128, BNE_NEXT_BUT_1, B_NEXT_BUT_1, ADD_R3_R2_R1, EXIT};
    static const uint64_t without[] = {0, 9, 18, 27, 36, 45}, with[] = {0, 9, 18, 20, 27, 29};
    expect(dual_path(false), code, 5, without, 6);
    expect(dual_path(true), code, 5, with, 6);
}

/* A takes 9 cycles, so that an instruction takes 17.
 *
 *   S 34       B of the 21: A 35 to 43, C 50
 *   S 44       A 45 to 53 chooses in its last cycle. The 21 are ready again, and thread 0 is one of them:
 * their EXIT S 54       ADD of threads 11 to 21. In 53 the warp is still in A, and is not selected; C 70 S 71
 * EXIT of threads 11 to 21 */
static void a_warp_in_arbitration_is_not_selected(void **state) {
    (void)state;
    static const uint32_t code[] = {TST_R1_128, BNE_NEXT_BUT_1, B_NEXT_BUT_1, ADD_R3_R2_R1, EXIT};
    static const uint64_t s[] = {0, 17, 34, 44, 54, 71};
    struct sm_bench *b = dual_path(true);
    b->config.simt.arbitrate_cycles = 9;
    expect(b, code, 5, s, 6);
}

/* Four ways at once: threads go to 3 + k mod 4.
 *
 *   S 0, 9     AND, ADD of the PC
 *   S 18, 20   the first two ways, C 26 and 28. The other two wait, as two instructions are in flight.
 *   S 27       the first way is at 4
 *   S 29       the second way has reached the third at 5 */
static void two_paths_are_in_flight_at_most(void **state) {
    (void)state;
    static const uint32_t code[] = {AND_R2_R1_12, ADD_PC_PC_R2, ADD_R3_R2_R1, ADD_R3_R2_R1,
                                    ADD_R3_R2_R1, ADD_R3_R2_R1, EXIT};
    static const uint64_t s[] = {0, 9, 18, 20, 27, 29};
    static const uint64_t passed[] = {UINT32_MAX, UINT32_MAX, 0x11111111, 0x22222222, 0x11111111, 0x66666666};
    struct sm_bench *b = dual_path(true);
    b->base = 0;
    sm_begin(b, code, 7, 32, 1, 4);
    sm_run(b, 200, 1);
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned n = 0; n < 6; ++n) {
        assert_int_equal(b->note[n].i, s[n]);
        assert_int_equal(b->passed[n], passed[n]);
    }
    sm_bench_free(b);
}

/* The same between RAISE and LOWER. The exit is on a lower level than LOWER of threads 11 to 21 in flight (C
 * 46), so it waits for it, for all threads together.
 *
 *   S 0, 9, 18   RAISE, TST, BNE
 *   S 27, 29     B and ADD
 *   S 36, 38     LOWER of the 21, and of threads 11 to 21
 *   S 47         EXIT
 *
 * Without dpe the 21 wait on the lower level from C of their LOWER in 44 on: ADD in 45, LOWER in 54. */
static void a_lower_level_waits(void **state) {
    (void)state;
    static const uint32_t code[] = {RAISE,   TST_R1_128, BNE_NEXT_BUT_1, B_NEXT_BUT_1, ADD_R3_R2_R1,
                                    LOWER_1, EXIT};
    static const uint64_t without[] = {0, 9, 18, 27, 36, 45, 54, 63}, with[] = {0, 9, 18, 27, 29, 36, 38, 47};
    expect(dual_path(false), code, 7, without, 8);
    expect(dual_path(true), code, 7, with, 8);
}

/* r2 is uniform, and both sides write it. The first addition needs a copy, in its place: S 26, O 30, X 31 and
 * 32, C 34. The other side, S 28, is in the dispatch queue by 31 and waits: O 35, X 36, C 39. It needs no
 * copy then.
 *
 *   S 0        MOV for one thread
 *   S 8, 17    TST, BNE
 *   S 26, 28   the copy; ADD of threads 11 to 21
 *   S 35       the first ADD of the 21 others, C 43
 *   S 40       EXIT of threads 11 to 21
 *   S 44, 53   the second ADD of the 21, EXIT */
static void a_path_waits_for_a_copy(void **state) {
    (void)state;
    static const uint32_t code[] = {MOV_R2_1, TST_R1_128, BNE_NEXT_BUT_1, ADD_R2_R0_R1, ADD_R2_R0_R1, EXIT};
    static const uint64_t s[] = {0, 8, 17, 26, 28, 35, 40, 44, 53};
    struct sm_bench *b = dual_path(true);
    b->config.uniform.storage = UNIFORM_TOKEN;
    b->config.uniform.intra = true;
    sm_begin(b, code, 6, 32, 1, 12);
    sm_run(b, 200, 1);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_int_equal(b->sm.issued, 9);
    for (unsigned n = 0; n < 9; ++n) assert_int_equal(b->note[n].i, s[n]);
    assert_int_equal(b->note[3].x, 31);
    assert_int_equal(b->note[4].x, 36);
    assert_int_equal(b->sm.uniform.count[UNIFORM_COUNT_COPIES], 1);
    sm_bench_free(b);
}

/* Eight temporal lanes. The only warp, of 22 threads, runs in the first lane; 11 of its threads branch.
 *
 *   S 0, 29   TST: 22 rounds, C 28. BNE: 11 rounds, whose condition holds, C 46
 *   S 47      B of threads 0 to 10: O 51 to 56, X 52 to 62, C 64
 *   S 49      ADD of threads 11 to 21: O from 57 on, when the instruction register is free; X 63 to 73, C 75
 *   S 65      EXIT of threads 0 to 10: O 69 to 74, X 74 to 84
 *   S 76      EXIT of the others
 */
static void paths_share_a_temporal_lane(void **state) {
    (void)state;
    static const uint32_t code[] = {TST_R1_128, BNE_NEXT_BUT_1, B_NEXT_BUT_1, ADD_R3_R2_R1, EXIT};
    static const uint64_t s[] = {0, 29, 47, 49, 65, 76}, x[] = {5, 34, 52, 63, 74, 85};
    struct sm_bench *b = dual_path(true);
    sm_bench_barrel(b, 8);
    b->config.lanes.kind = LANES_TEMPORAL;
    b->config.cluster.schedulers = 8;
    sm_begin(b, code, 5, 22, 1, 12);
    sm_run(b, 200, 1);
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned n = 0; n < 6; ++n) {
        assert_int_equal(b->note[n].i, s[n]);
        assert_int_equal(b->note[n].x, x[n]);
    }
    sm_bench_free(b);
}

/* Threads end on the outermost level if --check-levels is given, and no level is below it. */
static void levels_are_checked(void **state) {
    (void)state;
    static const uint32_t raised[] = {RAISE, EXIT}, lowered[] = {LOWER_1, EXIT};
    for (unsigned n = 0; n < 3; ++n) {
        struct sm_bench *b = dual_path(true);
        sm_begin(b, n == 2 ? lowered : raised, 2, 32, 1, 4);
        b->sm.check_levels = n == 1;
        sm_run(b, 100, 1);
        assert_int_equal(b->error.status, n == 0 ? EXIT_SOUND : EXIT_PROGRAM_FAULT);
        if (n == 1) assert_non_null(strstr(b->error.message, "ends at priority level 1"));
        if (n == 2)
            assert_non_null(strstr(b->error.message, "lowers its priority below the outermost level"));
        sm_bench_free(b);
    }
}

/* A work-group begins on the outermost level, whatever the threads of the one before have left. */
static void a_work_group_begins_on_the_outermost_level(void **state) {
    (void)state;
    static const uint32_t raised[] = {RAISE, EXIT};
    struct sm_bench *b = dual_path(true);
    sm_begin(b, raised, 2, 32, 1, 4);
    sm_run(b, 100, 1);
    assert_int_equal(b->error.status, EXIT_SOUND);
    b->sm.check_levels = true;
    sm_take_group(&b->sm, &(struct work_group){0, {0, 0, 0}}, T + 100);
    b->cycles = 100;
    sm_run(b, 200, 1);
    assert_non_null(strstr(b->error.message, "ends at priority level 1"));
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
        cmocka_unit_test(special_functions_take_round_after_round),
        cmocka_unit_test(local_memory_serves_packed_rounds),
        cmocka_unit_test(both_sides_are_in_flight),
        cmocka_unit_test(a_warp_in_arbitration_is_not_selected),
        cmocka_unit_test(two_paths_are_in_flight_at_most),
        cmocka_unit_test(a_lower_level_waits),
        cmocka_unit_test(a_path_waits_for_a_copy),
        cmocka_unit_test(paths_share_a_temporal_lane),
        cmocka_unit_test(levels_are_checked),
        cmocka_unit_test(a_work_group_begins_on_the_outermost_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
