#include "model/arm/arm_vfp.h"

#include <math.h>
#include <string.h>
#include <xmmintrin.h>

/* The host's MXCSR: all exceptions masked, its sticky exception flags, rounding modes in FPSCR's order. */
#define HOST_USUAL     0x1f80u
#define HOST_DIVISION  0x04u
#define HOST_OVERFLOW  0x08u
#define HOST_INEXACT   0x20u
#define HOST_EXCEPTION 0x3fu

static void host_begin(uint32_t fpscr) {
    static const uint32_t rounding[4] = {0x0000, 0x4000, 0x2000, 0x6000};
    _mm_setcsr(HOST_USUAL | rounding[fpscr >> 22 & 3]);
}

/* Restores rounding to nearest. Returns the exceptions since host_begin(). */
static uint32_t host_end(void) {
    const uint32_t raised = _mm_getcsr() & HOST_EXCEPTION;
    _mm_setcsr(HOST_USUAL);
    return raised;
}

#define FLOAT         float
#define BITS          uint32_t
#define FORMAT(name)  name##_single
#define FRACTION_BITS 23
#define EXPONENT_MAX  255
#define SQRT          sqrtf
#include "model/arm/arm_vfp_format.h"
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
#include "model/arm/arm_vfp_format.h"

#define SINGLE_DEFAULT_NAN 0x7fc00000u
#define DOUBLE_DEFAULT_NAN 0x7ff8000000000000u

uint64_t arm_vfp_single_to_double(uint32_t a, uint32_t fpscr, uint32_t *flags) {
    a = flushed_single(a, fpscr, flags);
    if (!is_nan_single(a)) return bits_double((double)value_single(a));
    if (is_signalling_single(a)) *flags |= ARM_FPSCR_IOC;
    if (fpscr & ARM_FPSCR_DEFAULT_NAN) return DOUBLE_DEFAULT_NAN;
    return (uint64_t)(a & 0x80000000u) << 32 | DOUBLE_DEFAULT_NAN | (uint64_t)(a & 0x3fffff) << 29;
}

static uint32_t narrowed_nan(uint64_t a, uint32_t fpscr, uint32_t *flags) {
    if (is_signalling_double(a)) *flags |= ARM_FPSCR_IOC;
    if (fpscr & ARM_FPSCR_DEFAULT_NAN) return SINGLE_DEFAULT_NAN;
    return (uint32_t)(a >> 32 & 0x80000000u) | SINGLE_DEFAULT_NAN | (uint32_t)(a >> 29 & 0x3fffff);
}

uint32_t arm_vfp_double_to_single(uint64_t a, uint32_t fpscr, uint32_t *flags) {
    a = flushed_double(a, fpscr, flags);
    if (is_nan_double(a)) return narrowed_nan(a, fpscr, flags);
    volatile double in = value_double(a);
    host_begin(fpscr);
    volatile float r = (float)in;
    const uint32_t raised = host_end();
    const bool is_tiny = in != 0 && fabs(in) < 0x1p-126;
    return delivered_single(bits_single(r), is_tiny, raised, fpscr, flags);
}

static double to_integral(double v, uint32_t fpscr) {
    switch (fpscr >> 22 & 3) {
    case 0: return rint(v);
    case 1: return ceil(v);
    case 2: return floor(v);
    default: return trunc(v);
    }
}

/* Scaling by a power of two is exact, or overflows to a value that saturates anyway. */
static uint32_t to_fixed(double v, unsigned fraction_bits, unsigned bits, bool is_unsigned, uint32_t fpscr,
                         uint32_t *flags) {
    const double exact = v * (double)(UINT64_C(1) << fraction_bits), r = to_integral(exact, fpscr);
    const double low = is_unsigned ? 0 : -(double)(UINT64_C(1) << (bits - 1));
    const double high = (double)(UINT64_C(1) << (is_unsigned ? bits : bits - 1)) - 1;
    if (!(r >= low && r <= high)) {
        *flags |= ARM_FPSCR_IOC;
        return isnan(v) ? 0 : (uint32_t)(int64_t)(r < low ? low : high);
    }
    if (r != exact) *flags |= ARM_FPSCR_IXC;
    return (uint32_t)(int64_t)r;
}

uint32_t arm_vfp_single_to_fixed(uint32_t a, unsigned fraction_bits, unsigned bits, bool is_unsigned,
                                 uint32_t fpscr, uint32_t *flags) {
    const double v = (double)value_single(flushed_single(a, fpscr, flags));
    return to_fixed(v, fraction_bits, bits, is_unsigned, fpscr, flags);
}

uint32_t arm_vfp_double_to_fixed(uint64_t a, unsigned fraction_bits, unsigned bits, bool is_unsigned,
                                 uint32_t fpscr, uint32_t *flags) {
    const double v = value_double(flushed_double(a, fpscr, flags));
    return to_fixed(v, fraction_bits, bits, is_unsigned, fpscr, flags);
}

uint32_t arm_vfp_fixed_to_single(int64_t value, unsigned fraction_bits, uint32_t fpscr, uint32_t *flags) {
    volatile int64_t in = value;
    host_begin(fpscr);
    volatile float r = (float)in;
    if (host_end() & HOST_INEXACT) *flags |= ARM_FPSCR_IXC;
    return bits_single(r / (float)(UINT64_C(1) << fraction_bits));
}

uint64_t arm_vfp_fixed_to_double(int64_t value, unsigned fraction_bits) {
    return bits_double((double)value / (double)(UINT64_C(1) << fraction_bits));
}
