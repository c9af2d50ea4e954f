/*
 * The scoreboard pipeline of an SM against cycles counted by hand from gpu-like.md §3. Cycles are
 * relative to T, in which the first instructions are in the buffers.
 */
#include "tests/sm/sm_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Encodings, from the architecture manual. */
#define ADD_R2_R0_R1   0xe0802001u
#define ADD_R3_R2_R1   0xe0823001u
#define ADD_R4_R0_R1   0xe0804001u
#define ADD_R2_R2_R1   0xe0822001u
#define ADD_R0_R3_R1   0xe0830001u
#define ADD_R3_R0_R1   0xe0803001u
#define ADD_R0_R0_R8   0xe0800008u
#define LDR_R0_R1      0xe5910000u
#define VDIV_S2_S0_S1  0xee801a20u
#define UDIV_R2_R0_R1  0xe732f110u
#define CMP_R0_R1      0xe1500001u
#define ADDEQ_R4_R0_R1 0x00804001u
#define B_NEXT         0xeaffffffu
#define STR_R0_R1      0xe5810000u
#define DMB_ISH        0xf57ff05bu

/* I 0, O 1–4, X 2–5, W 13–16 · I 16, X 18–21 · F 17, D 18, I 19, X 22–25. */
static void example_1(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, ADD_R4_R0_R1, EXIT};
    struct sm_bench *b = sm_bench_create();
    sm_begin(b, text, 4, 32, 1, 4);
    sm_run(b, 200, 1);
    static const struct note expected[] = {{0, 0, 0, 2, 5}, {0, 1, 16, 18, 21}, {0, 2, 19, 22, 25}};
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned n = 0; n < 3; ++n) {
        print_message("example 1: I %2u, X %u to %u\n", (unsigned)b->note[n].i, (unsigned)b->note[n].x,
                      (unsigned)b->note[n].x_last);
        assert_int_equal(b->note[n].i, expected[n].i);
        assert_int_equal(b->note[n].x, expected[n].x);
        assert_int_equal(b->note[n].x_last, expected[n].x_last);
    }
    assert_int_equal(b->sm.groups_used, 0);
    sm_bench_free(b);
}

/* Chains of dependent ADDs. */
static void example_2(void **state) {
    (void)state;
    uint32_t text[64];
    static const struct {
        unsigned warps;
        uint64_t issue[10];
    } cases[] = {{4, {0, 1, 6, 10, 16, 20, 24, 28, 32, 36}},
                 {1, {0, 16, 32, 48, 64, 80, 96, 112, 128, 144}},
                 {2, {0, 1, 16, 20, 32, 36, 48, 52, 64, 68}}};
    for (unsigned n = 0; n < 63; ++n) text[n] = ADD_R2_R2_R1;
    text[63] = EXIT;
    for (unsigned c = 0; c < 3; ++c) {
        struct sm_bench *b = sm_bench_create();
        sm_begin(b, text, 64, 32 * cases[c].warps, 1, 4);
        sm_run(b, 200, 1);
        print_message("example 2, %u warps: I", cases[c].warps);
        for (unsigned n = 0; n < 10; ++n) print_message(" %u", (unsigned)b->note[n].i);
        print_message("\n");
        for (unsigned n = 0; n < 10; ++n) assert_int_equal(b->note[n].i, cases[c].issue[n]);
        sm_bench_free(b);
    }
}

