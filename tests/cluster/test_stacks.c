/*
 * simt.divergence sbr and oracle on a cluster of cores, against cycles counted by hand (divergence.md §4.9).
 * Warps have 32 threads on 4 lanes. Cycles are as in test_simt_pipeline.c. An instruction without results in
 * the TPM has S 0, A 1, F 2, D 3, O 4, X 5-12, C 12. One that writes a register has C 13. An ADD of two
 * sources has O 4-5, C 14.
 */
#include "model/config/divergence_kind.h"
#include "model/unit/unit.h"
#include "tests/cluster/simt_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define ADD_R2_R0_R1   0xe0802001u
#define MOV_R2_1       0xe3a02001u
#define TST_R1_E0      0xe31100e0u /* Z: threads 0 to 7, if r1 is 4 * thread */
#define BNE_NEXT_BUT_2 0x1a000001u
#define B_NEXT_BUT_1   0xea000000u
#define BL_NEXT_BUT_1  0xeb000000u
#define BX_LR          0xe12fff1eu
#define BARRIER        0xee040710u
#define BARRIER_NE     0x1e040710u

static struct bench *create(enum divergence_kind engine) {
    struct bench *b = bench_create();
    b->config.simt.divergence = engine;
    return b;
}

/* Threads meet behind instruction 1 at instruction 5. */
static void start(struct bench *b, const uint32_t *text, unsigned words, unsigned threads, bool exact) {
    begin(b, text, words, threads, 4);
    b->code.meeting = malloc(words * sizeof b->code.meeting[0]);
    for (unsigned n = 0; n < words; ++n) b->code.meeting[n] = n == 1 ? TEXT_BASE + 20 : MACHINE_TOGETHER;
    set_exact(b, exact);
}

static void assert_cycles(const struct bench *b, const uint64_t *select, const uint64_t *commit,
                          unsigned count) {
    assert_int_equal(b->selects[0], count);
    for (unsigned n = 0; n < count; ++n) {
        assert_int_equal(b->select[0][n], select[n]);
        assert_int_equal(b->commit[0][n], commit[n]);
    }
}

/* Threads 0 to 7 do not branch and run first: ADD in 26, B in 41. They are at the re-convergence point then,
 * so the others run: MOV in 54. All meet: EXIT in 68. The oracle: the lane of most threads, which for 0 to 7
 * is lane 0 (block: 8 of them), needs 8 issues of each instruction, 48; cyclic: 2 of ADD and B, 6 of MOV, 34.
 */
static void sides_run_one_after_the_other(void **state) {
    (void)state;
    static const uint32_t text[] = {TST_R1_E0, BNE_NEXT_BUT_2, ADD_R2_R0_R1, B_NEXT_BUT_1, MOV_R2_1, EXIT};
    static const uint64_t select[] = {0, 13, 26, 41, 54, 68}, commit[] = {12, 25, 40, 53, 67, 80};
    for (unsigned n = 0; n < 8; ++n) {
        struct bench *b = create(n & 1 ? DIVERGENCE_oracle : DIVERGENCE_sbr);
        struct counter_registry *r = counter_registry_create();
        b->config.simt.lane_map = n & 4 ? LANE_MAP_CYCLIC : LANE_MAP_BLOCK;
        start(b, text, 6, 32, n & 2);
        cluster_register_counters(&b->cluster, r);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_cycles(b, select, commit, 6);
        assert_int_equal(b->cluster.warp_instructions, 6);
        assert_int_equal(b->cluster.thread_instructions, 32 + 32 + 8 + 8 + 24 + 32);
        uint64_t *cell = calloc(counter_cells(r), sizeof *cell);
        counter_snapshot(r, cell);
        assert_int_equal(counter_sum(r, cell, "cluster0.oracle", "issues"), !(n & 1) ? 0 : n & 4 ? 34 : 48);
        assert_int_equal(counter_sum(r, cell, "cluster0.oracle", "executions"), n & 1 ? 136 : 0);
        free(cell);
        counter_registry_destroy(r);
        bench_free(b);
    }
}

