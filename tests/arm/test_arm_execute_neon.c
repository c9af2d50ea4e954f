/* Advanced SIMD: results computed by hand for corner cases, loads and stores, and instructions that other
 * machines refuse. */
#include "tests/arm/arm_execute_fixture.h"

#include "model/core/launch.h"

#define QC 0x08000000u

/* d0 to d3 before, d0 and d1 afterwards; FPSCR, which is 0 before. */
static const struct {
    const char *text;
    uint32_t encoding;
    uint64_t before[4], after[2];
    uint32_t fpscr;
} cases[] = {
    {"vadd.i8 d0, d1, d2", 0xf2010802, {0, 0xff7f80010203ff00, 0x0101800101010102}, {0x0080000203040002}, 0},
    {"vsub.i64 d0, d1, d2", 0xf3310802, {0, 0, 1}, {0xffffffffffffffff}, 0},
    {"vmul.i16 d0, d1, d2", 0xf2110912, {0, 0x00030100ffff8000, 0x00050100ffff0002}, {0x000f000000010000}, 0},
    {"vmls.i32 d0, d1, d2",
     0xf3210902,
     {0x0000000a0000000a, 0x00000003ffffffff, 0x0000000400000005},
     {0xfffffffe0000000f},
     0},
    /* -128·-128 is 16384 */
    {"vmull.s8 q0, d2, d3",
     0xf2820c03,
     {0, 0, 0x80ff7f0201008080, 0x80ff7f0301008001},
     {0x000100004000ff80, 0x400000013f010006},
     0},
    {"vmla.i16 d0, d1, d2[3]",
     0xf291006a,
     {0x0001000100010001, 0x0004000300020001, 0x000a000000000000},
     {0x0029001f0015000b},
     0},
    {"vcgt.s8 d0, d1, d2", 0xf2010302, {0, 0x7f80ff0001020304, 0x807f000101010405}, {0xff00000000ff0000}, 0},
    {"vcge.u8 d0, d1, d2", 0xf3010312, {0, 0x7f80ff0001020304, 0x807f000101010405}, {0x00ffff00ffff0000}, 0},
    /* shift to the left by a signed byte: -1, -8, 1, 7, 8, -128, 0, -2 */
    {"vshl.s8 d0, d1, d2", 0xf2020401, {0, 0x80808001010101ff, 0xfff80107088000fe}, {0xc0ff0080000001ff}, 0},
    {"vshr.s8 d0, d1, #8", 0xf2880011, {0, 0x80017fff00000000}, {0xff0000ff00000000}, 0},
    {"vsra.u16 d0, d1, #4", 0xf39c0111, {0x0001000100010001, 0xffff0010000f8000}, {0x1000000200010801}, 0},
    /* -128 fits, -129 and 128 do not */
    {"vqmovn.s16 d0, q1",
     0xf3b20282,
     {0, 0, 0x7fff0080ff7fff80, 0x0001000000ff8000},
     {0x01007f807f7f8080},
     QC},
    {"vqmovn.s16 d0, q1", 0xf3b20282, {0, 0, 0x007fff8000010000, 0}, {0x000000007f800100}, 0},
    {"vqmovun.s16 d0, q1",
     0xf3b20242,
     {0, 0, 0x7fff0080ff7fff80, 0x0001000000ff8000},
     {0x0100ff00ff800000},
     QC},
    {"vbsl d0, d1, d2",
     0xf3110112,
     {0xff00ff00f0f0f0f0, 0x1122334455667788, 0x99aabbccddeeff00},
     {0x11aa33cc5d6e7f80},
     0},
    {"vext.8 d0, d1, d2, #3",
     0xf2b10302,
     {0, 0x0706050403020100, 0x0f0e0d0c0b0a0908},
     {0x0a09080706050403},
     0},
    {"vrev64.16 d0, d1", 0xf3b40001, {0, 0x0706050403020100}, {0x0100030205040706}, 0},
    {"vtrn.8 d0, d1",
     0xf3b20081,
     {0x0706050403020100, 0x1716151413121110},
     {0x1606140412021000, 0x1707150513031101},
     0},
    {"vuzp.8 d0, d1",
     0xf3b20101,
     {0x0706050403020100, 0x1716151413121110},
     {0x1614121006040200, 0x1715131107050301},
     0},
    {"vzip.8 d0, d1",
     0xf3b20181,
     {0x0706050403020100, 0x1716151413121110},
     {0x1303120211011000, 0x1707160615051404},
     0},
    /* indices beyond the table give 0 (VTBL), or leave the destination (VTBX) */
    {"vtbl.8 d0, {d1}, d2", 0xf3b10802, {0, 0x1716151413121110, 0x0001070800ff0203}, {0x1011170010001213}, 0},
    {"vtbx.8 d0, {d1}, d2",
     0xf3b10842,
     {0xaaaaaaaaaaaaaaaa, 0x1716151413121110, 0x0001070800ff0203},
     {0x101117aa10aa1213},
     0},
    {"vdup.8 d0, d1[5]", 0xf3bb0c01, {0, 0x0706050403020100}, {0x0505050505050505}, 0},
    {"vmov.i64 d0, #0xff00ff0000ff00ff", 0xf3820e35, {0}, {0xff00ff0000ff00ff}, 0},
    /* subnormals are zeros */
    {"vadd.f32 d0, d1, d2",
     0xf2010d02,
     {0, 0x3f80000000000001, 0x4000000000000001},
     {0x4040000000000000},
     ARM_FPSCR_IDC},
    /* infinity less infinity; a NaN becomes the default one */
    {"vadd.f32 d0, d1, d2",
     0xf2010d02,
     {0, 0x7f800000ffc12345, 0xff8000003f800000},
     {0x7fc000007fc00000},
     ARM_FPSCR_IOC},
    {"vmax.f32 d0, d1, d2", 0xf2010f02, {0, 0x800000007fc00001, 0x000000003f800000}, {0x000000007fc00000}, 0},
    {"vceq.f32 d0, d1, d2",
     0xf2010e02,
     {0, 0x800000017fc00000, 0x000000007fc00000},
     {0xffffffff00000000},
     ARM_FPSCR_IDC},
    /* the product is rounded before the sum: (1 + 2^-12)² - (1 + 2^-11) = 2^-24, but 0 here */
    {"vmla.f32 d0, d1, d2",
     0xf2010d12,
     {0xbf801000bf801000, 0x3f8008003f800800, 0x3f8008003f800800},
     {0},
     ARM_FPSCR_IXC},
    /* 1/1 is estimated as 511/512; 1/-0 */
    {"vrecpe.f32 d0, d1", 0xf3bb0501, {0, 0x800000003f800000}, {0xff8000003f7f8000}, ARM_FPSCR_DZC},
    /* 1/√4 is estimated as 511/1024; 1/√-1 */
    {"vrsqrte.f32 d0, d1", 0xf3bb0581, {0, 0x40800000bf800000}, {0x3eff80007fc00000}, ARM_FPSCR_IOC},
    /* infinity times zero is 0 in steps; 2 - 0.5, (3 - 0.5)/2 */
    {"vrecps.f32 d0, d1, d2",
     0xf2010f12,
     {0, 0x7f8000003f000000, 0x000000003f800000},
     {0x400000003fc00000},
     0},
    {"vrsqrts.f32 d0, d1, d2",
     0xf2210f12,
     {0, 0x7f8000003f000000, 0x000000003f800000},
     {0x3fc000003fa00000},
     0},
    /* -1.75, 2^31 */
    {"vcvt.s32.f32 d0, d1",
     0xf3bb0701,
     {0, 0xbfe000004f000000},
     {0xffffffff7fffffff},
     ARM_FPSCR_IOC | ARM_FPSCR_IXC},
    {"vcvt.f32.u32 d0, d1, #1", 0xf3bf0e11, {0, 0xffffffff00000003}, {0x4f0000003fc00000}, ARM_FPSCR_IXC},
    {"vneg.f32 d0, d1", 0xf3b90781, {0, 0x7f80000100000000}, {0xff80000180000000}, 0},
};

