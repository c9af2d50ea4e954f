/*
 * arm_neon_values: the meaning of each Advanced SIMD instruction, written once, for a thread of either form,
 * as a body on the operands d, n, m and the result r.
 */
#include "model/arm/arm_neon_values.h"

#include "model/arm/arm_neon.h"
#include "model/arm/arm_table.h"

#include <string.h>

#define SIGN 0x80000000u

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

#define NEON(name, ...)                                                                                      \
    static void neon_##name(struct neon_operands *o) {                                                       \
        const struct arm_instruction *const i = o->i;                                                        \
        const union neon_value *const d = &o->d, *const n = &o->n;                                           \
        union neon_value *const m = &o->m, *const r = &o->r;                                                 \
        (void)i, (void)d, (void)n, (void)m, (void)r;                                                         \
        __VA_ARGS__;                                                                                         \
    }

/* Computes the result for each element: a, b, c are the elements of n, m, d, e is the index, E the type. */
#define OVER(type, field, ...)                                                                               \
    {                                                                                                        \
        typedef type E;                                                                                      \
        for (unsigned e = 0; e < i->words_d * 4u / sizeof(E); e++) {                                         \
            const E a = n->field[e];                                                                         \
            const E b = m->field[e];                                                                         \
            const E c = d->field[e];                                                                         \
            (void)a, (void)b, (void)c;                                                                       \
            r->field[e] = (E)(__VA_ARGS__);                                                                  \
        }                                                                                                    \
    }                                                                                                        \
    break
#define UNSIGNEDS(...)                                                                                       \
    switch (i->element) {                                                                                    \
    case 0: OVER(uint8_t, u8, __VA_ARGS__);                                                                  \
    case 1: OVER(uint16_t, u16, __VA_ARGS__);                                                                \
    case 2: OVER(uint32_t, u32, __VA_ARGS__);                                                                \
    default: OVER(uint64_t, u64, __VA_ARGS__);                                                               \
    }
#define SIGNEDS(...)                                                                                         \
    switch (i->element) {                                                                                    \
    case 0: OVER(int8_t, s8, __VA_ARGS__);                                                                   \
    case 1: OVER(int16_t, s16, __VA_ARGS__);                                                                 \
    case 2: OVER(int32_t, s32, __VA_ARGS__);                                                                 \
    default: OVER(int64_t, s64, __VA_ARGS__);                                                                \
    }
#define EITHER(...)                                                                                          \
    if (i->is_unsigned) {                                                                                    \
        UNSIGNEDS(__VA_ARGS__)                                                                               \
    } else {                                                                                                 \
        SIGNEDS(__VA_ARGS__)                                                                                 \
    }
#define WORDS(...)                                                                                           \
    do {                                                                                                     \
        OVER(uint32_t, u32, __VA_ARGS__);                                                                    \
    } while (0)

#define ALL_ONES(condition) ((condition) ? -1 : 0)

NEON(vadd, UNSIGNEDS((uint64_t)a + b))
NEON(vsub, UNSIGNEDS((uint64_t)a - b))
NEON(vmul, UNSIGNEDS((uint64_t)a *b))
NEON(vmla, UNSIGNEDS(c + (uint64_t)a * b))
NEON(vmls, UNSIGNEDS(c - (uint64_t)a * b))
NEON(vtst, UNSIGNEDS(ALL_ONES(a &b)))
NEON(vceq, UNSIGNEDS(ALL_ONES(a == b)))
NEON(vcgt, EITHER(ALL_ONES(a > b)))
NEON(vcge, EITHER(ALL_ONES(a >= b)))
NEON(vmax, EITHER(a > b ? a : b))
NEON(vmin, EITHER(a < b ? a : b))
NEON(vabd, EITHER(a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a))
NEON(vcgt_zero, SIGNEDS(ALL_ONES(b > 0)))
NEON(vcge_zero, SIGNEDS(ALL_ONES(b >= 0)))
NEON(vceq_zero, SIGNEDS(ALL_ONES(b == 0)))
NEON(vcle_zero, SIGNEDS(ALL_ONES(b <= 0)))
NEON(vclt_zero, SIGNEDS(ALL_ONES(b < 0)))
NEON(vabs, SIGNEDS(b < 0 ? 0 - (uint64_t)b : (uint64_t)b))
NEON(vneg, SIGNEDS(0 - (uint64_t)b))