/* stsimt Fig. 5a: w warps of dependent ADDs of n of 32 threads each: IPC = min(n / 4, w · n / 16). */
static void throughput_of_dependent_instructions(void **state) {
    (void)state;
    enum { LENGTH = 400 };
    static uint32_t text[LENGTH];
    for (unsigned n = 0; n < LENGTH - 1; ++n) text[n] = ADD_R2_R2_R1;
    text[LENGTH - 1] = EXIT;
    for (unsigned warps = 1; warps <= 32; warps *= 2)
        for (unsigned threads = 1; threads <= 32; threads *= 2) {
            struct sm_bench *b = sm_bench_create();
            b->config.cluster.groups = 32;
            b->config.vrf.registers = 32768;
            sm_begin(b, text, LENGTH, threads, warps, 4);
            sm_run(b, 100, 1);
            const uint64_t before = b->sm.thread_instructions;
            const uint64_t cycles = warps == 32 ? 4000 : 3000;
            sm_run(b, 100 + cycles, 1);
            const double ipc = (double)(b->sm.thread_instructions - before) / (double)cycles;
            const double by_lanes = threads / 4.0, by_warps = warps * threads / 16.0;
            const double expected = by_lanes < by_warps ? by_lanes : by_warps;
            printf("%2u threads, %2u warps: IPC %.3f, expected %.3f\n", threads, warps, ipc, expected);
            assert_true(ipc > expected * 0.995 && ipc < expected * 1.005);
            sm_bench_free(b);
        }
}

/* The cycles in which the first instructions of one warp issue. */
static void expect_issues(struct sm_bench *b, const uint32_t *text, unsigned words, const uint64_t *issues,
                          unsigned count) {
    sm_begin(b, text, words, 32, 1, 4);
    sm_run(b, 400, 100);
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned n = 0; n < count; ++n)
        if (b->note[n].i != issues[n])
            fail_msg("instruction %u issues in %llu, not in %llu", n, (unsigned long long)b->note[n].i,
                     (unsigned long long)issues[n]);
    sm_bench_free(b);
}
#define EXPECT_ISSUES(text, ...)                                                                             \
    expect_issues(sm_bench_create(), text, sizeof(text) / 4, (const uint64_t[]){__VA_ARGS__},                \
                  sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

/* Sources r0 and r8 of warp 0 are in bank 0 both: each round takes two cycles of O. I 0, O 1–8, X 3 5 7 9.
 * With the exit, which reads r0, 12 reads. */
static void banks_conflict(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R0_R0_R8, EXIT};
    struct sm_bench *b = sm_bench_create();
    sm_begin(b, text, 2, 32, 1, 4);
    sm_run(b, 100, 1);
    assert_int_equal(b->note[0].x, 3);
    assert_int_equal(b->note[0].x_last, 9);
    assert_int_equal(b->sm.vrf_reads, 12);
    sm_bench_free(b);
}

/* WAR: the first reads r0 until its last O in 4; a writer of r0 issues in 5. Without the hazard: 1. */
static void a_writer_waits_for_readers(void **state) {
    (void)state;
    const uint32_t war[] = {ADD_R3_R0_R1, 0xe3a00001u /* mov r0, #1 */, EXIT};
    const uint32_t none[] = {ADD_R3_R0_R1, 0xe3a02001u /* mov r2, #1 */, EXIT};
    EXPECT_ISSUES(war, 0, 5);
    EXPECT_ISSUES(none, 0, 1);
}

/* CMP: X 2–5, its flags at 16; a dependent instruction issues then. */
static void flags_are_awaited(void **state) {
    (void)state;
    const uint32_t text[] = {CMP_R0_R1, ADDEQ_R4_R0_R1, EXIT};
    EXPECT_ISSUES(text, 0, 16);
}

/* VDIV: 16 rounds of 2 threads in the special function units, X 2–17, W 42–57: s2 is ready for 57. */
static void special_functions(void **state) {
    (void)state;
    const uint32_t text[] = {VDIV_S2_S0_S1, 0xee711a01u /* vadd.f32 s3, s2, s2 */, EXIT};
    struct sm_bench *b = sm_bench_create();
    b->config.core.latency_cycles[ARM_CLASS_VFP_DIVIDE_SINGLE] = 40;
    expect_issues(b, text, 3, (const uint64_t[]){0, 57}, 2);
}

/* UDIV, 32 cycles between rounds, longer than its latency: X 2 34 66 98, W 109. */
static void rounds_further_apart_than_the_latency(void **state) {
    (void)state;
    const uint32_t text[] = {UDIV_R2_R0_R1, ADD_R3_R2_R1, EXIT};
    struct sm_bench *b = sm_bench_create();
    b->config.core.occupancy_cycles[ARM_CLASS_DIVIDE] = 32;
    expect_issues(b, text, 3, (const uint64_t[]){0, 109}, 2);
}

