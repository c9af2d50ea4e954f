/*
 * Engines that form warps on a cluster of cores, against cycles counted by hand (divergence.md §4.10). Warps
 * have 32 threads on 4 lanes. A takes ten cycles. An instruction without results in the TPM, of one source,
 * has S 0, A 1-10, F 11, D 12, O 13, X 14-21, C 21. One that writes a register has C 22.
 */
#include "model/config/divergence_kind.h"
#include "model/unit/unit.h"
#include "tests/cluster/simt_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define EOR_R2_R1_LSR_1 0xe02120a1u /* bit 6: threads 16 to 31 of warp 0, 0 to 15 of warp 1 */
#define TST_R2_40       0xe3120040u
#define BNE_NEXT_BUT_2  0x1a000001u
#define ADD_R3_R0_R1    0xe0803001u
#define BARRIER         0xee040710u
#define BARRIER_NE      0x1e040710u

static const uint32_t sides[] = {EOR_R2_R1_LSR_1, TST_R2_40, BNE_NEXT_BUT_2, ADD_R3_R0_R1, EXIT,
                                 ADD_R3_R0_R1,    EXIT};

static struct bench *create(enum divergence_kind engine, unsigned arbitrate_cycles) {
    struct bench *b = bench_create();
    b->config.simt.divergence = engine;
    b->config.simt.arbitrate_cycles = arbitrate_cycles;
    return b;
}

static void assert_cycles(const uint64_t *cycle, unsigned count, const uint64_t *expected, unsigned most) {
    assert_int_equal(count, most);
    for (unsigned n = 0; n < count; ++n) assert_int_equal(cycle[n], expected[n]);
}

/* BNE is committed in 66 and 76. Threads 0 to 15 of warp 0 are selected in 67, alone: ADD has O 80-81, X
 * 82-89, C 90. Their EXIT has S 97, X 111-118, C 118. Threads 16 to 31 of warp 1 come too late for them: they
 * are selected in 77, as their PC is the last one. Threads 0 to 15 of warp 1 join those of 16 to 31 of warp
 * 0, which S has not selected: S 87, O 100-101, X 102-109, C 110.
 *
 * With `block` each lane has threads of one of these warps. With `cyclic` each lane has threads of both: it
 * reads four lines, O 100-103, and writes two, in 112 and 113. The exits then have X 112-119, 121-128 and,
 * after two cycles of O, 132-139. */
static void threads_of_two_warps_share_a_flight(void **state) {
    (void)state;
    static const uint64_t select[2][7] = {{0, 23, 45, 67, 97}, {10, 33, 55, 77, 87, 107, 117}};
    static const uint64_t commit[2][2][7] = {
        {{22, 44, 66, 90, 110, 118, 138}, {32, 54, 76, 100, 110, 128, 138}},
        {{22, 44, 66, 90, 113, 119, 139}, {32, 54, 76, 100, 113, 128, 139}}};
    for (unsigned n = 0; n < 4; ++n) {
        const bool cyclic = n & 2;
        struct bench *b = create(DIVERGENCE_dwf, 10);
        struct counter_registry *r = counter_registry_create();
        b->config.simt.lane_map = cyclic ? LANE_MAP_CYCLIC : LANE_MAP_BLOCK;
        begin(b, sides, 7, 64, 4);
        set_exact(b, n & 1);
        cluster_register_counters(&b->cluster, r);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_cycles(b->select[0], b->selects[0], select[0], 5);
        assert_cycles(b->select[1], b->selects[1], select[1], 7);
        for (unsigned w = 0; w < 2; ++w) assert_cycles(b->commit[w], b->commits[w], commit[cyclic][w], 7);
        assert_int_equal(b->cluster.warp_instructions, 12);
        assert_int_equal(b->cluster.thread_instructions, 5 * 64);
        uint64_t *cell = calloc(counter_cells(r), sizeof *cell);
        counter_snapshot(r, cell);
        assert_int_equal(counter_sum(r, cell, "cluster0.dwf0", "joined"), 16);
        free(cell);
        counter_registry_destroy(r);
        bench_free(b);
    }
}

/* Warp 0 waits; warp 1 opens the barrier for both. */
static void a_barrier_of_two_warps(void **state) {
    (void)state;
    static const uint32_t text[] = {BARRIER, EXIT};
    for (unsigned exact = 0; exact < 2; ++exact) {
        struct bench *b = create(DIVERGENCE_dwf, 1);
        begin(b, text, 2, 64, 4);
        set_exact(b, exact);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_int_equal(b->commit[0][0], 12);
        assert_int_equal(b->commit[1][0], 20);
        assert_int_equal(b->select[0][1], 22);
        assert_int_equal(b->select[1][1], 23);
        bench_free(b);
    }
}

/* A warp waits as a whole, or not at all. */
static void a_barrier_for_some_is_refused(void **state) {
    (void)state;
    static const uint32_t text[] = {TST_R2_40, BARRIER, EOR_R2_R1_LSR_1, TST_R2_40, BARRIER_NE, EXIT};
    struct bench *b = create(DIVERGENCE_dwf, 1);
    begin(b, text, 6, 64, 4);
    run(b);
    assert_int_equal(b->error.status, EXIT_PROGRAM_FAULT);
    assert_non_null(strstr(b->error.message, "a warp waits as a whole"));
    bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_of_two_warps_share_a_flight),
        cmocka_unit_test(a_barrier_of_two_warps),
        cmocka_unit_test(a_barrier_for_some_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