static uint64_t get_double(struct machine *m, unsigned number) {
    return (uint64_t)*reg(m, 17 + 2 * number, 0) << 32 | *reg(m, 16 + 2 * number, 0);
}
static void set_double(struct machine *m, unsigned number, uint64_t value) {
    *reg(m, 16 + 2 * number, 0) = (uint32_t)value;
    *reg(m, 17 + 2 * number, 0) = (uint32_t)(value >> 32);
}

static void worked_by_hand(void **state) {
    (void)state;
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        struct machine *m = fresh(1);
        for (unsigned d = 0; d < 4; d++) set_double(m, d, cases[n].before[d]);
        assert_int_equal(run(m, cases[n].text, cases[n].encoding, 1), ARM_FAULT_NONE);
        const bool second = cases[n].after[1] != 0;
        if (get_double(m, 0) != cases[n].after[0] || (second && get_double(m, 1) != cases[n].after[1]))
            fail_msg("%s: %016llx %016llx", cases[n].text, (unsigned long long)get_double(m, 0),
                     (unsigned long long)get_double(m, 1));
        if (m->fpscr[0] != cases[n].fpscr) fail_msg("%s: FPSCR is %08x", cases[n].text, m->fpscr[0]);
    }
}

/* --- loads and stores --- */

static struct machine *with_bytes(uint32_t offset) {
    struct machine *m = fresh(1);
    for (unsigned b = 0; b < SIZE; b++) m->buffer[b] = (uint8_t)b;
    *reg(m, 1, 0) = BUFFER + offset;
    return m;
}

