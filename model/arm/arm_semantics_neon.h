/*
 * arm_semantics_neon: Advanced SIMD on the rows of a warp or a thread (arm_lanes.h has the macros).
 * arm_neon_values.c computes the values. Included by arm_warp.c and arm_thread.c only.
 *
 * The elements of a register belong to one thread, so threads execute one after the other.
 */
#ifndef MODEL_ARM_ARM_SEMANTICS_NEON_H
#define MODEL_ARM_ARM_SEMANTICS_NEON_H

#include "model/arm/arm_lanes.h"
#include "model/arm/arm_neon_values.h"
#include "model/arm/arm_semantics_memory.h"
#include "model/arm/arm_semantics_vfp.h"

static inline void neon_read(const struct arm_threads *t, unsigned row, unsigned words, unsigned k,
                             union neon_value *v) {
    const uint32_t *from = ROW(row) + k;
    for (unsigned w = 0; w < words; w++, from += COUNT(t)) v->u32[w] = *from;
}
static inline void neon_write(const struct arm_threads *t, unsigned row, unsigned words, unsigned k,
                              const union neon_value *v) {
    uint32_t *to = ROW(row) + k;
    for (unsigned w = 0; w < words; w++, to += COUNT(t)) *to = v->u32[w];
}

/* Copies element `index` of the first word into all elements. `element`: log2 of its bytes. */
static inline void neon_spread(union neon_value *v, unsigned element, unsigned index) {
    const uint32_t word = element == 0   ? v->u8[index] * 0x01010101u
                          : element == 1 ? v->u16[index] * 0x10001u
                                         : v->u32[0];
    for (unsigned w = 0; w < 4; w++) v->u32[w] = word;
}

/* Executes the instruction for the thread at position k. */
static inline void neon_execute(const struct arm_instruction *i, const struct arm_threads *t, unsigned k,
                                arm_neon_function *function) {
    uint32_t *const fpscr = &t->fpscr[k], unkept = 0;
    struct neon_operands o = {.i = i,
                              .fpscr = fpscr,
                              .flags = KEEPS_FLAGS(t) ? fpscr : &unkept,
                              .judged = !KEEPS_FLAGS(t) || *fpscr & ARM_FPSCR_IXC};
    neon_read(t, i->rd, i->words_d, k, &o.d);
    neon_read(t, i->rn, i->words_n, k, &o.n);
    neon_read(t, i->rm, i->words_m, k, &o.m);
    if (i->is_scalar) neon_spread(&o.m, i->element, i->immediate);
    function(&o);
    neon_write(t, i->rd, i->words_d, k, &o.r);
    if (i->has_two_results) neon_write(t, i->rm, i->words_m, k, &o.m);
}

ARM_OPERATION(neon) {
    BEGIN;
    arm_neon_function *const function = arm_neon_value[i->row->operation];
    PASSED_LANES(neon_execute(i, t, k, function));
}

/* --- loads and stores --- */

/* Moves elements between the registers and the words of a structure in memory, place by place: element e of
 * the same place of each register of the structure. */
#define STRUCTURES(...)                                                                                      \
    unsigned place = 0;                                                                                      \
    for (unsigned g = 0; g < i->groups; g++)                                                                 \
        for (unsigned e = 0; e < 8u >> i->element; e++)                                                      \
            for (unsigned s = 0; s < i->structure; s++, place++) {                                           \
                union neon_value *const of = &values[s];                                                     \
                const unsigned index = e + (g * 8u >> i->element);                                           \
                __VA_ARGS__;                                                                                 \
            }
#define NEON_ROW_OF(s) (i->rd + (s)*i->spacing * 2u)

