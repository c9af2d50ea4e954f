/*
 * arm_semantics: the meaning of each integer and system instruction, written once (arm_lanes.h has the
 * macros). Included by arm_warp.c and arm_thread.c only.
 */
#ifndef MODEL_ARM_ARM_SEMANTICS_H
#define MODEL_ARM_ARM_SEMANTICS_H

#include "model/arm/arm_lanes.h"
#include "model/control/exclusive_monitor.h"

/* --- data processing --- */

/* The register operand: its row, or a temporary row if it is shifted. */
#define REGISTER_OPERAND                                                                                     \
    uint32_t operand[LANE_ROW];                                                                              \
    const uint32_t *m = ROW(i->rm);                                                                          \
    if (i->shift != ARM_SHIFT_NONE) {                                                                        \
        shift_rows(i, t, operand);                                                                           \
        m = operand;                                                                                         \
    }
#define REGISTER_OPERAND_AND_CARRY                                                                           \
    uint32_t operand[LANE_ROW], carry[LANE_ROW];                                                             \
    const uint32_t *m = ROW(i->rm), *carry_out = t->c;                                                       \
    if (i->shift != ARM_SHIFT_NONE) {                                                                        \
        shift_rows_with_carry(i, t, operand, carry);                                                         \
        m = operand, carry_out = carry;                                                                      \
    }

/* Immediate operands: i->rs is 1 if the immediate was rotated; its bit 31 is then the carry out. */
#define LOGICAL_CARRY_IMMEDIATE (i->rs ? 0u - (i->immediate >> 31) : t->c[k])

#define LOGICAL_TEST(name, result)                                                                           \
    ARM_OPERATION(name##_immediate) {                                                                        \
        BEGIN;                                                                                               \
        const uint32_t *n = ROW(i->rn);                                                                      \
        const uint32_t b = i->immediate, rotated = i->rs ? ~0u : 0, top = 0u - (b >> 31);                    \
        LANES(const uint32_t a = n[k]; const uint32_t r = (result); PUT(t->n, r); PUT(t->z, r);              \
              PUT(t->c, (t->c[k] & ~rotated) | (top & rotated)););                                           \
    }                                                                                                        \
    ARM_OPERATION(name##_register) {                                                                         \
        BEGIN;                                                                                               \
        REGISTER_OPERAND_AND_CARRY;                                                                          \
        const uint32_t *n = ROW(i->rn);                                                                      \
        LANES(const uint32_t a = n[k]; const uint32_t b = m[k]; const uint32_t r = (result); PUT(t->n, r);   \
              PUT(t->z, r); PUT(t->c, carry_out[k]););                                                       \
    }

#define LOGICAL(name, result)                                                                                \
    ARM_OPERATION(name##_immediate) {                                                                        \
        BEGIN;                                                                                               \
        const uint32_t *n = ROW(i->rn);                                                                      \
        uint32_t *d = ROW(i->rd);                                                                            \
        const uint32_t b = i->immediate;                                                                     \
        (void)n;                                                                                             \
        LANES(const uint32_t a = n[k]; (void)a; PUT(d, (result)););                                          \
    }                                                                                                        \
    ARM_OPERATION(name##_immediate_s) {                                                                      \
        BEGIN;                                                                                               \
        const uint32_t *n = ROW(i->rn);                                                                      \
        uint32_t *d = ROW(i->rd);                                                                            \
        const uint32_t b = i->immediate, rotated = i->rs ? ~0u : 0, top = 0u - (b >> 31);                    \
        LANES(const uint32_t a = n[k]; (void)a; const uint32_t r = (result); PUT(d, r); PUT(t->n, r);        \
              PUT(t->z, r); PUT(t->c, (t->c[k] & ~rotated) | (top & rotated)););                             \
    }                                                                                                        \
    ARM_OPERATION(name##_register) {                                                                         \
        BEGIN;                                                                                               \
        REGISTER_OPERAND;                                                                                    \
        const uint32_t *n = ROW(i->rn);                                                                      \
        uint32_t *d = ROW(i->rd);                                                                            \
        LANES(const uint32_t a = n[k]; (void)a; const uint32_t b = m[k]; PUT(d, (result)););                 \
    }                                                                                                        \
    ARM_OPERATION(name##_register_s) {                                                                       \
        BEGIN;                                                                                               \
        REGISTER_OPERAND_AND_CARRY;                                                                          \
        const uint32_t *n = ROW(i->rn);                                                                      \
        uint32_t *d = ROW(i->rd);                                                                            \
        LANES(const uint32_t a = n[k]; (void)a; const uint32_t b = m[k]; const uint32_t r = (result);        \
              PUT(d, r); PUT(t->n, r); PUT(t->z, r); PUT(t->c, carry_out[k]););                              \
    }

