/*
 * simt.mitigation and simt.lane_map balanced against rounds and cycles counted by hand (divergence.md §4,
 * dual-mode 5.3). Cycles are as in test_simt_pipeline.c: an ADD of two sources has S 0, A 1, F 2, D 3, O 4-5,
 * X from 6 on, W and C in the cycle after its last round.
 */
#include "tests/cluster/simt_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define ADD_R2_R0_R1 0xe0802001u
#define MOV_R2_1     0xe3a02001u
#define TST_R1_E0    0xe31100e0u
#define BNE_NEXT_2   0x1a000000u /* over one instruction */
#define BNE_NEXT_3   0x1a000001u /* over two */
#define BNE_NEXT_4   0x1a000002u
#define RAISE        0xee030710u /* mcr p7, 0, r0, c3, c0, 0 */
#define LDR_R0_R1    0xe5910000u
#define MUL_R2_R0_R1 0xe0020190u
#define UMULL_R2_R3  0xe0832190u /* umull r2, r3, r0, r1 */
#define TST_SP_100   0xe31d0c01u
#define BEQ_7        0x0a000004u /* branches from instruction 1 to 7 */
#define LDREX_R0_R1  0xe1910f9fu
#define STREX_R3_R0  0xe1813f90u
#define CMP_R3_0     0xe3530000u
#define BNE_BACK_3   0x1afffffbu /* branches to the third instruction before it */
#define STR_R1_SP    0xe50d1004u /* str r1, [sp, #-4] */

static struct bench *create(enum lane_map_kind map, enum mitigation mitigation) {
    struct bench *b = bench_create();
    b->config.simt.lane_map = map;
    b->config.simt.mitigation = mitigation;
    return b;
}

/* Checks the number of rounds that an ADD takes if only these threads of a warp of 32 exist, on 4 lanes. */
static void expect_rounds(enum lane_map_kind map, enum mitigation mitigation, uint64_t present,
                          unsigned rounds) {
    static const uint32_t text[] = {ADD_R2_R0_R1, EXIT};
    struct bench *b = create(map, mitigation);
    b->absent = ~present & UINT32_MAX;
    begin(b, text, 2, 32, 0);
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_int_equal(b->commit[0][0], 6 + rounds);
    assert_int_equal(b->select[0][1], 7 + rounds);
    bench_free(b);
}

/* The counts of divergence.md §4, by lane map. Lane i has these threads:
 *   block     8i to 8i + 7
 *   cyclic    all n with n mod 4 = i
 *   balanced  as cyclic, but the lanes of rounds 0 to 7 are permuted by 0, 1, 2, 3, 1, 0, 3, 2: threads 0, 8,
 * 16 and 24, the first of rounds 0, 2, 4 and 6, are in lanes 0, 2, 1 and 3 */
static void rounds_by_hand(void **state) {
    (void)state;
    static const struct {
        uint64_t present;
        unsigned block, cyclic, balanced;
    } cases[] = {
        {0x000000ff, 8, 2, 2}, {0x01010101, 1, 4, 1}, {0x00000001, 1, 1, 1}, {0xffffffff, 8, 8, 8},
        {0x0000ffff, 8, 4, 4}, {0x11111111, 2, 8, 2}, {0x80000001, 1, 1, 1}, {0x00010001, 1, 2, 1},
    };
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        expect_rounds(LANE_MAP_BLOCK, MITIGATION_SLP, cases[n].present, cases[n].block);
        expect_rounds(LANE_MAP_CYCLIC, MITIGATION_SLP, cases[n].present, cases[n].cyclic);
        expect_rounds(LANE_MAP_BALANCED, MITIGATION_SLP, cases[n].present, cases[n].balanced);
        expect_rounds(LANE_MAP_BALANCED, MITIGATION_NONE, cases[n].present, 8);
    }
}

/* Rounds that have one of the threads. Round v of the lanes 0 to 3 executes these:
 *   block   v, 8 + v, 16 + v, 24 + v
 *   cyclic  4v to 4v + 3 */
