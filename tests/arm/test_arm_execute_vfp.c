/* Floating point: hand-worked results and exception flags at the corners, in every mode. */
#include "tests/arm/arm_execute_fixture.h"
#include "tests/arm/arm_random.h"

static const struct {
    const char *text;
    uint32_t encoding, s0, s1, s2, fpscr, result;
} singles[] = {
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x3f800000, 0x40000000, 0, 0x40400000},
    /* NaN operands: first signalling, second signalling, first quiet, second quiet; the result is quiet */
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7fc00001, 0xffa00002, 0, 0xffe00002},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7f800001, 0xffa00002, 0, 0x7fc00001},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7fc00001, 0xffc00002, 0, 0x7fc00001},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x3f800000, 0xffc00002, 0, 0xffc00002},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7fc00001, 0xffc00002, ARM_FPSCR_DEFAULT_NAN, 0x7fc00000},
    /* invalid operations: the default NaN */
    {"vsub.f32 s0, s1, s2", 0xee300ac1, 0, 0x7f800000, 0x7f800000, 0, 0x7fc00000},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x7f800000, 0x00000000, 0, 0x7fc00000},
    {"vdiv.f32 s0, s1, s2", 0xee800a81, 0, 0, 0, 0, 0x7fc00000},
    {"vdiv.f32 s0, s1, s2", 0xee800a81, 0, 0xbf800000, 0, 0, 0xff800000},
    {"vsqrt.f32 s0, s1", 0xeeb10ae0, 0, 0xbf800000, 0, 0, 0x7fc00000},
    {"vsqrt.f32 s0, s1", 0xeeb10ae0, 0, 0x80000000, 0, 0, 0x80000000},
    /* the product is rounded before the sum: (1 + 2^−12)² − (1 + 2^−11) = 2^−24, but 0 here */
    {"vmla.f32 s0, s1, s2", 0xee000a81, 0xbf801000, 0x3f800800, 0x3f800800, 0, 0x00000000},
    {"vnmls.f32 s0, s1, s2", 0xee100a81, 0x3f800000, 0x40000000, 0x40400000, 0, 0x40a00000},
    /* −d of a NaN inverts its sign; d takes precedence */
    {"vnmls.f32 s0, s1, s2", 0xee100a81, 0x7fc00005, 0x7fc00006, 0x3f800000, 0, 0xffc00005},
    /* rounding 1 + 2^−24: to nearest even, up, down, towards zero */
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x3f800000, 0x33800000, 0, 0x3f800000},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x3f800000, 0x33800000, 1u << 22, 0x3f800001},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0xbf800000, 0xb3800000, 2u << 22, 0xbf800001},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0xbf800000, 0xb3800000, 3u << 22, 0xbf800000},
    /* denormals: preserved, or flushed before and after the operation */
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00800000, 0x3f000000, 0, 0x00400000},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x80800000, 0x3f000000, ARM_FPSCR_FLUSH, 0x80000000},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x007fffff, 0x00000001, ARM_FPSCR_FLUSH, 0x00000000},
    /* a result that rounding would make the smallest normal number is flushed, too */
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00ffffff, 0x3f000000, 0, 0x00800000},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00ffffff, 0x3f000000, ARM_FPSCR_FLUSH, 0x00000000},
    /* conversions saturate; NaN gives 0 */
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0x4f000000, 0, 0, 0x7fffffff},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0xcf000000, 0, 0, 0x80000000},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0xff800000, 0, 0, 0x80000000},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0x7fc00000, 0, 0, 0},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0xbfe00000, 0, 0, 0xffffffff}, /* −1.75 */
    {"vcvt.u32.f32 s0, s1", 0xeebc0ae0, 0, 0xbfe00000, 0, 0, 0},
    {"vcvt.u32.f32 s0, s1", 0xeebc0ae0, 0, 0x4f7fffff, 0, 0, 0xffffff00},
    {"vcvt.u32.f32 s0, s1", 0xeebc0ae0, 0, 0x4f800000, 0, 0, 0xffffffff},
    {"vcvtr.s32.f32 s0, s1", 0xeebd0a60, 0, 0x40200000, 0, 0, 2}, /* 2.5 to even */
    {"vcvtr.s32.f32 s0, s1", 0xeebd0a60, 0, 0x40200000, 0, 1u << 22, 3},
    {"vcvt.s32.f32 s0, s0, #16", 0xeebe0ac8, 0x3fc00000, 0, 0, 0, 0x00018000},
    {"vneg.f32 s0, s1", 0xeeb10a60, 0, 0x7f800001, 0, 0, 0xff800001},
    {"vmov.f32 s0, #112", 0xeeb70a00, 0, 0, 0, 0, 0x3f800000},
};

