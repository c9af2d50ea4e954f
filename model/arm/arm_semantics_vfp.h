/*
 * arm_semantics_vfp: the meaning of each VFPv3 instruction, written once (arm_lanes.h has the macros).
 * Included by arm_warp.c and arm_thread.c only.
 *
 * Arithmetic is the host's, in round to nearest. If a result is a NaN, a thread's FPSCR has a control bit
 * set, or a kept cumulative flag may have to be set, arm_vfp.c computes the results.
 */
#ifndef MODEL_ARM_ARM_SEMANTICS_VFP_H
#define MODEL_ARM_ARM_SEMANTICS_VFP_H

#include "model/arm/arm_lanes.h"
#include "model/arm/arm_vfp.h"

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

/* The cumulative flags are kept: always for a single thread, for a warp on request. */
#ifdef ARM_THREAD
#define KEEPS_FLAGS(t) true
#else
#define KEEPS_FLAGS(t) UNLIKELY((t)->cumulative_flags)
#endif
/* Lane k's FPSCR and the destination of its flags, as arguments for arm_vfp.c. */
#define FLAGS           (KEEPS_FLAGS(t) ? &t->fpscr[k] : &(uint32_t){0})
#define FPSCR_AND_FLAGS t->fpscr[k], FLAGS

/* Returns the bits that are set in any thread's FPSCR. */
static inline uint32_t fpscr_any(const struct arm_threads *t, uint32_t bits) {
    const uint32_t *fpscr = t->fpscr;
    uint32_t any = 0;
    ALL_LANES(any |= fpscr[k];);
    return any & bits;
}

/* Refuses data processing if LEN or STRIDE is not 0. */
static inline bool short_vectors(const struct arm_instruction *i, const struct arm_threads *t, uint64_t mask,
                                 struct arm_execution *x) {
    if (!UNLIKELY(fpscr_any(t, ARM_FPSCR_SHORT_VECTOR))) return false;
    PASSED_LANES(if (t->fpscr[k] & ARM_FPSCR_SHORT_VECTOR) {
        fault(x, ARM_FAULT_SHORT_VECTOR, k, i->pc);
        return true;
    });
    return false;
}

/* Checks an operation in the usual mode: 1 if it may raise other flags than IXC, or cannot be judged here;
 * IXC if it is inexact. A sum is exact if subtracting either operand leaves the other. For other operations
 * the remainder is a number of the format unless a value is tiny or huge. */
#define FLAG_CHECKS(suffix, type, small, large, magnitude, fused)                                            \
    static inline uint32_t of_sum_##suffix(type a, type b, type r) {                                         \
        return (magnitude(r) < (large) ? 0 : 1u) | ((r - a == b) & (r - b == a) ? 0 : ARM_FPSCR_IXC);        \
    }                                                                                                        \
    static inline uint32_t of_product_##suffix(type a, type b, type r) {                                     \
        const bool usual = (magnitude(r) >= (small)) & (magnitude(r) < (large));                             \
        const bool zero = (r == 0) & ((a == 0) | (b == 0));                                                  \
        return (usual | zero ? 0 : 1u) | (fused(a, b, -r) == 0 ? 0 : ARM_FPSCR_IXC);                         \
    }                                                                                                        \
    static inline uint32_t of_quotient_##suffix(type a, type b, type r) {                                    \
        const bool usual = (magnitude(r) >= (small)) & (magnitude(r) < (large)) & (magnitude(a) >= (small)); \
        const bool zero = (r == 0) & (a == 0);                                                               \
        return (usual | zero ? 0 : 1u) | (fused(r, b, -a) == 0 ? 0 : ARM_FPSCR_IXC);                         \
    }                                                                                                        \
    static inline uint32_t of_root_##suffix(type a, type r) {                                                \
        const bool usual = (a >= (small)) & (a < (large));                                                   \
        return (usual | (a == 0) ? 0 : 1u) | (fused(r, r, -a) == 0 ? 0 : ARM_FPSCR_IXC);                     \
    }
