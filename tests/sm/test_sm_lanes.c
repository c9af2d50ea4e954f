/*
 * Lane groups against cycles counted by hand from lanes.md §1, §2 and §5, and against the closed form and the
 * model of all banks of stsimt Fig. 5. Cycles are relative to T, in which the first instructions are in the
 * buffers.
 */
#include "tests/sm/sm_fixture.h"
#include "tests/panic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define ADD_R2_R0_R1   0xe0802001u
#define ADD_R3_R2_R1   0xe0823001u
#define ADD_R2_R2_R1   0xe0822001u
#define LDR_R0_R1      0xe5910000u
#define VDIV_S2_S0_S1  0xee801a20u
#define VADD_S3_S2_S2  0xee711a01u
#define CMP_R0_R1      0xe1500001u
#define ADDNE_R4_R2_R1 0x10824001u

static struct sm_bench *bench(unsigned group) {
    struct sm_bench *b = sm_bench_create();
    b->config.cluster.groups = 32;
    b->config.vrf.registers = 32768;
    b->config.coalesce.rule = COALESCE_CC13;
    b->config.local.banks = 16;
    b->config.l1d.latency_cycles = 1;
    b->config.lanes.kind = group == 1 ? LANES_TEMPORAL : LANES_SPATIO_TEMPORAL;
    b->config.lanes.group = group;
    return b;
}

/* stsimt Fig. 5 with 8 banks, check/lanes_banks.py `two`: instructions whose last round has started in the
 * first 2000 cycles, of g = 1, 2, 4, with 1 to 32 warps, of these numbers of threads. */
static const unsigned some_threads[] = {1, 4, 8, 12, 16, 24, 32};
static const unsigned with_banks[3][6][7] = {
    {{154, 154, 154, 153, 124, 83, 62},
     {308, 308, 308, 306, 248, 166, 124},
     {616, 616, 614, 612, 496, 332, 248},
     {1232, 1230, 1226, 1224, 992, 663, 496},
     {1998, 1995, 1991, 1327, 992, 663, 496},
     {1998, 1995, 1991, 1327, 992, 663, 496}},
    {{154, 154, 154, 154, 154, 153, 124},
     {308, 308, 308, 308, 308, 306, 248},
     {616, 616, 616, 616, 614, 612, 496},
     {1232, 1232, 1230, 1228, 996, 664, 496},
     {1998, 1997, 1995, 1329, 996, 664, 496},
     {1998, 1997, 1995, 1329, 996, 664, 496}},
    {{154, 154, 154, 154, 154, 154, 154},
     {308, 308, 308, 308, 308, 308, 308},
     {616, 616, 612, 572, 616, 614, 498},
     {1232, 1232, 1144, 1142, 998, 665, 498},
     {1998, 1998, 1997, 1331, 998, 665, 498},
     {1998, 1998, 1997, 1331, 998, 665, 498}},
};

static uint32_t dependent[2600];

static struct sm_bench *chains(unsigned group, unsigned banks, unsigned warps, unsigned threads) {
    struct sm_bench *b = bench(group);
    const unsigned length = sizeof dependent / sizeof *dependent;
    b->config.vrf.banks = banks;
    for (unsigned n = 0; n < length - 1; ++n) dependent[n] = ADD_R2_R2_R1;
    dependent[length - 1] = EXIT;
    sm_begin(b, dependent, length, threads, warps, 4);
    return b;
}