/* p + q + in with the flags of the addition; subtraction is addition of the complement. */
#define PUT_ADDITION_FLAGS(p, q, r)                                                                          \
    PUT(t->n, r);                                                                                            \
    PUT(t->z, r);                                                                                            \
    PUT(t->c, (uint32_t)((int32_t)((p & q) | ((p | q) & ~r)) >> 31));                                        \
    PUT(t->v, (p ^ r) & (q ^ r))

#define ARITHMETIC_TEST(name, first, second, carry_in)                                                       \
    ARM_OPERATION(name##_immediate) {                                                                        \
        BEGIN;                                                                                               \
        const uint32_t *n = ROW(i->rn);                                                                      \
        const uint32_t b = i->immediate;                                                                     \
        LANES(const uint32_t a = n[k]; const uint32_t p = (first); const uint32_t q = (second);              \
              const uint32_t r = p + q + (carry_in); PUT_ADDITION_FLAGS(p, q, r););                          \
    }                                                                                                        \
    ARM_OPERATION(name##_register) {                                                                         \
        BEGIN;                                                                                               \
        REGISTER_OPERAND;                                                                                    \
        const uint32_t *n = ROW(i->rn);                                                                      \
        LANES(const uint32_t a = n[k]; const uint32_t b = m[k]; const uint32_t p = (first);                  \
              const uint32_t q = (second); const uint32_t r = p + q + (carry_in);                            \
              PUT_ADDITION_FLAGS(p, q, r););                                                                 \
    }

#define ARITHMETIC(name, first, second, carry_in)                                                            \
    ARM_OPERATION(name##_immediate) {                                                                        \
        BEGIN;                                                                                               \
        const uint32_t *n = ROW(i->rn);                                                                      \
        uint32_t *d = ROW(i->rd);                                                                            \
        const uint32_t b = i->immediate;                                                                     \
        LANES(const uint32_t a = n[k]; PUT(d, (first) + (second) + (carry_in)););                            \
    }                                                                                                        \
    ARM_OPERATION(name##_immediate_s) {                                                                      \
        BEGIN;                                                                                               \
        const uint32_t *n = ROW(i->rn);                                                                      \
        uint32_t *d = ROW(i->rd);                                                                            \
        const uint32_t b = i->immediate;                                                                     \
        LANES(const uint32_t a = n[k]; const uint32_t p = (first); const uint32_t q = (second);              \
              const uint32_t r = p + q + (carry_in); PUT(d, r); PUT_ADDITION_FLAGS(p, q, r););               \
    }                                                                                                        \
    ARM_OPERATION(name##_register) {                                                                         \
        BEGIN;                                                                                               \
        REGISTER_OPERAND;                                                                                    \
        const uint32_t *n = ROW(i->rn);                                                                      \
        uint32_t *d = ROW(i->rd);                                                                            \
        LANES(const uint32_t a = n[k]; const uint32_t b = m[k]; PUT(d, (first) + (second) + (carry_in)););   \
    }                                                                                                        \
    ARM_OPERATION(name##_register_s) {                                                                       \
        BEGIN;                                                                                               \
        REGISTER_OPERAND;                                                                                    \
        const uint32_t *n = ROW(i->rn);                                                                      \
        uint32_t *d = ROW(i->rd);                                                                            \
        LANES(const uint32_t a = n[k]; const uint32_t b = m[k]; const uint32_t p = (first);                  \
              const uint32_t q = (second); const uint32_t r = p + q + (carry_in); PUT(d, r);                 \
              PUT_ADDITION_FLAGS(p, q, r););                                                                 \
    }

