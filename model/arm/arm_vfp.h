/*
 * arm_vfp: VFPv3 arithmetic on single values in every mode of the FPSCR, bit-exact: rounding modes (bits
 * 23:22), flush to zero (24), default NaN (25), NaN operands in ARM's order, and the cumulative exception
 * flags. Used where the host's vector arithmetic is not sufficient: if a control bit is set, a result is a
 * NaN, or a flag may have to be set.
 *
 * Values are bit patterns. `flags` is or-ed with the cumulative flags of FPSCR that the operation raises.
 * Tininess is detected before rounding; a result flushed to zero raises only UFC, a flushed operand IDC.
 */
#ifndef MODEL_ARM_ARM_VFP_H
#define MODEL_ARM_ARM_VFP_H

#include <stdbool.h>
#include <stdint.h>

#define ARM_FPSCR_ROUNDING     0x00c00000u
#define ARM_FPSCR_FLUSH        0x01000000u
#define ARM_FPSCR_DEFAULT_NAN  0x02000000u
#define ARM_FPSCR_SHORT_VECTOR 0x00370000u /* STRIDE and LEN */
/* Bits that require more than the host's arithmetic. */
#define ARM_FPSCR_CONTROL                                                                                    \
    (ARM_FPSCR_ROUNDING | ARM_FPSCR_FLUSH | ARM_FPSCR_DEFAULT_NAN | ARM_FPSCR_SHORT_VECTOR)
#define ARM_FPSCR_TOWARDS_ZERO ARM_FPSCR_ROUNDING /* rounding mode 3 */

#define ARM_FPSCR_IOC        0x01u /* invalid operation */
#define ARM_FPSCR_DZC        0x02u /* division by zero */
#define ARM_FPSCR_OFC        0x04u /* overflow */
#define ARM_FPSCR_UFC        0x08u /* underflow */
#define ARM_FPSCR_IXC        0x10u /* inexact */
#define ARM_FPSCR_IDC        0x80u /* input denormal */
#define ARM_FPSCR_CUMULATIVE 0x9fu

enum arm_vfp_operation {
    ARM_VFP_ADD,
    ARM_VFP_SUBTRACT,
    ARM_VFP_MULTIPLY,
    ARM_VFP_DIVIDE,
    ARM_VFP_SQUARE_ROOT, /* square root of the second operand */
    ARM_VFP_NEGATED_MULTIPLY,
    ARM_VFP_MULTIPLY_ADD,              /* d + a·b; here and below the product is rounded */
    ARM_VFP_MULTIPLY_SUBTRACT,         /* d − a·b */
    ARM_VFP_NEGATED_MULTIPLY_ADD,      /* −d − a·b */
    ARM_VFP_NEGATED_MULTIPLY_SUBTRACT, /* −d + a·b */
};

uint32_t arm_vfp_single(enum arm_vfp_operation operation, uint32_t d, uint32_t a, uint32_t b, uint32_t fpscr,
                        uint32_t *flags);
uint64_t arm_vfp_double(enum arm_vfp_operation operation, uint64_t d, uint64_t a, uint64_t b, uint32_t fpscr,
                        uint32_t *flags);

/* Return NZCV of a comparison, in bits 31:28. With VCMPE quiet NaNs are also invalid operands. */
uint32_t arm_vfp_compare_single(uint32_t a, uint32_t b, bool is_vcmpe, uint32_t fpscr, uint32_t *flags);
uint32_t arm_vfp_compare_double(uint64_t a, uint64_t b, bool is_vcmpe, uint32_t fpscr, uint32_t *flags);

uint64_t arm_vfp_single_to_double(uint32_t a, uint32_t fpscr, uint32_t *flags);
uint32_t arm_vfp_double_to_single(uint64_t a, uint32_t fpscr, uint32_t *flags);

/* Return value·2^fraction_bits as an integer of `bits` bits (16 or 32), rounded as FPSCR says and saturated;
 * a NaN gives 0. Saturation and NaN are invalid operations. */
uint32_t arm_vfp_single_to_fixed(uint32_t a, unsigned fraction_bits, unsigned bits, bool is_unsigned,
                                 uint32_t fpscr, uint32_t *flags);
uint32_t arm_vfp_double_to_fixed(uint64_t a, unsigned fraction_bits, unsigned bits, bool is_unsigned,
                                 uint32_t fpscr, uint32_t *flags);

/* Return value·2^−fraction_bits, with |value| < 2^33 and fraction_bits ≤ 32. The double is exact. */
uint32_t arm_vfp_fixed_to_single(int64_t value, unsigned fraction_bits, uint32_t fpscr, uint32_t *flags);
uint64_t arm_vfp_fixed_to_double(int64_t value, unsigned fraction_bits);

#endif