static void dependent_instructions_with_all_banks(void **state) {
    (void)state;
    for (unsigned g = 0; g < 3; ++g)
        for (unsigned w = 0; w < 6; ++w)
            for (unsigned k = 0; k < 7; ++k) {
                struct sm_bench *b = chains(1u << g, 8, 1u << w, some_threads[k]);
                unsigned started = 0;
                sm_run(b, 2000, 1);
                assert_int_equal(b->error.status, EXIT_SOUND);
                for (unsigned n = 0; n < b->sm.issued; ++n) started += b->note[n].x_last != 0;
                for (unsigned n = 0; n < b->sm.flight_room; ++n) { /* some rounds have, but not the last */
                    const struct sm_flight *f = &b->sm.flight[n];
                    if (f->i && f->age < b->sm.issued && f->x_round && f->x_round < f->rounds) --started;
                }
                if (started != with_banks[g][w][k])
                    fail_msg("g = %u, %u warps of %u threads: %u, not %u", 1u << g, 1u << w, some_threads[k],
                             started, with_banks[g][w][k]);
                sm_bench_free(b);
            }
}

/* §5, 1: min(n, min(w, G) · n / max(R, 13 / m)). */
static void closed_form_without_banks(void **state) {
    (void)state;
    for (unsigned g = 1; g <= 4; g *= 2)
        for (unsigned warps = 1; warps <= 32; warps *= 2)
            for (unsigned k = 0; k < 7; ++k) {
                const unsigned n = some_threads[k], groups = 8 / g, rounds = (n + g - 1) / g;
                const double m = warps > groups ? warps / groups : 1,
                             each = rounds > 13 / m ? rounds : 13 / m;
                const double by_groups = (warps < groups ? warps : groups) * n / each;
                const double expected = by_groups < n ? by_groups : n;
                struct sm_bench *b = chains(g, 0, warps, n);
                sm_run(b, 208, 1); /* a multiple of 13 and of 16 */
                const uint64_t before = b->sm.thread_instructions;
                sm_run(b, 208 + 1664, 1);
                const double ipc = (double)(b->sm.thread_instructions - before) / 1664;
                if (ipc < expected * 0.985 || ipc > expected * 1.015)
                    fail_msg("g = %u, %u warps of %u threads: IPC %.3f, not %.3f", g, warps, n, ipc,
                             expected);
                sm_bench_free(b);
            }
}

/* §9, 7: one group of all lanes is the spatial machine with rounds left out and chaining, where no bank holds
 * either up: the rounds of each instruction start in the same cycles. (It may issue later, when the
 * instruction register is free, but its first round does not go later.) */
static void a_group_of_all_lanes_is_spatial(void **state) {
    (void)state;
    unsigned compared = 0;
    for (unsigned warps = 1; warps <= 32; warps *= 2)
        for (unsigned k = 0; k < 7; ++k) {
            struct sm_bench *apart = chains(8, 0, warps, some_threads[k]), *spatial = bench(8);
            spatial->config.vrf.banks = 0;
            spatial->config.lanes.kind = LANES_SPATIAL;
            spatial->config.lanes.group = 1;
            spatial->config.lanes.chaining = CHAINING_ON;
            spatial->config.simt.compaction = COMPACTION_ROUND;
            sm_begin(spatial, dependent, sizeof dependent / sizeof *dependent, some_threads[k], warps, 4);
            sm_run(apart, 2000, 1);
            sm_run(spatial, 2000, 1);
            for (unsigned n = 0; n < apart->sm.issued && n < spatial->sm.issued && n < NOTES; ++n, ++compared)
                if (apart->note[n].x != spatial->note[n].x ||
                    apart->note[n].x_last != spatial->note[n].x_last)
                    fail_msg("%u warps of %u threads, instruction %u: X %llu, %llu; last %llu, %llu", warps,
                             some_threads[k], n, (unsigned long long)apart->note[n].x,
                             (unsigned long long)spatial->note[n].x,
                             (unsigned long long)apart->note[n].x_last,
                             (unsigned long long)spatial->note[n].x_last);
            sm_bench_free(apart);
            sm_bench_free(spatial);
        }
    print_message("%u instructions have their rounds in the same cycles\n", compared);
}

