#include "model/arm/arm_neon.h"

#include <math.h>

#define SIGN         0x80000000u
#define INFINITE     0x7f800000u
#define DEFAULT_NAN  0x7fc00000u
#define TWO          0x40000000u
#define THREE        0x40400000u
#define ONE_HALF     0x3f000000u
#define ONE_AND_HALF 0x3fc00000u
#define LEAST        0x00800000u /* smallest normal number */

static bool is_nan(uint32_t a) {
    return (a & ~SIGN) > INFINITE;
}
static bool is_signalling(uint32_t a) {
    return is_nan(a) && !(a & 0x00400000);
}

static uint32_t flushed(uint32_t a, uint32_t *flags) {
    if ((a & ~SIGN) >= LEAST || !(a & ~SIGN)) return a;
    *flags |= ARM_FPSCR_IDC;
    return a & SIGN;
}

/* Maps singles to integers of the same order, with −0 before +0. */
static int32_t order(uint32_t a) {
    return a & SIGN ? (int32_t)(a ^ ~SIGN) : (int32_t)a;
}

static uint32_t extreme(uint32_t a, uint32_t b, bool largest, uint32_t *flags) {
    const uint32_t x = flushed(a, flags), y = flushed(b, flags);
    if (is_signalling(a) || is_signalling(b)) *flags |= ARM_FPSCR_IOC;
    if (is_nan(a) || is_nan(b)) return DEFAULT_NAN;
    return (order(x) > order(y)) == largest ? x : y;
}

uint32_t arm_neon_largest(uint32_t a, uint32_t b, uint32_t *flags) {
    return extreme(a, b, true, flags);
}
uint32_t arm_neon_smallest(uint32_t a, uint32_t b, uint32_t *flags) {
    return extreme(a, b, false, flags);
}

/* Returns whether the product is infinity times zero; the step then has a fixed result. */
static bool is_indefinite(uint32_t a, uint32_t b, uint32_t *flags) {
    uint32_t mine = 0;
    const uint32_t x = flushed(a, &mine) & ~SIGN, y = flushed(b, &mine) & ~SIGN;
    if (!(x == INFINITE && !y) && !(y == INFINITE && !x)) return false;
    *flags |= mine;
    return true;
}

uint32_t arm_neon_reciprocal_step(uint32_t a, uint32_t b, uint32_t *flags) {
    if (is_indefinite(a, b, flags)) return TWO;
    const uint32_t product = arm_vfp_single(ARM_VFP_MULTIPLY, 0, a, b, NEON_FPSCR, flags);
    return arm_vfp_single(ARM_VFP_SUBTRACT, 0, TWO, product, NEON_FPSCR, flags);
}

uint32_t arm_neon_root_step(uint32_t a, uint32_t b, uint32_t *flags) {
    if (is_indefinite(a, b, flags)) return ONE_AND_HALF;
    const uint32_t product = arm_vfp_single(ARM_VFP_MULTIPLY, 0, a, b, NEON_FPSCR, flags);
    const uint32_t difference = arm_vfp_single(ARM_VFP_SUBTRACT, 0, THREE, product, NEON_FPSCR, flags);
    return arm_vfp_single(ARM_VFP_MULTIPLY, 0, difference, ONE_HALF, NEON_FPSCR, flags);
}

/* RecipEstimate of a number in [0.5, 1), as a multiple of 1/256 in [1, 2). */
static uint32_t reciprocal_estimate(double a) {
    const int q = (int)(a * 512.0);
    const double r = 1.0 / (((double)q + 0.5) / 512.0);
    return (uint32_t)(int)(256.0 * r + 0.5);
}

/* RecipSqrtEstimate of a number in [0.25, 1), in the same form. */
static uint32_t root_estimate(double a) {
    const double steps = a < 0.5 ? 512.0 : 256.0;
    const int q = (int)(a * steps);
    const double r = 1.0 / sqrt(((double)q + 0.5) / steps);
    return (uint32_t)(int)(256.0 * r + 0.5);
}

static uint32_t invalid(uint32_t *flags) {
    *flags |= ARM_FPSCR_IOC;
    return DEFAULT_NAN;
}

/* Returns the mantissa as a number in [0.5, 1). */
static double mantissa(uint32_t a) {
    return (double)((a & 0x007fffff) | 0x00800000) / 0x1p24;
}

uint32_t arm_neon_reciprocal(uint32_t in, uint32_t *flags) {
    const uint32_t a = flushed(in, flags), sign = a & SIGN, magnitude = a & ~SIGN;
    if (is_nan(a)) return is_signalling(a) ? invalid(flags) : DEFAULT_NAN;
    if (magnitude == INFINITE) return sign;
    if (!magnitude) {
        *flags |= ARM_FPSCR_DZC;
        return sign | INFINITE;
    }
    if (magnitude >= 253u << 23) { /* 2^126 or more */
        *flags |= ARM_FPSCR_UFC;
        return sign;
    }
    return sign | (253 - (magnitude >> 23)) << 23 | (reciprocal_estimate(mantissa(a)) & 255) << 15;
}

uint32_t arm_neon_root(uint32_t in, uint32_t *flags) {
    const uint32_t a = flushed(in, flags), magnitude = a & ~SIGN;
    if (is_nan(a)) return is_signalling(a) ? invalid(flags) : DEFAULT_NAN;
    if (!magnitude) {
        *flags |= ARM_FPSCR_DZC;
        return (a & SIGN) | INFINITE;
    }
    if (a & SIGN) return invalid(flags);
    if (a == INFINITE) return 0;
    const double scaled = a >> 23 & 1 ? mantissa(a) / 2 : mantissa(a);
    return (380 - (a >> 23)) / 2 << 23 | (root_estimate(scaled) & 255) << 15;
}

uint32_t arm_neon_reciprocal_integer(uint32_t a) {
    return a < 1u << 31 ? ~0u : reciprocal_estimate(a / 0x1p32) << 23;
}

uint32_t arm_neon_root_integer(uint32_t a) {
    return a < 1u << 30 ? ~0u : root_estimate(a / 0x1p32) << 23;
}
