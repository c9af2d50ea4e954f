/*
 * Engines that form warps on a cluster of cores, against cycles counted by hand (divergence.md §4.10). Warps
 * have 32 threads on 4 lanes. If A takes ten cycles, an instruction without results in the TPM, of one
 * source, has S 0, A 1-10, F 11, D 12, O 13, X 14-21, C 21. One that writes a register has C 22.
 */
#include "model/config/divergence_kind.h"
#include "model/config/own_fields.h"
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
#define MOV_R2_1        0xe3a02001u
#define BL_NEXT_BUT_1   0xeb000000u
#define MOV_R4_LR       0xe1a0400eu
#define BX_R4           0xe12fff14u
#define BX_LR           0xe12fff1eu
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

/* A takes one cycle. One warp is formed at the end of cycle 0, the other one cycle later: S 1 and 2. BNE is
 * committed in 45 and 53. Then all threads part. Those that do not jump are on top: 0 to 15 of warp 0 and 16
 * to 31 of warp 1, one warp, S 54. ADD has O 58-59, X 60-67, C 68, EXIT S 69, O 73, X 74-81, C 81. The other
 * side is formed then: S 82, O 86-87, X 88-95, C 96, and EXIT S 97, C 109. With `cyclic` ADD has O 58-61, X
 * 62-69, W 70 and 71; EXIT S 72, O 76-77, X 78-85; the other side begins in 86 and ends in 117. */
static void sides_of_a_work_group_are_compacted(void **state) {
    (void)state;
    static const uint64_t select[2][2][5] = {{{1, 15, 30, 54, 69}, {2, 23, 38, 82, 97}},
                                             {{1, 15, 30, 54, 72}, {2, 23, 38, 86, 104}}};
    static const uint64_t commit[2][2][7] = {
        {{14, 29, 45, 68, 81, 96, 109}, {22, 37, 53, 68, 81, 96, 109}},
        {{14, 29, 45, 71, 85, 103, 117}, {22, 37, 53, 71, 85, 103, 117}}};
    for (unsigned n = 0; n < 4; ++n) {
        const bool cyclic = n & 2;
        struct bench *b = create(DIVERGENCE_tbc, 1);
        b->config.simt.lane_map = cyclic ? LANE_MAP_CYCLIC : LANE_MAP_BLOCK;
        begin(b, sides, 7, 64, 4);
        b->code.meeting = malloc(7 * sizeof b->code.meeting[0]);
        for (unsigned k = 0; k < 7; ++k) b->code.meeting[k] = k == 2 ? 0 : MACHINE_TOGETHER;
        set_exact(b, n & 1);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        for (unsigned w = 0; w < 2; ++w) {
            assert_cycles(b->select[w], b->selects[w], select[cyclic][w], 5);
            assert_cycles(b->commit[w], b->commits[w], commit[cyclic][w], 7);
        }
        assert_int_equal(b->cluster.warp_instructions, 10);
        bench_free(b);
    }
}

/* Eight rows of four threads. One goes to the First-Level in each cycle from 0 on, and is selected in the
 * next: S 1 to 8. MOV has A 2, F 3, D 4, O 5, X 6, C 7. Its threads are back in the First-Level in 8: EXIT
 * has S 9, O 13 and X 14. MOV of the last row commits in 14, EXIT of the first in 15. */
static void harp_has_warps_as_wide_as_the_lanes(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, EXIT};
    for (unsigned n = 0; n < 4; ++n) {
        struct bench *b = create(DIVERGENCE_harp, 1);
        b->config.simt.lane_map = n & 2 ? LANE_MAP_CYCLIC : LANE_MAP_BLOCK;
        begin(b, text, 2, 32, 4);
        set_exact(b, n & 1);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_int_equal(b->selects[0], 16);
        for (unsigned k = 0; k < 16; ++k) {
            assert_int_equal(b->select[0][k], k + 1);
            assert_int_equal(b->commit[0][k], 7 + k);
        }
        assert_int_equal(b->cluster.warp_instructions, 16);
        bench_free(b);
    }
}

static void start_large(struct bench *b, unsigned large, bool cyclic, unsigned threads, bool exact) {
    ((struct own_fields *)b->config.own)->lwm.threads = large;
    b->config.simt.lane_map = cyclic ? LANE_MAP_CYCLIC : LANE_MAP_BLOCK;
    begin(b, sides, 7, threads, 4);
    b->code.meeting = malloc(7 * sizeof b->code.meeting[0]);
    for (unsigned k = 0; k < 7; ++k) b->code.meeting[k] = k == 2 ? 0 : MACHINE_TOGETHER;
    set_exact(b, exact);
}

