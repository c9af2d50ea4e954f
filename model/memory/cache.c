#include "model/memory/cache.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void cache_init(struct cache *c, const struct machine_cache_config *config) {
    memset(c, 0, sizeof *c);
    c->ways = config->ways;
    c->sets = config->size_bytes / (config->ways * config->line_bytes);
    c->line_shift = (unsigned)__builtin_ctz(config->line_bytes);
    c->line = calloc((size_t)c->sets * c->ways, sizeof *c->line);
    require_memory(c->line);
    for (unsigned n = 0; n < CACHE_GUESSES; ++n) c->guess[n] = c->line;
}

void cache_free(struct cache *c) {
    free(c->line);
}

static struct cache_line *set_of(struct cache *c, uint32_t tag) {
    return &c->line[(tag & (c->sets - 1)) * c->ways];
}

struct cache_line *cache_search(struct cache *c, uint32_t tag) {
    struct cache_line *set = set_of(c, tag);
    for (unsigned way = 0; way < c->ways; ++way)
        if (set[way].tag == tag && set[way].state) {
            set[way].used = ++c->uses;
            c->guess[tag % CACHE_GUESSES] = &set[way];
            return &set[way];
        }
    return NULL;
}

struct cache_line *cache_look(const struct cache *c, uint32_t tag) {
    struct cache_line *set = &c->line[(tag & (c->sets - 1)) * c->ways];
    for (unsigned way = 0; way < c->ways; ++way)
        if (set[way].tag == tag && set[way].state) return &set[way];
    return NULL;
}

struct cache_line *cache_victim(struct cache *c, uint32_t address, uint64_t now) {
    struct cache_line *set = set_of(c, address >> c->line_shift), *oldest = NULL;
    for (unsigned way = 0; way < c->ways; ++way) {
        if (!set[way].state) return &set[way];
        if (set[way].present <= now && (!oldest || set[way].used < oldest->used)) oldest = &set[way];
    }
    return oldest;
}

struct cache_line *cache_fill(struct cache *c, uint32_t address, uint64_t now, uint64_t present) {
    struct cache_line *l = cache_victim(c, address, now);
    if (!l) return NULL;
    *l = (struct cache_line){
        .tag = address >> c->line_shift, .state = 1, .used = ++c->uses, .present = present};
    c->guess[l->tag % CACHE_GUESSES] = l;
    return l;
}

void cache_invalidate(struct cache *c) {
    memset(c->line, 0, (size_t)c->sets * c->ways * sizeof *c->line);
}