static void single_precision(void **state) {
    (void)state;
    for (unsigned n = 0; n < sizeof singles / sizeof *singles; n++) {
        struct machine *m = fresh(1);
        *single(m, 0) = singles[n].s0;
        *single(m, 1) = singles[n].s1;
        *single(m, 2) = singles[n].s2;
        m->fpscr[0] = singles[n].fpscr;
        assert_int_equal(run(m, singles[n].text, singles[n].encoding, 1), ARM_FAULT_NONE);
        if (*single(m, 0) != singles[n].result)
            fail_msg("case %u, %s: %08x, not %08x", n, singles[n].text, *single(m, 0), singles[n].result);
    }
}

/* FPSCR and NaNs of one thread do not affect others. */
static void modes_are_per_thread(void **state) {
    (void)state;
    struct machine *m = fresh(WARP);
    for (unsigned k = 0; k < WARP; k++) {
        *reg(m, 17, k) = 0x3f800000;
        *reg(m, 18, k) = 0x33800000;
        m->fpscr[k] = k << 22;
    }
    run(m, "vadd.f32 s0, s1, s2", 0xee300a81, 0xf);
    const uint32_t rounded[WARP] = {0x3f800000, 0x3f800001, 0x3f800000, 0x3f800000};
    assert_memory_equal(reg(m, 16, 0), rounded, sizeof rounded);
    memset(m->fpscr, 0, sizeof m->fpscr);
    *reg(m, 17, 2) = 0x7f800001;
    run(m, "vadd.f32 s0, s1, s2", 0xee300a81, 0xf);
    const uint32_t with_nan[WARP] = {0x3f800000, 0x3f800000, 0x7fc00001, 0x3f800000};
    assert_memory_equal(reg(m, 16, 0), with_nan, sizeof with_nan);
}

static void double_precision(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    *single(m, 2) = 0x40490fdb; /* pi */
    run(m, "vcvt.f64.f32 d0, s2", 0xeeb70ac1, 1);
    assert_int_equal(*single(m, 1), 0x400921fb);
    assert_int_equal(*single(m, 0), 0x60000000);
    *single(m, 3) = 0x7ff00000, *single(m, 2) = 0;
    *single(m, 5) = 0xfff00000, *single(m, 4) = 0;
    run(m, "vadd.f64 d0, d1, d2", 0xee310b02, 1);
    assert_int_equal(*single(m, 1), 0x7ff80000);
    assert_int_equal(*single(m, 0), 0);
    *single(m, 3) = 0xfff00000, *single(m, 2) = 1; /* a signalling NaN whose payload is lost */
    run(m, "vcvt.f32.f64 s0, d1", 0xeeb70bc1, 1);
    assert_int_equal(*single(m, 0), 0xffc00000);
    run(m, "vmov.f64 d0, #224", 0xeebe0b00, 1); /* −0.5 */
    assert_int_equal(*single(m, 1), 0xbfe00000);
    assert_int_equal(*single(m, 0), 0);
}

static void comparison(void **state) {
    (void)state;
    static const uint32_t table[][4] = {
        /* s0, s1, FPSCR control, NZCV with the cumulative flags in bits 11:4 */
        {0x3f800000, 0x3f800000, 0, 6},
        {0x00000000, 0x80000000, 0, 6},
        {0x3f800000, 0x40000000, 0, 8},
        {0x40000000, 0x3f800000, 0, 2},
        {0x7fc00000, 0x3f800000, 0, 3},
        {0xff800000, 0x7f800000, 0, 8},
        {0x00000001, 0x00000000, 0, 2},
        {0x00000001, 0x00000000, ARM_FPSCR_FLUSH, 6 | ARM_FPSCR_IDC << 4},
        {0x7f800001, 0x3f800000, 0, 3 | ARM_FPSCR_IOC << 4},
    };
    for (unsigned n = 0; n < sizeof table / sizeof *table; n++) {
        struct machine *m = fresh(1);
        *single(m, 0) = table[n][0], *single(m, 1) = table[n][1];
        m->fpscr[0] = table[n][2] | 0xf0000000;
        run(m, "vcmp.f32 s0, s1", 0xeeb40a60, 1);
        assert_int_equal(m->fpscr[0], table[n][2] | table[n][3] << 28 | table[n][3] >> 4);
    }
}