ARM_OPERATION(neon_vld) {
    BEGIN;
    uint32_t updated[LANE_ROW];
    struct access at;
    addresses(i, t, x, updated);
    if (!access_check(i, t, mask, x, i->access_bytes, i->align_bits, &at)) return;
    if (i->structure == 1) {
        for (unsigned w = 0; w < i->groups * 2u; w++) {
            uint32_t *const d = ROW(i->rd + w);
            LOAD_TRANSFER(i->access_bytes, d[k] = WORD(p, w););
        }
    } else {
        TRANSFER(union neon_value data = {0}; union neon_value values[4] = {0};
                 for (unsigned w = 0; w < i->access_bytes / 4u; w++) data.u32[w] = WORD(p, w);
                 STRUCTURES(neon_element(of, index, &data, place, i->element));
                 for (unsigned s = 0; s < i->structure; s++)
                     neon_write(t, NEON_ROW_OF(s), i->groups * 2u, k, &values[s]););
    }
    write_back(i, t, mask, updated);
}

ARM_OPERATION(neon_vst) {
    BEGIN;
    uint32_t updated[LANE_ROW];
    struct access at;
    addresses(i, t, x, updated);
    if (!access_check(i, t, mask, x, i->access_bytes, i->align_bits, &at) || must_wait(t, x, i->access_bytes))
        return;
    TRANSFER(union neon_value data = {0}; union neon_value values[4] = {0};
             for (unsigned s = 0; s < i->structure; s++)
                 neon_read(t, NEON_ROW_OF(s), i->groups * 2u, k, &values[s]);
             STRUCTURES(neon_element(&data, place, of, index, i->element));
             for (unsigned w = 0; w < i->access_bytes / 4u; w++) WORD(p, w) = data.u32[w];);
    stored(i, &at, t, mask, x, i->access_bytes);
    write_back(i, t, mask, updated);
}

INLINE uint32_t neon_datum(const uint8_t *p, unsigned element) {
    return element == 0 ? *p : element == 1 ? *(const memory_half *)p : *(const memory_word *)p;
}

/* One element; shift_amount is its index in its word. */
ARM_OPERATION(neon_vld_lane) {
    BEGIN;
    uint32_t updated[LANE_ROW];
    struct access at;
    addresses(i, t, x, updated);
    if (!access_check(i, t, mask, x, i->access_bytes, i->align_bits, &at)) return;
    uint32_t *const d = ROW(i->rd);
    const unsigned bits = 8u * i->access_bytes, low = i->shift_amount * bits;
    const uint32_t element = (bits == 32 ? ~0u : (1u << bits) - 1) << low;
    TRANSFER(d[k] = (d[k] & ~element) | neon_datum(p, i->element) << low;);
    write_back(i, t, mask, updated);
}

ARM_OPERATION(neon_vst_lane) {
    BEGIN;
    uint32_t updated[LANE_ROW];
    struct access at;
    addresses(i, t, x, updated);
    if (!access_check(i, t, mask, x, i->access_bytes, i->align_bits, &at) || must_wait(t, x, i->access_bytes))
        return;
    const uint32_t *const d = ROW(i->rd);
    const unsigned low = i->shift_amount * 8u * i->access_bytes;
    TRANSFER(const uint32_t datum = d[k] >> low; if (i->element == 0) *p = (uint8_t)datum;
             else if (i->element == 1) HALF(p) = (uint16_t)datum; else WORD(p, 0) = datum;);
    stored(i, &at, t, mask, x, i->access_bytes);
    write_back(i, t, mask, updated);
}

ARM_OPERATION(neon_vld_all) {
    BEGIN;
    uint32_t updated[LANE_ROW];
    struct access at;
    addresses(i, t, x, updated);
    if (!access_check(i, t, mask, x, i->access_bytes, i->align_bits, &at)) return;
    const uint32_t times = i->element == 0 ? 0x01010101u : i->element == 1 ? 0x10001u : 1;
    for (unsigned w = 0; w < i->groups * 2u; w++) {
        uint32_t *const d = ROW(i->rd + w);
        TRANSFER(d[k] = neon_datum(p, i->element) * times;);
    }
    write_back(i, t, mask, updated);
}

#endif
