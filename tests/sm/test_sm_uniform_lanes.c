/* Uniform instructions on lane groups compared with cycles counted by hand from docs/lanes.md and
 * docs/uniform.md §7.1: results 11 cycles after a round, one warp of 8 threads on temporal lanes unless said
 * otherwise, so that a vector instruction has eight rounds. Cycles are relative to T. r0 is uniform at the
 * start of a work-group; r1 is base + stride · thread and is not. */
#include "tests/sm/lanes_bench.h"

/* Encodings, from the architecture manual. */
#define ADD_R2_R0_R0  0xe0802000u
#define ADD_R3_R2_R2  0xe0823002u
#define ADD_R3_R0_R1  0xe0803001u
#define ADD_R5_R4_R4  0xe0845004u
#define MOV_R2_1      0xe3a02001u
#define MOV_R4_1      0xe3a04001u
#define MOVEQ_R2_9    0x03a02009u
#define CMP_R1_R0     0xe1510000u
#define EXITEQ        0x0e040711u
#define LDR_R2_R0     0xe5902000u
#define LDR_R2_R1     0xe5912000u
#define UDIV_R2_R0_R0 0xe732f010u
#define UDIV_R4_R0_R0 0xe734f010u
#define VMOV_S0_R0    0xee000a10u
#define VDIV_S2_S0_S0 0xee801a00u
#define VDIV_S4_S0_S0 0xee802a00u
#define VADD_S5_S4_S4 0xee722a02u

/* Registers of a scalar register file without a free one. */
#define FULL 8

static struct sm_bench *uniform(unsigned group, enum uniform_storage storage, bool intra, bool inter) {
    struct sm_bench *b = bench(group);
    b->config.uniform.storage = storage;
    b->config.uniform.intra = intra;
    b->config.uniform.inter = inter;
    b->config.uniform.irb_tag_bits = 1;
    return b;
}

/* Runs one warp of `threads` threads; memory answers after 100 cycles. Checks the cycles of I of its first
 * instructions, including copies. */
static struct sm_bench *run_warp(struct sm_bench *b, const uint32_t *text, unsigned words, unsigned threads,
                                 uint32_t stride, const uint64_t *issues, unsigned count) {
    sm_begin(b, text, words, threads, 1, stride);
    b->sm.check_uniform = true;
    if (b->config.uniform.srf_registers == FULL) b->sm.uniform.rename.free[0] = 0; /* others have them */
    if (b->base == MEMORY_LOCAL_BASE)
        for (unsigned k = 0; k < 32; ++k) b->sm.warp[0].threads.registers[k] = MEMORY_LOCAL_BASE; /* r0 */
    expect_issues(b, issues, count);
    assert_int_equal(b->sm.groups_used, 0);
    return b;
}
#define RUN(b, text, threads, stride, ...)                                                                   \
    run_warp(b, text, sizeof(text) / 4, threads, stride, (const uint64_t[]){__VA_ARGS__},                    \
             sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

static void rounds_are(const struct sm_bench *b, unsigned n, uint64_t first, uint64_t last) {
    assert_int_equal(b->note[n].x, first);
    assert_int_equal(b->note[n].x_last, last);
}

static uint64_t count_of(const struct sm_bench *b, enum uniform_count n) {
    return b->sm.uniform.count[n];
}

/* I 0, O 1, X 2, W 13; the second I 13, X 15, W 26. The third waits for r3, which the second writes: I 26,
 * X 28–35; it reads r2 with the first round, r1 in each. */
static void a_scalar_is_one_round(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R0, ADD_R3_R2_R2, ADD_R3_R2_R1, EXIT};
    struct sm_bench *b = RUN(uniform(1, UNIFORM_TOKEN, true, false), text, 8, 4, 0, 13, 26);
    rounds_are(b, 0, 2, 2);
    rounds_are(b, 1, 15, 15);
    rounds_are(b, 2, 28, 35);
    assert_int_equal(count_of(b, UNIFORM_COUNT_SCALAR), 3); /* including the exit, which reads r0 */
    assert_int_equal(b->sm.vrf_reads, 1 + 1 + (1 + 8) + 1);
    assert_int_equal(b->sm.vrf_writes, 1 + 1 + 8);
    sm_bench_free(b);
    b = RUN(uniform(1, UNIFORM_SRF, true, false), text, 8, 4, 0, 13, 26);
    rounds_are(b, 2, 28, 35);
    assert_int_equal(b->sm.vrf_reads, 8);
    assert_int_equal(b->sm.vrf_writes, 8);
    sm_bench_free(b);
}

