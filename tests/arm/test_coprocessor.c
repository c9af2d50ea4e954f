/* coprocessor: every instruction of coprocessor.md by its encoding, and every other one of p7 undefined. */
#include "model/arm/coprocessor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#define ALWAYS 14u

/* MRC and MCR p7, opc1, Rt, CRn, CRm, opc2: cond 1110 opc1 L CRn Rt 0111 opc2 1 CRm. */
static uint32_t transfer(bool read, unsigned opc1, unsigned rt, unsigned crn, unsigned crm, unsigned opc2) {
    return ALWAYS << 28 | 14u << 24 | opc1 << 21 | (unsigned)read << 20 | crn << 16 | rt << 12 | 7u << 8 |
           opc2 << 5 | 1u << 4 | crm;
}

/* MRRC and MCRR p7, opc1, Rt, Rt2, CRm: cond 1100 010L Rt2 Rt 0111 opc1 CRm. */
static uint32_t transfer_two(bool read, unsigned opc1, unsigned rt, unsigned rt2, unsigned crm) {
    return ALWAYS << 28 | 0xc4u << 20 | (unsigned)read << 20 | rt2 << 16 | rt << 12 | 7u << 8 | opc1 << 4 |
           crm;
}

static struct coprocessor_decoded decode(uint32_t encoding) {
    struct arm_instruction i;
    arm_decode(encoding, 0x8000, &i);
    if (!i.is_coprocessor) return (struct coprocessor_decoded){COPROCESSOR_UNDEFINED, 0};
    assert_int_equal(i.class, ARM_CLASS_COPROCESSOR);
    return coprocessor_decode(&i);
}

/* coprocessor.md, a row each: MRC or MCR with opc1 0. */
static const struct {
    bool read;
    unsigned crn, crm, opc2;
    enum coprocessor_operation operation;
    unsigned index;
} rows[] = {
    /* A */
    {true, 0, 0, 0, COPROCESSOR_CONSTANT, 0},
    {true, 0, 0, 1, COPROCESSOR_CONSTANT, 1},
    {true, 0, 0, 2, COPROCESSOR_CONSTANT, 2},
    {true, 0, 0, 3, COPROCESSOR_CONSTANT, 3},
    {true, 0, 0, 4, COPROCESSOR_CONSTANT, 4},
    {true, 0, 0, 5, COPROCESSOR_CONSTANT, 5},
    {true, 0, 0, 6, COPROCESSOR_CONSTANT, 6},
    {true, 0, 0, 7, COPROCESSOR_CONSTANT, 7},
    {true, 1, 0, 0, COPROCESSOR_LOCAL_ID, 0},
    {true, 1, 0, 1, COPROCESSOR_LOCAL_ID, 1},
    {true, 1, 0, 2, COPROCESSOR_LOCAL_ID, 2},
    {true, 1, 0, 4, COPROCESSOR_GLOBAL_ID, 0},
    {true, 1, 0, 5, COPROCESSOR_GLOBAL_ID, 1},
    {true, 1, 0, 6, COPROCESSOR_GLOBAL_ID, 2},
    {true, 2, 0, 0, COPROCESSOR_GROUP_ID, 0},
    {true, 2, 1, 0, COPROCESSOR_GROUP_ID, 1},
    {true, 2, 2, 0, COPROCESSOR_GROUP_ID, 2},
    {true, 2, 0, 1, COPROCESSOR_NUM_GROUPS, 0},
    {true, 2, 1, 1, COPROCESSOR_NUM_GROUPS, 1},
    {true, 2, 2, 1, COPROCESSOR_NUM_GROUPS, 2},
    {true, 2, 0, 2, COPROCESSOR_LOCAL_SIZE, 0},
    {true, 2, 1, 2, COPROCESSOR_LOCAL_SIZE, 1},
    {true, 2, 2, 2, COPROCESSOR_LOCAL_SIZE, 2},
    {true, 2, 0, 3, COPROCESSOR_GLOBAL_SIZE, 0},
    {true, 2, 1, 3, COPROCESSOR_GLOBAL_SIZE, 1},
    {true, 2, 2, 3, COPROCESSOR_GLOBAL_SIZE, 2},
    {true, 2, 0, 4, COPROCESSOR_GLOBAL_OFFSET, 0},
    {true, 2, 1, 4, COPROCESSOR_GLOBAL_OFFSET, 1},
    {true, 2, 2, 4, COPROCESSOR_GLOBAL_OFFSET, 2},
    {true, 2, 3, 0, COPROCESSOR_WORK_DIM, 0},
    {true, 2, 3, 1, COPROCESSOR_GROUPS_IN_FLIGHT, 0},
    /* B: the barrier with the scalar thread is undefined, since this machine has none */
    {false, 3, 0, 0, COPROCESSOR_RAISE, 0},
    {false, 3, 1, 1, COPROCESSOR_LOWER, 1},
    {false, 3, 2, 1, COPROCESSOR_LOWER, 2},
    {false, 3, 3, 1, COPROCESSOR_LOWER, 3},
    {false, 3, 4, 1, COPROCESSOR_LOWER, 4},
    {false, 3, 5, 1, COPROCESSOR_LOWER, 5},
    {false, 3, 6, 1, COPROCESSOR_LOWER, 6},
    {false, 3, 7, 1, COPROCESSOR_LOWER, 7},
    {false, 3, 8, 1, COPROCESSOR_LOWER, 8},
    {false, 3, 9, 1, COPROCESSOR_LOWER, 9},
    {false, 3, 10, 1, COPROCESSOR_LOWER, 10},
    {false, 3, 11, 1, COPROCESSOR_LOWER, 11},
    {false, 3, 12, 1, COPROCESSOR_LOWER, 12},
    {false, 3, 13, 1, COPROCESSOR_LOWER, 13},
    {false, 3, 14, 1, COPROCESSOR_LOWER, 14},
    {false, 3, 15, 1, COPROCESSOR_LOWER, 15},
    {false, 3, 0, 2, COPROCESSOR_OUTERMOST, 0},
    {false, 4, 0, 0, COPROCESSOR_BARRIER, 0},
    {false, 4, 0, 1, COPROCESSOR_SYNC, 0},
    {false, 4, 0, 2, COPROCESSOR_NOTE, 0},
    {false, 4, 1, 0, COPROCESSOR_EXIT, 0},
    /* C */
    {true, 7, 0, 1, COPROCESSOR_LAUNCH_BLOCK, 0},
    {true, 7, 0, 0, COPROCESSOR_NEXT_GROUP, 0},
    {false, 5, 0, 0, COPROCESSOR_LAUNCH_REGISTER, 0},
    {false, 5, 0, 1, COPROCESSOR_LAUNCH_REGISTER, 1},
    {false, 5, 0, 2, COPROCESSOR_LAUNCH_REGISTER, 2},
    {false, 5, 0, 3, COPROCESSOR_LAUNCH_REGISTER, 3},
    {false, 6, 1, 0, COPROCESSOR_L1D_TO_TPM, 0},
    {false, 6, 1, 1, COPROCESSOR_L1D_TO_CACHE, 0},
    {false, 6, 0, 0, COPROCESSOR_ENTER_SIMT, 0},
};
#define ROWS (sizeof rows / sizeof rows[0])

