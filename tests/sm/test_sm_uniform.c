/* Uniform instructions in an SM compared with cycles counted by hand from gpu-like.md §3 and docs/uniform.md:
 * 32 threads on 8 lanes, results 11 cycles after a round. Cycles are relative to T. r0 is uniform at the
 * start of a work-group; r1 is DATA_BASE + stride · thread and is not. */
#include "model/config/divergence_kind.h"
#include "tests/sm/sm_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Encodings, from the architecture manual. */
#define ADD_R2_R0_R0   0xe0802000u
#define ADD_R2_R0_R1   0xe0802001u
#define ADD_R0_R0_R1   0xe0800001u
#define ADD_R0_R0_R8   0xe0800008u
#define ADD_R3_R2_R2   0xe0823002u
#define ADD_R2_R1_R1   0xe0812001u
#define VCMP_S0_S0     0xeeb40a40u
#define ADD_R3_R2_R1   0xe0823001u
#define ADD_R5_R4_R4   0xe0845004u
#define MOV_R2_1       0xe3a02001u
#define MOV_R4_1       0xe3a04001u
#define MOV_R5_1       0xe3a05001u
#define MOVEQ_R2_9     0x03a02009u
#define CMP_R1_R0      0xe1510000u
#define LDR_R2_R0      0xe5902000u
#define LDR_R2_R1      0xe5912000u
#define LDM_R0_R2_R4   0xe890001cu /* ldm r0, {r2, r3, r4} */
#define UDIV_R2_R0_R0  0xe732f010u
#define UDIV_R4_R0_R0  0xe734f010u
#define B_NEXT         0xeaffffffu
#define MOV_R0_1       0xe3a00001u
#define TST_R1_32      0xe3110020u
#define B_NEXT_BUT_1   0xea000000u
#define BNE_NEXT_BUT_1 0x1a000000u

static struct sm_bench *bench(enum uniform_storage storage, bool intra, bool inter) {
    struct sm_bench *b = sm_bench_create();
    b->config.uniform.storage = storage;
    b->config.uniform.intra = intra;
    b->config.uniform.inter = inter;
    b->config.coalesce.rule = COALESCE_CC13;
    b->config.l1d.latency_cycles = 1;
    return b;
}

/* Runs one warp; memory answers after 100 cycles. Records the cycles of I of its first instructions,
 * including copies. */
static struct sm_bench *run_warp(struct sm_bench *b, const uint32_t *text, unsigned words, uint32_t stride,
                                 const uint64_t *issues, unsigned count) {
    sm_begin(b, text, words, 32, 1, stride);
    b->sm.check_uniform = true;
    sm_run(b, 1000, 100);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_int_equal(b->sm.groups_used, 0);
    for (unsigned n = 0; n < count; ++n)
        if (b->note[n].i != issues[n])
            fail_msg("instruction %u issues in %llu, not in %llu", n, (unsigned long long)b->note[n].i,
                     (unsigned long long)issues[n]);
    return b;
}
#define RUN(b, text, stride, ...)                                                                            \
    run_warp(b, text, sizeof(text) / 4, stride, (const uint64_t[]){__VA_ARGS__},                             \
             sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

static void rounds_are(const struct sm_bench *b, unsigned n, uint64_t first, uint64_t last) {
    assert_int_equal(b->note[n].x, first);
    assert_int_equal(b->note[n].x_last, last);
}

static uint64_t count_of(const struct sm_bench *b, enum uniform_count n) {
    return b->sm.uniform.count[n];
}

/* I 0, O 1, X 2, W 13: one round, where a vector has X 2–5, W 13–16. Its result is uniform: I 13, X 15. The
 * third: F 14, D 15, I 16. */
static void one_round(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R0, ADD_R3_R2_R2, ADD_R3_R2_R1, EXIT};
    struct sm_bench *b = RUN(bench(UNIFORM_TOKEN, true, false), text, 4, 0, 13, 26);
    rounds_are(b, 0, 2, 2);
    rounds_are(b, 1, 15, 15);
    rounds_are(b, 2, 28, 31); /* r3 is awaited; r2 is read once, r1 in each round */
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR), 3); /* including the exit */
    /* r0; r2; r2, r1 four times; r0 of the exit, which has its token */
    assert_int_equal(b->sm.vrf_reads, 1 + 1 + 5 + 1);
    assert_int_equal(b->sm.vrf_writes, 1 + 1 + 4);
    sm_bench_free(b);
}

