/*
 * thread_vector: PCs of several threads at once, for operations on a whole row in one cycle. No function
 * takes or returns a vector: the calling convention of wide vectors differs between processors.
 */
#ifndef MODEL_CONTROL_THREAD_VECTOR_H
#define MODEL_CONTROL_THREAD_VECTOR_H

#ifdef __AVX2__
#include <immintrin.h>
#endif
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __AVX512F__
#define THREAD_VECTOR 16 /* divides TDT_MAX_WARP_SIZE */
#else
#define THREAD_VECTOR 8
#endif
typedef uint32_t thread_vector __attribute__((vector_size(4 * THREAD_VECTOR)));

#ifndef __AVX512F__ /* AVX-512 has masks */
/* Bit k of element k. */
static const thread_vector thread_vector_bits = {1u << 0, 1u << 1, 1u << 2, 1u << 3,
                                                 1u << 4, 1u << 5, 1u << 6, 1u << 7};
#endif

#ifdef __AVX512F__
/* Returns the mask of a vector comparison as a number, with zeros above its 16 bits. With -O1
 * -fsanitize=address GCC 12 stores a mask on the stack in 16 bits and loads it back in 64. A mask in a
 * general register is extended correctly. */
static inline uint32_t thread_vector_mask(uint16_t mask) {
    __asm__("" : "+r"(mask));
    return mask;
}
#endif

/* Packs the lowest bit of each byte. */
static inline uint32_t thread_vector_pack(uint64_t bytes) {
    return (uint32_t)((bytes & 0x0101010101010101) * 0x0102040810204080 >> 56);
}

/* Returns a mask; bit k: word k is `value`. */
static inline uint32_t thread_vector_equal(const uint32_t *words, uint32_t value) {
#if defined __AVX512F__
    return thread_vector_mask(
        _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(words), _mm512_set1_epi32((int)value)));
#elif defined __AVX2__
    const __m256i same = _mm256_cmpeq_epi32(_mm256_loadu_si256((const __m256i *)(const void *)words),
                                            _mm256_set1_epi32((int)value));
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(same));
#else
    typedef uint8_t byte_vector __attribute__((vector_size(THREAD_VECTOR)));
    thread_vector v;
    uint64_t bytes[THREAD_VECTOR / 8];
    uint32_t equal = 0;
    memcpy(&v, words, sizeof v);
    const byte_vector as_bytes = __builtin_convertvector(v == value, byte_vector);
    memcpy(bytes, &as_bytes, sizeof bytes);
    for (unsigned n = 0; n < THREAD_VECTOR / 8; ++n) equal |= thread_vector_pack(bytes[n]) << 8 * n;
    return equal;
#endif
}

/* Sets word k to a[k] if bit k of mask_a is set, else to `b` if bit k of mask_b is set, else to rest[k]. */
static inline void thread_vector_choose(uint32_t *words, uint32_t mask_a, const uint32_t *a, uint32_t mask_b,
                                        uint32_t b, const uint32_t *rest) {
#ifdef __AVX512F__
    __m512i chosen = _mm512_loadu_si512(rest);
    chosen = _mm512_mask_mov_epi32(chosen, (__mmask16)mask_b, _mm512_set1_epi32((int)b));
    chosen = _mm512_mask_mov_epi32(chosen, (__mmask16)mask_a, _mm512_loadu_si512(a));
    _mm512_storeu_si512(words, chosen);
#else
    const thread_vector in_a = (thread_vector)((thread_vector_bits & mask_a) != 0);
    const thread_vector in_b = (thread_vector)((thread_vector_bits & mask_b) != 0);
    thread_vector of_a, others;
    memcpy(&of_a, a, sizeof of_a);
    memcpy(&others, rest, sizeof others);
    of_a = (of_a & in_a) | (((in_b & b) | (others & ~in_b)) & ~in_a);
    memcpy(words, &of_a, sizeof of_a);
#endif
}

/* --- masks of threads, several at once --- */

#define THREAD_WORDS 8