LOGICAL(and, a &b)
LOGICAL(eor, a ^ b)
LOGICAL(orr, a | b)
LOGICAL(bic, a & ~b)
LOGICAL(mov, b)
LOGICAL(mvn, ~b)
LOGICAL_TEST(tst, a &b)
LOGICAL_TEST(teq, a ^ b)
ARITHMETIC(add, a, b, 0)
ARITHMETIC(adc, a, b, (t->c[k] & 1))
ARITHMETIC(sub, a, ~b, 1)
ARITHMETIC(sbc, a, ~b, (t->c[k] & 1))
ARITHMETIC(rsb, b, ~a, 1)
ARITHMETIC(rsc, b, ~a, (t->c[k] & 1))
ARITHMETIC_TEST(cmp, a, ~b, 1)
ARITHMETIC_TEST(cmn, a, b, 0)

/* --- one lane of registers d, n, m, s (and the immediate) --- */

#define LANE_OPERATION(name, ...)                                                                            \
    ARM_OPERATION(name) {                                                                                    \
        BEGIN;                                                                                               \
        uint32_t *d = ROW(i->rd), *h = ROW(i->rn);                                                           \
        const uint32_t *n = ROW(i->rn), *m = ROW(i->rm), *s = ROW(i->rs);                                    \
        const uint32_t immediate = i->immediate;                                                             \
        const unsigned shift = i->shift, amount = i->shift_amount;                                           \
        (void)h, (void)n, (void)m, (void)s, (void)immediate, (void)shift, (void)amount;                      \
        LANES(__VA_ARGS__);                                                                                  \
    }

LANE_OPERATION(movt, PUT(d, (d[k] & 0xffff) | immediate << 16);)

/* Multiplications: s is the second factor, n the accumulated operand; in long ones n is the low word, d the
 * high word. */
#define PUT_RESULT(r)                                                                                        \
    PUT(d, r);                                                                                               \
    PUT(t->n, r);                                                                                            \
    PUT(t->z, r)
LANE_OPERATION(mul, PUT(d, m[k] * s[k]);)
LANE_OPERATION(mul_s, const uint32_t r = m[k] * s[k]; PUT_RESULT(r);)
LANE_OPERATION(mla, PUT(d, m[k] * s[k] + n[k]);)
LANE_OPERATION(mla_s, const uint32_t r = m[k] * s[k] + n[k]; PUT_RESULT(r);)
LANE_OPERATION(mls, PUT(d, n[k] - m[k] * s[k]);)

#define UNSIGNED_PRODUCT ((uint64_t)m[k] * s[k])
#define SIGNED_PRODUCT   ((uint64_t)((int64_t)(int32_t)m[k] * (int32_t)s[k]))
#define ACCUMULATOR      ((uint64_t)d[k] << 32 | n[k])
#define LONG_MULTIPLY(name, value)                                                                           \
    LANE_OPERATION(name, const uint64_t r = (value); PUT(h, (uint32_t)r); PUT(d, (uint32_t)(r >> 32));)      \
    LANE_OPERATION(name##_s, const uint64_t r = (value); PUT(h, (uint32_t)r); PUT(d, (uint32_t)(r >> 32));   \
                   PUT(t->n, (uint32_t)(r >> 32)); PUT(t->z, (uint32_t)r | (uint32_t)(r >> 32));)
LONG_MULTIPLY(umull, UNSIGNED_PRODUCT)
LONG_MULTIPLY(umlal, UNSIGNED_PRODUCT + ACCUMULATOR)
LONG_MULTIPLY(smull, SIGNED_PRODUCT)
LONG_MULTIPLY(smlal, SIGNED_PRODUCT + ACCUMULATOR)
LANE_OPERATION(umaal, const uint64_t r = UNSIGNED_PRODUCT + d[k] + n[k]; PUT(h, (uint32_t)r);
               PUT(d, (uint32_t)(r >> 32));)

/* Half-word multiplications: shift and shift_amount are 0 for the upper half of m and s, 16 for the lower. */
#define HALF_M             ((int32_t)(m[k] << shift) >> 16)
#define HALF_S             ((int32_t)(s[k] << amount) >> 16)
#define HALF_PRODUCT       ((uint32_t)(HALF_M * HALF_S))
#define WORD_HALF_PRODUCT  ((uint32_t)((int64_t)(int32_t)m[k] * HALF_S >> 16))
#define SUM_OVERFLOW(a, b) ((((a) ^ ((a) + (b))) & ((b) ^ ((a) + (b)))) >> 31)
LANE_OPERATION(smulxy, PUT(d, HALF_PRODUCT);)
LANE_OPERATION(smulwy, PUT(d, WORD_HALF_PRODUCT);)
LANE_OPERATION(smlaxy, const uint32_t p = HALF_PRODUCT; const uint32_t a = n[k]; PUT(d, p + a);
               PUT(t->q, t->q[k] | SUM_OVERFLOW(p, a));)