/* Two collectors: each is held for the cycles of I, O and X. */
static void warps_issue_as_collectors_are_free(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R0, EXIT};
    struct sm_bench *b = bench(UNIFORM_TOKEN, true, false);
    sm_begin(b, text, 2, 256, 1, 4);
    sm_run(b, 400, 1);
    for (unsigned n = 0; n < 8; ++n) {
        assert_int_equal(b->note[n].i, n / 2 * 3 + n % 2);
        rounds_are(b, n, n / 2 * 3 + n % 2 + 2, n / 2 * 3 + n % 2 + 2);
    }
    sm_bench_free(b);
}

/* Scalars take no bank, neither to be read nor written. */
static void scalar_registers_take_no_bank(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R0, ADD_R3_R2_R2, EXIT};
    struct sm_bench *b = RUN(bench(UNIFORM_SRF, true, false), text, 4, 0, 13);
    rounds_are(b, 1, 15, 15);
    assert_int_equal(b->sm.vrf_reads, 0);
    assert_int_equal(b->sm.vrf_writes, 0);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_ALLOCATED), 2);
    sm_bench_free(b);
}

/* One write port: if two warps' results are ready in one cycle, the older is written, and the other a cycle
 * later. UDIV, 3 cycles later than ADD: I 0, X 2, W 16 · warp 1 ADD: I 3, X 5, W 16, so 17. */
static void the_scalar_file_has_one_write_port(void **state) {
    (void)state;
    const uint32_t text[] = {UDIV_R2_R0_R0, ADD_R3_R2_R2, EXIT};
    struct sm_bench *b = bench(UNIFORM_SRF, true, false);
    b->config.core.latency_cycles[ARM_CLASS_DIVIDE] = 14;
    sm_begin(b, text, 3, 32, 2, 4);
    struct sm_warp *w = &b->sm.warp[1];
    w->buffer_pc += 4; /* warp 1 is at its addition, in 3 */
    w->buffered = 1;
    w->buffer_at = T + 3;
    re_convergence_stack_jump(&b->sm.stack, 1, TEXT_BASE + 4);
    b->sm.uniform.rename.valid[1] |= 1 << 2; /* its r2 is uniform, in register 50 */
    b->sm.uniform.rename.row[1].map[2] = 50;
    b->sm.uniform.rename.free[1] &= ~(1u << 18);
    sm_run(b, 400, 1);
    assert_int_equal(b->note[0].i, 0);
    assert_int_equal(b->note[1].i, 3);
    assert_int_equal(b->note[1].warp, 1);
    /* warp 1's exit waits for all in flight: its result is written in 17, completed for 18 */
    assert_int_equal(b->note[2].i, 16); /* warp 0's addition, in the cycle of its W */
    assert_int_equal(b->note[3].warp, 1);
    assert_int_equal(b->note[3].i, 18);
    sm_bench_free(b);
}

/* r0 has a token, r1 has none: r0 is read with the first round only. */
static void a_vector_reads_a_scalar_once(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, EXIT};
    struct sm_bench *b = RUN(bench(UNIFORM_TOKEN, true, false), text, 4, 0);
    rounds_are(b, 0, 2, 5);
    assert_int_equal(b->sm.vrf_reads, 5 + 1);
    sm_bench_free(b);
    b = RUN(bench(UNIFORM_SRF, true, false), text, 4, 0);
    rounds_are(b, 0, 2, 5);
    assert_int_equal(b->sm.vrf_reads, 4);
    sm_bench_free(b);
}