NEON(vand, WORDS(a &b))
NEON(vbic, WORDS(a & ~b))
NEON(vorr, WORDS(a | b))
NEON(vorn, WORDS(a | ~b))
NEON(veor, WORDS(a ^ b))
NEON(vbsl, WORDS((a & c) | (b & ~c)))
NEON(vbit, WORDS((a & b) | (c & ~b)))
NEON(vbif, WORDS((c & b) | (a & ~b)))
NEON(vmvn, WORDS(~b))
NEON(vmov, *r = *m)
NEON(vmov_constant, WORDS(e & 1 ? i->immediate_high : i->immediate))
NEON(vmvn_constant, WORDS(~i->immediate))
NEON(vorr_constant, WORDS(c | i->immediate))
NEON(vbic_constant, WORDS(c & ~i->immediate))

/* --- shifts --- */

/* Shifts to the left by a signed byte; `wide` is the sign- or zero-extended value. */
static inline uint64_t neon_shifted(int64_t wide, bool is_unsigned, int by, int bits) {
    if (by >= bits) return 0;
    if (by >= 0) return (uint64_t)wide << by;
    if (by <= -bits) return !is_unsigned && wide < 0 ? ~UINT64_C(0) : 0;
    return is_unsigned ? (uint64_t)wide >> -by : (uint64_t)(wide >> -by);
}
#define BITS_OF_E ((int)sizeof(E) * 8)
/* Shifts to the right by a constant, at most by all bits. */
#define RIGHT(value) neon_shifted((int64_t)(value), i->is_unsigned, -(int)i->immediate, BITS_OF_E)

NEON(vshl, EITHER(neon_shifted((int64_t)b, i->is_unsigned, (int8_t)a, BITS_OF_E)))
NEON(vshl_constant, UNSIGNEDS((uint64_t)b << i->immediate))
NEON(vshr, EITHER(RIGHT(b)))
NEON(vsra, EITHER((uint64_t)c + RIGHT(b)))

/* --- long and narrow --- */

/* a, b are elements of n and m, c one of d, which is twice as wide. */
#define LONG_OVER(type, field, wide, wide_field, ...)                                                        \
    {                                                                                                        \
        for (unsigned e = 0; e < 8 / sizeof(type); e++) {                                                    \
            const type a = n->field[e];                                                                      \
            const type b = m->field[e];                                                                      \
            const wide c = d->wide_field[e];                                                                 \
            (void)a, (void)b, (void)c;                                                                       \
            r->wide_field[e] = (wide)(__VA_ARGS__);                                                          \
        }                                                                                                    \
    }                                                                                                        \
    break
#define LONG(...)                                                                                            \
    switch (i->element + i->is_unsigned * 4) {                                                               \
    case 0: LONG_OVER(int8_t, s8, int16_t, s16, __VA_ARGS__);                                                \
    case 1: LONG_OVER(int16_t, s16, int32_t, s32, __VA_ARGS__);                                              \
    case 2: LONG_OVER(int32_t, s32, int64_t, s64, __VA_ARGS__);                                              \
    case 4: LONG_OVER(uint8_t, u8, uint16_t, u16, __VA_ARGS__);                                              \
    case 5: LONG_OVER(uint16_t, u16, uint32_t, u32, __VA_ARGS__);                                            \
    default: LONG_OVER(uint32_t, u32, uint64_t, u64, __VA_ARGS__);                                           \
    }
NEON(vmull, LONG((uint64_t)a *(uint64_t)b))
NEON(vmlal, LONG((uint64_t)c + (uint64_t)a * (uint64_t)b))
NEON(vshll, LONG((uint64_t)b << i->immediate))
NEON(vshll_whole, LONG((uint64_t)b << (8u << i->element)))