static void expect_issues(struct sm_bench *b, const uint64_t *issues, unsigned count) {
    sm_run(b, 600, 100);
    assert_int_equal(b->error.status, EXIT_SOUND);
    for (unsigned n = 0; n < count; ++n)
        if (b->note[n].i != issues[n])
            fail_msg("instruction %u issues in %llu, not in %llu", n, (unsigned long long)b->note[n].i,
                     (unsigned long long)issues[n]);
}
#define EXPECT_ISSUES(b, ...)                                                                                \
    expect_issues(b, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)

/* Eight threads on one lane: I 0, X 2–9, the first W in 13: who uses it issues then. With 32 the lane is the
 * limit: X 2–33, 34–65, 66–97. */
static void a_consumer_follows_its_producer(void **state) {
    (void)state;
    struct sm_bench *b = chains(1, 8, 1, 8);
    EXPECT_ISSUES(b, 0, 13, 26, 39);
    assert_int_equal(b->note[1].x, 15);
    assert_int_equal(b->note[1].x_last, 22);
    sm_bench_free(b);
    b = chains(1, 8, 1, 32);
    sm_run(b, 200, 1);
    for (unsigned n = 0; n < 3; ++n) {
        assert_int_equal(b->note[n].x, 2 + 32 * n);
        assert_int_equal(b->note[n].x_last, 33 + 32 * n);
    }
    sm_bench_free(b);
}

/* CMP reads registers of neighbouring banks, so three rounds in two cycles: its last in 6, in which the next
 * one issues; that has X 10–17 behind the CMP's 2–9, W 21–28. An addition for the same threads issues in 21;
 * one whose condition fails in thread 0 (r1 is r0 there) in 28, as all would without chaining. */
static void others_wait_for_the_last_round(void **state) {
    (void)state;
    const uint32_t same[] = {CMP_R0_R1, ADD_R2_R0_R1, ADD_R3_R2_R1, EXIT};
    const uint32_t fewer[] = {CMP_R0_R1, ADD_R2_R0_R1, ADDNE_R4_R2_R1, EXIT};
    for (unsigned n = 0; n < 3; ++n) {
        struct sm_bench *b = bench(1);
        if (n == 2) b->config.lanes.chaining = CHAINING_OFF;
        sm_begin(b, n == 1 ? fewer : same, 4, 8, 1, 4);
        EXPECT_ISSUES(b, 0, 6, n == 0 ? 21 : 28);
        sm_bench_free(b);
    }
}

/* VDIV: read until 6; the special function units take two threads in each of 7–10. Its lane goes on
 * meanwhile: the addition has X 8. W of the first two threads 47. */
static void special_functions_are_shared(void **state) {
    (void)state;
    const uint32_t text[] = {VDIV_S2_S0_S1, ADD_R2_R0_R1, VADD_S3_S2_S2, EXIT};
    struct sm_bench *b = bench(1);
    b->config.core.latency_cycles[ARM_CLASS_VFP_DIVIDE_SINGLE] = 40;
    sm_begin(b, text, 4, 8, 1, 4);
    EXPECT_ISSUES(b, 0, 6, 47);
    assert_int_equal(b->note[0].x, 7);
    assert_int_equal(b->note[0].x_last, 10);
    assert_int_equal(b->note[1].x, 8);
    sm_bench_free(b);
    b = bench(1); /* two lanes: I 0 and 1, the second's threads 11–14 */
    b->config.core.latency_cycles[ARM_CLASS_VFP_DIVIDE_SINGLE] = 40;
    sm_begin(b, text, 4, 8, 2, 4);
    sm_run(b, 40, 1);
    assert_int_equal(b->note[1].x, 11);
    assert_int_equal(b->note[1].x_last, 14);
    sm_bench_free(b);
}

static struct sm_bench *local_loads(unsigned threads, unsigned warps, uint32_t stride) {
    static const uint32_t text[] = {LDR_R0_R1, EXIT};
    struct sm_bench *b = bench(1);
    b->local_bytes = 4096;
    b->base = MEMORY_LOCAL_BASE;
    b->config.cluster.local_bytes = 4096;
    b->config.local.size_bytes = 1 << 17;
    sm_begin(b, text, 2, threads, warps, stride);
    return b;
}

