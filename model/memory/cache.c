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

struct cache_line *cache_look_behind(const struct cache *c, uint32_t tag, unsigned way) {
    const uint32_t set = cache_set(c, tag), *placed = &c->placed[set * c->ways];
    for (; way < c->ways; ++way)
        if (placed[way] == tag && c->line[way * c->sets + set].state) return &c->line[way * c->sets + set];
    return NULL;
}

struct cache_line *cache_search(struct cache *c, uint32_t tag) {
    struct cache_line *l = cache_look(c, tag << c->line_shift);
    if (!l) return NULL;
    l->used = ++c->uses;
    c->guess[cache_guess(tag)] = (uint32_t)(l - c->line);
    return l;
}

struct cache_line *cache_victim(struct cache *c, uint32_t address, uint64_t now) {
    struct cache_line *oldest = NULL, *l = cache_place(c, address >> c->line_shift, 0);
    for (unsigned way = 0; way < c->ways; ++way, l += c->sets) {
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