/* r0 and r8 are in one bank: O 1–2 for the first round, X 3; then one cycle for each round, since r0 has been
 * read: X 4 5 6. */
static void a_scalar_conflicts_once(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R0_R0_R8, EXIT};
    struct sm_bench *b = RUN(bench(UNIFORM_TOKEN, true, false), text, 4, 0);
    rounds_are(b, 0, 3, 6);
    sm_bench_free(b);
    b = RUN(bench(UNIFORM_SRF, true, false), text, 4, 0);
    rounds_are(b, 0, 2, 5);
    sm_bench_free(b);
}

/* Bringing r0 to the lanes takes 3 cycles: O 1, first round X 5; O of the next in 5, X 6. Not if all is
 * scalar. */
static void broadcasts_take_time(void **state) {
    (void)state;
    const uint32_t vector[] = {ADD_R2_R0_R1, EXIT}, scalar[] = {ADD_R2_R0_R0, EXIT};
    struct sm_bench *b = bench(UNIFORM_TOKEN, true, false);
    b->config.uniform.broadcast_cycles = 3;
    rounds_are(RUN(b, vector, 4, 0), 0, 5, 8);
    sm_bench_free(b);
    b = bench(UNIFORM_TOKEN, true, false);
    b->config.uniform.broadcast_cycles = 3;
    rounds_are(RUN(b, scalar, 4, 0), 0, 2, 2);
    sm_bench_free(b);
}

/* WAR: r0 has been read after the first round, in 1; a writer issues in 2. */
static void who_writes_a_scalar_waits_for_one_round(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, MOV_R0_1, EXIT};
    sm_bench_free(RUN(bench(UNIFORM_TOKEN, true, false), text, 4, 0, 2));
    sm_bench_free(RUN(bench(UNIFORM_SRF, true, false), text, 4, 0, 2));
}

/* CMP of r1: I 1, O 2–5, X 3–6, flags at 17, which differ between threads. MOVEQ writes r2, which is uniform,
 * in some threads only: a copy first, I 17, X 19–22, W 30–33; then MOVEQ, I 33. */
static void a_copy_comes_before_a_partial_write(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, CMP_R1_R0, MOVEQ_R2_9, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = RUN(bench(s, true, false), text, 4, 0, 1, 17, 33);
        rounds_are(b, 2, 19, 22);
        assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES), 1);
        assert_int_equal(b->sm.warp_instructions, 4); /* copies do not count */
        const uint32_t *r2 = b->sm.warp[0].threads.registers + 2 * 32;
        assert_int_equal(r2[0], 9); /* r1 is r0 there */
        assert_int_equal(r2[1], 1);
        sm_bench_free(b);
    }
}

/* LDR: X 2, one transaction in 3, data at the end of 103, W 104. A vector load with equal addresses: X 2–5,
 * transaction 6, data at the end of 106, W 107–110; the loaded value is uniform: X of the addition takes one
 * round. A scalar register is written once, in 107. */
static void loads_of_one_address(void **state) {
    (void)state;
    const uint32_t uniform[] = {LDR_R2_R0, ADD_R3_R2_R2, EXIT}, broadcast[] = {LDR_R2_R1, ADD_R3_R2_R2, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        const uint64_t ready = s == UNIFORM_SRF ? 107 : 110;
        struct sm_bench *b = RUN(bench(s, true, false), uniform, 0, 0, 104);
        assert_int_equal(b->sm.ldst->bytes_asked, 4);
        sm_bench_free(b);
        b = RUN(bench(s, true, false), broadcast, 0, 0, ready);
        rounds_are(b, 1, ready + 2, ready + 2);
        assert_int_equal(count_of(b, UNIFORM_COUNT_BROADCAST_LOADS), 1);
        assert_int_equal(b->sm.ldst->bytes_asked, 128);
        sm_bench_free(b);
    }
}

