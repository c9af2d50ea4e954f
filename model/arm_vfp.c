#include "model/arm_vfp.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static int host_rounding(uint32_t fpscr) {
    static const int mode[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    return mode[fpscr >> 22 & 3];
}

#define FLOAT         float
#define BITS          uint32_t
#define FORMAT(name)  name##_single
#define FRACTION_BITS 23
#define EXPONENT_MAX  255
#define SQRT          sqrtf
#include "model/arm_vfp_format.h"
#undef FLOAT
#undef BITS
#undef FORMAT
#undef FRACTION_BITS
#undef EXPONENT_MAX
#undef SQRT

#define FLOAT         double
#define BITS          uint64_t
#define FORMAT(name)  name##_double
#define FRACTION_BITS 52
#define EXPONENT_MAX  2047
#define SQRT          sqrt
#include "model/arm_vfp_format.h"

#define SINGLE_DEFAULT_NAN 0x7fc00000u
#define DOUBLE_DEFAULT_NAN 0x7ff8000000000000u

uint64_t arm_vfp_single_to_double(uint32_t a, uint32_t fpscr) {
    a = flush_single(a, fpscr);
    if (!is_nan_single(a)) return bits_double((double)value_single(a));
    if (fpscr & ARM_FPSCR_DEFAULT_NAN) return DOUBLE_DEFAULT_NAN;
    return (uint64_t)(a & 0x80000000u) << 32 | DOUBLE_DEFAULT_NAN | (uint64_t)(a & 0x3fffff) << 29;
}

static uint32_t narrowed(uint64_t a, uint32_t rounding) {
    volatile double in = value_double(a);
    fesetround(host_rounding(rounding));
    volatile float r = (float)in;
    fesetround(FE_TONEAREST);
    return bits_single(r);
}

uint32_t arm_vfp_double_to_single(uint64_t a, uint32_t fpscr) {
    a = flush_double(a, fpscr);
    if (is_nan_double(a)) {
        if (fpscr & ARM_FPSCR_DEFAULT_NAN) return SINGLE_DEFAULT_NAN;
        return (uint32_t)(a >> 32 & 0x80000000u) | SINGLE_DEFAULT_NAN | (uint32_t)(a >> 29 & 0x3fffff);
    }
    uint32_t r = narrowed(a, fpscr);
    if (fpscr & ARM_FPSCR_FLUSH && (r & 0x7fffffff) == 0x00800000)
        return flush_single(narrowed(a, ARM_FPSCR_TOWARDS_ZERO), fpscr);
    return flush_single(r, fpscr);
}

static double to_integral(double v, uint32_t fpscr) {
    switch (fpscr >> 22 & 3) {
    case 0: return rint(v);
    case 1: return ceil(v);
    case 2: return floor(v);
    default: return trunc(v);
    }
}

/* Scaling by a power of two is exact, or overflows to what saturates anyway. */
static uint32_t to_fixed(double v, unsigned fraction_bits, unsigned bits, bool is_unsigned, uint32_t fpscr) {
    if (isnan(v)) return 0;
    double scaled = to_integral(v * (double)(UINT64_C(1) << fraction_bits), fpscr);
    double low = is_unsigned ? 0 : -(double)(UINT64_C(1) << (bits - 1));
    double high = (double)(UINT64_C(1) << (is_unsigned ? bits : bits - 1)) - 1;
    return (uint32_t)(int64_t)(scaled < low ? low : scaled > high ? high : scaled);
}

uint32_t arm_vfp_single_to_fixed(uint32_t a, unsigned fraction_bits, unsigned bits, bool is_unsigned,
                                 uint32_t fpscr) {
    return to_fixed((double)value_single(flush_single(a, fpscr)), fraction_bits, bits, is_unsigned, fpscr);
}

uint32_t arm_vfp_double_to_fixed(uint64_t a, unsigned fraction_bits, unsigned bits, bool is_unsigned,
                                 uint32_t fpscr) {
    return to_fixed(value_double(flush_double(a, fpscr)), fraction_bits, bits, is_unsigned, fpscr);
}

uint32_t arm_vfp_fixed_to_single(int64_t value, unsigned fraction_bits, uint32_t fpscr) {
    volatile int64_t in = value;
    fesetround(host_rounding(fpscr));
    volatile float r = (float)in;
    fesetround(FE_TONEAREST);
    return bits_single(r / (float)(UINT64_C(1) << fraction_bits));
}

uint64_t arm_vfp_fixed_to_double(int64_t value, unsigned fraction_bits) {
    return bits_double((double)value / (double)(UINT64_C(1) << fraction_bits));
}
