#include "model/memory/cache.h"

#include "sim/error.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif
#include <stdlib.h>
#include <string.h>

void cache_init(struct cache *c, const struct machine_cache_config *config) {
    memset(c, 0, sizeof *c);
    c->ways = config->ways;
    c->sets = config->size_bytes / (config->ways * config->line_bytes);
    c->set_mask = c->sets & (c->sets - 1) ? 0 : c->sets - 1;
    c->line_shift = (unsigned)__builtin_ctz(config->line_bytes);
    c->line = calloc((size_t)c->sets * c->ways, sizeof *c->line);
    c->placed = calloc((size_t)c->sets * c->ways, sizeof *c->placed);
    require_memory(c->line && c->placed);
}

void cache_free(struct cache *c) {
    free(c->line);
    free(c->placed);
}

#define TOGETHER 8 /* ways that are compared at once */

/* Bit n: that is the way to which the tag has come last. */
static inline unsigned same_tag(const uint32_t *placed, uint32_t tag) {
#ifdef __AVX2__
    const __m256i there = _mm256_loadu_si256((const __m256i *)(const void *)placed);
    const __m256i same = _mm256_cmpeq_epi32(there, _mm256_set1_epi32((int)tag));
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(same));
#else
    unsigned same = 0;
    for (unsigned n = 0; n < TOGETHER; ++n) same |= (unsigned)(placed[n] == tag) << n;
    return same;
#endif
}

static struct cache_line *look_for(const struct cache *c, uint32_t tag) {
    const uint32_t set = cache_set(c, tag), *placed = &c->placed[set * c->ways];
    unsigned way = 0;
    for (; way + TOGETHER <= c->ways; way += TOGETHER)
        for (unsigned same = same_tag(placed + way, tag); same; same &= same - 1) {
            struct cache_line *l = &c->line[(way + (unsigned)__builtin_ctz(same)) * c->sets + set];
            if (l->state) return l;
        }
    for (; way < c->ways; ++way)
        if (placed[way] == tag && c->line[way * c->sets + set].state) return &c->line[way * c->sets + set];
    return NULL;
}

struct cache_line *cache_look(const struct cache *c, uint32_t address) {
    return look_for(c, address >> c->line_shift);
}

struct cache_line *cache_search(struct cache *c, uint32_t tag) {
    struct cache_line *l = look_for(c, tag);
    if (!l) return NULL;
    l->used = ++c->uses;
    c->guess[tag % CACHE_GUESSES] = (uint32_t)(l - c->line);
    return l;
}

struct cache_line *cache_victim(struct cache *c, uint32_t address, uint64_t now) {
    struct cache_line *oldest = NULL;
    for (unsigned way = 0; way < c->ways; ++way) {
        struct cache_line *l = cache_place(c, address >> c->line_shift, way);
        if (!l->state) return l;
        if (l->present <= now && (!oldest || l->used < oldest->used)) oldest = l;
    }
    return oldest;
}

struct cache_line *cache_fill(struct cache *c, uint32_t address, uint64_t now, uint64_t present) {
    struct cache_line *l = cache_victim(c, address, now);
    if (!l) return NULL;
    cache_put(c, l,
              (struct cache_line){
                  .tag = address >> c->line_shift, .state = 1, .used = ++c->uses, .present = present});
    return l;
}

void cache_invalidate(struct cache *c) {
    memset(c->line, 0, (size_t)c->sets * c->ways * sizeof *c->line);
}