/* A scalar register a cycle: I 0, r2 0, r3 1, r4 2; the next instruction issues in 3. Tokens: in 1. */
static void a_multiple_load_gets_a_scalar_register_a_cycle(void **state) {
    (void)state;
    const uint32_t text[] = {LDM_R0_R2_R4, MOV_R5_1, EXIT};
    struct sm_bench *b = RUN(bench(UNIFORM_SRF, true, false), text, 0, 0, 3);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_ALLOCATED), 4);
    assert_int_equal(b->sm.vrf_writes, 0);
    assert_int_equal(b->sm.cause[MACHINE_CAUSE_COLLECTOR], 2);
    sm_bench_free(b);
    sm_bench_free(RUN(bench(UNIFORM_TOKEN, true, false), text, 0, 0, 1));
}

/* Two registers: r0 has one, r2 gets the other. r3 gets none: every thread executes the instruction,
 * X 15–18. */
static void without_a_scalar_register_it_is_a_vector(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R0, ADD_R3_R2_R2, EXIT};
    struct sm_bench *b = bench(UNIFORM_SRF, true, false);
    b->config.uniform.srf_registers = 2;
    RUN(b, text, 4, 0, 13);
    rounds_are(b, 1, 15, 18);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_HAZARDS), 1);
    assert_int_equal(b->sm.vrf_writes, 4);
    sm_bench_free(b);
}

/* B: X 2, its target is known at the end of it. */
static void branches_take_one_round(void **state) {
    (void)state;
    const uint32_t text[] = {B_NEXT, MOV_R2_1, EXIT};
    sm_bench_free(RUN(bench(UNIFORM_TOKEN, true, false), text, 4, 0, 3));
}

/* UDIV, I 0, W 13: in the buffer in 14. The addition issues in 13, then F 14, D 15: the other UDIV, whose PC
 * has the same lowest bit, I 16, O 17, where it hits: X 18, W 19. */
static void what_is_found_is_not_executed(void **state) {
    (void)state;
    const uint32_t text[] = {UDIV_R2_R0_R0, ADD_R3_R2_R2, UDIV_R4_R0_R0, ADD_R5_R4_R4, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = bench(s, true, true);
        b->config.uniform.irb_tag_bits = 1;
        RUN(b, text, 4, 0, 13, 16, 19);
        rounds_are(b, 2, 18, 18);
        assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_SKIPPED), 1);
        assert_int_equal(count_of(b, UNIFORM_COUNT_ALU_EXECUTED), 3);
        sm_bench_free(b);
    }
}

/* Twelve warps issue in 0 1 3 4 … 12 13 15 16. Latency 12: W 14, inserted in 15, so a warp that issues in 15
 * and looks up in 16 hits. Latency 13: a look-up in 16 misses, one in 17 hits. */
static void found_from_the_second_cycle_after_the_last_write(void **state) {
    (void)state;
    const uint32_t text[] = {UDIV_R2_R0_R0, EXIT};
    for (unsigned latency = 12; latency <= 13; ++latency) {
        struct sm_bench *b = bench(UNIFORM_TOKEN, true, true);
        b->config.core.latency_cycles[ARM_CLASS_DIVIDE] = latency;
        sm_begin(b, text, 2, 384, 1, 4);
        sm_run(b, 17, 1);
        for (unsigned n = 0; n < 12; ++n) assert_int_equal(b->note[n].i, n / 2 * 3 + n % 2);
        sm_run(b, 18, 1);
        assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_LOOKUPS), 12);
        assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_HITS), latency == 12 ? 2 : 1);
        sm_bench_free(b);
    }
}

/* Inter-warp reuse alone: after a miss, every thread executes the instruction, X 2–5. Its result, uniform, is
 * written by all threads into the banks, or once into a scalar register, with the last round. The addition
 * has the lanes until 21. */