/* §9, 6: eight lanes ask for bank 0 of their work-groups' memories, four threads each, from cycle 3 on: one
 * is served in each cycle, the last of 32 in 34. One warp of 32 threads in bank 0: a round in each cycle,
 * 3–34, no conflict. */
static void local_memory_serves_lanes_by_bank(void **state) {
    (void)state;
    struct sm_bench *b = local_loads(4, 8, 0);
    sm_run(b, 34, 1);
    assert_int_equal(b->sm.ldst->local_accesses, 31);
    sm_run(b, 35, 1);
    assert_int_equal(b->sm.ldst->local_accesses, 32);
    assert_int_equal(b->sm.lanes.robbed, b->sm.ldst->local_passes - 32);
    assert_true(b->sm.lanes.robbed > 100);
    sm_bench_free(b);
    b = local_loads(32, 1, 64);
    sm_run(b, 34, 1);
    assert_int_equal(b->sm.ldst->local_accesses, 31);
    sm_run(b, 35, 1);
    assert_int_equal(b->sm.ldst->local_accesses, 32);
    assert_int_equal(b->sm.lanes.robbed, 0);
    sm_bench_free(b);
}

/* X 2–9, served in 3–10, W of round v four cycles after: 8–15. A consumer chains: it issues in 8. */
static void local_loads_are_followed_round_by_round(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, 0xe0803001u /* add r3, r0, r1 */, EXIT};
    struct sm_bench *b = bench(1);
    b->local_bytes = b->config.cluster.local_bytes = 4096;
    b->base = MEMORY_LOCAL_BASE;
    sm_begin(b, text, 3, 8, 1, 4);
    EXPECT_ISSUES(b, 0, 8);
    sm_bench_free(b);
}

/* §1, Fig. 6: two work-groups of 84 threads: warps in lanes 0 1 2 and 3 4 5. */
static void warps_take_turns_at_lanes(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT, EXIT};
    struct sm_bench *b = bench(1);
    sm_begin(b, text, 2, 84, 2, 4);
    assert_int_equal(b->sm.group[0].warps, 0x07);
    assert_int_equal(b->sm.group[1].warps, 0x38);
    assert_int_equal(b->sm.lanes.turn, 6);
    sm_bench_free(b);
}

/* §9, 3: 112 threads, three warps and a half: the second work-group's half warp stands beside the first's, in
 * slot 1 of lane 3, which gives two half warps 16 registers a thread. */
static void half_warps_stand_together(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT, EXIT};
    struct sm_bench *b = bench(1);
    b->config.lanes.exact_allocation = 1;
    sm_begin(b, text, 2, 112, 2, 4);
    assert_int_equal(b->sm.group[0].warps, 0x0f);
    assert_int_equal(b->sm.group[1].warps, 0x70 | 1 << 11);
    assert_int_equal(b->sm.registers_left[3], 32768 / 8 - 2 * 16 * 16);
    assert_int_equal(b->sm.registers_left[4], 32768 / 8 - 32 * 16);
    assert_int_equal(b->sm.registers_left[7], 32768 / 8);
    assert_int_equal(b->sm.lanes.turn, 7);
    sm_bench_free(b);
}

/* No lane has room for the third warp: the work-group does not come, and the turn stays. */
static void a_work_group_without_room_waits(void **state) {
    (void)state;
    static const uint32_t text[] = {EXIT, EXIT};
    struct sm_bench *b = bench(1);
    b->config.vrf.registers = 8 * 32 * 47; /* of 16 registers: two warps a lane */
    sm_begin(b, text, 2, 32 * 7, 2, 4);
    assert_int_equal(b->sm.lanes.turn, 14 % 8);
    assert_false(sm_has_room(&b->sm)); /* two warps are left, in lanes 6 and 7 */
    assert_int_equal(b->sm.lanes.turn, 14 % 8);
    sm_bench_free(b);
}