/* b is an element of m, which is twice as wide as the result's. */
#define NARROW_OVER(type, field, wide_field, ...)                                                            \
    {                                                                                                        \
        typedef type E;                                                                                      \
        for (unsigned e = 0; e < 8 / sizeof(E); e++) {                                                       \
            const uint64_t b = (uint64_t)m->wide_field[e];                                                   \
            r->field[e] = (E)(__VA_ARGS__);                                                                  \
        }                                                                                                    \
    }                                                                                                        \
    break
#define NARROWED(...)                                                                                        \
    switch (i->element + i->is_unsigned * 4) {                                                               \
    case 0: NARROW_OVER(uint8_t, u8, s16, __VA_ARGS__);                                                      \
    case 1: NARROW_OVER(uint16_t, u16, s32, __VA_ARGS__);                                                    \
    case 2: NARROW_OVER(uint32_t, u32, s64, __VA_ARGS__);                                                    \
    case 4: NARROW_OVER(uint8_t, u8, u16, __VA_ARGS__);                                                      \
    case 5: NARROW_OVER(uint16_t, u16, u32, __VA_ARGS__);                                                    \
    default: NARROW_OVER(uint32_t, u32, u64, __VA_ARGS__);                                                   \
    }
NEON(vmovn, NARROWED(b))
NEON(vshrn, NARROWED(b >> i->immediate))

/* Returns a value saturated to an integer of `bits` bits; sets QC if it does not fit. */
static inline uint64_t neon_saturated(int64_t value, bool huge, bool is_unsigned, int bits, uint32_t *fpscr) {
    const int64_t high = (INT64_C(1) << (is_unsigned ? bits : bits - 1)) - 1, low = is_unsigned ? 0 : ~high;
    if (!huge && value >= low && value <= high) return (uint64_t)value;
    *fpscr |= ARM_FPSCR_QC;
    return (uint64_t)(huge || value > high ? high : low);
}
#define IS_HUGE (i->is_unsigned && b >> 63)
NEON(vqmovn, NARROWED(neon_saturated((int64_t)b, IS_HUGE, i->is_unsigned, BITS_OF_E, o->fpscr)))
NEON(vqmovun, NARROWED(neon_saturated((int64_t)b, false, true, BITS_OF_E, o->fpscr)))

/* --- elements moved --- */

/* a and b are the elements 2e and 2e + 1 of the double register n, then of m. */
#define PAIRS_OVER(type, field, ...)                                                                         \
    {                                                                                                        \
        typedef type E;                                                                                      \
        const unsigned count = 8 / sizeof(E);                                                                \
        for (unsigned e = 0; e < count; e++) {                                                               \
            const union neon_value *const from = 2 * e < count ? n : m;                                      \
            const E a = from->field[2 * e % count];                                                          \
            const E b = from->field[2 * e % count + 1];                                                      \
            r->field[e] = (E)(__VA_ARGS__);                                                                  \
        }                                                                                                    \
    }                                                                                                        \
    break
#define PAIRS(...)                                                                                           \
    switch (i->element + i->is_unsigned * 4) {                                                               \
    case 0: PAIRS_OVER(int8_t, s8, __VA_ARGS__);                                                             \
    case 1: PAIRS_OVER(int16_t, s16, __VA_ARGS__);                                                           \
    case 2: PAIRS_OVER(int32_t, s32, __VA_ARGS__);                                                           \
    case 4: PAIRS_OVER(uint8_t, u8, __VA_ARGS__);                                                            \
    case 5: PAIRS_OVER(uint16_t, u16, __VA_ARGS__);                                                          \
    default: PAIRS_OVER(uint32_t, u32, __VA_ARGS__);                                                         \
    }
NEON(vpadd, PAIRS((uint64_t)a + (uint64_t)b))
NEON(vpmax, PAIRS(a > b ? a : b))
NEON(vpmin, PAIRS(a < b ? a : b))