static void rounds_that_are_left(void **state) {
    (void)state;
    static const struct {
        uint64_t present;
        unsigned block, cyclic;
    } cases[] = {
        {0x01010101, 1, 4}, /* 0, 8, 16, 24: the first round; those of 0, 8, 16, 24 */
        {0x00000007, 3, 1}, /* 0 to 2 */
        {0x15000000, 3, 2}, /* 24, 26, 28: rounds 0, 2 and 4; 6 and 7 */
        {0x000000ff, 8, 2}, {0xffffffff, 8, 8},
    };
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        expect_rounds(LANE_MAP_BLOCK, MITIGATION_SKIP, cases[n].present, cases[n].block);
        expect_rounds(LANE_MAP_CYCLIC, MITIGATION_SKIP, cases[n].present, cases[n].cyclic);
        expect_rounds(LANE_MAP_BLOCK, MITIGATION_NONE, cases[n].present, 8);
    }
}

/* Threads of 1, 3 and 8 rounds: the ADD of 3 takes X 6-8, so it commits in 9. The warp is selected in 10, and
 * EXIT, which has no source, O 14, X 15-17, commits in 17. */
static void what_follows_starts_earlier(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1, EXIT};
    static const struct {
        uint64_t present;
        unsigned rounds;
    } cases[] = {{0x01010101, 1}, {0x07000007, 3}, {0xff, 8}};
    for (unsigned exact = 0; exact < 2; exact++)
        for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
            const unsigned rounds = cases[n].rounds;
            struct bench *b = create(LANE_MAP_BLOCK, MITIGATION_SKIP);
            b->absent = ~cases[n].present & UINT32_MAX;
            begin(b, text, 2, 32, 0);
            set_exact(b, exact);
            run(b);
            assert_int_equal(b->error.status, EXIT_SOUND);
            assert_int_equal(b->commit[0][0], 6 + rounds);
            assert_int_equal(b->select[0][1], 7 + rounds);
            assert_int_equal(b->commit[0][1], 7 + rounds + 4 + rounds);
            bench_free(b);
        }
}

/* if (thread < 8) an ADD: TST and BNE take 8 rounds each, the ADD as many rounds as the lane with most of
 * threads 0 to 7. TST has a source and writes flags, which the descriptors hold: S 0, O 4, X 5-12, C 12. BNE:
 * S 13, O 17, X 18-25, C 25. The lowest-numbered thread continues: ADD of 0 to 7, S 26, O 30-31, X from 32
 * on. */
static void of_a_branch(void **state) {
    (void)state;
    static const uint32_t text[] = {TST_R1_E0, BNE_NEXT_2, ADD_R2_R0_R1, EXIT};
    static const unsigned rounds[] = {[LANE_MAP_BLOCK] = 8, [LANE_MAP_CYCLIC] = 2, [LANE_MAP_BALANCED] = 2};
    for (enum lane_map_kind map = LANE_MAP_BLOCK; map <= LANE_MAP_BALANCED; map++)
        for (enum mitigation m = MITIGATION_NONE; m <= MITIGATION_SLP; m++) {
            const unsigned taken = m == MITIGATION_NONE ? 8 : rounds[map];
            struct bench *b = create(map, m);
            begin(b, text, 4, 32, 4);
            run(b);
            assert_int_equal(b->error.status, EXIT_SOUND);
            assert_int_equal(b->select[0][2], 26);
            assert_int_equal(b->commit[0][2], 32 + taken);
            bench_free(b);
        }
}

/* Any lane takes any thread: the number of rounds is the smallest possible. Operands take two more cycles to
 * the lanes, and so do results. The ADD alone: O 4-7, X from 8 on, its last result two cycles later. */
static void a_network_fills_the_lanes(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1, EXIT};
    static const struct {
        uint64_t present;
        unsigned rounds;
    } cases[] = {{0x000000ff, 2}, {0x01010101, 1}, {0x00000001, 1}, {0xffffffff, 8}, {0x0000001f, 2}};
    for (unsigned exact = 0; exact < 2; exact++)
        for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
            struct bench *b = create(LANE_MAP_BLOCK, MITIGATION_SLP);
            b->config.simt.slp = SLP_ANY;
            b->absent = ~cases[n].present & UINT32_MAX;
            begin(b, text, 2, 32, 0);
            set_exact(b, exact);
            run(b);
            assert_int_equal(b->error.status, EXIT_SOUND);
            assert_int_equal(b->commit[0][0], 10 + cases[n].rounds);
            bench_free(b);
        }
}