/* Two warps of a work-group exit one cycle after the other. */
static void a_warp_may_leave_before_its_work_group(void **state) {
    (void)state;
    static const uint32_t text[] = {ADD_R2_R0_R1, EXIT};
    for (unsigned on = 0; on < 2; ++on) {
        struct sm_bench *b = bench(1);
        b->config.lanes.free_on_warp_exit = on;
        sm_begin(b, text, 2, 64, 1, 4);
        const uint64_t free = b->sm.free_warps;
        for (unsigned n = 1; b->sm.free_warps == free && n < 400; ++n) sm_run(b, n, 1);
        assert_int_equal(b->sm.free_warps ^ free, on ? 1 : 3);
        assert_int_equal(b->sm.registers_left[0], 32768 / 8);
        assert_int_equal(b->sm.registers_left[1], on ? 32768 / 8 - 32 * 16 : 32768 / 8);
        assert_int_equal(b->sm.groups_used, on);
        sm_run(b, 500, 1);
        assert_int_equal(b->sm.groups_used, 0);
        assert_int_equal(b->sm.registers_left[1], 32768 / 8);
        sm_bench_free(b);
    }
}

/* Two independent instructions of one warp, 32 threads: bound they go through its lane, X 2–33 and 34–65;
 * unbound through two, I 0 and 1, X 2 and 3. */
static void unbound_instructions_go_anywhere(void **state) {
    (void)state;
    const uint32_t text[] = {ADD_R2_R0_R1, 0xe0804001u /* add r4, r0, r1 */, EXIT};
    for (unsigned bound = 0; bound < 2; ++bound) {
        struct sm_bench *b = bench(1);
        b->config.lanes.bound = bound;
        sm_begin(b, text, 3, 32, 1, 4);
        sm_run(b, 200, 1);
        assert_int_equal(b->note[0].x, 2);
        assert_int_equal(b->note[1].x, bound ? 34 : 3);
        assert_int_equal(b->sm.lanes.warps_instructions[1], bound ? 0 : 1);
        sm_bench_free(b);
    }
}

/* Eight lanes with an instruction each: seven wait in cycle 0, then six and so on. */
static void issue_conflicts_are_counted(void **state) {
    (void)state;
    struct sm_bench *b = chains(1, 8, 8, 8);
    sm_run(b, 8, 1);
    assert_int_equal(b->sm.lanes.conflicts[0], 1);
    assert_int_equal(b->sm.lanes.conflicts[1], 1);
    assert_int_equal(b->sm.lanes.conflicts[2], 5);
    sm_bench_free(b);
}

/* Spatial: four threads take one round of four; who uses the result issues L + 2 = 13 cycles later, not 16.
 */
static void spatial_lanes_may_skip_rounds(void **state) {
    (void)state;
    for (unsigned compaction = 0; compaction < 2; ++compaction) {
        struct sm_bench *b = bench(2);
        b->config.lanes.kind = LANES_SPATIAL;
        b->config.lanes.group = 1;
        b->config.simt.compaction = compaction ? COMPACTION_ROUND : COMPACTION_NONE;
        const uint32_t text[] = {ADD_R2_R0_R1, ADD_R3_R2_R1, EXIT};
        sm_begin(b, text, 3, 4, 1, 4);
        EXPECT_ISSUES(b, 0, compaction ? 13 : 16);
        assert_int_equal(b->sm.lanes.rounds, compaction ? 3 : 12);
        assert_int_equal(b->sm.lanes.skipped, compaction ? 9 : 0);
        sm_bench_free(b);
    }
}

/* A load of 32 words: X 2–33, two transactions of 64 bytes in 34 and 35, answered 100 cycles later, at the
 * end of 134 and 135: W 136 on, and who uses it follows from 136 on. */