static void loads(void **state) {
    (void)state;
    struct machine *m = with_bytes(1); /* no alignment required */
    assert_int_equal(run(m, "vld1.32 {d0}, [r1]", 0xf421078f, 1), ARM_FAULT_NONE);
    assert_true(get_double(m, 0) == 0x0807060504030201);
    m = with_bytes(16);
    assert_int_equal(run(m, "vld2.32 {d0-d1}, [r1 :128]", 0xf42108af, 1), ARM_FAULT_NONE);
    assert_true(get_double(m, 0) == 0x1b1a191813121110 && get_double(m, 1) == 0x1f1e1d1c17161514);
    m = with_bytes(3);
    assert_int_equal(run(m, "vld2.8 {d0,d2}, [r1]!", 0xf421090d, 1), ARM_FAULT_NONE);
    assert_true(get_double(m, 0) == 0x110f0d0b09070503 && get_double(m, 2) == 0x12100e0c0a080604);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 19);
    m = with_bytes(7);
    assert_int_equal(run(m, "vld1.8 {d0[]}, [r1]", 0xf4a10c0f, 1), ARM_FAULT_NONE);
    assert_true(get_double(m, 0) == 0x0707070707070707);
    m = with_bytes(4);
    set_double(m, 0, ~UINT64_C(0));
    assert_int_equal(run(m, "vld1.32 {d0[0]}, [r1 :32]", 0xf4a1083f, 1), ARM_FAULT_NONE);
    assert_true(get_double(m, 0) == 0xffffffff07060504);
}