static void inter_alone_converts_only_what_is_found(void **state) {
    (void)state;
    const uint32_t text[] = {UDIV_R2_R0_R0, ADD_R3_R2_R2, UDIV_R4_R0_R0, ADD_R5_R4_R4, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = bench(s, false, true);
        b->config.uniform.irb_tag_bits = 1;
        RUN(b, text, 4, 0, 16, 19, 23);
        rounds_are(b, 0, 2, 5);
        rounds_are(b, 1, 18, 21);
        rounds_are(b, 2, 22, 22);
        assert_int_equal(b->sm.vrf_writes, s == UNIFORM_SRF ? 0 : 4 + 4 + 1 + 4);
        sm_bench_free(b);
    }
}

/* --- barrel issue: 8 lanes, a pipeline of 8 stages. One round: S 0, O 4, X 5, W 7, C at its end --- */

static struct sm_bench *barrel(enum uniform_storage storage, bool intra, bool inter) {
    struct sm_bench *b = bench(storage, intra, inter);
    b->config.simt.issue = ISSUE_BARREL;
    b->config.simt.pc_policy = PC_MIN_PC;
    b->config.simt.pipeline_depth = 8;
    b->config.cluster.ldst_lanes = 8;
    b->config.cluster.sfu_lanes = 0;
    return b;
}

/* Engines whose warps do not change. */
static const enum divergence_kind engines[] = {DIVERGENCE_sbr, DIVERGENCE_pc, DIVERGENCE_oracle};
enum { ENGINES = sizeof engines / sizeof *engines };

/* One round: S 0 and 8; a vector has X 21–24, C in 26: S 27. Without uniform values S 0, 11, 22. */
static void a_barrel_selects_a_uniform_warp_after_8_cycles(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R0, ADD_R3_R2_R2, ADD_R3_R2_R1, EXIT};
    for (unsigned n = 0; n < ENGINES; ++n)
        for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
            struct sm_bench *b = barrel(s, true, false);
            b->config.simt.divergence = engines[n];
            RUN(b, text, 4, 0, 8, 16, 27);
            rounds_are(b, 0, 5, 5);
            rounds_are(b, 2, 21, 24);
            assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR), 3);
            sm_bench_free(b);
        }
    sm_bench_free(RUN(barrel(UNIFORM_NONE, false, false), text, 4, 0, 11, 22, 33));
}

/* MOV one round, S 0; CMP of r1 four, S 8, C in 18. MOVEQ writes r2 in some threads: the copy takes its
 * place, S 19, X 24–27, C in 29, and the warp is selected again, S 30. */
static void a_barrel_executes_a_copy_in_the_place_of_the_instruction(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, CMP_R1_R0, MOVEQ_R2_9, EXIT};
    for (unsigned n = 0; n < ENGINES; ++n)
        for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
            struct sm_bench *b = barrel(s, true, false);
            b->config.simt.divergence = engines[n];
            RUN(b, text, 4, 0, 8, 19, 30, 41);
            rounds_are(b, 2, 24, 27);
            assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES), 1);
            assert_int_equal(b->sm.warp_instructions, 4);
            assert_int_equal(b->sm.warp[0].threads.registers[2 * 32], 9);
            assert_int_equal(b->sm.warp[0].threads.registers[2 * 32 + 1], 1);
            sm_bench_free(b);
        }
}

/* UDIV, O 4, W and C in 7, in the buffer in 8. The other UDIV, S 16, looks up in O 20: X 21, W in the next
 * cycle, C in 22: S 23. The other addition also hits the first one's result. */