static void loads_are_assembled(void **state) {
    (void)state;
    const uint32_t text[] = {LDR_R0_R1, 0xe0803001u /* add r3, r0, r1 */, EXIT};
    struct sm_bench *b = bench(1);
    sm_begin(b, text, 3, 32, 1, 4);
    EXPECT_ISSUES(b, 0, 136);
    sm_bench_free(b);
}

/* --- scalar instructions --- */

#define ADD_R2_R0_R0 0xe0802000u
#define ADD_R4_R1_R1 0xe0814001u

/* ADD r2, r0, r0 is scalar: r0 is scalar register 0, r2 number 1; ADD r3, r2, r1 is not: r1 is vector
 * register 0, r3 number 1. The exit has no operands. */
static const struct machine_operand of_two[] = {
    {0, false, 0}, {2, false, 1}, {2, false, 1}, {1, true, 0}, {3, true, 1}};
static const struct machine_scalarized two[] = {{true, 1, 1, 0}, {false, 2, 1, 2}, {false, 0, 0, 5}};
static const uint32_t text_of_two[] = {ADD_R2_R0_R0, ADD_R3_R2_R1, EXIT};

static void scalarize_two(struct sm_bench *b) {
    b->scalarized = two;
    b->operands = of_two;
    b->operand_count = 5;
    b->vectors = 2;
    b->scalars = 3;
}

/* One round: I 0, O 1, X 2, W 13; who reads it issues then, X 15–46: r2 is read once, r1 for each thread. §5,
 * 5: a warp has 2 · 32 + 3 words. */
static void a_scalar_instruction_is_one_round(void **state) {
    (void)state;
    struct sm_bench *b = bench(1);
    scalarize_two(b);
    b->check_scalar = true;
    sm_begin(b, text_of_two, 3, 32, 1, 4);
    assert_int_equal(b->sm.registers_left[0], 32768 / 8 - 67);
    EXPECT_ISSUES(b, 0, 13);
    assert_int_equal(b->note[0].x, 2);
    assert_int_equal(b->note[0].x_last, 2);
    assert_int_equal(b->note[1].x, 15);
    assert_int_equal(b->note[1].x_last, 46);
    assert_int_equal(b->sm.vrf_reads, 1 + 1 + 32);
    assert_int_equal(b->sm.vrf_writes, 1 + 32);
    assert_int_equal(b->sm.lanes.scalar_instructions, 1);
    assert_int_equal(b->sm.registers_left[0], 32768 / 8);
    sm_bench_free(b);
}

/* r0 and round 0 of r1 are both in bank 0: X 3–34, and r2, a vector register, is written in 14–45. Then it is
 * a scalar one: who has one round does not chain on who has 32, or it would be done before. */
static void scalars_and_vectors_do_not_chain(void **state) {
    (void)state;
    static const struct machine_operand operands[] = {
        {0, false, 0}, {1, true, 0}, {2, true, 1}, {0, false, 0}, {2, false, 1}};
    static const struct machine_scalarized scalarized[] = {
        {false, 2, 1, 0}, {true, 1, 1, 3}, {false, 0, 0, 5}};
    const uint32_t text[] = {0xe0802001u /* add r2, r0, r1 */, ADD_R2_R0_R0, EXIT};
    struct sm_bench *b = bench(1);
    b->scalarized = scalarized;
    b->operands = operands;
    b->operand_count = 5;
    b->vectors = b->scalars = 2;
    b->check_scalar = true;
    sm_begin(b, text, 3, 32, 1, 4);
    EXPECT_ISSUES(b, 0, 45);
    assert_int_equal(b->note[0].x_last, 34);
    assert_int_equal(b->sm.groups_used, 0);
    sm_bench_free(b);
}

/* The scalar unit has a scalar instruction while the SPs have another: X 2–5 and 3. What it writes comes at
 * no cost: of the addition of r2 and r1 the file reads r1 alone, in four rounds. */
