/*
 * arm_neon: Advanced SIMD arithmetic on single values, bit-exact, with the standard FPSCR (round to nearest,
 * subnormals flushed to zero, default NaNs). Values are bit patterns; `flags` as in arm_vfp.h.
 */
#ifndef MODEL_ARM_ARM_NEON_H
#define MODEL_ARM_ARM_NEON_H

#include "model/arm/arm_vfp.h"

#define NEON_FPSCR   (ARM_FPSCR_FLUSH | ARM_FPSCR_DEFAULT_NAN)
#define ARM_FPSCR_QC 0x08000000u /* cumulative saturation flag */

/* Returns whether a is a zero or a normal number. */
static inline bool neon_is_usual(uint32_t a) {
    return (a & 0x7f800000u) - 0x00800000u < 0x7f000000u || !(a & 0x7fffffffu);
}

/* Return the larger, and the smaller, number; +0 is larger than −0. */
uint32_t arm_neon_largest(uint32_t a, uint32_t b, uint32_t *flags);
uint32_t arm_neon_smallest(uint32_t a, uint32_t b, uint32_t *flags);

/* Return 2 − a·b, and (3 − a·b)/2: the steps of Newton's method; infinity times zero is 0 in them. */
uint32_t arm_neon_reciprocal_step(uint32_t a, uint32_t b, uint32_t *flags);
uint32_t arm_neon_root_step(uint32_t a, uint32_t b, uint32_t *flags);

/* Return estimates of 1/a and 1/√a with 8 bits of fraction; of integers, as fractions of 2^32. */
uint32_t arm_neon_reciprocal(uint32_t a, uint32_t *flags);
uint32_t arm_neon_root(uint32_t a, uint32_t *flags);
uint32_t arm_neon_reciprocal_integer(uint32_t a);
uint32_t arm_neon_root_integer(uint32_t a);

#endif