/* --- cumulative exception flags --- */

#define IOC     ARM_FPSCR_IOC
#define DZC     ARM_FPSCR_DZC
#define OFC     ARM_FPSCR_OFC
#define UFC     ARM_FPSCR_UFC
#define IXC     ARM_FPSCR_IXC
#define IDC     ARM_FPSCR_IDC
#define FZ      ARM_FPSCR_FLUSH
#define UPWARDS (1u << 22)
#define ZERO    ARM_FPSCR_TOWARDS_ZERO

static const struct {
    const char *text;
    uint32_t encoding, s0, s1, s2, fpscr, result, flags;
} flagged[] = {
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x3f800000, 0x3f800000, 0, 0x40000000, 0},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x3f800000, 0x33800000, 0, 0x3f800000, IXC},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x33800000, 0x3f800000, 0, 0x3f800000, IXC},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7f7fffff, 0x7f7fffff, 0, 0x7f800000, OFC | IXC},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7f7fffff, 0x7f7fffff, ZERO, 0x7f7fffff, OFC | IXC},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7f800000, 0xff800000, 0, 0x7fc00000, IOC},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7f800000, 0x3f800000, 0, 0x7f800000, 0},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7fc00000, 0x3f800000, 0, 0x7fc00000, 0},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7f800001, 0x3f800000, 0, 0x7fc00001, IOC},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x7f800001, 0x00000001, FZ, 0x7fc00001, IOC | IDC},
    /* tiny results: exact ones raise nothing, flushed ones underflow alone */
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x00000001, 0x00000001, 0, 0x00000002, 0},
    {"vadd.f32 s0, s1, s2", 0xee300a81, 0, 0x00000001, 0x00000001, FZ, 0x00000000, IDC},
    {"vsub.f32 s0, s1, s2", 0xee300ac1, 0, 0x00800001, 0x00800000, 0, 0x00000001, 0},
    {"vsub.f32 s0, s1, s2", 0xee300ac1, 0, 0x00800001, 0x00800000, FZ, 0x00000000, UFC},
    {"vsub.f32 s0, s1, s2", 0xee300ac1, 0, 0x00800000, 0x00800001, FZ, 0x80000000, UFC},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00800000, 0x3f000000, 0, 0x00400000, 0},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00800000, 0x3f000000, FZ, 0x00000000, UFC},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00800001, 0x3f000000, 0, 0x00400000, UFC | IXC},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00000001, 0x00000001, 0, 0x00000000, UFC | IXC},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00000001, 0x00000001, UPWARDS, 0x00000001, UFC | IXC},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00800000, 0x00800000, FZ, 0x00000000, UFC},
    /* tiny before rounding, normal after it (where the host raises no underflow) */
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00ffffff, 0x3f000000, 0, 0x00800000, UFC | IXC},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00ffffff, 0x3f000000, ZERO, 0x007fffff, UFC | IXC},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00ffffff, 0x3f000000, FZ, 0x00000000, UFC},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x01000000, 0x3f000000, 0, 0x00800000, 0},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00000000, 0x3f000000, 0, 0x00000000, 0},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00000000, 0x7f800000, 0, 0x7fc00000, IOC},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x00000001, 0x00000000, FZ, 0x00000000, IDC},
    {"vmul.f32 s0, s1, s2", 0xee200a81, 0, 0x3f800001, 0x3f800001, 0, 0x3f800002, IXC},
    {"vnmul.f32 s0, s1, s2", 0xee200ac1, 0, 0x3f800001, 0x3f800001, 0, 0xbf800002, IXC},
    {"vdiv.f32 s0, s1, s2", 0xee800a81, 0, 0x3f800000, 0x00000000, 0, 0x7f800000, DZC},
    {"vdiv.f32 s0, s1, s2", 0xee800a81, 0, 0x3f800000, 0x80000001, FZ, 0xff800000, DZC | IDC},
    {"vdiv.f32 s0, s1, s2", 0xee800a81, 0, 0x00000000, 0x00000000, 0, 0x7fc00000, IOC},
    {"vdiv.f32 s0, s1, s2", 0xee800a81, 0, 0x7f800000, 0x00000000, 0, 0x7f800000, 0},
    {"vdiv.f32 s0, s1, s2", 0xee800a81, 0, 0x3f800000, 0x7f800000, 0, 0x00000000, 0},
    {"vdiv.f32 s0, s1, s2", 0xee800a81, 0, 0x3f800000, 0x40400000, 0, 0x3eaaaaab, IXC},
    {"vdiv.f32 s0, s1, s2", 0xee800a81, 0, 0x40c00000, 0x40400000, 0, 0x40000000, 0},
    {"vsqrt.f32 s0, s1", 0xeeb10ae0, 0, 0xbf800000, 0, 0, 0x7fc00000, IOC},
    {"vsqrt.f32 s0, s1", 0xeeb10ae0, 0, 0x40000000, 0, 0, 0x3fb504f3, IXC},
    {"vsqrt.f32 s0, s1", 0xeeb10ae0, 0, 0x40800000, 0, 0, 0x40000000, 0},
    {"vsqrt.f32 s0, s1", 0xeeb10ae0, 0, 0x80000001, 0, FZ, 0x80000000, IDC},
    /* both steps of a chain raise theirs */
    {"vmla.f32 s0, s1, s2", 0xee000a81, 0x3f800000, 0x40000000, 0x40400000, 0, 0x40e00000, 0},
    {"vmla.f32 s0, s1, s2", 0xee000a81, 0xff800000, 0x7f7fffff, 0x40000000, 0, 0x7fc00000, IOC | OFC | IXC},
    {"vmla.f32 s0, s1, s2", 0xee000a81, 0xbf800002, 0x3f800001, 0x3f800001, 0, 0x00000000, IXC},
    {"vmls.f32 s0, s1, s2", 0xee000ac1, 0x33800000, 0x3f800000, 0x3f800000, 0, 0xbf7fffff, 0},
    {"vmls.f32 s0, s1, s2", 0xee000ac1, 0x33000000, 0x3f800000, 0x3f800000, 0, 0xbf800000, IXC},
    {"vnmla.f32 s0, s1, s2", 0xee100ac1, 0x7f7fffff, 0x7f7fffff, 0x3f800000, 0, 0xff800000, OFC | IXC},
    /* conversions: saturation is invalid, not inexact */
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0x40000000, 0, 0, 2, 0},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0xbfc00000, 0, 0, 0xffffffff, IXC},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0x4f000000, 0, 0, 0x7fffffff, IOC},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0xcf000000, 0, 0, 0x80000000, 0},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0x7fc00000, 0, 0, 0, IOC},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0x00000001, 0, 0, 0, IXC},
    {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, 0, 0x00000001, 0, FZ, 0, IDC},
    {"vcvt.u32.f32 s0, s1", 0xeebc0ae0, 0, 0xbf000000, 0, 0, 0, IXC},
    {"vcvt.u32.f32 s0, s1", 0xeebc0ae0, 0, 0xbf800000, 0, 0, 0, IOC},
    {"vcvtr.s32.f32 s0, s1", 0xeebd0a60, 0, 0x40200000, 0, 0, 2, IXC},
    {"vcvt.f32.s32 s0, s1", 0xeeb80ae0, 0, 0x01000000, 0, 0, 0x4b800000, 0},
    {"vcvt.f32.s32 s0, s1", 0xeeb80ae0, 0, 0x01000001, 0, 0, 0x4b800000, IXC},
    {"vcvt.f32.s32 s0, s1", 0xeeb80ae0, 0, 0x01000001, 0, UPWARDS, 0x4b800001, IXC},
    {"vcvt.f32.u32 s0, s1", 0xeeb80a60, 0, 0xffffffff, 0, 0, 0x4f800000, IXC},
    {"vcvt.s32.f32 s0, s0, #16", 0xeebe0ac8, 0x3fc00000, 0, 0, 0, 0x00018000, 0},
    {"vcvt.s32.f32 s0, s0, #16", 0xeebe0ac8, 0x35800000, 0, 0, 0, 0, IXC},
    {"vcvt.s32.f32 s0, s0, #16", 0xeebe0ac8, 0x47000000, 0, 0, 0, 0x7fffffff, IOC},
    {"vcvt.s16.f32 s0, s0, #3", 0xeebe0a66, 0xc5800000, 0, 0, 0, 0xffff8000, 0},
    {"vcvt.s16.f32 s0, s0, #3", 0xeebe0a66, 0x45800000, 0, 0, 0, 0x00007fff, IOC},
    {"vcvt.f32.s32 s0, s0, #16", 0xeeba0ac8, 0x01000001, 0, 0, UPWARDS, 0x43800000, IXC},
};