/* A vector follows a vector: W of its first round is in 13. */
static void vectors_chain(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = RUN(uniform(1, s, true, false), text, 8, 4, 0, 13);
        rounds_are(b, 0, 2, 9);
        rounds_are(b, 1, 15, 22);
        sm_bench_free(b);
    }
}

/* `inter` alone: all threads compute the first sum, W 13–20, in the scalar register file once, in 20. A
 * uniform instruction waits for all. A vector follows round by round, but not a scalar register. */
static void uniform_instructions_wait_for_the_whole(void **state) {
    (void)state;
    const uint32_t same[] = {ADD_R2_R0_R0, ADD_R3_R2_R2, EXIT}, vector[] = {ADD_R2_R0_R0, ADD_R3_R2_R1, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        sm_bench_free(RUN(uniform(1, s, false, true), same, 8, 4, 0, 20));
        sm_bench_free(RUN(uniform(1, s, false, true), vector, 8, 4, 0, s == UNIFORM_SRF ? 20 : 13));
    }
}

/* Slot 0: the scalar r2 is in bank 2, as is r1 of round
 * 1. So O of the sum reads round 0 in its first cycle, then two rounds a cycle. With the scalar register file
 * two rounds each. The instruction register is free in the cycle of the last read: of rounds 0, 1–2, 3–4,
 * 5–6, 7, or of 0–1, 2–3, 4–5, 6–7. */
static void a_scalar_takes_the_bank_of_round_0(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R0, MOV_R4_1, ADD_R3_R2_R1, MOV_R4_1, EXIT};
    /* the third: F 2, D 3, and r2 in 13: O 14–18 */
    sm_bench_free(RUN(uniform(1, UNIFORM_TOKEN, true, false), text, 8, 4, 0, 1, 13, 18));
    sm_bench_free(RUN(uniform(1, UNIFORM_SRF, true, false), text, 8, 4, 0, 1, 13, 17));
}

/* The same on eight spatial lanes with banks by round, 32 threads: O of the sum reads rounds 0, 1–2, 3 in 14
 * to 16, or 0–1, 2–3 in 14 and 15. */
static void of_spatial_lanes_too(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R0, MOV_R4_1, ADD_R3_R2_R1, MOV_R4_1, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = uniform(1, s, true, false);
        b->config.lanes.kind = LANES_SPATIAL;
        b->config.vrf.bank_map = BANK_MAP_ROUND;
        sm_bench_free(RUN(b, text, 32, 4, 0, 1, 13, s == UNIFORM_SRF ? 15 : 16));
    }
}

/* Spatial lanes with slp: a load for one of 12 threads finds no scalar register, and is written in two rounds
 * instead of all four. So the sum issues two cycles earlier. */
static void a_vector_of_one_access_has_packed_rounds(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R2_R0, ADD_R3_R2_R1, EXIT};
    uint64_t issue[2];
    for (unsigned slp = 0; slp < 2; ++slp) {
        struct sm_bench *b = uniform(1, UNIFORM_SRF, true, false);
        b->config.lanes.kind = LANES_SPATIAL;
        b->config.simt.mitigation = slp ? MITIGATION_SLP : MITIGATION_NONE;
        b->config.uniform.srf_registers = FULL;
        RUN(b, text, 12, 4, 0);
        issue[slp] = b->note[1].i;
        sm_bench_free(b);
    }
    assert_int_equal(issue[1], issue[0] - 2);
}

/* MOV takes no operands: O 1. CMP: I 1, O 2–5, X 3–10, flags in 21, which differ between threads. MOVEQ
 * writes r2 in thread 0 alone: a copy first, I 21, X 23–30, W 34–41. MOVEQ is of another thread mask: I 41, X
 * 43. */
static void a_copy_has_the_rounds_of_all_threads(void **state) {
    (void)state;
    const uint32_t text[] = {MOV_R2_1, CMP_R1_R0, MOVEQ_R2_9, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = RUN(uniform(1, s, true, false), text, 8, 4, 0, 1, 21, 41);
        rounds_are(b, 2, 23, 30);
        rounds_are(b, 3, 43, 43);
        assert_int_equal(count_of(b, UNIFORM_COUNT_COPIES), 1);
        const uint32_t *r2 = b->sm.warp[0].threads.registers + 2 * 32;
        assert_int_equal(r2[0], 9);
        assert_int_equal(r2[1], 1);
        sm_bench_free(b);
    }
}