/* A thread's lane has its translations, so that loads take the rounds of their own lanes. */
static void loads_stay_in_their_lanes(void **state) {
    (void)state;
    static const uint32_t text[] = {LDR_R0_R1, EXIT};
    uint64_t commit[2];
    for (enum slp slp = SLP_OWN; slp <= SLP_ANY; slp++) {
        struct bench *b = create(LANE_MAP_BLOCK, MITIGATION_SLP);
        b->config.simt.slp = slp;
        b->absent = ~0xffull & UINT32_MAX; /* all threads of lane 0 */
        begin(b, text, 2, 32, 4);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        commit[slp] = b->commit[0][0];
        bench_free(b);
    }
    assert_int_equal(commit[SLP_ANY], commit[SLP_OWN]);
}

/* Both sides of an if: TST C 12, BNE C 25, as above. Threads 0 to 7: S 26, A 27, O 30-31, X 32-39, C 40. The
 * other threads are ready behind A: S 28, A 29, F 30, D 31, O 32-33, X 40-47, C 48. With one path at a time,
 * they start after the first side has ended. */
static void two_paths_are_in_flight(void **state) {
    (void)state;
    static const uint32_t text[] = {TST_R1_E0, BNE_NEXT_3, ADD_R2_R0_R1, EXIT, ADD_R2_R0_R1, EXIT};
    for (unsigned exact = 0; exact < 2; exact++) {
        struct bench *b = create(LANE_MAP_BLOCK, MITIGATION_DPE);
        begin(b, text, 6, 32, 4);
        set_exact(b, exact);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_int_equal(b->select[0][2], 26);
        assert_int_equal(b->select[0][3], 28);
        assert_int_equal(b->commit[0][2], 40);
        assert_int_equal(b->commit[0][3], 48);
        assert_int_equal(b->select[0][4], 41); /* the first side's exit is in flight with the second's ADD */
        bench_free(b);
    }
}

/* MOV is uniform: one round, C 6. TST S 7, C 19; BNE S 20, C 32. The first side's ADD, S 33, would write r2,
 * which all threads share: a copy takes its place, D 36, O 37, X 38-45, C 46. The other side, S 35, has been
 * fetched in 37, but F keeps it until C of the copy: D 48, O 49-50, X 51-58, C 59. It needs no copy, nor does
 * the first side: S 47, D 50, X 59-66, C 67. With a scalar register file r0 takes no port: O 49, and X of
 * both a cycle earlier. */
static void a_second_path_waits_for_a_copy(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, TST_R1_E0, BNE_NEXT_3, ADD_R2_R0_R1, EXIT, ADD_R2_R0_R1, EXIT};
    static const uint64_t selects[] = {0, 7, 20, 33, 35, 47}, commits[] = {6, 19, 32, 46, 59, 67};
    for (enum uniform_storage storage = UNIFORM_TOKEN; storage <= UNIFORM_SRF; storage++)
        for (unsigned exact = 0; exact < 2; exact++) {
            struct bench *b = create(LANE_MAP_BLOCK, MITIGATION_DPE);
            b->config.uniform.storage = storage;
            b->config.uniform.intra = true;
            begin(b, text, 7, 32, 4);
            b->cluster.check_uniform = true;
            set_exact(b, exact);
            run(b);
            assert_int_equal(b->error.status, EXIT_SOUND);
            for (unsigned n = 0; n < 6; n++) assert_int_equal(b->select[0][n], selects[n]);
            for (unsigned n = 0; n < 6; n++)
                assert_int_equal(b->commit[0][n], commits[n] - (n >= 4 && storage == UNIFORM_SRF));
            assert_int_equal(b->cluster.uniform.count[UNIFORM_COUNT_COPIES], 1);
            bench_free(b);
        }
}

/* The first side raises its level: S 26, O 30, X 31-38, C 38, concurrently with the other side's ADD, S 28, X
 * 39-46, C 47. The first side continues, since its level is higher: S 39, O 43-44, X 47-54, C 55. The other
 * side must not issue during that, nor during the exit, S 56, O 60, X 61-68: its level is lower. */
static void who_stands_lower_waits(void **state) {
    (void)state;
    static const uint32_t text[] = {TST_R1_E0, BNE_NEXT_4, RAISE, ADD_R2_R0_R1, EXIT, ADD_R2_R0_R1, EXIT};
    struct bench *b = create(LANE_MAP_BLOCK, MITIGATION_DPE);
    begin(b, text, 7, 32, 4);
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    static const uint64_t selects[] = {0, 13, 26, 28, 39, 56, 69}, commits[] = {12, 25, 38, 47, 55, 68, 81};
    assert_int_equal(b->selects[0], 7);
    assert_memory_equal(b->select[0], selects, sizeof selects);
    assert_memory_equal(b->commit[0], commits, sizeof commits);
    bench_free(b);
}