LANE_OPERATION(smlawy, const uint32_t p = WORD_HALF_PRODUCT; const uint32_t a = n[k]; PUT(d, p + a);
               PUT(t->q, t->q[k] | SUM_OVERFLOW(p, a));)
LANE_OPERATION(smlalxy, const uint64_t r = ACCUMULATOR + (uint64_t)(int64_t)(HALF_M * HALF_S);
               PUT(h, (uint32_t)r); PUT(d, (uint32_t)(r >> 32));)

/* Most significant word: the immediate is 2^31 to round, 0 to truncate. */
LANE_OPERATION(smmul, PUT(d, (uint32_t)((SIGNED_PRODUCT + immediate) >> 32));)
LANE_OPERATION(smmla, PUT(d, (uint32_t)((((uint64_t)n[k] << 32) + SIGNED_PRODUCT + immediate) >> 32));)
LANE_OPERATION(smmls, PUT(d, (uint32_t)((((uint64_t)n[k] << 32) - SIGNED_PRODUCT + immediate) >> 32));)

/* Two half-word products; shift_amount is 16 to exchange the halves of s. */
#define LOW(value)   ((int32_t)(int16_t)(value))
#define HIGH(value)  ((int32_t)(value) >> 16)
#define EXCHANGED    (amount ? s[k] >> 16 | s[k] << 16 : s[k])
#define PRODUCT_LOW  ((int64_t)(LOW(m[k]) * LOW(EXCHANGED)))
#define PRODUCT_HIGH ((int64_t)(HIGH(m[k]) * HIGH(EXCHANGED)))
#define DUAL(name, value)                                                                                    \
    LANE_OPERATION(name, const int64_t r = (value); PUT(d, (uint32_t)r);                                     \
                   PUT(t->q, t->q[k] | (r != (int32_t)r));)
DUAL(smuad, PRODUCT_LOW + PRODUCT_HIGH)
DUAL(smusd, PRODUCT_LOW - PRODUCT_HIGH)
DUAL(smlad, PRODUCT_LOW + PRODUCT_HIGH + (int32_t)n[k])
DUAL(smlsd, PRODUCT_LOW - PRODUCT_HIGH + (int32_t)n[k])
LANE_OPERATION(smlald, const uint64_t r = ACCUMULATOR + (uint64_t)(PRODUCT_LOW + PRODUCT_HIGH);
               PUT(h, (uint32_t)r); PUT(d, (uint32_t)(r >> 32));)
LANE_OPERATION(smlsld, const uint64_t r = ACCUMULATOR + (uint64_t)(PRODUCT_LOW - PRODUCT_HIGH);
               PUT(h, (uint32_t)r); PUT(d, (uint32_t)(r >> 32));)

/* --- saturation --- */

static inline int64_t clamp(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}
static inline int64_t saturate_word(int64_t value) {
    return clamp(value, INT32_MIN, INT32_MAX);
}

#define SIGNED(row) ((int64_t)(int32_t)(row)[k])
#define DOUBLED     saturate_word(2 * SIGNED(n))
#define SATURATING(name, sum, also)                                                                          \
    LANE_OPERATION(name, const int64_t exact = (sum); const int64_t r = saturate_word(exact);                \
                   const uint32_t q = (r != exact) | (also); PUT(d, (uint32_t)r); PUT(t->q, t->q[k] | q);)
SATURATING(qadd, SIGNED(m) + SIGNED(n), 0)
SATURATING(qsub, SIGNED(m) - SIGNED(n), 0)
SATURATING(qdadd, SIGNED(m) + DOUBLED, DOUBLED != 2 * SIGNED(n))
SATURATING(qdsub, SIGNED(m) - DOUBLED, DOUBLED != 2 * SIGNED(n))