/* Bringing r0 to the other lanes of a group of four takes 3 cycles: O 1–4, X 5, not if all is scalar. */
static void broadcasts_take_time(void **state) {
    (void)state;
    const uint32_t vector[] = {ADD_R2_R0_R1, EXIT}, scalar[] = {ADD_R2_R0_R0, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = uniform(4, s, true, false);
        b->config.uniform.broadcast_cycles = 3;
        rounds_are(b = RUN(b, vector, 8, 4, 0), 0, 5, 6);
        sm_bench_free(b);
        b = uniform(4, s, true, false);
        b->config.uniform.broadcast_cycles = 3;
        rounds_are(b = RUN(b, scalar, 8, 4, 0), 0, 2, 2);
        sm_bench_free(b);
    }
}

/* A load for one thread: X 2, a transaction in 3, data at the end of 103, W 104. For all threads, with equal
 * addresses: X 2–9, a transaction in 10, data at the end of 110, W 111–118, or once, in 111. */
static void loads_of_one_address(void **state) {
    (void)state;
    const uint32_t one[] = {LDR_R2_R0, ADD_R3_R2_R2, EXIT}, all[] = {LDR_R2_R1, ADD_R3_R2_R2, EXIT};
    const uint32_t vector[] = {LDR_R2_R1, ADD_R3_R2_R1, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = RUN(uniform(1, s, true, false), one, 8, 4, 0, 104);
        assert_int_equal(b->sm.ldst->bytes_asked, 4);
        sm_bench_free(b);
        b = RUN(uniform(1, s, true, false), all, 8, 0, 0, s == UNIFORM_SRF ? 111 : 118);
        assert_int_equal(count_of(b, UNIFORM_COUNT_BROADCAST_LOADS), 1);
        rounds_are(b, 1, b->note[1].i + 2, b->note[1].i + 2);
        sm_bench_free(b);
        sm_bench_free(RUN(uniform(1, s, true, false), vector, 8, 0, 0, 111));
    }
}

static struct sm_bench *local(enum uniform_storage storage) {
    struct sm_bench *b = uniform(1, storage, true, false);
    b->local_bytes = b->config.cluster.local_bytes = 4096;
    b->base = MEMORY_LOCAL_BASE;
    return b;
}

/* Local memory, 4 cycles. One thread: X 2, served in 3, W 8. All threads: X 2–9, served in 3–10, W 8–15; one
 * word in the scalar register file only when all have been served: their addresses are then known to be
 * equal. */
static void local_loads_of_one_address(void **state) {
    (void)state;
    const uint32_t one[] = {LDR_R2_R0, ADD_R3_R2_R2, EXIT}, all[] = {LDR_R2_R1, ADD_R3_R2_R2, EXIT};
    const uint32_t vector[] = {LDR_R2_R1, ADD_R3_R2_R1, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = RUN(local(s), one, 8, 4, 0, 8);
        assert_int_equal(b->sm.ldst->local_accesses, 1);
        sm_bench_free(b);
        b = RUN(local(s), all, 8, 0, 0, 15);
        assert_int_equal(b->sm.ldst->local_accesses, 8);
        sm_bench_free(b);
        sm_bench_free(RUN(local(s), vector, 8, 0, 0, s == UNIFORM_SRF ? 15 : 8));
    }
}

/* No scalar register is free. The load makes one access, and all eight rounds are written, W 104–111,
 * or from local memory 8–15. r2 is no scalar then: the sum is a vector, but its threads had no rounds to
 * follow. */
static void a_load_without_a_scalar_register_writes_all_rounds(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R2_R0, ADD_R3_R2_R2, EXIT};
    for (unsigned near = 0; near < 2; ++near) {
        struct sm_bench *b = near ? local(UNIFORM_SRF) : uniform(1, UNIFORM_SRF, true, false);
        b->config.uniform.srf_registers = FULL;
        RUN(b, text, 8, 4, 0, near ? 15 : 111);
        rounds_are(b, 1, b->note[1].i + 2, b->note[1].i + 9);
        assert_int_equal(count_of(b, UNIFORM_COUNT_SRF_HAZARDS), 1);
        assert_int_equal(b->sm.vrf_writes, 8 + 8);
        sm_bench_free(b);
    }
}

/* UDIV, I 0, W 13, in the buffer in 14. The other UDIV: I 16, O 17, where it hits: X 18, W 19. `inter` alone:
 * X 2–9, W 13–20. The sum: I 20, O 21–24, X 22–29, so the other UDIV issues in 24, hits in 25, and has the
 * lane in 30, W 31. */
