/*
 * cache: tags of a set-associative cache, without data (machine.md §5, functional state). replacement.h
 * chooses the victim in a full set; the order of use, which LRU needs, is kept here.
 *
 * A line has the cycle from which it is present, so that an access to a line in flight differs from a hit.
 * Times are arguments; the cache has no clock.
 */
#ifndef MODEL_MEMORY_CACHE_H
#define MODEL_MEMORY_CACHE_H

#include "model/config/limits.h"
#include "model/config/machine_config.h"
#include "model/replacement/replacement.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif
#include <stdbool.h>
#include <stdint.h>

#define CACHE_GUESSES 256

/* --- state --- */

struct cache_line {
    uint32_t tag;     /* address >> line_shift; valid if state is not 0 */
    uint32_t version; /* number of stores to the line, for tests of coherence */
    uint64_t used;    /* order of last use: larger is later */
    uint64_t present; /* first cycle in which the line is present */
    uint8_t state;    /* 0: no line; else a state of the cache's owner */
};

struct cache {
    unsigned ways, sets, line_shift;
    uint32_t set_mask;             /* sets − 1 if `sets` is a power of two, else 0 */
    struct cache_line *line;       /* [way][set]: lines adjacent in memory are adjacent here */
    uint32_t *placed;              /* [set][way]: tag of the line placed last, which may be gone */
    uint32_t guess[CACHE_GUESSES]; /* index in `line`: the line found last for tags of this cache_guess() */
    uint64_t uses;
    void (*touch)(struct replacement_state *, unsigned set,
                  unsigned way); /* policy's use of a way; NULL for lru */
    uint64_t accesses, misses;
    struct replacement_state replacement;
};

/* --- functions --- */

/* `seed` of the cache's generator; not 0 */
void cache_init(struct cache *c, const struct machine_cache_config *config, uint32_t seed);
void cache_free(struct cache *c);

/* Spreads tags whose distance is a power of two, as in one set. */
static inline uint32_t cache_guess(uint32_t tag) {
    return tag * UINT32_C(0x9e3779b1) / (UINT32_MAX / CACHE_GUESSES + 1);
}

/* Returns the set of a tag. */
static inline uint32_t cache_set(const struct cache *c, uint32_t tag) {
    return c->set_mask ? tag & c->set_mask : tag % c->sets;
}

/* Returns the place of a tag's line in a way. */
static inline struct cache_line *cache_place(const struct cache *c, uint32_t tag, unsigned way) {
    return &c->line[way * c->sets + cache_set(c, tag)];
}

/* Reports successive uses to the policy, which must have a touch(). */
void cache_touch_policy(struct cache *c, const struct cache_line *l);

/* Uses a line `times` times, with no other use between them. */
static inline void cache_touch(struct cache *c, struct cache_line *l, unsigned times) {
    l->used = c->uses += times;
    if (__builtin_expect(c->touch != NULL, 0)) cache_touch_policy(c, l);
}

/* Puts a line into a place of its set, as its first use. The next search for the line begins there. */
void cache_put(struct cache *c, struct cache_line *place, struct cache_line line);

/* Searches for a tag after the first guess of cache_find() has failed. */
struct cache_line *cache_search(struct cache *c, uint32_t tag);

/* Returns the line that holds the address, now the most recently used; NULL on a miss. Counts no access. */
static inline struct cache_line *cache_find(struct cache *c, uint32_t address) {
    const uint32_t tag = address >> c->line_shift;
    struct cache_line *guess = &c->line[c->guess[cache_guess(tag)]];
    if (!guess->state || guess->tag != tag) return cache_search(c, tag);
    cache_touch(c, guess, 1);
    return guess;
}

#define CACHE_TOGETHER 8 /* ways compared at once */

/* Returns a mask; bit n: placed[n] is the tag. */
static inline unsigned cache_same_tag(const uint32_t *placed, uint32_t tag) {
#ifdef __AVX2__
    const __m256i there = _mm256_loadu_si256((const __m256i *)(const void *)placed);
    const __m256i same = _mm256_cmpeq_epi32(there, _mm256_set1_epi32((int)tag));
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(same));
#else
    unsigned same = 0;
    for (unsigned n = 0; n < CACHE_TOGETHER; ++n) same |= (unsigned)(placed[n] == tag) << n;
    return same;
#endif
}

/* Does cache_look() for the ways from `way` on, which are fewer than CACHE_TOGETHER. */
struct cache_line *cache_look_behind(const struct cache *c, uint32_t tag, unsigned way);

/* Return the line without making it the most recently used: cache_look() is faster on a miss, cache_peek() on
 * a hit. */
static inline struct cache_line *cache_look(const struct cache *c, uint32_t address) {
    const uint32_t tag = address >> c->line_shift, set = cache_set(c, tag),
                   *placed = &c->placed[set * c->ways];
    unsigned way = 0;
    for (; way + CACHE_TOGETHER <= c->ways; way += CACHE_TOGETHER)
        for (unsigned same = cache_same_tag(placed + way, tag); same; same &= same - 1) {
            struct cache_line *l = &c->line[(way + (unsigned)__builtin_ctz(same)) * c->sets + set];
            if (l->state) return l;
        }
    return way == c->ways ? NULL : cache_look_behind(c, tag, way);
}
static inline struct cache_line *cache_peek(const struct cache *c, uint32_t address) {
    const uint32_t tag = address >> c->line_shift;
    struct cache_line *guess = &c->line[c->guess[cache_guess(tag)]];
    return guess->state && guess->tag == tag ? guess : cache_look(c, address);
}

/* Returns the line to evict if the address's line arrives at `now`: an empty place, else the policy's choice
 * of the present lines. NULL if all ways of the set are in flight. */
struct cache_line *cache_victim(struct cache *c, uint32_t address, uint64_t now);

/* Evicts a line for the address's line and returns the latter, in state 1, present from the given cycle on;
 * NULL if there is no victim. */
struct cache_line *cache_fill(struct cache *c, uint32_t address, uint64_t now, uint64_t present);

void cache_invalidate(struct cache *c);

#endif