static void stores(void **state) {
    (void)state;
    struct machine *m = with_bytes(8);
    for (unsigned d = 0; d < 4; d++) set_double(m, d, 0x7060504030201000 + d * 0x0101010101010101);
    assert_int_equal(run(m, "vst4.8 {d0-d3}, [r1 :64]", 0xf401001f, 1), ARM_FAULT_NONE);
    for (unsigned b = 0; b < 32; b++) assert_int_equal(m->buffer[8 + b], b / 4 * 16 + b % 4);
    assert_int_equal(m->buffer[40], 40);
    m = with_bytes(5);
    *reg(m, 2, 0) = 100;
    set_double(m, 1, 0x0000aabb00000000);
    assert_int_equal(run(m, "vst1.16 {d1[2]}, [r1], r2", 0xf4811482, 1), ARM_FAULT_NONE);
    assert_int_equal(word(&m->buffer[4]), 0x07aabb04);
    assert_int_equal(*reg(m, 1, 0), BUFFER + 105);
}

static void faults_change_nothing(void **state) {
    (void)state;
    struct machine *m = with_bytes(4);
    assert_int_equal(run(m, "vld1.32 {d0}, [r1 :64]", 0xf421079f, 1), ARM_FAULT_MISALIGNED);
    m = with_bytes(2);
    assert_int_equal(run(m, "vld1.32 {d0[0]}, [r1 :32]", 0xf4a1083f, 1), ARM_FAULT_MISALIGNED);
    m = with_bytes(SIZE - 12);
    assert_int_equal(run(m, "vld2.8 {d0,d2}, [r1]!", 0xf421090d, 1), ARM_FAULT_UNMAPPED);
    assert_int_equal(*reg(m, 1, 0), BUFFER + SIZE - 12);
    assert_true(get_double(m, 0) == 0);
    *reg(m, 1, 0) = READ_ONLY;
    assert_int_equal(run(m, "vst1.32 {d0}, [r1]", 0xf401078f, 1), ARM_FAULT_READ_ONLY);
}

/* --- registers, machines --- */

static void d16_to_d31_have_a_bit_for_two_rows(void **state) {
    (void)state;
    struct arm_instruction i;
    arm_decode(0xf26208e4, HERE, &i); /* vadd.i32 q8, q9, q10 */
    assert_true(i.destinations == UINT64_C(3) << 48 && i.sources == UINT64_C(15) << 50);
    assert_int_equal(arm_rows_of(i.sources), 8);
    assert_int_equal(i.class, ARM_CLASS_NEON_INTEGER_QUAD);
    arm_decode(0xecb1eb08, HERE, &i); /* vldmia r1!, {d14-d17} */
    assert_true(i.destinations == (UINT64_C(15) << 44 | UINT64_C(3) << 48 | 2));
    assert_int_equal(arm_rows_of(i.destinations), 9);
    arm_decode(0xf464078f, HERE, &i); /* vld1.32 {d16}, [r4] */
    assert_int_equal(i.access_count, 1);
    arm_decode(0xf4640acf, HERE, &i); /* vld1.64 {d16-d17}, [r4] */
    assert_int_equal(i.access_count, 2);
    assert_int_equal(i.access_bytes, 16);
}

static void a_machine_without_it_refuses(void **state) {
    static const uint32_t text[] = {0xf2010802 /* vadd.i8 d0, d1, d2 */,
                                    0xee300b21 /* vadd.f64 d0, d0, d17 */,
                                    0xee300b01 /* vadd.f64 d0, d0, d1 */};
    (void)state;
    for (unsigned simd = 0; simd < 2; simd++) {
        struct machine_code code = {
            .text_base = HERE, .text_bytes = sizeof text, .text = (const uint8_t *)text, .has_simd = simd};
        machine_decode(&code);
        for (unsigned n = 0; n < 3; n++) {
            struct machine *m = fresh(1);
            arm_execute(&code.decoded[n], &m->t, 1, &m->x);
            assert_int_equal(m->x.fault, simd || n == 2 ? ARM_FAULT_NONE : ARM_FAULT_UNDEFINED);
        }
        machine_code_free(&code);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_by_hand),
        cmocka_unit_test(loads),
        cmocka_unit_test(stores),
        cmocka_unit_test(faults_change_nothing),
        cmocka_unit_test(d16_to_d31_have_a_bit_for_two_rows),
        cmocka_unit_test(a_machine_without_it_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
