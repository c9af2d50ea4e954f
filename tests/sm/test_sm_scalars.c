/* Scalar instructions of lane groups, of a scalar unit with spatial lanes, and --check-scalar, compared with
 * cycles counted by hand from lanes.md §3, §4. Cycles are relative to T, in which the first instructions are
 * in the buffers. */
#include "model/config/divergence_kind.h"
#include "tests/panic.h"
#include "tests/sm/lanes_bench.h"

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

/* One round: I 0, O 1, X 2, W 13; a dependent instruction issues then, X 15–46: r2 is read once, r1 for each
 * thread. A warp has 2 · 32 + 3 words. */
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

/* r0 and round 0 of r1 are both in bank 0: X 3–34, and r2, a vector register, is written in 14–45. The next
 * instruction is scalar: one round cannot chain on 32, otherwise it would end earlier. */
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

/* Starts a warp: ADD r4, r1, r1 is a vector instruction; ADD r2, r0, r0 is scalar; ADD r3, r2, r1 is a vector
 * instruction with the scalar r2. */
static void begin_between(struct sm_bench *b) {
    static const struct machine_operand operands[] = {
        {1, true, 0}, {4, true, 2}, {0, false, 0}, {2, false, 1}, {2, false, 1}, {1, true, 0}, {3, true, 1}};
    static const struct machine_scalarized scalarized[] = {
        {false, 1, 1, 0}, {true, 1, 1, 2}, {false, 2, 1, 4}, {false, 0, 0, 7}};
    static const uint32_t text[] = {ADD_R4_R1_R1, ADD_R2_R0_R0, ADD_R3_R2_R1, EXIT};
    b->scalarized = scalarized;
    b->operands = operands;
    b->operand_count = 7;
    b->vectors = 3;
    b->scalars = 2;
    b->check_scalar = true;
    sm_begin(b, text, 4, 32, 1, 4);
}

/* The scalar unit executes a scalar instruction while the SPs execute another: X 2–5 and 3. Its write costs
 * nothing: for the addition of r2 and r1, the register file reads r1 alone, in four rounds. */
static void a_scalar_unit_is_beside_the_lanes(void **state) {
    (void)state;
    struct sm_bench *b = bench(2);
    b->config.lanes.kind = LANES_SPATIAL;
    b->config.lanes.group = 1;
    b->config.lanes.scalar_unit = 1;
    begin_between(b);
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

/* scalar.mode gcn on a temporal lane: the scalar instruction issues in 1, though the lane's instruction
 * register is taken: no banks, so that two rounds a cycle are read, in 1 to 16. X 3 in the scalar unit, W 14.
 * The next instruction waits for the register, which is free in 16, and for the lane: X 2 to 33, then 34
 * to 65. */
static void scalar_units_are_beside_lane_groups(void **state) {
    (void)state;
    struct sm_bench *b = bench(1);
    b->config.vrf.banks = 0;
    b->config.scalar.mode = SCALAR_GCN;
    b->config.scalar.units = 1;
    b->config.scalar.registers = 64;
    begin_between(b);
    assert_int_equal(b->sm.scalars_left, 64 - 2);
    assert_int_equal(b->sm.registers_left[0], 32768 / 8 - 3 * 32);
    EXPECT_ISSUES(b, 0, 1, 16);
    assert_int_equal(b->note[0].x, 2);
    assert_int_equal(b->note[0].x_last, 33);
    assert_int_equal(b->note[1].x, 3);
    assert_int_equal(b->note[1].x_last, 3);
    assert_int_equal(b->note[2].x, 34);
    assert_int_equal(b->note[2].x_last, 65);
    assert_int_equal(b->sm.vrf_reads, 32 + 32);
    assert_int_equal(b->sm.vrf_writes, 32 + 32);
    assert_int_equal(b->sm.lanes.warps_instructions[0], 3); /* the exit, too */
    sm_bench_free(b);
}

/* scalar.mode gcn: two warps each issue a scalar instruction, one after the other, which occupies a unit for
 * two cycles. With one unit the second waits, with two it does not: a unit has one collector. */
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
        b->config.lanes.scalar_unit = units == 0; /* gcn with one unit */
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
        /* A collector is given back in X, cycle 2, and free from the next cycle on. */
        assert_int_equal(b->note[1].i, units == 2 ? 1 : 3);
        assert_int_equal(b->note[1].x, b->note[1].i + 2);
        sm_bench_free(b);
    }
}

