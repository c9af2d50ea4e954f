#include "model/divergence/second_level.h"

#include "model/divergence/second_level_cycle.h"
#include "sim/error.h"

#include <stdlib.h>

void second_level_init(struct second_level *s, unsigned entries) {
    invariant(entries, "a Second-Level without entries");
    *s = (struct second_level){.cfg = {entries}};
    s->warp = calloc(entries, sizeof *s->warp);
    require_memory(s->warp);
}

void second_level_free(struct second_level *s) {
    free(s->warp);
    s->warp = NULL;
}

void second_level_clear(struct second_level *s) {
    s->first = s->count = 0;
    if (s->cycle) second_level_cycle_reset(s->cycle);
}

void second_level_put(struct second_level *s, const struct regrouped_warp *w) {
    if (s->cycle) {
        second_level_cycle_put(s->cycle, w);
        return;
    }
    invariant(s->count < s->cfg.entries, "HARP: %u threads make more warps", s->cfg.entries);
    s->warp[(s->first + s->count++) % s->cfg.entries] = *w;
}

bool second_level_take(struct second_level *s, struct regrouped_warp *w) {
    if (!s->count) return false;
    *w = *second_level_at(s, 0);
    if (s->cycle) {
        second_level_cycle_take(s->cycle);
        return true;
    }
    s->first = (s->first + 1) % s->cfg.entries;
    --s->count;
    return true;
}
