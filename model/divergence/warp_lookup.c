#include "model/divergence/warp_lookup.h"

#include "model/divergence/warp_lookup_cycle.h"
#include "sim/error.h"

#include <string.h>

void warp_lookup_init(struct warp_lookup *l, unsigned entries, bool renews) {
    invariant(entries >= 1 && entries <= WARP_LOOKUP_MAX_ENTRIES, "warp lookup of %u entries", entries);
    *l = (struct warp_lookup){.cfg = {entries, renews}};
}

void warp_lookup_clear(struct warp_lookup *l) {
    l->count = 0;
    if (l->cycle) warp_lookup_cycle_reset(l->cycle);
}

/* Moves some threads of a warp to an entry with the same PC. */
static void join(struct issued_warp *to, const struct issued_warp *from, uint64_t lanes) {
    if (!to->warp.valid || issued_before(from->number, to->number)) to->number = from->number;
    regrouped_move(&to->warp, &from->warp, lanes);
    to->ready |= from->ready & lanes;
}

struct issued_warp warp_lookup_take(struct warp_lookup *l, unsigned n) {
    const struct issued_warp taken = l->entry[n];
    if (l->cycle) {
        l->cycle->in.leave = true;
        l->cycle->in.leave_entry = taken.slot;
        warp_lookup_cycle_step(l->cycle);
        return taken;
    }
    memmove(&l->entry[n], &l->entry[n + 1], (--l->count - n) * sizeof taken);
    return taken;
}

/* Returns the entry in which the thread in a lane can merge; `count` if none. */
static unsigned find_entry(const struct warp_lookup *l, const struct regrouped_warp *w, unsigned lane) {
    unsigned n = 0;
    while (n < l->count && (l->entry[n].warp.pc != w->pc || l->entry[n].warp.group != w->group ||
                            l->entry[n].warp.valid >> lane & 1))
        ++n;
    return n;
}

/* Makes the given entries the youngest, in their present order. */
static void renew(struct warp_lookup *l, uint64_t entries) {
    for (unsigned taken = 0; entries; entries &= entries - 1, ++taken) {
        const struct issued_warp renewed = warp_lookup_take(l, (unsigned)__builtin_ctzll(entries) - taken);
        l->entry[l->count++] = renewed;
    }
}

uint64_t warp_lookup_merge(struct warp_lookup *l, const struct issued_warp *w, uint64_t lanes) {
    uint64_t left = 0, joined = 0;
    for (; lanes; lanes &= lanes - 1) {
        const unsigned n = find_entry(l, &w->warp, (unsigned)__builtin_ctzll(lanes));
        if (n == l->count) {
            left |= lanes & -lanes;
            continue;
        }
        join(&l->entry[n], w, lanes & -lanes);
        ++l->counted.merged;
        joined |= 1ull << n;
    }
    if (l->cfg.renews) renew(l, joined);
    return left;
}

static unsigned first_free_slot(const struct warp_lookup *l) {
    uint64_t used = 0;
    for (unsigned n = 0; n < l->count; ++n) used |= 1ull << l->entry[n].slot;
    return (unsigned)__builtin_ctzll(~used);
}

bool warp_lookup_insert(struct warp_lookup *l, const struct issued_warp *w, uint64_t lanes) {
    if (l->count == l->cfg.entries) {
        ++l->counted.full;
        return false;
    }
    l->entry[l->count] =
        (struct issued_warp){.warp = {.pc = w->warp.pc, .group = w->warp.group}, .slot = first_free_slot(l)};
    join(&l->entry[l->count], w, lanes);
    if (++l->count > l->counted.most) l->counted.most = l->count;
    return true;
}

static uint64_t come_cycle(struct warp_lookup_cycle *c, const struct issued_warp *w) {
    c->comes = w;
    c->in.come = (uint32_t)w->warp.valid;
    c->in.come_pc = w->warp.pc;
    c->in.come_group = w->warp.group;
    for (unsigned k = 0; k < c->lanes; ++k) c->rows[k] = w->warp.valid >> k & 1 ? w->warp.row[k] : 0;
    return warp_lookup_cycle_step(c).bypass;
}

uint64_t warp_lookup_come(struct warp_lookup *l, const struct issued_warp *w) {
    if (l->cycle) return come_cycle(l->cycle, w);
    const uint64_t left = warp_lookup_merge(l, w, w->warp.valid);
    return left && !warp_lookup_insert(l, w, left) ? left : 0;
}

bool warp_lookup_ready(struct warp_lookup *l, unsigned row, unsigned lane) {
    for (unsigned n = 0; n < l->count; ++n) {
        if (!(l->entry[n].warp.valid >> lane & 1) || l->entry[n].warp.row[lane] != row) continue;
        l->entry[n].ready |= 1ull << lane;
        return true;
    }
    return false;
}