static void a_barrel_finds_results_in_the_first_cycle_of_O(void **state) {
    (void)state;
    const uint32_t text[] = {UDIV_R2_R0_R0, ADD_R3_R2_R2, UDIV_R4_R0_R0, ADD_R5_R4_R4, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = barrel(s, true, true);
        b->config.uniform.irb_tag_bits = 1;
        RUN(b, text, 4, 0, 8, 16, 23);
        rounds_are(b, 2, 21, 21);
        assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_SKIPPED), 2);
        sm_bench_free(b);
    }
}

/* Warps of two work-groups: S 0 and 1. O of the load is in 4, in which r2 gets its scalar register. r3 and r4
 * get theirs in 5 and 6, so O of the other warp is in 7, 8 and 9, and not in 5. */
static void a_multiple_load_keeps_others_from_O(void **state) {
    (void)state;
    const uint32_t text[] = {LDM_R0_R2_R4, MOV_R5_1, EXIT};
    struct sm_bench *b = barrel(UNIFORM_SRF, true, false);
    sm_begin(b, text, 3, 32, 2, 4);
    sm_run(b, 30, 100);
    assert_int_equal(b->note[0].i, 0);
    assert_int_equal(b->note[1].i, 1);
    assert_int_equal(b->sm.flight[0].o_from + b->sm.flight[1].o_from, 2 * T + 4 + 7);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_ALLOCATED), 3 + 3);
    sm_bench_free(b);
}

/* --- barrel issue, regrouping engines (uniform.md §7.2) --- */

/* A whole warp is as with other engines: S 0, 8, 16 and 27. */
static void a_whole_regrouped_warp_is_uniform(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R0, ADD_R3_R2_R2, ADD_R3_R2_R1, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = barrel(s, true, false);
        b->config.simt.divergence = DIVERGENCE_dwf;
        b->config.vrf.banks = 0;
        RUN(b, text, 4, 0, 8, 16, 27);
        rounds_are(b, 0, 5, 5);
        rounds_are(b, 2, 21, 24);
        assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR), 3);
        sm_bench_free(b);
    }
}

/* MOV one round, S 0; CMP of r1 four, S 8, C in 18. MOVEQ, S 19, waits in the dispatch queue for the copy of
 * r2: O 23, X 24–27, W 26–29. Its own O is in 30, X 31–34, C in 36: S 37. */
static void regrouped_threads_wait_for_a_copy_in_the_queue(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, CMP_R1_R0, MOVEQ_R2_9, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = barrel(s, true, false);
        b->config.simt.divergence = DIVERGENCE_dwf;
        b->config.vrf.banks = 0;
        RUN(b, text, 4, 0, 8, 19, 19, 37);
        rounds_are(b, 2, 24, 27);
        rounds_are(b, 3, 31, 34);
        assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES), 1);
        assert_int_equal(b->sm.warp_instructions, 4);
        assert_int_equal(b->sm.warp[0].threads.registers[2 * 32], 9);
        assert_int_equal(b->sm.warp[0].threads.registers[2 * 32 + 1], 1);
        sm_bench_free(b);
    }
}

/* Two warps of 8 threads, one round: S 1 and 2, 9 and 10, 17 and 18, C of the last in 25. Lanes 4 to 7 of row
 * 0 and 0 to 3 of row 1 go to the sum, the other threads past it: one warp each. B is selected in 26, C in
 * 33, and the sum in 34. r2 is a scalar of both rows: their copies are in O in 38 and 39, W 41 and 42. The
 * sum: O 43, X 44, C in 46. The rows meet: S 47 and 48. */
/* Starts 16 threads in two warps, with these words of code; threads of the branch at 2 meet at `meeting`. */
static struct sm_bench *two_rows(enum uniform_storage storage, const uint32_t text[6], uint32_t meeting) {
    struct sm_bench *b = barrel(storage, true, false);
    b->config.simt.divergence = DIVERGENCE_tbc;
    b->config.simt.warp_size = 8;
    b->config.cluster.threads = 64;
    b->config.vrf.banks = 0;
    b->base = DATA_BASE + 16;
    sm_begin(b, text, 6, 16, 1, 4);
    b->sm.check_uniform = true;
    b->code.meeting = malloc(6 * sizeof b->code.meeting[0]);
    for (unsigned n = 0; n < 6; ++n) b->code.meeting[n] = n == 2 ? meeting : MACHINE_TOGETHER;
    sm_run(b, 100, 1);
    assert_int_equal(b->error.status, EXIT_SOUND);
    assert_int_equal(b->sm.groups_used, 0);
    return b;
}