/* B: X 2–5, its target is known at the end of 5. The target is the next instruction, which the buffer holds:
 * I 6. The exit issues when the addition has been written: X 8–11, W 22, completed for 23. */
static void branches_are_resolved_after_their_last_round(void **state) {
    (void)state;
    const uint32_t text[] = {B_NEXT, ADD_R2_R0_R1, EXIT};
    EXPECT_ISSUES(text, 0, 6, 23);
}

/* LDR of 32 adjacent words: X 2–5, two transactions of 64 bytes in 6 and 7, answered 100 cycles later, at the
 * end of 106 and 107; the fourth round is written in 111: an instruction that reads r0 issues then. */
static void loads_are_awaited(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, ADD_R3_R0_R1, EXIT};
    struct sm_bench *b = sm_bench_create();
    b->config.coalesce.rule = COALESCE_CC13;
    b->config.l1d.latency_cycles = 1;
    expect_issues(b, text, 3, (const uint64_t[]){0, 111}, 2);
}

/* STR of 32 adjacent words: X 2–5, two transactions in 6 and 7, which the L2 has accepted at the end of 106
 * and 107: the memory barrier issues in 108. */
static void a_memory_barrier_awaits_that_stores_are_taken(void **state) {
    (void)state;
    const uint32_t text[] = {STR_R0_R1, DMB_ISH, ADD_R3_R0_R1, EXIT};
    for (unsigned latency = 100; latency <= 300; latency += 200) {
        struct sm_bench *b = sm_bench_create();
        b->config.coalesce.rule = COALESCE_CC13;
        b->config.l1d.latency_cycles = 1;
        sm_begin(b, text, 4, 32, 1, 4);
        sm_run(b, 600, latency);
        assert_int_equal(b->error.status, EXIT_SOUND);
        assert_int_equal(b->note[1].i, 7 + latency + 1);
        assert_int_equal(b->note[0].x_last, 5);
        sm_bench_free(b);
    }
}

/* Stores of a warp, one behind the other, with ldst.overlap off and on; in every case the first has X(0) in
 * 2. 8 lanes: X 2–5, two transactions in 6 and 7; O of the second ends in 8. A transaction for each of 32
 * threads: sent in 6–37. With overlap, the addresses of the second are there after 9, and it is sent in
 * 38–69; the addresses of the third may follow from 38 on, and so on. 32 lanes, banks that never conflict: X
 * 2, sent in 3 and 4; or, to one line, in 3; the third store is fetched in 2 and issues in 4. Local memory
 * without conflicts: a half-warp takes 8 lanes two cycles, 6–9. */
static void transactions_overlap_the_next_addresses(void **state) {
    (void)state;
    static const uint32_t text[] = {STR_R0_R1, STR_R0_R1, STR_R0_R1, STR_R0_R1, EXIT};
    static const struct {
        unsigned lanes, stride, line;
        uint64_t x[2][4];
    } cases[] = {{8, 4, 64, {{2, 8, 14, 20}, {2, 6, 10, 14}}},
                 {8, 128, 64, {{2, 38, 74, 110}, {2, 6, 38, 70}}},
                 {32, 4, 64, {{2, 5, 8, 11}, {2, 3, 6, 7}}},
                 {32, 4, 128, {{2, 4, 6, 8}, {2, 3, 6, 7}}},
                 {8, 0, 64, {{2, 10, 18, 26}, {2, 6, 10, 14}}}};
    for (unsigned n = 0; n < 4 * sizeof cases / sizeof *cases; ++n) {
        const bool overlap = n & 1, local = !cases[n / 4].stride;
        struct sm_bench *b = sm_bench_create();
        b->stepped = n >> 1 & 1;
        b->config.ldst.overlap = overlap;
        b->config.coalesce.rule = cases[n / 4].lanes == 8 ? COALESCE_CC13 : COALESCE_CC20;
        b->config.cluster.ldst_lanes = cases[n / 4].lanes;
        b->config.vrf.banks = cases[n / 4].lanes == 8 ? 8 : 0;
        b->config.l1d.latency_cycles = 1;
        b->config.l1d.line_bytes = cases[n / 4].line;
        b->config.local.banks = 16;
        b->local_bytes = b->config.cluster.local_bytes = 4096;
        if (local) b->base = MEMORY_LOCAL_BASE;
        sm_begin(b, text, sizeof text / 4, 32, 1, local ? 4 : cases[n / 4].stride);
        sm_run(b, 400, 1);
        assert_int_equal(b->error.status, EXIT_SOUND);
        for (unsigned k = 0; k < 4; ++k)
            if (b->note[k].x != cases[n / 4].x[overlap][k])
                fail_msg("case %u, overlap %u: store %u has X in %llu", n / 4, overlap, k,
                         (unsigned long long)b->note[k].x);
        sm_bench_free(b);
    }
}