/* The immediate is the largest value; the least is its complement (signed) or 0. */
#define SATURATE_SHIFTED(name, least)                                                                        \
    ARM_OPERATION(name) {                                                                                    \
        BEGIN;                                                                                               \
        REGISTER_OPERAND;                                                                                    \
        uint32_t *d = ROW(i->rd);                                                                            \
        const int32_t most = (int32_t)i->immediate;                                                          \
        LANES(const int32_t in = (int32_t)m[k]; const int32_t high = in > most ? most : in;                  \
              const int32_t r = high < (least) ? (least) : high; PUT(d, (uint32_t)r);                        \
              PUT(t->q, t->q[k] | (r != in)););                                                              \
    }
SATURATE_SHIFTED(ssat, ~most)
SATURATE_SHIFTED(usat, 0)

#define SATURATE_HALVES(name, least)                                                                         \
    LANE_OPERATION(name, const int64_t most = (int32_t)immediate; const int64_t low = LOW(m[k]);             \
                   const int64_t high = HIGH(m[k]); const int64_t a = clamp(low, (least), most);             \
                   const int64_t b = clamp(high, (least), most);                                             \
                   PUT(d, ((uint32_t)a & 0xffff) | (uint32_t)b << 16);                                       \
                   PUT(t->q, t->q[k] | (a != low) | (b != high));)
SATURATE_HALVES(ssat16, ~most)
SATURATE_HALVES(usat16, 0)

/* --- extension, packing, bit fields --- */

#define ROTATED           rotate_right(m[k], amount)
#define BYTES_SIGNED(v)   (((uint32_t)(int8_t)(v)&0xffff) | (uint32_t)(int8_t)((v) >> 16) << 16)
#define BYTES_UNSIGNED(v) ((v)&0x00ff00ff)
#define ADD_HALVES(a, b)  ((((a) + (b)) & 0xffff) | (((a)&0xffff0000) + ((b)&0xffff0000)))
LANE_OPERATION(sxtb, PUT(d, (uint32_t)(int8_t)ROTATED);)
LANE_OPERATION(sxth, PUT(d, (uint32_t)(int16_t)ROTATED);)
LANE_OPERATION(sxtb16, const uint32_t r = ROTATED; PUT(d, BYTES_SIGNED(r));)
LANE_OPERATION(uxtb, PUT(d, (uint8_t)ROTATED);)
LANE_OPERATION(uxth, PUT(d, (uint16_t)ROTATED);)
LANE_OPERATION(uxtb16, PUT(d, BYTES_UNSIGNED(ROTATED));)
LANE_OPERATION(sxtab, PUT(d, n[k] + (uint32_t)(int8_t)ROTATED);)
LANE_OPERATION(sxtah, PUT(d, n[k] + (uint32_t)(int16_t)ROTATED);)
LANE_OPERATION(sxtab16, const uint32_t r = ROTATED; const uint32_t e = BYTES_SIGNED(r);
               PUT(d, ADD_HALVES(n[k], e));)
LANE_OPERATION(uxtab, PUT(d, n[k] + (uint8_t)ROTATED);)
LANE_OPERATION(uxtah, PUT(d, n[k] + (uint16_t)ROTATED);)
LANE_OPERATION(uxtab16, const uint32_t e = BYTES_UNSIGNED(ROTATED); PUT(d, ADD_HALVES(n[k], e));)

#define PACK(name, value)                                                                                    \
    ARM_OPERATION(name) {                                                                                    \
        BEGIN;                                                                                               \
        REGISTER_OPERAND;                                                                                    \
        uint32_t *d = ROW(i->rd);                                                                            \
        const uint32_t *n = ROW(i->rn);                                                                      \
        LANES(PUT(d, (value)););                                                                             \
    }
PACK(pkhbt, (n[k] & 0xffff) | (m[k] & 0xffff0000))
PACK(pkhtb, (n[k] & 0xffff0000) | (m[k] & 0xffff))

/* Fields: shift is the least significant bit, the immediate a mask of the field in its place (BFI, BFC). */
LANE_OPERATION(bfi, PUT(d, (d[k] & ~immediate) | (n[k] << shift & immediate));)
LANE_OPERATION(bfc, PUT(d, d[k] & ~immediate);)
/* Extraction: shift up to the top (shift), then down again (shift_amount). */
LANE_OPERATION(sbfx, PUT(d, (uint32_t)((int32_t)(n[k] << shift) >> amount));)
LANE_OPERATION(ubfx, PUT(d, n[k] << shift >> amount);)