static void a_scalar_unit_is_beside_the_lanes(void **state) {
    (void)state;
    static const struct machine_operand operands[] = {
        {1, true, 0}, {4, true, 2}, {0, false, 0}, {2, false, 1}, {2, false, 1}, {1, true, 0}, {3, true, 1}};
    static const struct machine_scalarized scalarized[] = {
        {false, 1, 1, 0}, {true, 1, 1, 2}, {false, 2, 1, 4}, {false, 0, 0, 7}};
    const uint32_t text[] = {ADD_R4_R1_R1, ADD_R2_R0_R0, ADD_R3_R2_R1, EXIT};
    struct sm_bench *b = bench(2);
    b->config.lanes.kind = LANES_SPATIAL;
    b->config.lanes.group = 1;
    b->config.lanes.scalar_unit = 1;
    b->scalarized = scalarized;
    b->operands = operands;
    b->operand_count = 7;
    b->vectors = 3;
    b->scalars = 2;
    b->check_scalar = true;
    sm_begin(b, text, 4, 32, 1, 4);
    assert_int_equal(b->sm.scalars_left, 4096 - 2);
    assert_int_equal(b->sm.registers_left[0], 32768 - 3 * 32);
    EXPECT_ISSUES(b, 0, 1, 14);
    assert_int_equal(b->note[0].x, 2);
    assert_int_equal(b->note[0].x_last, 5);
    assert_int_equal(b->note[1].x, 3);
    assert_int_equal(b->note[1].x_last, 3);
    assert_int_equal(b->sm.vrf_reads, 4 + 4);
    assert_int_equal(b->sm.vrf_writes, 4 + 4);
    assert_int_equal(b->sm.scalars_left, 4096);
    sm_bench_free(b);
}

/* scalar.mode gcn: of two warps that issue a scalar instruction each, one behind the other, and each of which
 * holds a unit for two cycles, the second waits for one unit, but not for two: a unit has one collector. */
static void scalar_units_take_an_instruction_each(void **state) {
    (void)state;
    static const struct machine_operand operands[] = {{0, false, 0}, {2, false, 1}};
    static const struct machine_scalarized scalarized[] = {{true, 1, 1, 0}, {false, 0, 0, 2}};
    const uint32_t text[] = {ADD_R2_R0_R0, EXIT};
    for (unsigned units = 0; units <= 2; ++units) {
        struct sm_bench *b = bench(2);
        b->config.lanes.kind = LANES_SPATIAL;
        b->config.lanes.group = 1;
        b->config.simt.collectors = 1;
        b->config.lanes.scalar_unit = units == 0; /* which is gcn with one unit */
        b->config.scalar.mode = units ? SCALAR_GCN : SCALAR_OFF;
        b->config.scalar.units = units;
        b->config.scalar.registers = 64;
        b->scalarized = scalarized;
        b->operands = operands;
        b->operand_count = b->scalars = 2;
        b->vectors = 3;
        b->check_scalar = true;
        sm_begin(b, text, 2, 64, 1, 4);
        if (units) assert_int_equal(b->sm.scalars_left, 64 - 2 * 2);
        sm_run(b, 300, 0);
        assert_int_equal(b->note[0].i, 0);
        assert_int_equal(b->note[0].x, 2);
        /* Its collector is given back in X, cycle 2, and free from the next on. */
        assert_int_equal(b->note[1].i, units == 2 ? 1 : 3);
        assert_int_equal(b->note[1].x, b->note[1].i + 2);
        sm_bench_free(b);
    }
}