static bool rt_is_allowed(unsigned rt) {
    return rt <= 12 || rt == 14;
}

/* All 2^19 encodings of MRC and MCR p7 under one condition. */
static void every_single_transfer_is_as_listed(void **state) {
    (void)state;
    unsigned defined = 0;
    for (unsigned n = 0; n < 1u << 19; ++n) {
        const bool read = n & 1;
        const unsigned opc1 = n >> 1 & 7, rt = n >> 4 & 15, crn = n >> 8 & 15, crm = n >> 12 & 15,
                       opc2 = n >> 16;
        enum coprocessor_operation operation = COPROCESSOR_UNDEFINED;
        unsigned index = 0;
        for (unsigned r = 0; r < ROWS && opc1 == 0 && rt_is_allowed(rt); ++r)
            if (rows[r].read == read && rows[r].crn == crn && rows[r].crm == crm && rows[r].opc2 == opc2) {
                operation = rows[r].operation;
                index = rows[r].index;
            }
        const struct coprocessor_decoded d = decode(transfer(read, opc1, rt, crn, crm, opc2));
        if (d.operation != operation || d.index != index)
            fail_msg("%s p7, %u, r%u, c%u, c%u, %u", read ? "mrc" : "mcr", opc1, rt, crn, crm, opc2);
        defined += operation != COPROCESSOR_UNDEFINED;
    }
    assert_int_equal(defined, ROWS * 14);
}