static void cumulative_flags(void **state) {
    (void)state;
    for (unsigned n = 0; n < sizeof flagged / sizeof *flagged; n++) {
        struct machine *m = fresh(1);
        *single(m, 0) = flagged[n].s0;
        *single(m, 1) = flagged[n].s1;
        *single(m, 2) = flagged[n].s2;
        m->fpscr[0] = flagged[n].fpscr;
        assert_int_equal(run(m, flagged[n].text, flagged[n].encoding, 1), ARM_FAULT_NONE);
        if (*single(m, 0) != flagged[n].result || m->fpscr[0] != (flagged[n].fpscr | flagged[n].flags))
            fail_msg("case %u, %s: %08x and FPSCR %08x, not %08x and %08x", n, flagged[n].text, *single(m, 0),
                     m->fpscr[0], flagged[n].result, flagged[n].fpscr | flagged[n].flags);
    }
}

static void narrowing_and_widening(void **state) {
    (void)state;
    static const struct {
        uint64_t d1;
        uint32_t fpscr, result, flags;
    } table[] = {
        {0x3ff8000000000000, 0, 0x3fc00000, 0},
        {0x3ff0000000000001, 0, 0x3f800000, IXC},
        {0x7e37e43c8800759c, 0, 0x7f800000, OFC | IXC}, /* 1e300 */
        {0x3730000000000000, 0, 0x00000200, 0},         /* 2^-140 */
        {0x3730000000000000, FZ, 0x00000000, UFC},
        {0x380ffffffff00000, 0, 0x00800000, UFC | IXC}, /* rounded up to 2^-126 */
        {0x0000000000000001, 0, 0x00000000, UFC | IXC},
        {0x0000000000000001, FZ, 0x00000000, IDC},
        {0x7ff0000000000001, 0, 0x7fc00000, IOC},
        {0xfff8000020000000, 0, 0xffc00001, 0},
        {0xfff8000020000000, ARM_FPSCR_DEFAULT_NAN, 0x7fc00000, 0},
    };
    struct machine *m;
    for (unsigned n = 0; n < sizeof table / sizeof *table; n++) {
        m = fresh(1);
        *single(m, 2) = (uint32_t)table[n].d1, *single(m, 3) = (uint32_t)(table[n].d1 >> 32);
        m->fpscr[0] = table[n].fpscr;
        run(m, "vcvt.f32.f64 s0, d1", 0xeeb70bc1, 1);
        if (*single(m, 0) != table[n].result || m->fpscr[0] != (table[n].fpscr | table[n].flags))
            fail_msg("case %u: %08x, FPSCR %08x", n, *single(m, 0), m->fpscr[0]);
    }
    m = fresh(1);
    *single(m, 2) = 0x7f800001;
    run(m, "vcvt.f64.f32 d0, s2", 0xeeb70ac1, 1);
    assert_int_equal(*single(m, 1), 0x7ff80000);
    assert_int_equal(*single(m, 0), 0x20000000);
    assert_int_equal(m->fpscr[0], IOC);
    *single(m, 2) = 1;
    m->fpscr[0] = FZ;
    run(m, "vcvt.f64.f32 d0, s2", 0xeeb70ac1, 1);
    assert_int_equal(*single(m, 1) | *single(m, 0), 0);
    assert_int_equal(m->fpscr[0], FZ | IDC);
}