/* TST C 12, BNE C 25. Then half of the warp has one instruction; threads 0 to 7, which are all of lane 0,
 * have another. All participate. S 26, A 27, F 28-35, D 29-36. */
static struct bench *run_mixed(uint32_t first, uint32_t others, unsigned write_ports) {
    static uint32_t text[] = {TST_R1_E0, BNE_NEXT_3, 0, EXIT, 0, EXIT};
    struct bench *b = create(LANE_MAP_BLOCK, MITIGATION_ALT);
    text[2] = first;
    text[4] = others;
    b->config.tpm.write_ports = write_ports;
    for (unsigned n = 0; n < ARM_CLASS_COUNT; ++n)
        b->config.core.latency_cycles[n] = b->config.core.occupancy_cycles[n] = 1;
    b->config.core.latency_cycles[ARM_CLASS_MULTIPLY] = 3;
    b->config.core.occupancy_cycles[ARM_CLASS_MULTIPLY] = 4;
    begin(b, text, 6, 32, 4);
    for (unsigned lane = 1; lane < b->cluster.lanes; ++lane) {
        core_fetch(&b->cluster.core[lane], TEXT_BASE, 0);
        tlb_end_walks(&b->cluster.core[lane].itlb, T);
    }
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_int_equal(b->select[0][2], 26);
    return b;
}

/* The example of divergence.md §4, from 26 on: O 30 + 2v and 31 + 2v, X 32 + 2v, W 33 + 2v: C in 47. Both
 * sides exit: S 48, F 50-57, O 52 + v, X 53 + v; one PC in 60, the other in 61. */
static void each_thread_has_its_own_instruction(void **state) {
    (void)state;
    struct bench *b = run_mixed(ADD_R2_R0_R1, ADD_R2_R0_R1, 1);
    assert_int_equal(b->commits[0], 5);
    assert_int_equal(b->commit[0][2], 47);
    assert_int_equal(b->select[0][3], 48);
    assert_int_equal(b->commit[0][3], 60);
    assert_int_equal(b->commit[0][4], 61);
    assert_int_equal(b->cluster.warp_instructions, 4);
    assert_int_equal(b->cluster.alternate_instructions, 2 * 32);
    bench_free(b);
}

/* Lane 0 multiplies, 4 cycles a round: X 32 + 4v, the last in 60; its result is ready at the end of 62,
 * W 63. */
static void the_longest_occupancy_says_when_the_next_round_starts(void **state) {
    (void)state;
    struct bench *b = run_mixed(MUL_R2_R0_R1, ADD_R2_R0_R1, 1);
    assert_int_equal(b->commit[0][2], 63);
    bench_free(b);
}

/* Lane 0 has two results a round, which takes W of one port two cycles, though O takes two as well, so that
 * only the last is later: X 32 + 4v, results at the end of 34 + 4v, W 35 + 4v and 36 + 4v: C in 64; through
 * two ports 63. */
static void the_lane_with_most_results_says_how_long_w_takes(void **state) {
    (void)state;
    for (unsigned ports = 1; ports <= 2; ++ports) {
        struct bench *b = run_mixed(UMULL_R2_R3, ADD_R2_R0_R1, ports);
        assert_int_equal(b->commit[0][2], 65 - ports);
        bench_free(b);
    }
}

/* The first side, threads 0 to 7, raises its level concurrently with the other's ADD: S 26, C 47 as above,
 * since the lane with most sources has two. The first side continues alone, with an ADD of all 8 rounds: S
 * 48, O 52-53, X 54-61, C 62; and its exit, S 63, O 67, X 68-75. The other side's exit waits for that: S 76,
 * X 81-88. */
static void who_stands_lower_waits_for_those_above(void **state) {
    (void)state;
    static const uint32_t text[] = {TST_R1_E0, BNE_NEXT_4, RAISE, ADD_R2_R0_R1, EXIT, ADD_R2_R0_R1, EXIT};
    static const uint64_t selects[] = {0, 13, 26, 48, 63, 76}, commits[] = {12, 25, 47, 62, 75, 88};
    struct bench *b = create(LANE_MAP_BLOCK, MITIGATION_ALT);
    begin(b, text, 7, 32, 4);
    for (unsigned lane = 1; lane < b->cluster.lanes; ++lane) {
        core_fetch(&b->cluster.core[lane], TEXT_BASE, 0);
        tlb_end_walks(&b->cluster.core[lane].itlb, T);
    }
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_int_equal(b->selects[0], 6);
    assert_memory_equal(b->select[0], selects, sizeof selects);
    assert_memory_equal(b->commit[0], commits, sizeof commits);
    assert_int_equal(b->cluster.alternate_instructions, 32);
    bench_free(b);
}

