#include "model/divergence/dynamic_warp_formation.h"

#include "model/divergence/re_convergence_stack.h"
#include "sim/error.h"

#include <stdlib.h>

void dynamic_warp_formation_init(struct dynamic_warp_formation *f, unsigned threads, unsigned lut) {
    const unsigned sets = lut / WARP_FORMATION_WAYS;
    invariant(threads && sets && lut % WARP_FORMATION_WAYS == 0 && (sets & (sets - 1)) == 0,
              "warp formation of %u threads, %u entries", threads, lut);
    *f = (struct dynamic_warp_formation){.cfg = {threads, lut}};
    f->pool = calloc(threads, sizeof *f->pool);
    f->lut = calloc(lut, sizeof *f->lut);
    require_memory(f->pool);
    require_memory(f->lut);
}

void dynamic_warp_formation_free(struct dynamic_warp_formation *f) {
    free(f->pool);
    free(f->lut);
    f->pool = NULL;
    f->lut = NULL;
}

/* --- the table --- */

static struct warp_formation_entry *set_of(const struct dynamic_warp_formation *f, uint32_t pc) {
    return f->lut + pc / 4 % (f->cfg.lut / WARP_FORMATION_WAYS) * WARP_FORMATION_WAYS;
}

/* NULL: it knows no warp there. */
static struct warp_formation_entry *find(const struct dynamic_warp_formation *f, uint32_t pc,
                                         uint32_t group) {
    struct warp_formation_entry *e = set_of(f, pc);
    for (unsigned way = 0; way < WARP_FORMATION_WAYS; ++way)
        if (e[way].pc == pc && e[way].group == group) return &e[way];
    return NULL;
}

/* The entry of this PC, a free one, or the one used longest ago. */
static struct warp_formation_entry *make_room(struct dynamic_warp_formation *f, uint32_t pc, uint32_t group) {
    struct warp_formation_entry *known = find(f, pc, group), *e = set_of(f, pc), *oldest = e;
    if (known) return known;
    for (unsigned way = 0; way < WARP_FORMATION_WAYS; ++way) {
        if (!e[way].pc) return &e[way];
        if (e[way].used < oldest->used) oldest = &e[way];
    }
    ++f->counted.lost;
    return oldest;
}

/* --- the pool --- */

static unsigned free_warp(const struct dynamic_warp_formation *f) {
    unsigned n = 0;
    while (n < f->cfg.threads && f->pool[n].state != WARP_FORMATION_FREE) ++n;
    invariant(n < f->cfg.threads, "warp formation: %u threads make more warps", f->cfg.threads);
    return n;
}

static unsigned add(struct dynamic_warp_formation *f, const struct regrouped_warp *w,
                    enum warp_formation_state state) {
    const unsigned n = free_warp(f);
    f->pool[n] = (struct warp_formation_warp){*w, state, ++f->time};
    return n;
}

void dynamic_warp_formation_start(struct dynamic_warp_formation *f, const struct regrouped_warp *w) {
    add(f, w, WARP_FORMATION_READY);
}

static unsigned threads_at(const struct dynamic_warp_formation *f, uint32_t pc) {
    unsigned threads = 0;
    for (unsigned n = 0; n < f->cfg.threads; ++n)
        if (f->pool[n].state == WARP_FORMATION_READY && f->pool[n].warp.pc == pc)
            threads += (unsigned)__builtin_popcountll(f->pool[n].warp.valid);
    return threads;
}

/* Of no warp if none is ready. */
static uint32_t majority(const struct dynamic_warp_formation *f) {
    unsigned most = threads_at(f, f->pc);
    uint32_t pc = f->pc;
    if (most) return pc;
    for (unsigned n = 0; n < f->cfg.threads; ++n) {
        const uint32_t its = f->pool[n].warp.pc;
        if (f->pool[n].state != WARP_FORMATION_READY) continue;
        const unsigned threads = threads_at(f, its);
        if (threads < most || (threads == most && its > pc)) continue;
        most = threads;
        pc = its;
    }
    return pc;
}

int dynamic_warp_formation_select(struct dynamic_warp_formation *f) {
    const uint32_t pc = majority(f);
    int oldest = -1;
    for (unsigned n = 0; n < f->cfg.threads; ++n)
        if (f->pool[n].state == WARP_FORMATION_READY && f->pool[n].warp.pc == pc &&
            (oldest < 0 || f->pool[n].age < f->pool[oldest].age))
            oldest = (int)n;
    if (oldest < 0) return -1;
    struct warp_formation_entry *e = find(f, pc, f->pool[oldest].warp.group);
    if (e && e->warp == (unsigned)oldest) *e = (struct warp_formation_entry){0};
    f->pool[oldest].state = WARP_FORMATION_ISSUED;
    f->pc = pc;
    return oldest;
}

/* --- commit --- */

/* Some threads of a warp go to one PC. */
static void join(struct dynamic_warp_formation *f, const struct regrouped_warp *from, uint64_t lanes,
                 uint32_t pc) {
    struct warp_formation_entry *e = find(f, pc, from->group);
    if (e) {
        struct regrouped_warp *to = &f->pool[e->warp].warp;
        const uint64_t room = lanes & ~to->valid;
        regrouped_move(to, from, room);
        e->used = ++f->time;
        f->counted.joined += (unsigned)__builtin_popcountll(room);
        f->counted.taken += (unsigned)__builtin_popcountll(lanes & ~room);
        lanes &= ~room;
    }
    if (!lanes) return;
    struct regrouped_warp new = {.pc = pc, .group = from->group};
    regrouped_move(&new, from, lanes);
    const unsigned n = add(f, &new, WARP_FORMATION_READY);
    *make_room(f, pc, from->group) = (struct warp_formation_entry){pc, from->group, n, ++f->time};
    ++f->counted.formed;
}

void dynamic_warp_formation_commit(struct dynamic_warp_formation *f, unsigned warp,
                                   const struct regrouped_outcome *o) {
    struct re_convergence_group groups[REGROUPED_MAX_LANES];
    struct regrouped_warp w = f->pool[warp].warp;
    const uint64_t living = regrouped_living(&w, o);
    const unsigned count = re_convergence_groups(w.pc, living, o->next, groups);
    f->pool[warp].state = WARP_FORMATION_FREE;
    if (o->waits && count) {
        w.pc = groups[0].pc;
        add(f, &w, WARP_FORMATION_WAITING);
        return;
    }
    for (unsigned n = 0; n < count; ++n) join(f, &w, groups[n].mask, groups[n].pc);
}

void dynamic_warp_formation_release(struct dynamic_warp_formation *f, unsigned group) {
    for (unsigned n = 0; n < f->cfg.threads; ++n)
        if (f->pool[n].state == WARP_FORMATION_WAITING && f->pool[n].warp.group == group)
            f->pool[n].state = WARP_FORMATION_READY;
}