/* With arm.cumulative_flags, each thread of a warp has its own flags; without, a warp has none. */
static void flags_of_a_warp(void **state) {
    (void)state;
    for (unsigned keeps = 0; keeps < 2; keeps++) {
        struct machine *m = fresh(WARP);
        m->t.cumulative_flags = keeps;
        for (unsigned k = 0; k < WARP; k++) *reg(m, 17, k) = 0x3f800000, m->fpscr[k] = 0;
        *reg(m, 18, 1) = 0x33800000, *reg(m, 18, 2) = 0x7f800001, m->fpscr[3] = OFC;
        run(m, "vadd.f32 s0, s1, s2", 0xee300a81, 0xd);
        const uint32_t kept[WARP] = {0, 0, keeps ? IOC : 0, OFC};
        assert_memory_equal(m->fpscr, kept, sizeof kept);
        run(m, "vadd.f32 s0, s1, s2", 0xee300a81, 0xf);
        assert_int_equal(m->fpscr[1], keeps ? IXC : 0);
    }
}

static void fpscr_bits(void **state) {
    (void)state;
    struct machine *m = fresh(1);
    *reg(m, 1, 0) = 0xffffffff;
    run(m, "vmsr fpscr, r1", 0xeee11a10, 1);
    run(m, "vmrs r0, fpscr", 0xeef10a10, 1);
    assert_int_equal(*reg(m, 0, 0), 0xfff7009f); /* trap enables and reserved bits stay 0 */
}

