#include "model/divergence/warp_formation_table.h"

#include "model/divergence/warp_formation_table_cycle.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void warp_formation_table_init(struct warp_formation_table *t, unsigned entries) {
    const unsigned sets = entries / WARP_FORMATION_WAYS;
    invariant(sets && entries % WARP_FORMATION_WAYS == 0 && (sets & (sets - 1)) == 0,
              "warp formation table of %u entries", entries);
    *t = (struct warp_formation_table){.cfg = {sets}};
    t->entry = calloc(entries, sizeof *t->entry);
    require_memory(t->entry);
    warp_formation_table_clear(t);
}

void warp_formation_table_free(struct warp_formation_table *t) {
    free(t->entry);
    t->entry = NULL;
}

void warp_formation_table_clear(struct warp_formation_table *t) {
    for (unsigned n = 0; n < t->cfg.sets * WARP_FORMATION_WAYS; ++n)
        t->entry[n] = (struct warp_formation_entry){.rank = n % WARP_FORMATION_WAYS};
    if (t->cycle) warp_formation_table_cycle_reset(t->cycle);
}

static struct warp_formation_entry *set_of(const struct warp_formation_table *t, uint32_t pc) {
    return t->entry + pc / 4 % t->cfg.sets * WARP_FORMATION_WAYS;
}

/* Returns the entry of a PC and work-group, or NULL. */
static struct warp_formation_entry *find_entry(const struct warp_formation_table *t, uint32_t pc,
                                               uint32_t group) {
    struct warp_formation_entry *e = set_of(t, pc);
    for (unsigned way = 0; way < WARP_FORMATION_WAYS; ++way)
        if (e[way].pc == pc && e[way].group == group) return &e[way];
    return NULL;
}

/* Returns a free entry of the set, or the least recently used one. */
static struct warp_formation_entry *make_room(const struct warp_formation_table *t, uint32_t pc) {
    struct warp_formation_entry *e = set_of(t, pc), *oldest = e;
    for (unsigned way = 0; way < WARP_FORMATION_WAYS; ++way) {
        if (!e[way].pc) return &e[way];
        if (e[way].rank > oldest->rank) oldest = &e[way];
    }
    return oldest;
}

static void use(const struct warp_formation_table *t, struct warp_formation_entry *used, uint32_t pc) {
    struct warp_formation_entry *e = set_of(t, pc);
    for (unsigned way = 0; way < WARP_FORMATION_WAYS; ++way) e[way].rank += e[way].rank < used->rank;
    used->rank = 0;
}

struct warp_formation_found warp_formation_table_come(struct warp_formation_table *t, uint32_t pc,
                                                      uint32_t group, uint64_t mask, uint32_t new_warp) {
    if (t->cycle) return warp_formation_table_cycle_come(t->cycle, pc, group, mask, new_warp);
    struct warp_formation_entry *e = find_entry(t, pc, group);
    struct warp_formation_found x = {.hit = e != NULL, .left = mask};
    if (e) {
        x.warp = e->warp;
        x.joined = mask & ~e->mask;
        x.left = mask & e->mask;
        e->mask |= x.joined;
    } else {
        e = make_room(t, pc);
        x.lost = e->pc != 0;
    }
    if (x.left)
        *e = (struct warp_formation_entry){
            .pc = pc, .group = group, .warp = new_warp, .mask = x.left, .rank = e->rank};
    use(t, e, pc);
    return x;
}

void warp_formation_table_issue(struct warp_formation_table *t, uint32_t pc, uint32_t group, uint32_t warp) {
    if (t->cycle) {
        warp_formation_table_cycle_issue(t->cycle, pc, group, warp);
        return;
    }
    struct warp_formation_entry *e = find_entry(t, pc, group);
    if (e && e->warp == warp) *e = (struct warp_formation_entry){.rank = e->rank};
}
