/* The cycles of divergence engines that regroup threads, worked out by hand (divergence.md §4, §5), on 16
 * lanes with a pipeline of 8 stages: a warp instruction of one round has S 0 A 1 F 2 D 3 O 4 X 5 W 7, C at
 * its end. */
#include "model/config/divergence_kind.h"
#include "model/sm/idle.h"
#include "tests/sm/sm_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define ADD_R2_R0_R1   0xe0802001u
#define ADD_R3_R2_R1   0xe0823001u
#define LDR_R0_R1      0xe5910000u
#define TST_R1_128     0xe3110080u
#define B_NEXT_BUT_1   0xea000000u
#define BNE_NEXT_BUT_1 0x1a000000u

static struct sm_bench *machine(enum divergence_kind engine) {
    struct sm_bench *b = sm_bench_create();
    b->config.simt.divergence = engine;
    sm_bench_barrel(b, 16);
    b->config.simt.lane_map = LANE_MAP_CYCLIC;
    return b;
}

static const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, ADD_R2_R0_R1, EXIT};

/* S 0 and 1 of the two rows, after a cycle from Second-Level to First-Level; C in 7, First-Level in 8: each
 * again 9 cycles later. */
static void harp_issues_a_row_every_9_cycles(void **state) {
    (void)state;
    for (unsigned rows = 1; rows <= 2; ++rows) {
        struct sm_bench *b = machine(DIVERGENCE_harp);
        b->config.cluster.threads = 64;
        sm_begin(b, text, 4, 16 * rows, 1, 4);
        sm_run(b, 100, 1);
        assert_int_equal(b->error.status, EXIT_SOUND);
        for (unsigned n = 0; n < 4 * rows; ++n) {
            assert_int_equal(b->note[n].i, 1 + n / rows * 9 + n % rows);
            assert_int_equal(b->note[n].x_last, b->note[n].i + 5);
        }
        sm_bench_free(b);
    }
}

/* S 1, X 6, request in 7, data at the end of 272, W and C in 273, First-Level in 274. Meanwhile the warp is
 * in the Waiting-Lookup. */
static void harp_awaits_loads_in_the_waiting_lookup(void **state) {
    (void)state;
    const uint32_t load[] = {LDR_R0_R1, ADD_R3_R2_R1, EXIT};
    struct sm_bench *b = machine(DIVERGENCE_harp);
    b->config.cluster.threads = 64;
    sm_begin(b, load, 3, 16, 1, 4);
    sm_run(b, 600, 265);
    assert_int_equal(b->note[0].i, 1);
    assert_int_equal(b->note[1].i, 275);
    sm_bench_free(b);
}

/* Two rounds, as sbr: S every 9 cycles. */
static void dwf_issues_a_warp_every_9_cycles(void **state) {
    (void)state;
    struct sm_bench *b = machine(DIVERGENCE_dwf);
    sm_begin(b, text, 4, 32, 1, 4);
    sm_run(b, 100, 1);
    for (unsigned n = 0; n < 4; ++n) assert_int_equal(b->note[n].i, n * 9);
    assert_int_equal(b->note[0].x_last, 6);
    sm_bench_free(b);
}

/* S 0, 9, 18 and 27, C of the exit in 35: 32 cycles without, in which all threads are in flight. */
static void idle_threads_are_counted(void **state) {
    (void)state;
    struct sm_bench *b = machine(DIVERGENCE_dwf);
    struct counter_registry *r = counter_registry_create();
    sm_begin(b, text, 4, 32, 1, 4);
    sm_count_idle(&b->sm, r);
    sm_run(b, 100, 1);
    assert_int_equal(b->sm.idle->cycles, 32);
    assert_int_equal(b->sm.idle->all, 32 * 32);
    assert_int_equal(b->sm.idle->dependent, 32 * 32);
    counter_registry_destroy(r);
    sm_bench_free(b);
}

/* 72 threads in 5 sub-warps, the last of 8: X 5 to 9, W of the last and C in 11, S again in 12. */
static void lwm_executes_sub_warps_one_after_the_other(void **state) {
    (void)state;
    struct sm_bench *b = machine(DIVERGENCE_lwm);
    sm_begin(b, text, 4, 72, 1, 4);
    sm_run(b, 100, 1);
    for (unsigned n = 0; n < 20; ++n) {
        assert_int_equal(b->note[n].i, n / 5 * 12);
        assert_int_equal(b->note[n].x, n / 5 * 12 + 5 + n % 5);
    }
    assert_int_equal(b->sm.thread_instructions, 4 * 72);
    sm_bench_free(b);
}

/* Warps are formed in cycles 0 and 1; the second's rounds follow the first's: S 1 and 2, 10 and 12. Row 0
 * continues in lanes 0 to 10 and 22 to 31, row 1 in the others: after C of the branch in 20, the former are
 * one warp, and after C in 29, the latter. After C in 38 they reconverge: two warps. */
static void tbc_waits_for_all_warps_to_compact_them(void **state) {
    (void)state;
    static const uint32_t code[] = {TST_R1_128, BNE_NEXT_BUT_1, B_NEXT_BUT_1, ADD_R3_R2_R1, EXIT},
                          s[] = {1, 2, 10, 12, 21, 30, 39, 40};
    struct sm_bench *b = machine(DIVERGENCE_tbc);
    sm_begin(b, code, 5, 64, 1, 12);
    b->code.meeting = malloc(5 * sizeof b->code.meeting[0]);
    for (unsigned n = 0; n < 5; ++n) b->code.meeting[n] = n == 1 ? TEXT_BASE + 16 : MACHINE_TOGETHER;
    sm_run(b, 100, 1);
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned n = 0; n < 8; ++n) assert_int_equal(b->note[n].i, s[n]);
    for (unsigned n = 4; n < 6; ++n) assert_true(b->passed[n] == 0xffffffff);
    assert_int_equal(b->sm.thread_instructions, 4 * 64);
    sm_bench_free(b);
}

/* S every 9 cycles. The 21 threads that do not branch are at the smallest PC and go first, past the ADD; the
 * 11 others have the same PC when both exit. */
static void pc_executes_those_at_the_smallest_pc(void **state) {
    (void)state;
    static const uint32_t code[] = {TST_R1_128, BNE_NEXT_BUT_1, B_NEXT_BUT_1, ADD_R3_R2_R1, EXIT};
    struct sm_bench *b = machine(DIVERGENCE_pc);
    b->config.simt.pc_policy = PC_MIN_PC;
    sm_begin(b, code, 5, 32, 1, 12);
    sm_run(b, 100, 1);
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned n = 0; n < 5; ++n) assert_int_equal(b->note[n].i, 9 * n);
    assert_int_equal(b->passed[2], 0xffc007ff);
    assert_int_equal(b->passed[3], 0x003ff800);
    assert_int_equal(b->passed[4], 0xffffffff);
    assert_int_equal(b->sm.thread_instructions, 32 + 32 + 21 + 11 + 32);
    sm_bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(harp_issues_a_row_every_9_cycles),
                                       cmocka_unit_test(harp_awaits_loads_in_the_waiting_lookup),
                                       cmocka_unit_test(dwf_issues_a_warp_every_9_cycles),
                                       cmocka_unit_test(idle_threads_are_counted),
                                       cmocka_unit_test(lwm_executes_sub_warps_one_after_the_other),
                                       cmocka_unit_test(tbc_waits_for_all_warps_to_compact_them),
                                       cmocka_unit_test(pc_executes_those_at_the_smallest_pc)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
