/*
 * arm_lanes: the macros in which arm_semantics*.h is written. The meaning of an instruction is a body for one
 * lane k, on rows of registers. LANES turns it into a loop over the warp, once for a full mask and once
 * blending under a mask. If ARM_THREAD is defined, LANES turns it into straight code for a single thread.
 *
 * Within LANES, PUT(row, value) writes lane k of a row; all reads of a row must come before the first PUT,
 * since rows may be the same row. Bodies must be safe in masked-out lanes: they are computed there, too, and
 * the results dropped.
 */
#ifndef MODEL_ARM_ARM_LANES_H
#define MODEL_ARM_ARM_LANES_H

#include "model/arm/arm_table.h"

#include <string.h>

#define ARM_OPERATION(name)                                                                                  \
    static void op_##name(struct arm_instruction *i, struct arm_threads *t, uint64_t mask,                   \
                          struct arm_execution *x)

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define INLINE              static inline __attribute__((always_inline))

#ifdef ARM_THREAD

#define COUNT(t) 1u
#define LANE_ROW 1
#define LANES(...)                                                                                           \
    do {                                                                                                     \
        const unsigned k = 0;                                                                                \
        (void)k, (void)mask;                                                                                 \
        __VA_ARGS__;                                                                                         \
    } while (0)
#define ALL_LANES(...)                                                                                       \
    do {                                                                                                     \
        const unsigned k = 0;                                                                                \
        __VA_ARGS__;                                                                                         \
    } while (0)
#define PASSED_LANES(...) LANES(__VA_ARGS__)
#define PUT(row, value)   ((row)[0] = (value))

#else