/* 32 lanes, a line a warp: a store holds its collector from I 0 to X 2, which schedulers see in 3. So two
 * collectors take two stores in three cycles, four take one in each. */
static void the_load_store_unit_has_collectors_of_its_own(void **state) {
    (void)state;
    static const uint32_t text[] = {STR_R0_R1, EXIT};
    static const uint64_t issues[2][4] = {{0, 1, 3, 4}, {0, 1, 2, 3}};
    for (unsigned own = 0; own < 2; ++own) {
        struct sm_bench *b = sm_bench_create();
        b->config.ldst.collectors = own ? 4 : 0;
        b->config.cluster.ldst_lanes = 32;
        b->config.vrf.banks = 0;
        b->config.l1d.latency_cycles = 1;
        b->config.l1d.line_bytes = 128;
        sm_begin(b, text, sizeof text / 4, 32, 4, 4);
        sm_run(b, 200, 1);
        assert_int_equal(b->error.status, EXIT_SOUND);
        for (unsigned n = 0; n < b->sm.issued; ++n)
            if (b->note[n].n == 0) assert_int_equal(b->note[n].i, issues[own][b->note[n].warp]);
        sm_bench_free(b);
    }
}

/* The warp exits as soon as both have been sent. Only in cycle 108 the SM has ended. */
static void an_sm_ends_when_its_stores_are_taken(void **state) {
    (void)state;
    const uint32_t text[] = {STR_R0_R1, EXIT};
    struct sm_bench *b = sm_bench_create();
    b->config.coalesce.rule = COALESCE_CC13;
    b->config.l1d.latency_cycles = 1;
    sm_begin(b, text, 2, 32, 1, 4);
    sm_run(b, 100, 100);
    assert_int_equal(b->sm.groups_used, 0);
    const uint64_t left = b->sm.ended - T;
    assert_in_range(left, 8, 20);
    for (uint64_t t = b->cycles; t < 108; ++t) {
        sm_step(&b->sm, T + t);
        assert_false(sm_has_ended(&b->sm));
        assert_int_equal(b->sm.ended, T + left);
    }
    sm_step(&b->sm, T + 108);
    assert_true(sm_has_ended(&b->sm));
    assert_int_equal(b->sm.ended, T + 108);
    sm_bench_free(b);
}

/* With barrel issue, the memory barrier is in flight until then: the store S 0, X 5–6, lines in 7 and 8, C at
 * the end of 8. The barrier: S 9, the L2 has accepted the lines at the end of 207 and 208, W 209: S again in
 * 210. */
static void a_memory_barrier_of_a_barrel(void **state) {
    (void)state;
    const uint32_t text[] = {STR_R0_R1, DMB_ISH, ADD_R3_R0_R1, EXIT};
    struct sm_bench *b = sm_bench_create();
    sm_bench_barrel(b, 16);
    sm_begin(b, text, 4, 32, 1, 4);
    sm_run(b, 600, 200);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_int_equal(b->note[1].i, 9);
    assert_int_equal(b->note[2].i, 210);
    sm_bench_free(b);
}