/* A load from one address: of a scalar one one transaction, else one of each half-warp. */
static void a_scalar_load_is_one_transaction(void **state) {
    (void)state;
    static const struct machine_operand operands[] = {{1, false, 0}, {0, false, 1}};
    static const struct machine_scalarized scalarized[] = {{true, 1, 1, 0}, {false, 0, 0, 2}};
    const uint32_t text[] = {LDR_R0_R1, EXIT};
    for (unsigned scalar = 0; scalar < 2; ++scalar) {
        struct sm_bench *b = bench(1);
        if (scalar) {
            b->scalarized = scalarized;
            b->operands = operands;
            b->operand_count = b->scalars = 2;
            b->vectors = 1;
        }
        sm_begin(b, text, 2, 32, 1, 0);
        sm_run(b, 300, 10);
        assert_int_equal(b->sm.groups_used, 0);
        assert_int_equal(b->sm.ldst->transactions, scalar ? 1 : 2);
        sm_bench_free(b);
    }
}

/* r1 is not the same in all threads. */
static void a_wrong_class(void *context) {
    (void)context;
    static const struct machine_operand operands[] = {{0, false, 0}, {1, false, 2}, {2, false, 1}};
    static const struct machine_scalarized scalarized[] = {{true, 2, 1, 0}, {false, 0, 0, 3}};
    const uint32_t text[] = {ADD_R2_R0_R1, EXIT};
    struct sm_bench *b = bench(1);
    b->scalarized = scalarized;
    b->operands = operands;
    b->operand_count = b->scalars = 3;
    b->vectors = 1;
    b->check_scalar = true;
    sm_begin(b, text, 2, 32, 1, 4);
    sm_run(b, 100, 1);
}

/* r0 and r2 live at once in one scalar register: the second addition finds r2's value in r0's place. */
static void a_wrong_register(void *context) {
    (void)context;
    static const struct machine_operand operands[] = {
        {0, false, 0}, {2, false, 0}, {0, false, 0}, {2, false, 0}};
    static const struct machine_scalarized scalarized[] = {
        {true, 1, 1, 0}, {true, 1, 1, 2}, {false, 0, 0, 4}};
    const uint32_t text[] = {ADD_R2_R0_R0, ADD_R2_R0_R0, EXIT};
    struct sm_bench *b = bench(1);
    b->scalarized = scalarized;
    b->operands = operands;
    b->operand_count = 4;
    b->scalars = b->vectors = 1;
    b->check_scalar = true;
    sm_begin(b, text, 3, 32, 1, 4);
    sm_run(b, 100, 1);
}

static void check_scalar_sees_what_differs(void **state) {
    (void)state;
    assert_true(panics(a_wrong_class, NULL));
    assert_true(panics(a_wrong_register, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(dependent_instructions_with_all_banks),
                                       cmocka_unit_test(closed_form_without_banks),
                                       cmocka_unit_test(a_group_of_all_lanes_is_spatial),
                                       cmocka_unit_test(a_consumer_follows_its_producer),
                                       cmocka_unit_test(others_wait_for_the_last_round),
                                       cmocka_unit_test(special_functions_are_shared),
                                       cmocka_unit_test(local_memory_serves_lanes_by_bank),
                                       cmocka_unit_test(local_loads_are_followed_round_by_round),
                                       cmocka_unit_test(warps_take_turns_at_lanes),
                                       cmocka_unit_test(half_warps_stand_together),
                                       cmocka_unit_test(a_work_group_without_room_waits),
                                       cmocka_unit_test(a_warp_may_leave_before_its_work_group),
                                       cmocka_unit_test(unbound_instructions_go_anywhere),
                                       cmocka_unit_test(issue_conflicts_are_counted),
                                       cmocka_unit_test(spatial_lanes_may_skip_rounds),
                                       cmocka_unit_test(loads_are_assembled),
                                       cmocka_unit_test(a_scalar_instruction_is_one_round),
                                       cmocka_unit_test(scalars_and_vectors_do_not_chain),
                                       cmocka_unit_test(a_scalar_unit_is_beside_the_lanes),
                                       cmocka_unit_test(scalar_units_take_an_instruction_each),
                                       cmocka_unit_test(a_scalar_load_is_one_transaction),
                                       cmocka_unit_test(check_scalar_sees_what_differs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