/* Returns a mask; bit n: mask n has a thread of `threads`. */
static inline uint32_t thread_words_meet(const uint64_t *masks, uint64_t threads) {
#ifdef __AVX512F__
    return thread_vector_mask(
        _mm512_test_epi64_mask(_mm512_loadu_si512(masks), _mm512_set1_epi64((long long)threads)));
#elif defined __AVX2__
    const __m256i all = _mm256_set1_epi64x((long long)threads), none = _mm256_setzero_si256();
    const __m256i *four = (const __m256i *)(const void *)masks;
    uint32_t apart = 0;
    for (unsigned n = 0; n < THREAD_WORDS; n += 4) {
        const __m256i met = _mm256_and_si256(_mm256_loadu_si256(four + n / 4), all);
        apart |= (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(met, none))) << n;
    }
    return ~apart & ((1u << THREAD_WORDS) - 1);
#else
    uint32_t meet = 0;
    for (unsigned n = 0; n < THREAD_WORDS; ++n) meet |= (uint32_t)((masks[n] & threads) != 0) << n;
    return meet;
#endif
}

/* --- bytes of several threads: 32 or 8 at once; arrays have a warp's largest size --- */

#ifdef __AVX2__
/* Returns a mask; bit k: byte k is `value`. `count` is rounded up to a multiple of 32. */
static inline uint64_t thread_bytes_equal(const uint8_t *bytes, unsigned count, uint8_t value) {
    uint64_t equal = 0;
    for (unsigned k = 0; k < count; k += 32) {
        const __m256i there = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + k));
        const __m256i same = _mm256_cmpeq_epi8(there, _mm256_set1_epi8((char)value));
        equal |= (uint64_t)(uint32_t)_mm256_movemask_epi8(same) << k;
    }
    return equal;
}

/* Sets the bytes of a mask's threads to `value`. */
static inline void thread_bytes_put(uint8_t *bytes, uint64_t threads, uint8_t value) {
    const __m256i bits = _mm256_set1_epi64x((int64_t)0x8040201008040201u);
    const __m256i mask_byte =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    for (; threads; threads >>= 32, bytes += 32) {
        const __m256i mask = _mm256_shuffle_epi8(_mm256_set1_epi32((int)(uint32_t)threads), mask_byte);
        const __m256i which = _mm256_cmpeq_epi8(_mm256_and_si256(mask, bits), bits);
        __m256i *const at = (__m256i *)(void *)bytes;
        const __m256i there = _mm256_loadu_si256(at);
        _mm256_storeu_si256(at, _mm256_blendv_epi8(there, _mm256_set1_epi8((char)value), which));
    }
}
#else
#define THREAD_BYTES 0x0101010101010101u

/* Returns 1 for each byte that is not 0. */
static inline uint64_t thread_bytes_set(uint64_t bytes) {
    const uint64_t low = THREAD_BYTES * 0x7f;
    return (((bytes & low) + low) | bytes) >> 7 & THREAD_BYTES;
}

/* Returns a mask; bit k: byte k is `value`. `count` is rounded up to a multiple of 8. */
static inline uint64_t thread_bytes_equal(const uint8_t *bytes, unsigned count, uint8_t value) {
    uint64_t equal = 0, eight;
    for (unsigned k = 0; k < count; k += 8) {
        memcpy(&eight, bytes + k, sizeof eight);
        const uint64_t same = thread_bytes_set(eight ^ THREAD_BYTES * value) ^ THREAD_BYTES;
        equal |= (uint64_t)thread_vector_pack(same) << k;
    }
    return equal;
}

/* Sets the bytes of a mask's threads to `value`. */
static inline void thread_bytes_put(uint8_t *bytes, uint64_t threads, uint8_t value) {
    uint64_t eight;
    for (; threads; threads >>= 8, bytes += 8) {
        const uint64_t one_hot = (threads & 0xff) * THREAD_BYTES & 0x8040201008040201u;
        const uint64_t which = thread_bytes_set(one_hot) * 0xff;
        memcpy(&eight, bytes, sizeof eight);
        eight = (eight & ~which) | (THREAD_BYTES * value & which);
        memcpy(bytes, &eight, sizeof eight);
    }
}

#endif

/* Returns whether some threads have the same word of a row. */
static inline bool thread_vector_same(const uint32_t *row, uint64_t threads, unsigned warp_size) {
    const uint32_t first = threads ? row[__builtin_ctzll(threads)] : 0;
    uint64_t same = 0;
    unsigned k = 0;
    for (; k + THREAD_VECTOR <= warp_size; k += THREAD_VECTOR)
        same |= (uint64_t)thread_vector_equal(row + k, first) << k;
    for (; k < warp_size; ++k) same |= (uint64_t)(row[k] == first) << k;
    return !(threads & ~same);
}

#endif