static inline uint32_t reverse_bits(uint32_t v) {
    v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
    v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(v);
}

LANE_OPERATION(clz, PUT(d, m[k] ? (uint32_t)__builtin_clz(m[k]) : 32);)
LANE_OPERATION(rbit, PUT(d, reverse_bits(m[k]));)
LANE_OPERATION(rev, PUT(d, __builtin_bswap32(m[k]));)
LANE_OPERATION(rev16, PUT(d, (m[k] >> 8 & 0x00ff00ff) | (m[k] & 0x00ff00ff) << 8);)
LANE_OPERATION(revsh, PUT(d, (uint32_t)(int16_t)(m[k] << 8 | (m[k] >> 8 & 0xff)));)

/* Quotients of 32-bit integers are exact in double precision once truncated. */
LANE_OPERATION(udiv, const uint32_t by = s[k]; const double quotient = (double)m[k] / (by ? by : 1);
               PUT(d, by ? (uint32_t)(int64_t)quotient : 0);)
LANE_OPERATION(sdiv, const int32_t by = (int32_t)s[k];
               const double quotient = (double)(int32_t)m[k] / (by ? by : 1);
               PUT(d, by ? (uint32_t)(int64_t)quotient : 0);)

/* --- parallel additions and subtractions --- */

static inline int32_t signed_half(uint32_t v, unsigned at) {
    return (int16_t)(v >> at);
}
static inline int32_t unsigned_half(uint32_t v, unsigned at) {
    return (uint16_t)(v >> at);
}
static inline int32_t signed_byte(uint32_t v, unsigned at) {
    return (int8_t)(v >> at);
}
static inline int32_t unsigned_byte(uint32_t v, unsigned at) {
    return (uint8_t)(v >> at);
}

/* Results low and high (halves) or r0–r3 (bytes), each an int32_t; GE from signs (signed) or carries
 * (unsigned). */
#define HALVES(f, low, high) ((uint32_t)(f(low) & 0xffff) | (uint32_t)f(high) << 16)
#define FOUR(f, r0, r1, r2, r3)                                                                              \
    ((uint32_t)(f(r0) & 0xff) | (uint32_t)(f(r1) & 0xff) << 8 | (uint32_t)(f(r2) & 0xff) << 16 |             \
     (uint32_t)f(r3) << 24)
#define SAME(v)           (v)
#define HALVED(v)         ((v) >> 1)
#define S16(v)            (int32_t) clamp(v, -0x8000, 0x7fff)
#define U16(v)            (int32_t) clamp(v, 0, 0xffff)
#define S8(v)             (int32_t) clamp(v, -0x80, 0x7f)
#define U8(v)             (int32_t) clamp(v, 0, 0xff)
#define GE_SIGNED(v, sum) ((v) >= 0)
#define GE_16(v, sum)     ((sum) ? (v) >= 0x10000 : (v) >= 0)
#define GE_8(v, sum)      ((sum) ? (v) >= 0x100 : (v) >= 0)

#define PARALLEL_HALVES(name, half, low, high, f)                                                            \
    LANE_OPERATION(name, const int32_t n0 = half(n[k], 0); const int32_t n1 = half(n[k], 16);                \
                   const int32_t m0 = half(m[k], 0); const int32_t m1 = half(m[k], 16);                      \
                   const int32_t l = (low); const int32_t u = (high); PUT(d, HALVES(f, l, u));)
#define PARALLEL_HALVES_GE(name, half, low, high, at_least, low_is_sum, high_is_sum)                         \
    LANE_OPERATION(name, const int32_t n0 = half(n[k], 0); const int32_t n1 = half(n[k], 16);                \
                   const int32_t m0 = half(m[k], 0); const int32_t m1 = half(m[k], 16);                      \
                   const int32_t l = (low); const int32_t u = (high); PUT(d, HALVES(SAME, l, u));            \
                   PUT(t->ge, (at_least(l, low_is_sum) ? 3u : 0) | (at_least(u, high_is_sum) ? 12u : 0));)
#define BYTE_RESULTS(byte, sign)                                                                             \
    const int32_t r0 = byte(n[k], 0) sign byte(m[k], 0);                                                     \
    const int32_t r1 = byte(n[k], 8) sign byte(m[k], 8);                                                     \
    const int32_t r2 = byte(n[k], 16) sign byte(m[k], 16);                                                   \
    const int32_t r3 = byte(n[k], 24) sign byte(m[k], 24)
