/*
 * cache: tags of a set-associative cache with true LRU replacement; no data (machine.md §5, functional
 * state).
 *
 * A line remembers the cycle from which it is present, so that an access to a line that is on its way can be
 * told from a hit. Times are passed in; the cache knows no clock.
 */
#ifndef MODEL_MEMORY_CACHE_H
#define MODEL_MEMORY_CACHE_H

#include "model/config/limits.h"
#include "model/config/machine_config.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif
#include <stdbool.h>
#include <stdint.h>

#define CACHE_GUESSES 256

/* --- state --- */

struct cache_line {
    uint32_t tag;     /* address >> line_shift; meaningful when there */
    uint32_t version; /* stores that the line has seen, for tests of coherence */
    uint64_t used;    /* order of last use: larger is later */
    uint64_t present; /* first cycle in which the line is there */
    uint8_t state;    /* 0: the line is not there; else what it means to the cache's owner */
};

struct cache {
    unsigned ways, sets, line_shift;
    uint32_t set_mask;             /* sets − 1 where they are a power of two, else 0 */
    struct cache_line *line;       /* [way][set]: lines that lie side by side in memory do so here */
    uint32_t *placed;              /* [set][way]: tag of the line that came there last, which may have gone */
    uint32_t guess[CACHE_GUESSES]; /* in `line`: the one found last for tags of this cache_guess() */
    uint64_t uses;
    uint64_t accesses, misses;
};

/* --- functions --- */

void cache_init(struct cache *c, const struct machine_cache_config *config);
void cache_free(struct cache *c);

/* Tags that are a power of two apart, as those of one set are, are spread. */
static inline uint32_t cache_guess(uint32_t tag) {
    return tag * UINT32_C(0x9e3779b1) / (UINT32_MAX / CACHE_GUESSES + 1);
}

/* The set of a tag. */
static inline uint32_t cache_set(const struct cache *c, uint32_t tag) {
    return c->set_mask ? tag & c->set_mask : tag % c->sets;
}

/* The place of a tag's line in a way. */
static inline struct cache_line *cache_place(const struct cache *c, uint32_t tag, unsigned way) {
    return &c->line[way * c->sets + cache_set(c, tag)];
}

/* A line comes to a place in its set; the next search for it begins there. */
static inline void cache_put(struct cache *c, struct cache_line *place, struct cache_line line) {
    const uint32_t index = (uint32_t)(place - c->line);
    *place = line;
    c->placed[index % c->sets * c->ways + index / c->sets] = line.tag;
    c->guess[cache_guess(line.tag)] = index;
}

/* cache_find() beyond its first guess. */
struct cache_line *cache_search(struct cache *c, uint32_t tag);

/* The line that holds the address, now the most recently used; NULL on a miss. Counts nothing. */
static inline struct cache_line *cache_find(struct cache *c, uint32_t address) {
    const uint32_t tag = address >> c->line_shift;
    struct cache_line *guess = &c->line[c->guess[cache_guess(tag)]];
    if (!guess->state || guess->tag != tag) return cache_search(c, tag);
    guess->used = ++c->uses;
    return guess;
}

#define CACHE_TOGETHER 8 /* ways that are compared at once */

/* Bit n: that is the way to which the tag has come last. */
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

/* cache_look() of the ways from `way` on, which are less than are compared at once. */
struct cache_line *cache_look_behind(const struct cache *c, uint32_t tag, unsigned way);

/* The same without making it the most recently used one, for those who only look: cache_look() where it is
 * likely not there, cache_peek() where it likely is. */
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

/* The line that must go when the address's line comes at `now`: one that is not there, else the least
 * recently used of those that are present; NULL if every way of the set is on its way. */
struct cache_line *cache_victim(struct cache *c, uint32_t address, uint64_t now);

/* Makes room for the address's line and returns it, in state 1, present from the given cycle; NULL where
 * there is no victim. */
struct cache_line *cache_fill(struct cache *c, uint32_t address, uint64_t now, uint64_t present);

void cache_invalidate(struct cache *c);

#endif