/* A large warp of 64 threads takes two flights, S 0 and 1, X 5-12 and 13-20; C 21. TST has S 22 and 23, C 42,
 * BNE S 43 and 44, C 63. The threads that do not jump, of both warps, are one flight: ADD has S 64, O 68-69,
 * X 70-77, C 78; EXIT S 79, O 83, C 91. The other side: S 92, O 96-97, C 106; S 107, C 119. With `cyclic`
 * each lane has threads of both warps: O 68-71, X 72-79, W 80 and 81; EXIT S 82, O 86-87, C 95; S 96, O
 * 100-103, C 113; S 114, O 118-119, C 127. Threads are in execution until all flights of their instruction
 * have been written. */
static void a_large_warp_takes_several_flights(void **state) {
    (void)state;
    static const uint64_t select[2][2][7] = {{{0, 22, 43, 64, 79}, {1, 23, 44, 92, 107}},
                                             {{0, 22, 43, 64, 82, 96, 114}, {1, 23, 44}}};
    static const unsigned selects[2][2] = {{5, 5}, {7, 3}};
    static const uint64_t commit[2][7] = {{21, 42, 63, 78, 91, 106, 119}, {21, 42, 63, 81, 95, 113, 127}};
    for (unsigned n = 0; n < 4; ++n) {
        const bool cyclic = n & 2;
        struct bench *b = create(DIVERGENCE_lwm, 1);
        start_large(b, 64, cyclic, 64, n & 1);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        for (unsigned w = 0; w < 2; ++w) {
            assert_cycles(b->select[w], b->selects[w], select[cyclic][w], selects[cyclic][w]);
            assert_cycles(b->commit[w], b->commits[w], commit[cyclic], 7);
        }
        assert_int_equal(b->cluster.warp_instructions, 10);
        bench_free(b);
    }
}

/* Half of a warp of 32 threads. With `cyclic` it has four threads in each lane, and so four rounds, whichever
 * half it is: ADD has S 40, O 44-45, X 46-49, C 50, EXIT S 51, C 59. With `block` it has eight in two lanes:
 * C 54, and EXIT S 55, C 67. */
static void sub_warps_are_rounds(void **state) {
    (void)state;
    static const uint64_t select[2][7] = {{0, 14, 27, 40, 55, 68, 83}, {0, 14, 27, 40, 51, 60, 71}};
    static const uint64_t commit[2][7] = {{13, 26, 39, 54, 67, 82, 95}, {13, 26, 39, 50, 59, 70, 79}};
    for (unsigned n = 0; n < 4; ++n) {
        struct bench *b = create(DIVERGENCE_lwm, 1);
        start_large(b, 32, n & 2, 32, n & 1);
        run(b);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_cycles(b->select[0], b->selects[0], select[n >> 1], 7);
        assert_cycles(b->commit[0], b->commits[0], commit[n >> 1], 7);
        bench_free(b);
    }
}

/* A function calls another, for which there is no room. */
static void calls_need_room(void **state) {
    (void)state;
    static const uint32_t text[] = {BL_NEXT_BUT_1, EXIT, MOV_R4_LR, BL_NEXT_BUT_1, BX_R4, BX_LR};
    for (unsigned room = 1; room <= 2; ++room) {
        struct bench *b = create(DIVERGENCE_tbc, 1);
        b->config.simt.stack_calls = room;
        begin(b, text, 6, 32, 4);
        set_exact(b, false);
        run(b);
        assert_int_equal(b->error.status, room == 2 ? EXIT_SOUND : EXIT_PROGRAM_FAULT);
        if (room == 2) assert_int_equal(b->commits[0], 6);
        if (room == 1) assert_non_null(strstr(b->error.message, "raise simt.stack_calls"));
        bench_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_of_two_warps_share_a_flight),
        cmocka_unit_test(a_barrier_of_two_warps),
        cmocka_unit_test(a_barrier_for_some_is_refused),
        cmocka_unit_test(sides_of_a_work_group_are_compacted),
        cmocka_unit_test(harp_has_warps_as_wide_as_the_lanes),
        cmocka_unit_test(a_large_warp_takes_several_flights),
        cmocka_unit_test(sub_warps_are_rounds),
        cmocka_unit_test(calls_need_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