/* The same if r2 is not read, but written. */
static void threads_of_two_warps_need_two_copies(void **state) {
    (void)state;
    static const uint64_t s[] = {1, 2, 9, 10, 17, 18, 26, 34, 34, 34, 47, 48};
    for (unsigned k = 0; k < 4; ++k) {
        const uint32_t text[] = {
            MOV_R2_1, TST_R1_32, BNE_NEXT_BUT_1, B_NEXT_BUT_1, k & 1 ? ADD_R2_R1_R1 : ADD_R3_R2_R1, EXIT};
        struct sm_bench *b = two_rows(k < 2 ? UNIFORM_TOKEN : UNIFORM_SRF, text, TEXT_BASE + 20);
        for (unsigned n = 0; n < 12; ++n) assert_int_equal(b->note[n].i, s[n]);
        rounds_are(b, 7, 39, 39);
        rounds_are(b, 8, 40, 40);
        rounds_are(b, 9, 44, 44);
        assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES), 2);
        assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR), 2 + 2); /* MOV and EXIT of both rows */
        sm_bench_free(b);
    }
}

/* The flags of FPSCR have a token at the start, which is cleared without a copy: of the rows in 38 and 39. O
 * of the comparison is in 40, C in 43: S 44 and 45. */
static void tokens_of_flags_are_cleared_one_by_one(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, TST_R1_32, BNE_NEXT_BUT_1, B_NEXT_BUT_1, VCMP_S0_S0, EXIT};
    static const uint64_t s[] = {1, 2, 9, 10, 17, 18, 26, 34, 44, 45};
    for (enum uniform_storage storage = UNIFORM_TOKEN; storage <= UNIFORM_SRF; ++storage) {
        struct sm_bench *b = two_rows(storage, text, TEXT_BASE + 20);
        for (unsigned n = 0; n < 10; ++n) assert_int_equal(b->note[n].i, s[n]);
        rounds_are(b, 7, 41, 41);
        assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES), 0);
        sm_bench_free(b);
    }
}

/* The second exit ends both rows. Afterwards all scalar registers are free, but r0 of the next work-group's
 * two warps. */
static void an_exit_of_two_warps_frees_the_registers_of_both(void **state) {
    (void)state;
    static const uint32_t text[] = {MOV_R2_1, TST_R1_32, BNE_NEXT_BUT_1, EXIT, EXIT, EXIT};
    struct sm_bench *b = two_rows(UNIFORM_SRF, text, 0);
    unsigned free = 0;
    sm_take_group(&b->sm, &(struct work_group){0, {0, 0, 0}}, T + 100);
    sm_scalars_step(&b->sm);
    for (unsigned n = 0; n < b->config.uniform.srf_registers; n += 32)
        free += (unsigned)__builtin_popcount(b->sm.uniform.rename.free[n / 32]);
    assert_int_equal(free, b->config.uniform.srf_registers - 2);
    for (unsigned w = 0; w < 2; ++w) assert_int_equal(uniform_tokens_of(&b->sm.uniform, w) & 7, 1);
    sm_bench_free(b);
}

/* --- work-groups and rates --- */