/* Barrel issue, 8 lanes for each of two schedulers, a pipeline of 8 stages: S 0, O 4, X 5, W 7 and C at its
 * end, so S 8. Both schedulers' first instructions are scalar: X 5 in two units; a single unit executes that
 * of scheduler 1 in 6, followed by S 9. The following vector instruction has X 13 to 16 in the scheduler's
 * lanes, C in 18. */
static void barrels_share_scalar_units(void **state) {
    (void)state;
    static const struct machine_operand operands[] = {
        {0, false, 0}, {2, false, 1}, {2, false, 1}, {1, true, 0}, {3, true, 1}};
    const uint32_t text[] = {ADD_R2_R0_R0, ADD_R3_R2_R1, EXIT};
    for (unsigned units = 1; units <= 2; ++units)
        for (unsigned oracle = 0; oracle < 2; ++oracle) {
            struct sm_bench *b = bench(2);
            b->config.lanes.kind = LANES_SPATIAL;
            b->config.lanes.group = 1;
            b->config.simt.issue = ISSUE_BARREL;
            b->config.vrf.banks = 0;
            b->config.simt.divergence = oracle ? DIVERGENCE_oracle : DIVERGENCE_sbr;
            b->config.simt.pipeline_depth = 8;
            b->config.cluster.schedulers = b->config.cluster.sp_groups = 2;
            b->config.cluster.lanes = b->config.cluster.ldst_lanes = 8;
            b->config.cluster.sfu_lanes = 0;
            b->config.scalar.mode = SCALAR_GCN;
            b->config.scalar.units = units;
            b->config.scalar.registers = 64;
            b->scalarized = two;
            b->operands = operands;
            b->operand_count = 5;
            b->vectors = b->scalars = 2;
            b->check_scalar = true;
            sm_begin(b, text, 3, 32, 2, 4);
            assert_int_equal(b->sm.scalars_left, 64 - 2 * 2);
            sm_run(b, 300, 0);
            assert_int_equal(b->error.status, EXIT_SOUND);
            const uint64_t later = units == 1;
            const uint64_t s[] = {0, 0, 8, 8 + later, 19, 19 + later}, x[] = {5, 5 + later, 13, 13 + later};
            for (unsigned n = 0; n < 6; ++n) assert_int_equal(b->note[n].i, s[n]);
            for (unsigned n = 0; n < 4; ++n) assert_int_equal(b->note[n].x, x[n]);
            for (unsigned n = 2; n < 4; ++n) assert_int_equal(b->note[n].x_last, x[n] + 3);
            assert_int_equal(b->sm.lanes.scalar_instructions, 2);
            assert_int_equal(b->sm.vrf_reads, 2 * 4); /* r1 */
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

/* r0 and r2 are live in the same scalar register: the second addition reads r2's value in place of r0's. */
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_scalar_instruction_is_one_round),
                                       cmocka_unit_test(scalars_and_vectors_do_not_chain),
                                       cmocka_unit_test(a_scalar_unit_is_beside_the_lanes),
                                       cmocka_unit_test(scalar_units_are_beside_lane_groups),
                                       cmocka_unit_test(scalar_units_take_an_instruction_each),
                                       cmocka_unit_test(barrels_share_scalar_units),
                                       cmocka_unit_test(a_scalar_load_is_one_transaction),
                                       cmocka_unit_test(check_scalar_sees_what_differs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
