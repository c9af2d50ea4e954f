/*
 * thread_vector: PCs of several threads at once, for what is done to a whole row in one cycle. Not a function
 * takes or returns one: how wide vectors are passed differs between processors.
 */
#ifndef MODEL_CONTROL_THREAD_VECTOR_H
#define MODEL_CONTROL_THREAD_VECTOR_H

#include <stdint.h>
#include <string.h>

#ifdef __AVX512F__
#define THREAD_VECTOR 16 /* divides TDT_MAX_WARP_SIZE */
#else
#define THREAD_VECTOR 8
#endif
typedef uint32_t thread_vector __attribute__((vector_size(4 * THREAD_VECTOR)));

/* Element k is bit k. */
static const thread_vector thread_vector_bits = {
    1u << 0, 1u << 1, 1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
#if THREAD_VECTOR == 16
    1u << 8, 1u << 9, 1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
#endif
};

/* The lowest bit of each byte, side by side. */
static inline uint32_t thread_vector_pack(uint64_t bytes) {
    return (uint32_t)((bytes & 0x0101010101010101) * 0x0102040810204080 >> 56);
}

/* Bit k: word k is `value`. */
static inline uint32_t thread_vector_equal(const uint32_t *words, uint32_t value) {
    typedef uint8_t byte_vector __attribute__((vector_size(THREAD_VECTOR)));
    thread_vector v;
    uint64_t bytes[THREAD_VECTOR / 8];
    uint32_t equal = 0;
    memcpy(&v, words, sizeof v);
    const byte_vector as_bytes = __builtin_convertvector(v == value, byte_vector);
    memcpy(bytes, &as_bytes, sizeof bytes);
    for (unsigned n = 0; n < THREAD_VECTOR / 8; ++n) equal |= thread_vector_pack(bytes[n]) << 8 * n;
    return equal;
}

/* Word k: of `a` if bit k of mask_a, else `b` if bit k of mask_b, else of `rest`. */
static inline void thread_vector_choose(uint32_t *words, uint32_t mask_a, const uint32_t *a, uint32_t mask_b,
                                        uint32_t b, const uint32_t *rest) {
    const thread_vector in_a = (thread_vector)((thread_vector_bits & mask_a) != 0);
    const thread_vector in_b = (thread_vector)((thread_vector_bits & mask_b) != 0);
    thread_vector of_a, others;
    memcpy(&of_a, a, sizeof of_a);
    memcpy(&others, rest, sizeof others);
    of_a = (of_a & in_a) | (((in_b & b) | (others & ~in_b)) & ~in_a);
    memcpy(words, &of_a, sizeof of_a);
}

#endif