/* Bytes of two registers. */
#define BYTES (i->words_d * 4u)
NEON(
    vext, for (unsigned b = 0; b < BYTES; b++) {
        const unsigned at = b + i->immediate;
        r->u8[b] = at < BYTES ? n->u8[at] : m->u8[at - BYTES];
    })
/* Reverses the elements in groups of `bytes` bytes. */
#define REVERSED(bytes)                                                                                      \
    for (unsigned b = 0; b < BYTES; b++) r->u8[b] = m->u8[b ^ ((bytes) - (1u << i->element))]
NEON(vrev64, REVERSED(8))
NEON(vrev32, REVERSED(4))
NEON(vrev16, REVERSED(2))
NEON(vswp, *r = *m; *m = *d)

/* Permutes the elements of d and m: element e of both (m's follow d's) becomes element `of`. */
#define PERMUTED(of)                                                                                         \
    const unsigned count = BYTES >> i->element;                                                              \
    union neon_value s = {0};                                                                                \
    for (unsigned at = 0; at < 2 * count; at++) {                                                            \
        const unsigned e = at;                                                                               \
        const unsigned x_ = (of);                                                                            \
        neon_element(at < count ? r : &s, at % count, x_ < count ? d : m, x_ % count, i->element);           \
    }                                                                                                        \
    *m = s
NEON(vtrn, PERMUTED(e % count / 2 * 2 + (e >= count) + (e & 1) * count))
NEON(vuzp, PERMUTED(e % count * 2 + (e >= count)))
NEON(vzip, PERMUTED(e / 2 + (e & 1) * count))

#define TABLE(other)                                                                                         \
    for (unsigned b = 0; b < 8; b++) r->u8[b] = m->u8[b] < i->words_n * 4u ? n->u8[m->u8[b]] : (other)
NEON(vtbl, TABLE(0))
NEON(vtbx, TABLE(d->u8[b]))

/* Transfers between a core register and an element; the operand is the word with the element. */
NEON(insert, *r = *d; neon_element(r, i->immediate, m, 0, i->element))
static inline uint32_t neon_extended(const union neon_value *v, unsigned index, unsigned element,
                                     bool is_unsigned) {
    if (element == 0) return is_unsigned ? v->u8[index] : (uint32_t)v->s8[index];
    return is_unsigned ? v->u16[index] : (uint32_t)v->s16[index];
}
NEON(extract, r->u32[0] = neon_extended(m, i->immediate, i->element, i->is_unsigned))

/* --- singles --- */

/* `judged`: IXC is set, or no flag is kept; usual operands raise no other flag. */
static inline uint32_t neon_sum(uint32_t a, uint32_t b, bool judged, uint32_t *flags) {
    const uint32_t r = single_bits(as_single(a) + as_single(b));
    if (__builtin_expect(judged && neon_is_usual(a) && neon_is_usual(b) && neon_is_usual(r), 1)) return r;
    return arm_vfp_single(ARM_VFP_ADD, 0, a, b, NEON_FPSCR, flags);
}
static inline uint32_t neon_product(uint32_t a, uint32_t b, bool judged, uint32_t *flags) {
    const uint32_t r = single_bits(as_single(a) * as_single(b)), magnitude = r & ~SIGN;
    const bool usual = magnitude > 0x00800000 && magnitude < 0x7f800000; /* not rounded up to 0x00800000 */
    if (__builtin_expect(judged && neon_is_usual(a) && neon_is_usual(b) && usual, 1)) return r;
    return arm_vfp_single(ARM_VFP_MULTIPLY, 0, a, b, NEON_FPSCR, flags);
}
#define SUM(a, b)     neon_sum(a, b, o->judged, o->flags)
#define PRODUCT(a, b) neon_product(a, b, o->judged, o->flags)
/* A NaN result is the default NaN, whatever its sign would be. */
#define NEGATED(a) ((a) ^ SIGN)