/* A thread in A longer reads its stack later: each instruction takes two cycles more. */
static void the_stack_is_read_in_a(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, EXIT};
    static const uint64_t select[] = {0, 16}, commit[] = {15, 30};
    struct bench *b = create(DIVERGENCE_sbr);
    b->config.simt.arbitrate_cycles = 3;
    start(b, text, 2, 32, false);
    run(b);
    assert_cycles(b, select, commit, 2);
    bench_free(b);
}

/* Threads 8 to 31 wait at the barrier: C 25. The others continue alone: MOV in 26, EXIT in 40, C 52. No
 * others are left, so the barrier opens and the threads are ready in 54. */
static void those_that_do_not_wait_go_on(void **state) {
    (void)state;
    static const uint32_t text[] = {TST_R1_E0, BARRIER_NE, MOV_R2_1, EXIT};
    static const uint64_t select[] = {0, 13, 26, 40, 54, 68}, commit[] = {12, 25, 39, 52, 67, 80};
    for (unsigned exact = 0; exact < 2; ++exact) {
        struct bench *b = create(DIVERGENCE_sbr);
        start(b, text, 4, 32, exact);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_cycles(b, select, commit, 6);
        assert_int_equal(b->cluster.barriers.opened_without, 1);
        bench_free(b);
    }
}

/* Warp 0 waits; warp 1, all of whose threads are at the same barrier, opens it for both. */
static void a_barrier_of_two_warps(void **state) {
    (void)state;
    static const uint32_t text[] = {BARRIER, EXIT};
    struct bench *b = create(DIVERGENCE_sbr);
    start(b, text, 2, 64, false);
    run(b);
    assert_int_equal(b->commit[0][0], 12);
    assert_int_equal(b->commit[1][0], 20);
    assert_int_equal(b->select[0][1], 22);
    assert_int_equal(b->select[1][1], 23);
    bench_free(b);
}

/* A barrier in one side of a branch: the other side waits where both meet, and neither can go on. */
static void a_barrier_in_one_side_is_a_deadlock(void **state) {
    (void)state;
    static const uint32_t text[] = {TST_R1_E0, BNE_NEXT_BUT_2, BARRIER, B_NEXT_BUT_1, MOV_R2_1, EXIT};
    for (unsigned exact = 0; exact < 2; ++exact) {
        struct bench *b = create(DIVERGENCE_sbr);
        start(b, text, 6, 32, exact);
        run(b);
        assert_int_equal(b->error.status, EXIT_PROGRAM_FAULT);
        assert_non_null(strstr(b->error.message, SIMT_DEADLOCK));
        assert_int_equal(b->commit[0][3], 52); /* MOV of the others: S 39 */
        bench_free(b);
    }
}

/* The function of two instructions returns; that of one calls another, for which there is no room. */
static void calls_need_room(void **state) {
    (void)state;
    static const uint32_t text[] = {BL_NEXT_BUT_1, EXIT, MOV_R2_1, BX_LR},
                          nested[] = {BL_NEXT_BUT_1, EXIT, BL_NEXT_BUT_1, BX_LR, BX_LR};
    struct bench *b = create(DIVERGENCE_sbr);
    b->config.simt.stack_calls = 1;
    start(b, text, 4, 32, false);
    run(b);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_int_equal(b->cluster.warp_instructions, 4);
    bench_free(b);
    b = create(DIVERGENCE_sbr);
    b->config.simt.stack_calls = 1;
    start(b, nested, 5, 32, false);
    run(b);
    assert_int_equal(b->error.status, EXIT_PROGRAM_FAULT);
    assert_non_null(strstr(b->error.message, "raise simt.stack_calls"));
    bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_run_one_after_the_other),       cmocka_unit_test(the_stack_is_read_in_a),
        cmocka_unit_test(those_that_do_not_wait_go_on),        cmocka_unit_test(a_barrier_of_two_warps),
        cmocka_unit_test(a_barrier_in_one_side_is_a_deadlock), cmocka_unit_test(calls_need_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
