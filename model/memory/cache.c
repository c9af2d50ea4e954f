#include "model/memory/cache.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void cache_init(struct cache *c, const struct machine_cache_config *config, uint32_t seed) {
    memset(c, 0, sizeof *c);
    c->ways = config->ways;
    c->sets = config->size_bytes / (config->ways * config->line_bytes);
    c->set_mask = c->sets & (c->sets - 1) ? 0 : c->sets - 1;
    c->line_shift = (unsigned)__builtin_ctz(config->line_bytes);
    c->line = calloc((size_t)c->sets * c->ways, sizeof *c->line);
    c->placed = calloc((size_t)c->sets * c->ways, sizeof *c->placed);
    require_memory(c->line && c->placed);
    replacement_init(&c->replacement, config->replacement, c->sets, c->ways, seed);
    c->touch = c->replacement.policy->touch;
}

void cache_free(struct cache *c) {
    free(c->line);
    free(c->placed);
    replacement_free(&c->replacement);
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
    cache_touch(c, l, 1);
    c->guess[cache_guess(tag)] = (uint32_t)(l - c->line);
    return l;
}

void cache_touch_policy(struct cache *c, const struct cache_line *l) {
    const uint32_t index = (uint32_t)(l - c->line);
    c->touch(&c->replacement, index % c->sets, index / c->sets);
}

void cache_put(struct cache *c, struct cache_line *place, struct cache_line line) {
    const uint32_t index = (uint32_t)(place - c->line), set = index % c->sets, way = index / c->sets;
    c->replacement.replaces = place->state != 0;
    *place = line;
    cache_touch(c, place, 1);
    c->placed[set * c->ways + way] = line.tag;
    c->guess[cache_guess(line.tag)] = index;
    if (c->replacement.policy->fill) c->replacement.policy->fill(&c->replacement, set, way);
}

/* Returns cache_victim() of a full set by a policy other than lru. */
static struct cache_line *victim_by_policy(struct cache *c, uint32_t set, uint64_t now) {
    uint64_t may = 0;
    for (unsigned way = 0; way < c->ways; ++way)
        may |= (uint64_t)(c->line[way * c->sets + set].present <= now) << way;
    return may ? &c->line[c->replacement.policy->victim(&c->replacement, set, &may) * c->sets + set] : NULL;
}

struct cache_line *cache_victim(struct cache *c, uint32_t address, uint64_t now) {
    struct cache_line *oldest = NULL, *l = cache_place(c, address >> c->line_shift, 0);
    for (unsigned way = 0; way < c->ways; ++way, l += c->sets) {
        if (!l->state) return l;
        if (l->present <= now && (!oldest || l->used < oldest->used)) oldest = l;
    }
    if (!c->replacement.policy->victim) return oldest;
    return victim_by_policy(c, cache_set(c, address >> c->line_shift), now);
}

struct cache_line *cache_fill(struct cache *c, uint32_t address, uint64_t now, uint64_t present) {
    struct cache_line *l = cache_victim(c, address, now);
    if (!l) return NULL;
    cache_put(c, l, (struct cache_line){.tag = address >> c->line_shift, .state = 1, .present = present});
    return l;
}

void cache_invalidate(struct cache *c) {
    memset(c->line, 0, (size_t)c->sets * c->ways * sizeof *c->line);
}