/* The start of another work-group does not change the tokens of the others. */
static void a_work_group_begins_beside_others(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R0, ADD_R3_R2_R2, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = bench(s, true, false);
        sm_begin(b, text, 3, 32, 1, 4);
        sm_run(b, 5, 1); /* r2 of warp 0 has been marked in 0 */
        sm_take_group(&b->sm, &(struct work_group){1, {1, 0, 0}}, T + 5);
        sm_run(b, 6, 1);
        assert_int_equal(uniform_tokens_of(&b->sm.uniform, 0) & 7, 5);
        assert_int_equal(uniform_tokens_of(&b->sm.uniform, 1) & UNIFORM_REGISTERS, 1);
        sm_run(b, 400, 1);
        assert_int_equal(b->note[1].i, 8); /* warp 1: F 6, D 7 */
        assert_int_equal(b->note[2].i, 13);
        assert_int_equal(b->sm.groups_used, 0);
        sm_bench_free(b);
    }
}

/* Rates of one warp instruction for all threads: of uniform ones more than the lanes could do. */
static void more_than_the_lanes(void **state) {
    (void)state;
    enum { LENGTH = 400 };
    static uint32_t text[LENGTH];
    for (unsigned n = 0; n < LENGTH - 1; ++n) text[n] = n % 2 ? MOV_R4_1 : ADD_R2_R0_R0;
    text[LENGTH - 1] = EXIT;
    for (unsigned uniform = 0; uniform < 2; ++uniform) {
        struct sm_bench *b = bench(uniform ? UNIFORM_TOKEN : UNIFORM_NONE, uniform, false);
        sm_begin(b, text, LENGTH, 256, 4, 4);
        sm_run(b, 100, 1);
        const uint64_t before = b->sm.thread_instructions;
        sm_run(b, 2100, 1);
        const double ipc = (double)(b->sm.thread_instructions - before) / 2000;
        printf("%s: IPC %.2f an SM, %.1f of 30\n", uniform ? "uniform.intra on" : "off", ipc, 30 * ipc);
        if (uniform)
            assert_true(ipc > 21.2 && ipc < 21.4); /* two instructions every three cycles */
        else
            assert_true(ipc > 7.97 && ipc <= 8);
        sm_bench_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_round),
        cmocka_unit_test(warps_issue_as_collectors_are_free),
        cmocka_unit_test(scalar_registers_take_no_bank),
        cmocka_unit_test(the_scalar_file_has_one_write_port),
        cmocka_unit_test(a_vector_reads_a_scalar_once),
        cmocka_unit_test(a_scalar_conflicts_once),
        cmocka_unit_test(broadcasts_take_time),
        cmocka_unit_test(who_writes_a_scalar_waits_for_one_round),
        cmocka_unit_test(a_copy_comes_before_a_partial_write),
        cmocka_unit_test(loads_of_one_address),
        cmocka_unit_test(a_multiple_load_gets_a_scalar_register_a_cycle),
        cmocka_unit_test(without_a_scalar_register_it_is_a_vector),
        cmocka_unit_test(branches_take_one_round),
        cmocka_unit_test(what_is_found_is_not_executed),
        cmocka_unit_test(found_from_the_second_cycle_after_the_last_write),
        cmocka_unit_test(inter_alone_converts_only_what_is_found),
        cmocka_unit_test(a_barrel_selects_a_uniform_warp_after_8_cycles),
        cmocka_unit_test(a_barrel_executes_a_copy_in_the_place_of_the_instruction),
        cmocka_unit_test(a_barrel_finds_results_in_the_first_cycle_of_O),
        cmocka_unit_test(a_multiple_load_keeps_others_from_O),
        cmocka_unit_test(a_whole_regrouped_warp_is_uniform),
        cmocka_unit_test(regrouped_threads_wait_for_a_copy_in_the_queue),
        cmocka_unit_test(threads_of_two_warps_need_two_copies),
        cmocka_unit_test(tokens_of_flags_are_cleared_one_by_one),
        cmocka_unit_test(an_exit_of_two_warps_frees_the_registers_of_both),
        cmocka_unit_test(a_work_group_begins_beside_others),
        cmocka_unit_test(more_than_the_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