/* Barrel issue, 16 lanes, 32 threads: S 0 A 1 F 2 D 3 O 4 X 5–6 W 8, C at its end, S again in 9; a warp of 16
 * needs a round less. A pipeline of 16 stages: 8 cycles more. */
static void barrel(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, CMP_R0_R1, B_NEXT, EXIT};
    for (unsigned n = 0; n < 3; ++n) {
        struct sm_bench *b = sm_bench_create();
        sm_bench_barrel(b, 16);
        b->config.simt.pipeline_depth = n == 2 ? 16 : 8;
        b->config.simt.warp_size = n == 1 ? 16 : 32;
        const uint64_t each = n == 0 ? 9 : n == 1 ? 8 : 17;
        sm_begin(b, text, 5, b->config.simt.warp_size, 1, 4);
        sm_run(b, 200, 1);
        assert_int_equal(b->error.status, EXIT_SOUND);
        for (unsigned k = 0; k < 5; ++k) assert_int_equal(b->note[k].i, k * each);
        assert_int_equal(b->note[0].x, 5);
        assert_int_equal(b->note[0].x_last, n == 1 ? 5 : 6);
        sm_bench_free(b);
    }
}

/* A queue of 2, one collector, 64 threads on 16 lanes. Warp 0: S 0, D 3, O 4, X 5–8. Warp 1: D 4; its O waits
 * for the collector, which warp 0 frees in 8: O 9, X 10–13. Warp 2: D 5; the queue, including D, is full.
 * Warp 3 is held in F from 5 to 9, warp 4 in A, so S of warp 5 is in 9, and of each further warp 5 cycles
 * later. */
static void the_queue_of_a_barrel_counts_d(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, EXIT};
    struct sm_bench *b = sm_bench_create();
    sm_bench_barrel(b, 16);
    b->config.simt.warp_size = 64;
    b->config.simt.collectors = 1;
    sm_begin(b, text, 3, 64, 8, 8);
    sm_run(b, 200, 1);
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned k = 0; k < 8; ++k) {
        assert_int_equal(b->note[k].i, k < 5 ? k : 5 * k - 16);
        assert_int_equal(b->note[k].x, 5 + 5 * k);
        assert_int_equal(b->note[k].x_last, 8 + 5 * k);
    }
    sm_bench_free(b);
}

/* Loads with answers 265 cycles after they were asked: S 0, X 5–6, lines asked in 7 and 8, data at
 * the end of 272 and 273, W 274: S again in 275. */
static void barrel_loads(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, ADD_R3_R0_R1, EXIT};
    struct sm_bench *b = sm_bench_create();
    sm_bench_barrel(b, 16);
    sm_begin(b, text, 3, 32, 1, 4);
    sm_run(b, 600, 265);
    assert_int_equal(b->note[1].i, 275);
    sm_bench_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(example_1),
                                       cmocka_unit_test(example_2),
                                       cmocka_unit_test(throughput_of_dependent_instructions),
                                       cmocka_unit_test(banks_conflict),
                                       cmocka_unit_test(a_writer_waits_for_readers),
                                       cmocka_unit_test(flags_are_awaited),
                                       cmocka_unit_test(special_functions),
                                       cmocka_unit_test(rounds_further_apart_than_the_latency),
                                       cmocka_unit_test(branches_are_resolved_after_their_last_round),
                                       cmocka_unit_test(loads_are_awaited),
                                       cmocka_unit_test(a_memory_barrier_awaits_that_stores_are_taken),
                                       cmocka_unit_test(transactions_overlap_the_next_addresses),
                                       cmocka_unit_test(the_load_store_unit_has_collectors_of_its_own),
                                       cmocka_unit_test(an_sm_ends_when_its_stores_are_taken),
                                       cmocka_unit_test(a_memory_barrier_of_a_barrel),
                                       cmocka_unit_test(barrel),
                                       cmocka_unit_test(the_queue_of_a_barrel_counts_d),
                                       cmocka_unit_test(barrel_loads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