FLAG_CHECKS(f32, float, 0x1p-100f, 0x1p126f, __builtin_fabsf, __builtin_fmaf)
FLAG_CHECKS(f64, double, 0x1p-960, 0x1p1022, __builtin_fabs, __builtin_fma)

/* Rows of a double register: low and high word. */
#define DOUBLE_AT(row)           ((uint64_t)(row##_high)[k] << 32 | (row)[k])
#define DOUBLE_ROWS(row, number) *const row = ROW(number), *const row##_high = ROW((number) + 1)
#define PUT_DOUBLE(row, bits)                                                                                \
    PUT(row, (uint32_t)(bits));                                                                              \
    PUT(row##_high, (uint32_t)((bits) >> 32))

/* d, n, m are the operands as the host's numbers, r the result, all in lane k. */
#define SINGLE_OPERANDS                                                                                      \
    const float d = as_single(rd[k]);                                                                        \
    const float n = as_single(rn[k]);                                                                        \
    const float m = as_single(rm[k]);                                                                        \
    (void)d, (void)n
/* True if the quick result is not sufficient for lane k. */
#define IS_SPECIAL(r, check)                                                                                 \
    (LANE_ROW == 1 || fpscr[k] & ARM_FPSCR_CONTROL || (r) != (r) ||                                          \
     (KEEPS_FLAGS(t) && ((check) & ~(fpscr[k] & ARM_FPSCR_IXC))))
#define SINGLE_ARITHMETIC(name, operation, value, check)                                                     \
    ARM_OPERATION(name##_f32) {                                                                              \
        BEGIN;                                                                                               \
        uint32_t *const rd = ROW(i->rd);                                                                     \
        const uint32_t *const rn = ROW(i->rn), *const rm = ROW(i->rm), *const fpscr = t->fpscr;              \
        uint32_t result[LANE_ROW];                                                                           \
        uint32_t special = fpscr_any(t, ARM_FPSCR_CONTROL);                                                  \
        ALL_LANES(SINGLE_OPERANDS; const float r = (value); result[k] = single_bits(r);                      \
                  special |= (result[k] & 0x7fffffff) > 0x7f800000 ? 1 : 0;);                                \
        if (KEEPS_FLAGS(t))                                                                                  \
            ALL_LANES(SINGLE_OPERANDS; const float r = as_single(result[k]); (void)r;                        \
                      special |= (check) & ~(fpscr[k] & ARM_FPSCR_IXC););                                    \
        if (UNLIKELY(special)) {                                                                             \
            if (short_vectors(i, t, mask, x)) return;                                                        \
            PASSED_LANES(SINGLE_OPERANDS; const float r = as_single(result[k]); (void)r;                     \
                         if (IS_SPECIAL(r, check)) result[k] =                                               \
                             arm_vfp_single(operation, rd[k], rn[k], rm[k], FPSCR_AND_FLAGS););              \
        }                                                                                                    \
        LANES(PUT(rd, result[k]););                                                                          \
    }
#define DOUBLE_OPERANDS                                                                                      \
    const double d = as_double(DOUBLE_AT(rd));                                                               \
    const double n = as_double(DOUBLE_AT(rn));                                                               \
    const double m = as_double(DOUBLE_AT(rm));                                                               \
    (void)d, (void)n
#define DOUBLE_ARITHMETIC(name, operation, value, check)                                                     \
    ARM_OPERATION(name##_f64) {                                                                              \
        BEGIN;                                                                                               \
        uint32_t DOUBLE_ROWS(rd, i->rd);                                                                     \
        const uint32_t DOUBLE_ROWS(rn, i->rn), DOUBLE_ROWS(rm, i->rm), *const fpscr = t->fpscr;              \
        uint64_t result[LANE_ROW];                                                                           \
        uint64_t special = fpscr_any(t, ARM_FPSCR_CONTROL);                                                  \
        ALL_LANES(DOUBLE_OPERANDS; const double r = (value); result[k] = double_bits(r);                     \
                  special |= (result[k] & INT64_MAX) > 0x7ff0000000000000u ? 1 : 0;);                        \
        if (KEEPS_FLAGS(t))                                                                                  \
            ALL_LANES(DOUBLE_OPERANDS; const double r = as_double(result[k]); (void)r;                       \
                      special |= (check) & ~(fpscr[k] & ARM_FPSCR_IXC););                                    \
        if (UNLIKELY(special)) {                                                                             \
            if (short_vectors(i, t, mask, x)) return;                                                        \
            PASSED_LANES(DOUBLE_OPERANDS; const double r = as_double(result[k]); (void)r;                    \
                         if (IS_SPECIAL(r, check)) result[k] = arm_vfp_double(                               \
                             operation, DOUBLE_AT(rd), DOUBLE_AT(rn), DOUBLE_AT(rm), FPSCR_AND_FLAGS););     \
        }                                                                                                    \
        LANES(PUT_DOUBLE(rd, result[k]););                                                                   \
    }
#define ARITHMETIC_BOTH(name, operation, value, check)                                                       \
    SINGLE_ARITHMETIC(name, operation, value, check(f32))                                                    \
    DOUBLE_ARITHMETIC(name, operation, value, check(f64))
#define ADDED(f)                   of_sum_##f(n, m, r)
#define SUBTRACTED(f)              of_sum_##f(n, -m, r)
#define MULTIPLIED(f)              of_product_##f(n, m, n *m)
#define DIVIDED(f)                 of_quotient_##f(n, m, r)
#define CHAINED(f)                 (MULTIPLIED(f) | of_sum_##f(d, n * m, r))
#define CHAINED_NEGATED_PRODUCT(f) (MULTIPLIED(f) | of_sum_##f(d, -(n * m), r))
#define CHAINED_NEGATED_SUM(f)     (MULTIPLIED(f) | of_sum_##f(-d, -(n * m), r))
#define CHAINED_NEGATED(f)         (MULTIPLIED(f) | of_sum_##f(-d, n * m, r))
ARITHMETIC_BOTH(vadd, ARM_VFP_ADD, n + m, ADDED)
ARITHMETIC_BOTH(vsub, ARM_VFP_SUBTRACT, n - m, SUBTRACTED)
ARITHMETIC_BOTH(vmul, ARM_VFP_MULTIPLY, n *m, MULTIPLIED)
ARITHMETIC_BOTH(vnmul, ARM_VFP_NEGATED_MULTIPLY, -(n *m), MULTIPLIED)
ARITHMETIC_BOTH(vmla, ARM_VFP_MULTIPLY_ADD, d + n * m, CHAINED)
ARITHMETIC_BOTH(vmls, ARM_VFP_MULTIPLY_SUBTRACT, d + -(n * m), CHAINED_NEGATED_PRODUCT)
ARITHMETIC_BOTH(vnmla, ARM_VFP_NEGATED_MULTIPLY_ADD, -d + -(n * m), CHAINED_NEGATED_SUM)
ARITHMETIC_BOTH(vnmls, ARM_VFP_NEGATED_MULTIPLY_SUBTRACT, -d + n * m, CHAINED_NEGATED)
ARITHMETIC_BOTH(vdiv, ARM_VFP_DIVIDE, n / m, DIVIDED)
SINGLE_ARITHMETIC(vsqrt, ARM_VFP_SQUARE_ROOT, __builtin_sqrtf(m), of_root_f32(m, r))
DOUBLE_ARITHMETIC(vsqrt, ARM_VFP_SQUARE_ROOT, __builtin_sqrt(m), of_root_f64(m, r))

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
/* Transfers, and data processing. */
#define VFP_LANES(name, ...) VFP_OPERATION(name, LANES(__VA_ARGS__);)
#define VFP_DATA(name, ...)  VFP_OPERATION(name, if (short_vectors(i, t, mask, x)) return; LANES(__VA_ARGS__);)

#define SIGN 0x80000000u
VFP_DATA(vmov_f32, PUT(d, m[k]);)
VFP_DATA(vmov_f64, const uint32_t low = m[k]; const uint32_t high = m_high[k]; PUT(d, low);
         PUT(d_high, high);)
VFP_DATA(vabs_f32, PUT(d, m[k] & ~SIGN);)
VFP_DATA(vabs_f64, const uint32_t low = m[k]; const uint32_t high = m_high[k] & ~SIGN; PUT(d, low);
         PUT(d_high, high);)
VFP_DATA(vneg_f32, PUT(d, m[k] ^ SIGN);)
VFP_DATA(vneg_f64, const uint32_t low = m[k]; const uint32_t high = m_high[k] ^ SIGN; PUT(d, low);
         PUT(d_high, high);)
VFP_DATA(vmov_immediate_f32, PUT(d, immediate);)
VFP_DATA(vmov_immediate_f64, PUT(d, 0); PUT(d_high, immediate);)

/* Transfers between core and VFP registers; d is always the destination. Two words: from m, n to d and the
 * row after it; to core registers: from rows m and the next to d, n. */
VFP_LANES(vmov_word, PUT(d, m[k]);)
VFP_LANES(vmov_two_words, const uint32_t low = m[k]; const uint32_t high = n[k]; PUT(d, low);
          PUT(d_high, high);)
VFP_LANES(vmov_to_core_two, const uint32_t low = m[k]; const uint32_t high = m_high[k]; PUT(d, low);
          PUT(n_out, high);)

VFP_LANES(vmrs, PUT(d, t->fpscr[k]);)
VFP_LANES(vmrs_flags, const uint32_t fpscr = t->fpscr[k]; PUT_NZCV(fpscr);)
/* NZCV, QC, AHP, the control bits, Stride, Len and the cumulative flags are kept. */
VFP_LANES(vmsr, PUT(t->fpscr, m[k] & 0xfff7009fu);)

/* --- comparisons --- */

#define COMPARISON(name, type, a, b, slow)                                                                   \
    VFP_OPERATION(                                                                                           \
        name, uint32_t *const fpscr = t->fpscr; uint32_t special = fpscr_any(t, ARM_FPSCR_CONTROL);          \
        if (KEEPS_FLAGS(t))                                                                                  \
            ALL_LANES(const type p = (a); const type q = (b); special |= (p != p) | (q != q) ? 1 : 0;);      \
        if (UNLIKELY(special)) {                                                                             \
            if (short_vectors(i, t, mask, x)) return;                                                        \
            PASSED_LANES(const uint32_t nzcv = slow; fpscr[k] = (fpscr[k] & 0x0fffffff) | nzcv;);            \
            return;                                                                                          \
        } LANES(const type p = (a); const type q = (b); const uint32_t less = p < q ? 8u << 28 : 0;          \
                const uint32_t not_less = p >= q ? 2u << 28 : 0;                                             \
                const uint32_t equal = p == q ? 4u << 28 : 0;                                                \
                const uint32_t ordered = less | not_less | equal;                                            \
                PUT(fpscr, (fpscr[k] & 0x0fffffff) | (ordered ? ordered : 3u << 28));))
#define COMPARISONS(name, is_vcmpe)                                                                          \
    COMPARISON(name##_f32, float, as_single(d[k]), as_single(m[k]),                                          \
               arm_vfp_compare_single(d[k], m[k], is_vcmpe, FPSCR_AND_FLAGS))                                \
    COMPARISON(name##_zero_f32, float, as_single(d[k]), 0,                                                   \
               arm_vfp_compare_single(d[k], 0, is_vcmpe, FPSCR_AND_FLAGS))                                   \
    COMPARISON(name##_f64, double, as_double(DOUBLE_AT(d)), as_double(DOUBLE_AT(m)),                         \
               arm_vfp_compare_double(DOUBLE_AT(d), DOUBLE_AT(m), is_vcmpe, FPSCR_AND_FLAGS))                \
    COMPARISON(name##_zero_f64, double, as_double(DOUBLE_AT(d)), 0,                                          \
               arm_vfp_compare_double(DOUBLE_AT(d), 0, is_vcmpe, FPSCR_AND_FLAGS))
COMPARISONS(vcmp, false)
COMPARISONS(vcmpe, true)

/* --- conversions --- */

/* Executes one thread after the other, by arm_vfp.c. */
#define VFP_EACH(name, ...)                                                                                  \
    VFP_OPERATION(name, if (short_vectors(i, t, mask, x)) return; PASSED_LANES(__VA_ARGS__);)
/* Executes by arm_vfp.c only if the host's conversion is not sufficient: in unusual modes, and if a flag may
 * have to be set (`check`, as for an arithmetic operation). */
#define CONVERSION(name, modes, check, slow, ...)                                                            \
    VFP_OPERATION(                                                                                           \
        name, const uint32_t *const fpscr = t->fpscr;                                                        \
        uint32_t special = fpscr_any(t, (modes) | ARM_FPSCR_SHORT_VECTOR);                                   \
        if (KEEPS_FLAGS(t)) ALL_LANES(special |= (check) & ~(fpscr[k] & ARM_FPSCR_IXC););                    \
        if (UNLIKELY(special)) {                                                                             \
            if (short_vectors(i, t, mask, x)) return;                                                        \
            PASSED_LANES(slow);                                                                              \
            return;                                                                                          \
        } LANES(__VA_ARGS__);)

#define SET_DOUBLE(bits)                                                                                     \
    const uint64_t whole = (bits);                                                                           \
    d[k] = (uint32_t)whole, d_high[k] = (uint32_t)(whole >> 32)

static inline uint32_t of_narrowing(double v) {
    const double r = (double)(float)v, magnitude = __builtin_fabs(v);
    const bool usual = (magnitude >= 0x1p-126) & (magnitude < 0x1p127);
    return (usual | (v == 0) ? 0 : 1u) | (r == v ? 0 : ARM_FPSCR_IXC);
}

CONVERSION(vcvt_f64_f32, ARM_FPSCR_CONTROL, as_single(m[k]) != as_single(m[k]) ? 1u : 0,
           SET_DOUBLE(arm_vfp_single_to_double(m[k], FPSCR_AND_FLAGS));
           , const uint64_t r = double_bits((double)as_single(m[k])); PUT_DOUBLE(d, r);)
CONVERSION(vcvt_f32_f64, ARM_FPSCR_CONTROL, of_narrowing(as_double(DOUBLE_AT(m))),
           d[k] = arm_vfp_double_to_single(DOUBLE_AT(m), FPSCR_AND_FLAGS);
           , PUT(d, single_bits((float)as_double(DOUBLE_AT(m))));)

/* Conversions towards zero do not depend on the FPSCR's mode (a flushed denormal is 0 either way). */
#define TOWARDS_ZERO(type, limit_low, limit_high, low, high, convert)                                        \
    const type in_range = v > (limit_low) && v < (limit_high) ? v : 0;                                       \
    const uint32_t in = (convert);                                                                           \
    const uint32_t r = v >= (limit_high) ? (high) : v <= (limit_low) ? (low) : in;                           \
    PUT(d, r)
#define TO_SIGNED(type, limit_low)                                                                           \
    TOWARDS_ZERO(type, limit_low, (type)0x1p31, 0x80000000u, 0x7fffffffu, (uint32_t)(int32_t)in_range)
#define TO_UNSIGNED(type) TOWARDS_ZERO(type, -1, (type)0x1p32, 0, 0xffffffffu, (uint32_t)(int64_t)in_range)
#define FPSCR_TRUNCATING  t->fpscr[k] | ARM_FPSCR_TOWARDS_ZERO, FLAGS
/* 1: out of range, a NaN, or an operand that may be flushed. */
#define OF_TRUNCATION(type, v, limit_low, limit_high)                                                        \
    ((v) > (type)(limit_low) && (v) < (type)(limit_high) && !(fpscr[k] & ARM_FPSCR_FLUSH)                    \
         ? ((type)(int64_t)(v) == (v) ? 0 : ARM_FPSCR_IXC)                                                   \
         : 1u)
#define FROM_SINGLE(low, high) OF_TRUNCATION(float, as_single(m[k]), low, high)
#define FROM_DOUBLE(low, high) OF_TRUNCATION(double, as_double(DOUBLE_AT(m)), low, high)
CONVERSION(vcvt_s32_f32, 0, FROM_SINGLE(-0x1p31, 0x1p31),
           d[k] = arm_vfp_single_to_fixed(m[k], 0, 32, false, FPSCR_TRUNCATING);
           , const float v = as_single(m[k]); TO_SIGNED(float, -0x1p31f);)
CONVERSION(vcvt_u32_f32, 0, FROM_SINGLE(-1, 0x1p32),
           d[k] = arm_vfp_single_to_fixed(m[k], 0, 32, true, FPSCR_TRUNCATING);
           , const float v = as_single(m[k]); TO_UNSIGNED(float);)
CONVERSION(vcvt_s32_f64, 0, FROM_DOUBLE(-0x1p31 - 1, 0x1p31),
           d[k] = arm_vfp_double_to_fixed(DOUBLE_AT(m), 0, 32, false, FPSCR_TRUNCATING);
           , const double v = as_double(DOUBLE_AT(m)); TO_SIGNED(double, -0x1p31 - 1);)
CONVERSION(vcvt_u32_f64, 0, FROM_DOUBLE(-1, 0x1p32),
           d[k] = arm_vfp_double_to_fixed(DOUBLE_AT(m), 0, 32, true, FPSCR_TRUNCATING);
           , const double v = as_double(DOUBLE_AT(m)); TO_UNSIGNED(double);)

VFP_EACH(vcvtr_s32_f32, d[k] = arm_vfp_single_to_fixed(m[k], 0, 32, false, FPSCR_AND_FLAGS);)
VFP_EACH(vcvtr_u32_f32, d[k] = arm_vfp_single_to_fixed(m[k], 0, 32, true, FPSCR_AND_FLAGS);)
VFP_EACH(vcvtr_s32_f64, d[k] = arm_vfp_double_to_fixed(DOUBLE_AT(m), 0, 32, false, FPSCR_AND_FLAGS);)
VFP_EACH(vcvtr_u32_f64, d[k] = arm_vfp_double_to_fixed(DOUBLE_AT(m), 0, 32, true, FPSCR_AND_FLAGS);)

#define FROM_INTEGER(name, type)                                                                             \
    CONVERSION(name##_f32, ARM_FPSCR_CONTROL, (int64_t)(float)(type)m[k] == (type)m[k] ? 0 : ARM_FPSCR_IXC,  \
               d[k] = arm_vfp_fixed_to_single((type)m[k], 0, FPSCR_AND_FLAGS);                               \
               , PUT(d, single_bits((float)(type)m[k]));)                                                    \
    VFP_DATA(name##_f64, const uint64_t r = double_bits((double)(type)m[k]); PUT_DOUBLE(d, r);)
FROM_INTEGER(vcvt_from_s32, int32_t)
FROM_INTEGER(vcvt_from_u32, uint32_t)

/* Fixed point, in place: the immediate is the number of fraction bits, shift the size in bits; amount is 1 if
 * unsigned. Conversion to fixed point rounds towards zero, from it to nearest. */
#define NARROW(value)                                                                                        \
    (shift == 32 ? (amount ? (int64_t)(value) : (int32_t)(value))                                            \
     : amount    ? (uint16_t)(value)                                                                         \
                 : (int16_t)(value))
#define TO_NEAREST 0, FLAGS
VFP_EACH(vcvt_to_fixed_f32, d[k] = arm_vfp_single_to_fixed(d[k], immediate, shift, amount, FPSCR_TRUNCATING);)
VFP_EACH(vcvt_to_fixed_f64,
         d[k] = arm_vfp_double_to_fixed(DOUBLE_AT(d), immediate, shift, amount, FPSCR_TRUNCATING);
         d_high[k] = amount || (int32_t)d[k] >= 0 ? 0 : ~0u;)
VFP_EACH(vcvt_from_fixed_f32, d[k] = arm_vfp_fixed_to_single(NARROW(d[k]), immediate, TO_NEAREST);)
VFP_EACH(vcvt_from_fixed_f64, SET_DOUBLE(arm_vfp_fixed_to_double(NARROW(d[k]), immediate));)

#endif