static void short_vectors_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t encoding;
        enum arm_fault fault;
    } table[] = {
        {"vadd.f32 s0, s1, s2", 0xee300a81, ARM_FAULT_SHORT_VECTOR},
        {"vadd.f64 d0, d1, d2", 0xee310b02, ARM_FAULT_SHORT_VECTOR},
        {"vmov.f32 s0, s1", 0xeeb00a60, ARM_FAULT_SHORT_VECTOR},
        {"vcmp.f32 s0, s1", 0xeeb40a60, ARM_FAULT_SHORT_VECTOR},
        {"vcvt.s32.f32 s0, s1", 0xeebd0ae0, ARM_FAULT_SHORT_VECTOR},
        {"vcvt.f32.s32 s0, s1", 0xeeb80ae0, ARM_FAULT_SHORT_VECTOR},
        {"vcvt.f64.f32 d0, s2", 0xeeb70ac1, ARM_FAULT_SHORT_VECTOR},
        {"vcvt.s32.f32 s0, s0, #16", 0xeebe0ac8, ARM_FAULT_SHORT_VECTOR},
        {"vmov s0, r1", 0xee001a10, ARM_FAULT_NONE},
        {"vldr s0, [r1]", 0xed910a00, ARM_FAULT_NONE},
        {"vmrs r0, fpscr", 0xeef10a10, ARM_FAULT_NONE},
    };
    static const uint32_t controls[] = {1u << 16, 1u << 18, 3u << 20};
    for (unsigned n = 0; n < sizeof table / sizeof *table * 3; n++) {
        struct machine *m = fresh(WARP);
        for (unsigned k = 0; k < WARP; k++) *reg(m, 1, k) = BUFFER, *reg(m, 16, k) = 77;
        m->fpscr[2] = controls[n % 3];
        assert_int_equal(run(m, table[n / 3].text, table[n / 3].encoding, 0xf), table[n / 3].fault);
        if (table[n / 3].fault != ARM_FAULT_NONE) {
            assert_int_equal(m->x.fault_position, 2);
            assert_int_equal(m->x.fault_address, HERE);
            assert_int_equal(*reg(m, 16, 2), 77);
        }
        assert_int_equal(run(m, table[n / 3].text, table[n / 3].encoding, 0xb), ARM_FAULT_NONE);
    }
}

/* --- the quick way against the one that is exact to the bit --- */

static const struct {
    uint32_t single, both; /* encodings of s0, s1, s2 and of d0, d1, d2 */
    enum arm_vfp_operation operation;
} operations[] = {
    {0xee300a81, 0xee310b02, ARM_VFP_ADD},
    {0xee300ac1, 0xee310b42, ARM_VFP_SUBTRACT},
    {0xee200a81, 0xee210b02, ARM_VFP_MULTIPLY},
    {0xee200ac1, 0xee210b42, ARM_VFP_NEGATED_MULTIPLY},
    {0xee800a81, 0xee810b02, ARM_VFP_DIVIDE},
    {0xeeb10ac1, 0xeeb10bc2, ARM_VFP_SQUARE_ROOT},
    {0xee000a81, 0xee010b02, ARM_VFP_MULTIPLY_ADD},
    {0xee000ac1, 0xee010b42, ARM_VFP_MULTIPLY_SUBTRACT},
    {0xee100ac1, 0xee110b42, ARM_VFP_NEGATED_MULTIPLY_ADD},
    {0xee100a81, 0xee110b02, ARM_VFP_NEGATED_MULTIPLY_SUBTRACT},
};

