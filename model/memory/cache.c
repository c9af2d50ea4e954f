#include "model/memory/cache.h"

#include "sim/error.h"

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

struct cache_line *cache_look_in(const struct cache *c, uint32_t tag) {
    const uint32_t set = cache_set(c, tag), *placed = &c->placed[set * c->ways];
    unsigned way = 0;
    for (; way + CACHE_TOGETHER <= c->ways; way += CACHE_TOGETHER)
        for (unsigned same = cache_same_tag(placed + way, tag); same; same &= same - 1) {
            struct cache_line *l = &c->line[(way + (unsigned)__builtin_ctz(same)) * c->sets + set];
            if (l->state) return l;
        }
    for (; way < c->ways; ++way)
        if (placed[way] == tag && c->line[way * c->sets + set].state) return &c->line[way * c->sets + set];
    return NULL;
}

struct cache_line *cache_search(struct cache *c, uint32_t tag) {
    struct cache_line *l = cache_look_in(c, tag);
    if (!l) return NULL;
    l->used = ++c->uses;
    c->guess[cache_guess(tag)] = (uint32_t)(l - c->line);
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