static void what_is_found_is_not_executed(void **state) {
    (void)state;
    const uint32_t text[] = {UDIV_R2_R0_R0, ADD_R3_R2_R2, UDIV_R4_R0_R0, ADD_R5_R4_R4, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = RUN(uniform(1, s, true, true), text, 8, 4, 0, 13, 16, 19);
        rounds_are(b, 2, 18, 18);
        assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_SKIPPED), 1);
        sm_bench_free(b);
        b = RUN(uniform(1, s, false, true), text, 8, 4, 0, 20, 24, 31);
        rounds_are(b, 2, 30, 30);
        assert_int_equal(b->sm.vrf_writes, s == UNIFORM_SRF ? 0 : 8 + 8 + 1 + 8);
        sm_bench_free(b);
    }
}

/* Groups of four lanes, one thread a cycle in the special function units. VMOV W 13. VDIV: I 13, X 15, W 26,
 * in the buffer in 27. VADD: I 26. The other VDIV has been fetched with it: I 27, O 28, where it hits, X 29,
 * W 30. */
static void special_functions_are_found(void **state) {
    (void)state;
    const uint32_t text[] = {VMOV_S0_R0, VDIV_S2_S0_S0, VADD_S3_S2_S2, VDIV_S4_S0_S0, VADD_S5_S4_S4, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = uniform(4, s, true, true);
        b->config.cluster.sfu_lanes = 1;
        RUN(b, text, 8, 4, 0, 13, 26, 27, 30);
        rounds_are(b, 1, 15, 15);
        rounds_are(b, 3, 29, 29);
        assert_int_equal(count_of(b, UNIFORM_COUNT_IRB_SKIPPED), 1);
        sm_bench_free(b);
    }
}

/* Thread 0 has exited. In the token design a scalar is its word: instructions of all live threads take its
 * round as well, those of fewer do not. The scalar register file needs no round. */
static void the_round_of_a_scalar_is_not_skipped(void **state) {
    (void)state;
    const uint32_t text[] = {CMP_R1_R0, EXITEQ, ADD_R2_R0_R0, ADD_R3_R2_R1, EXIT};
    for (enum uniform_storage s = UNIFORM_TOKEN; s <= UNIFORM_SRF; ++s) {
        struct sm_bench *b = RUN(uniform(1, s, false, true), text, 8, 4, 0);
        const unsigned rounds = s == UNIFORM_SRF ? 7 : 8;
        assert_int_equal(b->note[2].x_last - b->note[2].x + 1, rounds);
        assert_int_equal(b->note[3].x_last - b->note[3].x + 1, rounds);
        sm_bench_free(b);
    }
}

/* Eight lanes, each with a warp of 32 threads: an instruction issues in each cycle, for 32 threads,
 * while eight lanes alone execute those of 8. */
static void more_than_the_lanes(void **state) {
    (void)state;
    enum { LENGTH = 400 };
    static uint32_t text[LENGTH];
    for (unsigned n = 0; n < LENGTH - 1; ++n) text[n] = n % 2 ? MOV_R4_1 : ADD_R2_R0_R0;
    text[LENGTH - 1] = EXIT;
    for (unsigned on = 0; on < 2; ++on) {
        struct sm_bench *b = uniform(1, on ? UNIFORM_TOKEN : UNIFORM_NONE, on, false);
        sm_begin(b, text, LENGTH, 32, 8, 4);
        sm_run(b, 100, 1);
        const uint64_t before = b->sm.thread_instructions;
        sm_run(b, 1100, 1);
        const double ipc = (double)(b->sm.thread_instructions - before) / 1000;
        print_message("%s: IPC %.2f\n", on ? "uniform.intra on" : "off", ipc);
        assert_true(on ? ipc > 31.5 && ipc <= 32 : ipc > 7.9 && ipc < 8.2);
        sm_bench_free(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scalar_is_one_round),
        cmocka_unit_test(vectors_chain),
        cmocka_unit_test(uniform_instructions_wait_for_the_whole),
        cmocka_unit_test(a_scalar_takes_the_bank_of_round_0),
        cmocka_unit_test(of_spatial_lanes_too),
        cmocka_unit_test(a_vector_of_one_access_has_packed_rounds),
        cmocka_unit_test(a_copy_has_the_rounds_of_all_threads),
        cmocka_unit_test(broadcasts_take_time),
        cmocka_unit_test(loads_of_one_address),
        cmocka_unit_test(local_loads_of_one_address),
        cmocka_unit_test(a_load_without_a_scalar_register_writes_all_rounds),
        cmocka_unit_test(what_is_found_is_not_executed),
        cmocka_unit_test(special_functions_are_found),
        cmocka_unit_test(the_round_of_a_scalar_is_not_skipped),
        cmocka_unit_test(more_than_the_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