static void every_double_transfer_is_as_listed(void **state) {
    (void)state;
    unsigned cycles = 0, contexts = 0;
    for (unsigned n = 0; n < 1u << 17; ++n) {
        const bool read = n & 1;
        const unsigned opc1 = n >> 1 & 15, rt = n >> 5 & 15, rt2 = n >> 9 & 15, crm = n >> 13;
        const bool allowed = rt_is_allowed(rt) && rt_is_allowed(rt2);
        const enum coprocessor_operation operation =
            !allowed                                     ? COPROCESSOR_UNDEFINED
            : read && opc1 == 8 && crm == 8 && rt != rt2 ? COPROCESSOR_CYCLES
            : !read && opc1 == 5 && crm == 1             ? COPROCESSOR_START_CONTEXT
                                                         : COPROCESSOR_UNDEFINED;
        if (decode(transfer_two(read, opc1, rt, rt2, crm)).operation != operation)
            fail_msg("%s p7, %u, r%u, r%u, c%u", read ? "mrrc" : "mcrr", opc1, rt, rt2, crm);
        cycles += operation == COPROCESSOR_CYCLES;
        contexts += operation == COPROCESSOR_START_CONTEXT;
    }
    assert_int_equal(cycles, 14 * 13);
    assert_int_equal(contexts, 14 * 14);
}

/* Encodings from clang's assembler, independent of the formulas above. */
static void some_encodings_as_the_assembler_makes_them(void **state) {
    (void)state;
    static const struct {
        uint32_t encoding;
        enum coprocessor_operation operation;
        unsigned index;
    } assembled[] = {
        {0xee103790, COPROCESSOR_CONSTANT, 4},         /* mrc p7, 0, r3, c0, c0, 4 */
        {0xee11e750, COPROCESSOR_LOCAL_ID, 2},         /* mrc p7, 0, lr, c1, c0, 2 */
        {0xee110790, COPROCESSOR_GLOBAL_ID, 0},        /* mrc p7, 0, r0, c1, c0, 4 */
        {0xee121771, COPROCESSOR_GLOBAL_SIZE, 1},      /* mrc p7, 0, r1, c2, c1, 3 */
        {0xee12c713, COPROCESSOR_WORK_DIM, 0},         /* mrc p7, 0, r12, c2, c3, 0 */
        {0xec532788, COPROCESSOR_CYCLES, 0},           /* mrrc p7, 8, r2, r3, c8 */
        {0xee030710, COPROCESSOR_RAISE, 0},            /* mcr p7, 0, r0, c3, c0, 0 */
        {0xee030735, COPROCESSOR_LOWER, 5},            /* mcr p7, 0, r0, c3, c5, 1 */
        {0xee030750, COPROCESSOR_OUTERMOST, 0},        /* mcr p7, 0, r0, c3, c0, 2 */
        {0xee040710, COPROCESSOR_BARRIER, 0},          /* mcr p7, 0, r0, c4, c0, 0 */
        {0xee040730, COPROCESSOR_SYNC, 0},             /* mcr p7, 0, r0, c4, c0, 1 */
        {0xee045750, COPROCESSOR_NOTE, 0},             /* mcr p7, 0, r5, c4, c0, 2 */
        {0xee123733, COPROCESSOR_GROUPS_IN_FLIGHT, 0}, /* mrc p7, 0, r3, c2, c3, 1 */
        {0xee040711, COPROCESSOR_EXIT, 0},             /* mcr p7, 0, r0, c4, c1, 0 */
        {0xee174730, COPROCESSOR_LAUNCH_BLOCK, 0},     /* mrc p7, 0, r4, c7, c0, 1 */
        {0xee175710, COPROCESSOR_NEXT_GROUP, 0},       /* mrc p7, 0, r5, c7, c0, 0 */
        {0xee056770, COPROCESSOR_LAUNCH_REGISTER, 3},  /* mcr p7, 0, r6, c5, c0, 3 */
        {0xec421751, COPROCESSOR_START_CONTEXT, 0},    /* mcrr p7, 5, r1, r2, c1 */
        {0xee060711, COPROCESSOR_L1D_TO_TPM, 0},       /* mcr p7, 0, r0, c6, c1, 0 */
        {0xee060731, COPROCESSOR_L1D_TO_CACHE, 0},     /* mcr p7, 0, r0, c6, c1, 1 */
        {0xee060710, COPROCESSOR_ENTER_SIMT, 0},       /* mcr p7, 0, r0, c6, c0, 0 */
    };
    for (unsigned n = 0; n < sizeof assembled / sizeof assembled[0]; ++n) {
        const struct coprocessor_decoded d = decode(assembled[n].encoding);
        assert_int_equal(d.operation, assembled[n].operation);
        assert_int_equal(d.index, assembled[n].index);
    }
}