NEON(vadd_f32, WORDS(SUM(a, b)))
NEON(vsub_f32, WORDS(SUM(a, NEGATED(b))))
NEON(vabd_f32, WORDS(SUM(a, NEGATED(b)) & ~SIGN))
NEON(vmul_f32, WORDS(PRODUCT(a, b)))
NEON(vmla_f32, WORDS(SUM(c, PRODUCT(a, b))))
NEON(vmls_f32, WORDS(SUM(c, NEGATED(PRODUCT(a, b)))))
NEON(vabs_f32, WORDS(b & ~SIGN))
NEON(vneg_f32, WORDS(NEGATED(b)))
NEON(vmax_f32, WORDS(arm_neon_largest(a, b, o->flags)))
NEON(vmin_f32, WORDS(arm_neon_smallest(a, b, o->flags)))
NEON(vrecps_f32, WORDS(arm_neon_reciprocal_step(a, b, o->flags)))
NEON(vrsqrts_f32, WORDS(arm_neon_root_step(a, b, o->flags)))
NEON(vrecpe, WORDS(arm_neon_reciprocal_integer(b)))
NEON(vrecpe_f32, WORDS(arm_neon_reciprocal(b, o->flags)))
NEON(vrsqrte, WORDS(arm_neon_root_integer(b)))
NEON(vrsqrte_f32, WORDS(arm_neon_root(b, o->flags)))

#define SINGLE_PAIRS(...)                                                                                    \
    do {                                                                                                     \
        PAIRS_OVER(uint32_t, u32, __VA_ARGS__);                                                              \
    } while (0)
NEON(vpadd_f32, SINGLE_PAIRS(SUM(a, b)))
NEON(vpmax_f32, SINGLE_PAIRS(arm_neon_largest(a, b, o->flags)))
NEON(vpmin_f32, SINGLE_PAIRS(arm_neon_smallest(a, b, o->flags)))

/* Returns NZCV of a comparison: 6 equal, 8 less, 2 greater, 3 unordered. */
static inline uint32_t neon_order(uint32_t a, uint32_t b, bool quiet_is_invalid, uint32_t *flags) {
    const float x = as_single(a), y = as_single(b);
    if (__builtin_expect(neon_is_usual(a) && neon_is_usual(b), 1)) return x == y ? 6 : x < y ? 8 : 2;
    return arm_vfp_compare_single(a, b, quiet_is_invalid, NEON_FPSCR, flags) >> 28;
}
#define IS_EQUAL(a, b)    ALL_ONES(neon_order(a, b, false, o->flags) == 6)
#define IS_GREATER(a, b)  ALL_ONES(neon_order(a, b, true, o->flags) == 2)
#define IS_NOT_LESS(a, b) ALL_ONES((neon_order(a, b, true, o->flags) & 11) == 2)
NEON(vceq_f32, WORDS(IS_EQUAL(a, b)))
NEON(vcgt_f32, WORDS(IS_GREATER(a, b)))
NEON(vcge_f32, WORDS(IS_NOT_LESS(a, b)))
NEON(vceq_zero_f32, WORDS(IS_EQUAL(b, 0)))
NEON(vcgt_zero_f32, WORDS(IS_GREATER(b, 0)))
NEON(vcge_zero_f32, WORDS(IS_NOT_LESS(b, 0)))
NEON(vclt_zero_f32, WORDS(IS_GREATER(0, b)))
NEON(vcle_zero_f32, WORDS(IS_NOT_LESS(0, b)))

/* The immediate is the number of fraction bits. */
NEON(vcvt_to_f32, WORDS(arm_vfp_fixed_to_single(i->is_unsigned ? (int64_t)b : (int32_t)b, i->immediate,
                                                NEON_FPSCR, o->flags)))
NEON(vcvt_from_f32, WORDS(arm_vfp_single_to_fixed(b, i->immediate, 32, i->is_unsigned,
                                                  NEON_FPSCR | ARM_FPSCR_TOWARDS_ZERO, o->flags)))

arm_neon_function *const arm_neon_value[ARM_OPERATION_COUNT] = {
#define X(name) [ARM_OP_##name] = name,
    ARM_OPERATIONS_NEON(X)
#undef X
};