#define COUNT(t) lane_count((t)->positions)
#define EACH_OF(count, ...)                                                                                  \
    {                                                                                                        \
        _Pragma("GCC ivdep") for (unsigned k = 0; k < (count); k++) {                                        \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
    }
/* The usual warp size has its own loops, so that the compiler knows their length. */
#define EACH_LANE(lanes, ...)                                                                                \
    if (__builtin_expect((lanes) == 32, 1))                                                                  \
        EACH_OF(32, __VA_ARGS__)                                                                             \
    else                                                                                                     \
        EACH_OF(lanes, __VA_ARGS__)
/* Source of a loop's mask: none, bits of a word, or a row. */
enum { BLEND_NOT, BLEND_BITS, BLEND_ROW };
#define LANE_ROW ARM_MAX_POSITIONS
#define LANES(...)                                                                                           \
    do {                                                                                                     \
        const unsigned lanes = COUNT(t);                                                                     \
        const uint32_t low_mask = (uint32_t)mask;                                                            \
        (void)low_mask;                                                                                      \
        if (mask == full_mask(lanes)) {                                                                      \
            enum { BLEND = BLEND_NOT };                                                                      \
            const uint32_t *const lane_mask = t->registers; /* not read */                                   \
            (void)lane_mask;                                                                                 \
            EACH_LANE(lanes, __VA_ARGS__)                                                                    \
        } else if (__builtin_expect(lanes == 32, 1)) {                                                       \
            enum { BLEND = BLEND_BITS };                                                                     \
            const uint32_t *const lane_mask = t->registers; /* not read */                                   \
            (void)lane_mask;                                                                                 \
            EACH_OF(32, __VA_ARGS__)                                                                         \
        } else {                                                                                             \
            enum { BLEND = BLEND_ROW };                                                                      \
            uint32_t lane_mask[LANE_ROW];                                                                    \
            spread_mask(mask, lanes, lane_mask);                                                             \
            EACH_OF(lanes, __VA_ARGS__)                                                                      \
        }                                                                                                    \
    } while (0)
/* Executes the body for every lane, regardless of the mask, on temporary rows. */
#define ALL_LANES(...)                                                                                       \
    do {                                                                                                     \
        const unsigned lanes = COUNT(t);                                                                     \
        EACH_LANE(lanes, __VA_ARGS__)                                                                        \
    } while (0)
/* Executes the body for one lane after the other, only for those of the mask, lowest first; for bodies that
 * are not vector loops. */
#define PASSED_LANES(...)                                                                                    \
    do {                                                                                                     \
        for (uint64_t left = mask; left; left &= left - 1) {                                                 \
            const unsigned k = (unsigned)__builtin_ctzll(left);                                              \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
    } while (0)
#define LANE_MASK ((int)BLEND == (int)BLEND_BITS ? 0u - (low_mask >> (k & 31) & 1) : lane_mask[k])
#define PUT(row, value)                                                                                      \
    do {                                                                                                     \
        uint32_t put_ = (value);                                                                             \
        (row)[k] = BLEND ? (row)[k] ^ (((row)[k] ^ put_) & LANE_MASK) : put_;                                \
    } while (0)

static inline unsigned lane_count(uint32_t positions) {
    if (positions % 4 != 0 || positions == 0 || positions > ARM_MAX_POSITIONS) __builtin_unreachable();
    return positions;
}

static inline uint64_t full_mask(unsigned lanes) {
    return ~UINT64_C(0) >> (64 - lanes);
}

static inline void spread_mask(uint64_t mask, unsigned lanes, uint32_t *row) {
    for (unsigned base = 0; base < lanes; base += 32) {
        uint32_t half = (uint32_t)(mask >> base);
        unsigned end = lanes - base < 32 ? lanes - base : 32;
        for (unsigned k = 0; k < end; k++) row[base + k] = 0u - (half >> k & 1);
    }
}

#endif

#define ROW(d) (t->registers + (size_t)(d)*COUNT(t))

/* Sets the bits of the lanes in which the expression holds. */
#ifdef ARM_THREAD
#define TRUE_LANES(bits, expression)                                                                         \
    do {                                                                                                     \
        const unsigned k = 0;                                                                                \
        (bits) = (expression) ? 1 : 0;                                                                       \
    } while (0)
#else
#define TRUE_OF(bits, first, count, expression)                                                              \
    do {                                                                                                     \
        uint32_t word_ = 0;                                                                                  \
        for (unsigned l_ = 0; l_ < (count); l_++) {                                                          \
            const unsigned k = (first) + l_;                                                                 \
            word_ |= (expression) ? 1u << l_ : 0;                                                            \
        }                                                                                                    \
        (bits) |= (uint64_t)word_ << (first);                                                                \
    } while (0)
#define TRUE_LANES(bits, expression)                                                                         \
    do {                                                                                                     \
        const unsigned lanes_ = COUNT(t);                                                                    \
        if (__builtin_expect(lanes_ == 32, 1))                                                               \
            TRUE_OF(bits, 0, 32, expression);                                                                \
        else                                                                                                 \
            for (unsigned base_ = 0; base_ < lanes_; base_ += 32)                                            \
                TRUE_OF(bits, base_, lanes_ - base_ < 32 ? lanes_ - base_ : 32, expression);                 \
    } while (0)
#endif

/* Returns the threads of the mask whose condition holds. */
static inline uint64_t passed_threads(const struct arm_instruction *i, const struct arm_threads *t,
                                      uint64_t mask) {
    const uint32_t *n = t->n, *z = t->z, *c = t->c, *v = t->v;
    uint64_t bits = 0;
    switch (i->condition >> 1) {
    case 0: TRUE_LANES(bits, z[k] == 0); break;
    case 1: TRUE_LANES(bits, c[k] != 0); break;
    case 2: TRUE_LANES(bits, (int32_t)n[k] < 0); break;
    case 3: TRUE_LANES(bits, (int32_t)v[k] < 0); break;
    case 4: TRUE_LANES(bits, (c[k] & (z[k] != 0 ? ~0u : 0)) != 0); break;
    case 5: TRUE_LANES(bits, (int32_t)(n[k] ^ v[k]) >= 0); break;
    default: TRUE_LANES(bits, ((n[k] ^ v[k]) >> 31 | (z[k] == 0)) == 0); break;
    }
    return (i->condition & 1 ? ~bits : bits) & mask;
}

/* First statement of every operation: reduces the mask to the threads that passed, and returns if there are
 * none. */
#define BEGIN                                                                                                \
    do {                                                                                                     \
        if (i->condition != 14) mask = passed_threads(i, t, mask);                                           \
        x->passed = mask;                                                                                    \
        x->stored = 0;                                                                                       \
        x->fault = ARM_FAULT_NONE;                                                                           \
        if (!mask) return;                                                                                   \
    } while (0)

static inline void fault(struct arm_execution *x, enum arm_fault kind, unsigned position, uint32_t address) {
    x->fault = kind;
    x->fault_position = position;
    x->fault_address = address;
}

static inline uint32_t rotate_right(uint32_t value, unsigned amount) {
    return value >> (amount & 31) | value << (-amount & 31);
}

/* Computes the shifted register operand of every lane; unless carry is NULL, also the carry out of the
 * shifter as a row of 0 and ~0. */
INLINE void shift_lanes(const struct arm_instruction *i, const struct arm_threads *t, uint32_t *out,
                        uint32_t *carry) {
    const uint32_t *m = ROW(i->rm), *s = ROW(i->rs), *c = t->c;
    const unsigned a = i->shift_amount;
#define SHIFTED(value, carry_bit)                                                                            \
    ALL_LANES(const uint32_t in = m[k]; out[k] = (value); if (carry) carry[k] = 0u - (carry_bit);)
#define SHIFTED_BY_ROW(value, carry_bit)                                                                     \
    ALL_LANES(const uint32_t in = m[k]; const uint32_t by = s[k] & 255; const uint32_t by5 = by & 31;        \
              (void)by5; out[k] = (value); if (carry) carry[k] = by == 0 ? c[k] : 0u - (carry_bit);)
    switch (i->shift) {
    case ARM_SHIFT_LSL: SHIFTED(in << a, (in >> (32 - a) & 1)); break;
    case ARM_SHIFT_LSR: SHIFTED(in >> (a - 1) >> 1, (in >> (a - 1) & 1)); break;
    case ARM_SHIFT_ASR: SHIFTED((uint32_t)((int32_t)in >> (a - 1) >> 1), (in >> (a - 1) & 1)); break;
    case ARM_SHIFT_ROR: SHIFTED(in >> a | in << (32 - a), (in >> (a - 1) & 1)); break;
    case ARM_SHIFT_RRX: SHIFTED(in >> 1 | (c[k] & 0x80000000u), (in & 1)); break;
    case ARM_SHIFT_LSL_REGISTER:
        SHIFTED_BY_ROW(by < 32 ? in << by5 : 0, (by <= 32 ? in >> (-by & 31) & 1 : 0));
        break;
    case ARM_SHIFT_LSR_REGISTER:
        SHIFTED_BY_ROW(by < 32 ? in >> by5 : 0, (by <= 32 ? in >> ((by - 1) & 31) & 1 : 0));
        break;
    case ARM_SHIFT_ASR_REGISTER:
        SHIFTED_BY_ROW((uint32_t)((int32_t)in >> (by < 32 ? by : 31)),
                       (in >> (by <= 32 ? (by - 1) & 31 : 31) & 1));
        break;
    case ARM_SHIFT_ROR_REGISTER:
        SHIFTED_BY_ROW(in >> by5 | in << (-by5 & 31), (in >> ((by - 1) & 31) & 1));
        break;
    default: ALL_LANES(out[k] = m[k]; if (carry) carry[k] = c[k];); break;
    }
#undef SHIFTED
#undef SHIFTED_BY_ROW
}
static void shift_rows(const struct arm_instruction *i, const struct arm_threads *t, uint32_t *out) {
    shift_lanes(i, t, out, NULL);
}
static void shift_rows_with_carry(const struct arm_instruction *i, const struct arm_threads *t, uint32_t *out,
                                  uint32_t *carry) {
    shift_lanes(i, t, out, carry);
}

#endif