static void conditions_are_kept_and_the_unconditional_forms_refused(void **state) {
    (void)state;
    struct arm_instruction i;
    const uint32_t barrier = transfer(false, 0, 0, 4, 0, 0) & 0x0fffffff;
    for (unsigned condition = 0; condition < 15; ++condition) {
        arm_decode(barrier | condition << 28, 0x8000, &i);
        assert_true(i.is_coprocessor);
        assert_int_equal(i.condition, condition);
        assert_int_equal(coprocessor_decode(&i).operation, COPROCESSOR_BARRIER);
    }
    arm_decode(barrier | 15u << 28, 0x8000, &i); /* MCR2 */
    assert_false(i.is_coprocessor);
    arm_decode((transfer_two(true, 8, 0, 1, 8) & 0x0fffffff) | 15u << 28, 0x8000, &i); /* MRRC2 */
    assert_false(i.is_coprocessor);
}

static void other_coprocessors_are_not_ours(void **state) {
    (void)state;
    for (unsigned number = 0; number < 16; ++number) {
        struct arm_instruction i;
        arm_decode((transfer(true, 0, 0, 0, 0, 0) & ~0xf00u) | number << 8, 0x8000, &i);
        assert_int_equal(i.is_coprocessor, number == 7);
    }
}

static void reads_write_their_registers_and_writes_read_them(void **state) {
    (void)state;
    struct arm_instruction i;
    arm_decode(transfer(true, 0, 5, 1, 0, 4), 0x8000, &i);
    assert_true(i.destinations == 1u << 5 && i.sources == 0);
    arm_decode(transfer(false, 0, 5, 5, 0, 1), 0x8000, &i);
    assert_true(i.destinations == 0 && i.sources == 1u << 5);
    arm_decode(transfer_two(true, 8, 2, 3, 8), 0x8000, &i);
    assert_true(i.destinations == 0xc && i.sources == 0);
    assert_int_equal(i.rd, 2);
    assert_int_equal(i.rn, 3);
    arm_decode(transfer_two(false, 5, 2, 3, 1), 0x8000, &i);
    assert_true(i.destinations == 0 && i.sources == 0xc);
}

/* Which of the three sections of coprocessor.md an operation is in. */
static void each_operation_belongs_to_its_modes(void **state) {
    (void)state;
    static const enum coprocessor_operation both[] = {
        COPROCESSOR_CONSTANT,   COPROCESSOR_GROUP_ID,    COPROCESSOR_NUM_GROUPS,
        COPROCESSOR_LOCAL_SIZE, COPROCESSOR_GLOBAL_SIZE, COPROCESSOR_GLOBAL_OFFSET,
        COPROCESSOR_WORK_DIM,   COPROCESSOR_CYCLES,      COPROCESSOR_GROUPS_IN_FLIGHT};
    static const enum coprocessor_operation simt[] = {
        COPROCESSOR_LOCAL_ID, COPROCESSOR_GLOBAL_ID, COPROCESSOR_RAISE,
        COPROCESSOR_LOWER,    COPROCESSOR_OUTERMOST, COPROCESSOR_BARRIER,
        COPROCESSOR_SYNC,     COPROCESSOR_NOTE,      COPROCESSOR_EXIT};
    static const enum coprocessor_operation mimd[] = {COPROCESSOR_LAUNCH_BLOCK,    COPROCESSOR_NEXT_GROUP,
                                                      COPROCESSOR_LAUNCH_REGISTER, COPROCESSOR_START_CONTEXT,
                                                      COPROCESSOR_L1D_TO_TPM,      COPROCESSOR_L1D_TO_CACHE,
                                                      COPROCESSOR_ENTER_SIMT};
    for (unsigned n = 0; n < sizeof both / sizeof both[0]; ++n)
        assert_false(coprocessor_simt_only(both[n]) || coprocessor_mimd_only(both[n]));
    for (unsigned n = 0; n < sizeof simt / sizeof simt[0]; ++n)
        assert_true(coprocessor_simt_only(simt[n]) && !coprocessor_mimd_only(simt[n]));
    for (unsigned n = 0; n < sizeof mimd / sizeof mimd[0]; ++n)
        assert_true(!coprocessor_simt_only(mimd[n]) && coprocessor_mimd_only(mimd[n]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_single_transfer_is_as_listed),
        cmocka_unit_test(every_double_transfer_is_as_listed),
        cmocka_unit_test(some_encodings_as_the_assembler_makes_them),
        cmocka_unit_test(conditions_are_kept_and_the_unconditional_forms_refused),
        cmocka_unit_test(other_coprocessors_are_not_ours),
        cmocka_unit_test(reads_write_their_registers_and_writes_read_them),
        cmocka_unit_test(each_operation_belongs_to_its_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