#define PARALLEL_BYTES(name, byte, sign, f)                                                                  \
    LANE_OPERATION(name, BYTE_RESULTS(byte, sign); PUT(d, FOUR(f, r0, r1, r2, r3));)
#define PARALLEL_BYTES_GE(name, byte, sign, at_least, is_sum)                                                \
    LANE_OPERATION(name, BYTE_RESULTS(byte, sign); PUT(d, FOUR(SAME, r0, r1, r2, r3));                       \
                   PUT(t->ge, (at_least(r0, is_sum) ? 1u : 0) | (at_least(r1, is_sum) ? 2u : 0) |            \
                                  (at_least(r2, is_sum) ? 4u : 0) | (at_least(r3, is_sum) ? 8u : 0));)

#define PARALLEL_GE(prefix, half, byte, ge16, ge8)                                                           \
    PARALLEL_HALVES_GE(prefix##add16, half, n0 + m0, n1 + m1, ge16, true, true)                              \
    PARALLEL_HALVES_GE(prefix##asx, half, n0 - m1, n1 + m0, ge16, false, true)                               \
    PARALLEL_HALVES_GE(prefix##sax, half, n0 + m1, n1 - m0, ge16, true, false)                               \
    PARALLEL_HALVES_GE(prefix##sub16, half, n0 - m0, n1 - m1, ge16, false, false)                            \
    PARALLEL_BYTES_GE(prefix##add8, byte, +, ge8, true)                                                      \
    PARALLEL_BYTES_GE(prefix##sub8, byte, -, ge8, false)
#define PARALLEL(prefix, half, byte, f16, f8)                                                                \
    PARALLEL_HALVES(prefix##add16, half, n0 + m0, n1 + m1, f16)                                              \
    PARALLEL_HALVES(prefix##asx, half, n0 - m1, n1 + m0, f16)                                                \
    PARALLEL_HALVES(prefix##sax, half, n0 + m1, n1 - m0, f16)                                                \
    PARALLEL_HALVES(prefix##sub16, half, n0 - m0, n1 - m1, f16)                                              \
    PARALLEL_BYTES(prefix##add8, byte, +, f8)                                                                \
    PARALLEL_BYTES(prefix##sub8, byte, -, f8)
PARALLEL_GE(s, signed_half, signed_byte, GE_SIGNED, GE_SIGNED)
PARALLEL_GE(u, unsigned_half, unsigned_byte, GE_16, GE_8)
PARALLEL(q, signed_half, signed_byte, S16, S8)
PARALLEL(uq, unsigned_half, unsigned_byte, U16, U8)
PARALLEL(sh, signed_half, signed_byte, HALVED, HALVED)
PARALLEL(uh, unsigned_half, unsigned_byte, HALVED, HALVED)

static inline uint32_t select_bytes(uint32_t ge) {
    return (ge & 1 ? 0xffu : 0) | (ge & 2 ? 0xff00u : 0) | (ge & 4 ? 0xff0000u : 0) |
           (ge & 8 ? 0xff000000u : 0);
}
static inline uint32_t absolute_difference(uint32_t a, uint32_t b, unsigned at) {
    int32_t difference = unsigned_byte(a, at) - unsigned_byte(b, at);
    return (uint32_t)(difference < 0 ? -difference : difference);
}
#define SUM_OF_DIFFERENCES                                                                                   \
    (absolute_difference(m[k], s[k], 0) + absolute_difference(m[k], s[k], 8) +                               \
     absolute_difference(m[k], s[k], 16) + absolute_difference(m[k], s[k], 24))
LANE_OPERATION(sel, const uint32_t choose = select_bytes(t->ge[k]);
               PUT(d, (n[k] & choose) | (m[k] & ~choose));)
LANE_OPERATION(usad8, PUT(d, SUM_OF_DIFFERENCES);)
LANE_OPERATION(usada8, PUT(d, n[k] + SUM_OF_DIFFERENCES);)

/* --- branches and the PC --- */

ARM_OPERATION(b) {
    BEGIN;
    const uint32_t target = i->pc + 8 + i->immediate;
    LANES(PUT(t->next_pc, target););
}

ARM_OPERATION(bl) {
    BEGIN;
    const uint32_t target = i->pc + 8 + i->immediate, back = i->pc + 4;
    uint32_t *link = ROW(14);
    LANES(PUT(t->next_pc, target); PUT(link, back););
}

/* Returns whether all targets are ARM instructions: one with a low bit set is in Thumb state, or
 * misaligned. */
static inline bool targets_are_arm(const uint32_t *target, uint64_t mask, struct arm_execution *x) {
    PASSED_LANES(if (target[k] & 3) {
        fault(x, ARM_FAULT_TARGET, k, target[k]);
        return false;
    });
    return true;
}

ARM_OPERATION(bx) {
    BEGIN;
    const uint32_t *m = ROW(i->rm);
    if (!targets_are_arm(m, mask, x)) return;
    LANES(PUT(t->next_pc, m[k]););
}

ARM_OPERATION(blx) {
    BEGIN;
    const uint32_t *m = ROW(i->rm), back = i->pc + 4;
    uint32_t *link = ROW(14);
    if (!targets_are_arm(m, mask, x)) return;
    LANES(const uint32_t target = m[k]; PUT(t->next_pc, target); PUT(link, back););
}

/* Executes an instruction that names the PC in its ordinary form, with row 15 as the PC. */
ARM_OPERATION(with_pc) {
    uint32_t *pc = ROW(15);
    ALL_LANES(pc[k] = i->pc + 8;);
#ifdef ARM_THREAD
    i->body_thread(i, t, mask, x);
#else
    i->body_warp(i, t, mask, x);
#endif
    mask = x->passed;
    if (!i->writes_pc || !mask || x->fault != ARM_FAULT_NONE || !targets_are_arm(pc, mask, x)) return;
    LANES(PUT(t->next_pc, pc[k]););
}

/* --- status, hints, co-processor --- */

#define USER_MODE 0x10u /* CPSR's mode bits */

static inline uint32_t flags_of(const struct arm_threads *t, unsigned k) {
    return (t->n[k] & 0x80000000u) | (t->z[k] ? 0 : 1u << 30) | (t->c[k] & 1u << 29) | (t->v[k] >> 31) << 28;
}

ARM_OPERATION(mrs) {
    BEGIN;
    uint32_t *d = ROW(i->rd);
    LANES(PUT(d, flags_of(t, k) | t->q[k] << 27 | t->ge[k] << 16 | USER_MODE););
}

#define PUT_NZCV(value)                                                                                      \
    PUT(t->n, (value));                                                                                      \
    PUT(t->z, ~(value)&1u << 30);                                                                            \
    PUT(t->c, 0u - ((value) >> 29 & 1));                                                                     \
    PUT(t->v, (value) << 3)

/* Writes the fields in opc1: bit 1: NZCVQ, bit 0: GE. */
static inline void write_status(const struct arm_instruction *i, struct arm_threads *t, uint64_t mask,
                                const uint32_t *status) {
    if (i->opc1 & 2) LANES(const uint32_t s = status[k]; PUT_NZCV(s); PUT(t->q, s >> 27 & 1););
    if (i->opc1 & 1) LANES(PUT(t->ge, status[k] >> 16 & 15););
}

ARM_OPERATION(msr_register) {
    BEGIN;
    write_status(i, t, mask, ROW(i->rm));
}

ARM_OPERATION(msr_immediate) {
    BEGIN;
    uint32_t status[LANE_ROW];
    ALL_LANES(status[k] = i->immediate;);
    write_status(i, t, mask, status);
}

ARM_OPERATION(hint) {
    (void)t;
    BEGIN;
}

ARM_OPERATION(coprocessor) {
    (void)t;
    BEGIN;
}

ARM_OPERATION(clrex) {
    BEGIN;
    if (t->monitor) PASSED_LANES(exclusive_monitor_clear(t->monitor, t->first_thread + k););
}

ARM_OPERATION(svc) {
    BEGIN;
    fault(x, ARM_FAULT_SUPERVISOR_CALL, (unsigned)__builtin_ctzll(mask), i->pc);
}

ARM_OPERATION(undefined) {
    BEGIN;
    fault(x, ARM_FAULT_UNDEFINED, (unsigned)__builtin_ctzll(mask), i->pc);
}

#endif
