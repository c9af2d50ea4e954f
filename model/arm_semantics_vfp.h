/*
 * arm_semantics_vfp: what the VFPv3 instructions do, each said once (see arm_lanes.h for the words).
 * Included by arm_warp.c and arm_thread.c only.
 *
 * Arithmetic is the host's, in round to nearest; lanes whose result is a NaN, and all lanes where any
 * thread's FPSCR has a control bit set, are computed anew by arm_vfp.c.
 */
#ifndef MODEL_ARM_SEMANTICS_VFP_H
#define MODEL_ARM_SEMANTICS_VFP_H

#include "model/arm_lanes.h"
#include "model/arm_vfp.h"

static inline float as_single(uint32_t bits) {
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}
static inline uint32_t single_bits(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}
static inline double as_double(uint64_t bits) {
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}
static inline uint64_t double_bits(double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* Nonzero if any thread's FPSCR asks for other than the usual arithmetic. */
static inline uint32_t fpscr_control(const struct arm_threads *t) {
    const uint32_t *fpscr = t->fpscr;
    uint32_t any = 0;
    ALL_LANES(any |= fpscr[k];);
    return any & ARM_FPSCR_CONTROL;
}

/* Rows of a double register: low and high word. */
#define DOUBLE_AT(row)           ((uint64_t)(row##_high)[k] << 32 | (row)[k])
#define DOUBLE_ROWS(row, number) *const row = ROW(number), *const row##_high = ROW((number) + 1)
#define PUT_DOUBLE(row, bits)                                                                                \
    PUT(row, (uint32_t)(bits));                                                                              \
    PUT(row##_high, (uint32_t)((bits) >> 32))

/* d, n, m are the operands as the host's numbers. */
#define SINGLE_ARITHMETIC(name, operation, value)                                                            \
    ARM_OPERATION(name##_f32) {                                                                              \
        BEGIN;                                                                                               \
        uint32_t *const rd = ROW(i->rd);                                                                     \
        const uint32_t *const rn = ROW(i->rn), *const rm = ROW(i->rm);                                       \
        uint32_t result[LANE_ROW];                                                                           \
        uint32_t special = fpscr_control(t);                                                                 \
        ALL_LANES(const float d = as_single(rd[k]); const float n = as_single(rn[k]);                        \
                  const float m = as_single(rm[k]); (void)d; (void)n; const float r = (value);               \
                  result[k] = single_bits(r); special |= (result[k] & 0x7fffffff) > 0x7f800000 ? 1 : 0;);    \
        if (UNLIKELY(special))                                                                               \
            PASSED_LANES(result[k] = arm_vfp_single(operation, rd[k], rn[k], rm[k], t->fpscr[k]););          \
        LANES(PUT(rd, result[k]););                                                                          \
    }
#define DOUBLE_ARITHMETIC(name, operation, value)                                                            \
    ARM_OPERATION(name##_f64) {                                                                              \
        BEGIN;                                                                                               \
        uint32_t DOUBLE_ROWS(rd, i->rd);                                                                     \
        const uint32_t DOUBLE_ROWS(rn, i->rn), DOUBLE_ROWS(rm, i->rm);                                       \
        uint64_t result[LANE_ROW];                                                                           \
        uint64_t special = fpscr_control(t);                                                                 \
        ALL_LANES(const double d = as_double(DOUBLE_AT(rd)); const double n = as_double(DOUBLE_AT(rn));      \
                  const double m = as_double(DOUBLE_AT(rm)); (void)d; (void)n; const double r = (value);     \
                  result[k] = double_bits(r);                                                                \
                  special |= (result[k] & INT64_MAX) > 0x7ff0000000000000u ? 1 : 0;);                        \
        if (UNLIKELY(special))                                                                               \
            PASSED_LANES(result[k] = arm_vfp_double(operation, DOUBLE_AT(rd), DOUBLE_AT(rn), DOUBLE_AT(rm),  \
                                                    t->fpscr[k]););                                          \
        LANES(PUT_DOUBLE(rd, result[k]););                                                                   \
    }
#define ARITHMETIC_BOTH(name, operation, value)                                                              \
    SINGLE_ARITHMETIC(name, operation, value)                                                                \
    DOUBLE_ARITHMETIC(name, operation, value)
ARITHMETIC_BOTH(vadd, ARM_VFP_ADD, n + m)
ARITHMETIC_BOTH(vsub, ARM_VFP_SUBTRACT, n - m)
ARITHMETIC_BOTH(vmul, ARM_VFP_MULTIPLY, n *m)
ARITHMETIC_BOTH(vnmul, ARM_VFP_NEGATED_MULTIPLY, -(n *m))
ARITHMETIC_BOTH(vmla, ARM_VFP_MULTIPLY_ADD, d + n * m)
ARITHMETIC_BOTH(vmls, ARM_VFP_MULTIPLY_SUBTRACT, d + -(n * m))
ARITHMETIC_BOTH(vnmla, ARM_VFP_NEGATED_MULTIPLY_ADD, -d + -(n * m))
ARITHMETIC_BOTH(vnmls, ARM_VFP_NEGATED_MULTIPLY_SUBTRACT, -d + n * m)
ARITHMETIC_BOTH(vdiv, ARM_VFP_DIVIDE, n / m)
SINGLE_ARITHMETIC(vsqrt, ARM_VFP_SQUARE_ROOT, __builtin_sqrtf(m))
DOUBLE_ARITHMETIC(vsqrt, ARM_VFP_SQUARE_ROOT, __builtin_sqrt(m))

/* --- moves --- */

#define VFP_OPERATION(name, ...)                                                                             \
    ARM_OPERATION(name) {                                                                                    \
        BEGIN;                                                                                               \
        uint32_t DOUBLE_ROWS(d, i->rd), *const n_out = ROW(i->rn);                                           \
        const uint32_t DOUBLE_ROWS(m, i->rm), *const n = ROW(i->rn);                                         \
        const uint32_t immediate = i->immediate;                                                             \
        const unsigned shift = i->shift, amount = i->shift_amount;                                           \
        (void)d_high, (void)m_high, (void)n, (void)n_out, (void)immediate, (void)shift, (void)amount;        \
        (void)m, (void)d;                                                                                    \
        __VA_ARGS__;                                                                                         \
    }
#define VFP_LANES(name, ...) VFP_OPERATION(name, LANES(__VA_ARGS__);)

#define SIGN 0x80000000u
VFP_LANES(vmov_f32, PUT(d, m[k]);)
VFP_LANES(vmov_f64, const uint32_t low = m[k]; const uint32_t high = m_high[k]; PUT(d, low);
          PUT(d_high, high);)
VFP_LANES(vabs_f32, PUT(d, m[k] & ~SIGN);)
VFP_LANES(vabs_f64, const uint32_t low = m[k]; const uint32_t high = m_high[k] & ~SIGN; PUT(d, low);
          PUT(d_high, high);)
VFP_LANES(vneg_f32, PUT(d, m[k] ^ SIGN);)
VFP_LANES(vneg_f64, const uint32_t low = m[k]; const uint32_t high = m_high[k] ^ SIGN; PUT(d, low);
          PUT(d_high, high);)
VFP_LANES(vmov_immediate_f32, PUT(d, immediate);)
VFP_LANES(vmov_immediate_f64, PUT(d, 0); PUT(d_high, immediate);)

/* Between core and VFP registers: d is where to, whichever it is. Two words: d and the row after it from m,
 * n; to core: d, n from the rows m and after. */
VFP_LANES(vmov_word, PUT(d, m[k]);)
VFP_LANES(vmov_two_words, const uint32_t low = m[k]; const uint32_t high = n[k]; PUT(d, low);
          PUT(d_high, high);)
VFP_LANES(vmov_to_core_two, const uint32_t low = m[k]; const uint32_t high = m_high[k]; PUT(d, low);
          PUT(n_out, high);)

/* Scalars of 8 and 16 bits: shift is the place of the scalar in the word. */
VFP_LANES(vmov_get_s8, PUT(d, (uint32_t)(int8_t)(m[k] >> shift));)
VFP_LANES(vmov_get_u8, PUT(d, (uint8_t)(m[k] >> shift));)
VFP_LANES(vmov_get_s16, PUT(d, (uint32_t)(int16_t)(m[k] >> shift));)
VFP_LANES(vmov_get_u16, PUT(d, (uint16_t)(m[k] >> shift));)
VFP_LANES(vmov_set8, PUT(d, (d[k] & ~(0xffu << shift)) | (m[k] & 0xff) << shift);)
VFP_LANES(vmov_set16, PUT(d, (d[k] & ~(0xffffu << shift)) | (m[k] & 0xffff) << shift);)

VFP_LANES(vmrs, PUT(d, t->fpscr[k]);)
VFP_LANES(vmrs_flags, const uint32_t fpscr = t->fpscr[k]; PUT_NZCV(fpscr);)
/* Kept are NZCV, the control bits and the cumulative flags. */
VFP_LANES(vmsr, PUT(t->fpscr, m[k] & 0xf7c0009fu);)

/* --- comparisons --- */

#define COMPARISON(name, type, a, b, slow)                                                                   \
    VFP_OPERATION(                                                                                           \
        name, uint32_t *const fpscr = t->fpscr; if (UNLIKELY(fpscr_control(t))) {                            \
            PASSED_LANES(fpscr[k] = (fpscr[k] & 0x0fffffff) | slow;);                                        \
            return;                                                                                          \
        } LANES(const type p = (a); const type q = (b); const uint32_t less = p < q ? 8u << 28 : 0;          \
                const uint32_t not_less = p >= q ? 2u << 28 : 0;                                             \
                const uint32_t equal = p == q ? 4u << 28 : 0;                                                \
                const uint32_t ordered = less | not_less | equal;                                            \
                PUT(fpscr, (fpscr[k] & 0x0fffffff) | (ordered ? ordered : 3u << 28));))
COMPARISON(vcmp_f32, float, as_single(d[k]), as_single(m[k]), arm_vfp_compare_single(d[k], m[k], fpscr[k]))
COMPARISON(vcmp_zero_f32, float, as_single(d[k]), 0, arm_vfp_compare_single(d[k], 0, fpscr[k]))
COMPARISON(vcmp_f64, double, as_double(DOUBLE_AT(d)), as_double(DOUBLE_AT(m)),
           arm_vfp_compare_double(DOUBLE_AT(d), DOUBLE_AT(m), fpscr[k]))
COMPARISON(vcmp_zero_f64, double, as_double(DOUBLE_AT(d)), 0,
           arm_vfp_compare_double(DOUBLE_AT(d), 0, fpscr[k]))

/* --- conversions --- */

VFP_OPERATION(
    vcvt_f64_f32, uint64_t result[LANE_ROW]; if (UNLIKELY(fpscr_control(t))) {
        PASSED_LANES(result[k] = arm_vfp_single_to_double(m[k], t->fpscr[k]););
    } else ALL_LANES(result[k] = double_bits((double)as_single(m[k])););
    LANES(PUT_DOUBLE(d, result[k]););)
VFP_OPERATION(
    vcvt_f32_f64, if (UNLIKELY(fpscr_control(t))) {
        PASSED_LANES(d[k] = arm_vfp_double_to_single(DOUBLE_AT(m), t->fpscr[k]););
        return;
    } LANES(PUT(d, single_bits((float)as_double(DOUBLE_AT(m))));))

/* Towards zero: no mode of the FPSCR matters (a flushed denormal is 0 either way). */
#define TOWARDS_ZERO(type, limit_low, limit_high, low, high, convert)                                        \
    const type in_range = v > (limit_low) && v < (limit_high) ? v : 0;                                       \
    const uint32_t in = (convert);                                                                           \
    const uint32_t r = v >= (limit_high) ? (high) : v <= (limit_low) ? (low) : in;                           \
    PUT(d, r)
#define TO_SIGNED(type, limit_low)                                                                           \
    TOWARDS_ZERO(type, limit_low, (type)0x1p31, 0x80000000u, 0x7fffffffu, (uint32_t)(int32_t)in_range)
#define TO_UNSIGNED(type) TOWARDS_ZERO(type, -1, (type)0x1p32, 0, 0xffffffffu, (uint32_t)(int64_t)in_range)
VFP_LANES(vcvt_s32_f32, const float v = as_single(m[k]); TO_SIGNED(float, -0x1p31f);)
VFP_LANES(vcvt_u32_f32, const float v = as_single(m[k]); TO_UNSIGNED(float);)
VFP_LANES(vcvt_s32_f64, const double v = as_double(DOUBLE_AT(m)); TO_SIGNED(double, -0x1p31 - 1);)
VFP_LANES(vcvt_u32_f64, const double v = as_double(DOUBLE_AT(m)); TO_UNSIGNED(double);)

#define VFP_EACH(name, ...) VFP_OPERATION(name, PASSED_LANES(__VA_ARGS__);)
VFP_EACH(vcvtr_s32_f32, d[k] = arm_vfp_single_to_fixed(m[k], 0, 32, false, t->fpscr[k]);)
VFP_EACH(vcvtr_u32_f32, d[k] = arm_vfp_single_to_fixed(m[k], 0, 32, true, t->fpscr[k]);)
VFP_EACH(vcvtr_s32_f64, d[k] = arm_vfp_double_to_fixed(DOUBLE_AT(m), 0, 32, false, t->fpscr[k]);)
VFP_EACH(vcvtr_u32_f64, d[k] = arm_vfp_double_to_fixed(DOUBLE_AT(m), 0, 32, true, t->fpscr[k]);)

#define FROM_INTEGER(name, type)                                                                             \
    VFP_OPERATION(                                                                                           \
        name##_f32, if (UNLIKELY(fpscr_control(t))) {                                                        \
            PASSED_LANES(d[k] = arm_vfp_fixed_to_single((type)m[k], 0, t->fpscr[k]););                       \
            return;                                                                                          \
        } LANES(PUT(d, single_bits((float)(type)m[k]));))                                                    \
    VFP_LANES(name##_f64, const uint64_t r = double_bits((double)(type)m[k]); PUT_DOUBLE(d, r);)
FROM_INTEGER(vcvt_from_s32, int32_t)
FROM_INTEGER(vcvt_from_u32, uint32_t)

/* Fixed point, in place: the immediate is the number of fraction bits, shift the size in bits, amount 1 if
 * unsigned. Towards zero one way, to nearest the other. */
#define NARROW(value)                                                                                        \
    (shift == 32 ? (amount ? (int64_t)(value) : (int32_t)(value))                                            \
     : amount    ? (uint16_t)(value)                                                                         \
                 : (int16_t)(value))
#define FIXED_FPSCR (t->fpscr[k] | ARM_FPSCR_TOWARDS_ZERO)
VFP_EACH(vcvt_to_fixed_f32, d[k] = arm_vfp_single_to_fixed(d[k], immediate, shift, amount, FIXED_FPSCR);)
VFP_EACH(vcvt_to_fixed_f64,
         d[k] = arm_vfp_double_to_fixed(DOUBLE_AT(d), immediate, shift, amount, FIXED_FPSCR);
         d_high[k] = amount || (int32_t)d[k] >= 0 ? 0 : ~0u;)
VFP_EACH(vcvt_from_fixed_f32, d[k] = arm_vfp_fixed_to_single(NARROW(d[k]), immediate, 0);)
VFP_EACH(vcvt_from_fixed_f64, const uint64_t r = arm_vfp_fixed_to_double(NARROW(d[k]), immediate);
         d[k] = (uint32_t)r; d_high[k] = (uint32_t)(r >> 32);)

#endif