/* Each lane fetches separately. The lanes behind lane 0 miss their L1I; the slowest determines when
 * F ends. */
static void each_lane_fetches_through_its_own_l1i(void **state) {
    (void)state;
    static const uint32_t text[] = {TST_R1_E0, BNE_NEXT_3, ADD_R2_R0_R1, EXIT, ADD_R2_R0_R1, EXIT};
    struct bench *b = create(LANE_MAP_BLOCK, MITIGATION_ALT);
    begin(b, text, 6, 32, 4);
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_true(b->commit[0][2] > 47);
    for (unsigned lane = 1; lane < b->cluster.lanes; ++lane) {
        assert_int_equal(b->cluster.core[lane].l1i.accesses, 2 * 8);
        assert_int_equal(b->cluster.core[lane].l1i.misses, 1);
    }
    bench_free(b);
}

/* Every position has its own lane and round, and these determine the position. In a balanced map, no lane has
 * two threads of a round, of consecutive threads, or of threads at distance `lanes`. */
static void maps_are_permutations(void **state) {
    (void)state;
    for (unsigned kind = LANE_MAP_BLOCK; kind <= LANE_MAP_BALANCED; kind++)
        for (unsigned lanes = 1; lanes <= 32; lanes *= 2)
            for (unsigned rounds = 1; lanes * rounds <= 64; rounds *= 2) {
                const struct lane_map m = {kind, lanes, rounds};
                for (unsigned k = 0; k < lanes * rounds; k++) {
                    const unsigned lane = lane_map_lane(m, k), round = lane_map_round(m, k);
                    assert_in_range(lane, 0, lanes - 1);
                    assert_int_equal(lane_map_position(m, lane, round), k);
                }
                if (kind != LANE_MAP_BALANCED || rounds < lanes) continue;
                unsigned beside = 0, apart = 0;
                for (unsigned n = 0; n < lanes; n++) {
                    beside |= 1u << lane_map_lane(m, n);
                    apart |= 1u << lane_map_lane(m, n * lanes);
                }
                assert_int_equal(beside, (1ull << lanes) - 1);
                assert_int_equal(apart, (1ull << lanes) - 1);
            }
}

/* The two paths of each of four warps contend for one granule in loops of LDREX and STREX: all threads store.
 */
static void paths_contend_for_a_granule(void **state) {
    (void)state;
    static const uint32_t text[] = {TST_SP_100, BEQ_7,       LDREX_R0_R1, STREX_R3_R0, CMP_R3_0,   BNE_BACK_3,
                                    EXIT,       LDREX_R0_R1, STREX_R3_R0, CMP_R3_0,    BNE_BACK_3, EXIT};
    for (enum mitigation m = MITIGATION_DPE; m <= MITIGATION_ALT; m++) {
        struct bench *b = create(LANE_MAP_BLOCK, m);
        b->stack_size = 256;
        begin(b, text, 12, 128, 0);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_int_equal(b->cluster.mode, CLUSTER_LEAVE);
        assert_true(b->uncore.monitor.apart);
        bench_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_by_hand),
        cmocka_unit_test(rounds_that_are_left),
        cmocka_unit_test(what_follows_starts_earlier),
        cmocka_unit_test(of_a_branch),
        cmocka_unit_test(a_network_fills_the_lanes),
        cmocka_unit_test(loads_stay_in_their_lanes),
        cmocka_unit_test(two_paths_are_in_flight),
        cmocka_unit_test(a_second_path_waits_for_a_copy),
        cmocka_unit_test(who_stands_lower_waits),
        cmocka_unit_test(paths_contend_for_a_granule),
        cmocka_unit_test(each_thread_has_its_own_instruction),
        cmocka_unit_test(the_longest_occupancy_says_when_the_next_round_starts),
        cmocka_unit_test(the_lane_with_most_results_says_how_long_w_takes),
        cmocka_unit_test(who_stands_lower_waits_for_those_above),
        cmocka_unit_test(each_lane_fetches_through_its_own_l1i),
        cmocka_unit_test(maps_are_permutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