/* Returns a random double: corner cases, exponents near the limits of the fast path, few fraction bits so
 * that many results are exact. */
static uint64_t random_double(void) {
    static const uint32_t about[] = {0, 1, 62, 63, 64, 511, 1022, 1023, 1024, 1075, 2044, 2045, 2046, 2047};
    const uint64_t exponent = random_below(4) ? about[random_below(14)] : random_below(2048);
    const uint64_t fraction = seed_next(&random_seed) >> 12;
    const unsigned kept = random_below(4) ? random_below(53) : 52;
    return (uint64_t)random_below(2) << 63 | exponent << 52 | (fraction >> (52 - kept) << (52 - kept));
}
static uint32_t random_single(void) {
    static const uint32_t about[] = {0, 1, 2, 26, 27, 28, 126, 127, 128, 150, 252, 253, 254, 255};
    if (random_below(4) == 0) return random_value();
    const uint32_t exponent = random_below(4) ? about[random_below(14)] : random_below(256);
    const uint32_t fraction = random_word() >> 9;
    const unsigned kept = random_below(4) ? random_below(24) : 23;
    return random_below(2) << 31 | exponent << 23 | (fraction >> (23 - kept) << (23 - kept));
}

static uint32_t random_fpscr(void) {
    uint32_t fpscr = random_below(4) ? 0 : random_word() & 0x03c00000;
    return random_below(2) ? fpscr : fpscr | (random_word() & ARM_FPSCR_CUMULATIVE);
}

static void quick_single(unsigned n) {
    struct machine *m = &machine;
    struct arm_instruction i;
    const uint32_t s[3] = {random_single(), random_single(), random_single()}, fpscr = random_fpscr();
    memcpy(single(m, 0), s, sizeof s);
    m->fpscr[0] = fpscr;
    arm_decode(operations[n].single, HERE, &i);
    arm_execute(&i, &m->t, 1, &m->x);
    uint32_t flags = fpscr;
    const uint32_t expected = arm_vfp_single(operations[n].operation, s[0], s[1], s[2], fpscr, &flags);
    if (*single(m, 0) != expected || m->fpscr[0] != flags)
        fail_msg("operation %u of %08x, %08x, %08x, FPSCR %08x: %08x, %08x; exactly %08x, %08x", n, s[0],
                 s[1], s[2], fpscr, *single(m, 0), m->fpscr[0], expected, flags);
}

static void quick_double(unsigned n) {
    struct machine *m = &machine;
    struct arm_instruction i;
    const uint64_t d[3] = {random_double(), random_double(), random_double()};
    const uint32_t fpscr = random_fpscr();
    memcpy(single(m, 0), d, sizeof d);
    m->fpscr[0] = fpscr;
    arm_decode(operations[n].both, HERE, &i);
    arm_execute(&i, &m->t, 1, &m->x);
    uint32_t flags = fpscr;
    const uint64_t expected = arm_vfp_double(operations[n].operation, d[0], d[1], d[2], fpscr, &flags);
    uint64_t result;
    memcpy(&result, single(m, 0), sizeof result);
    if (result != expected || m->fpscr[0] != flags)
        fail_msg(
            "operation %u of %016llx, %016llx, %016llx, FPSCR %08x: %016llx, %08x; exactly %016llx, %08x", n,
            (unsigned long long)d[0], (unsigned long long)d[1], (unsigned long long)d[2], fpscr,
            (unsigned long long)result, m->fpscr[0], (unsigned long long)expected, flags);
}

static void quick_is_exact(void **state) {
    (void)state;
    random_seed = seed_start();
    fresh(1);
    const unsigned count = getenv("LOCKSTEP_LONG") ? 1000000 : 50000;
    for (unsigned n = 0; n < sizeof operations / sizeof *operations; n++)
        for (unsigned k = 0; k < count; k++) quick_single(n), quick_double(n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_precision),          cmocka_unit_test(modes_are_per_thread),
        cmocka_unit_test(double_precision),          cmocka_unit_test(comparison),
        cmocka_unit_test(cumulative_flags),          cmocka_unit_test(narrowing_and_widening),
        cmocka_unit_test(flags_of_a_warp),           cmocka_unit_test(fpscr_bits),
        cmocka_unit_test(short_vectors_are_refused), cmocka_unit_test(quick_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
