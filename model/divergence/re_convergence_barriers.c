#include "model/divergence/re_convergence_barriers.h"

#include "model/divergence/re_convergence_barriers_cycle.h"
#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void re_convergence_barriers_init(struct re_convergence_barriers *b, unsigned sets, unsigned ways) {
    invariant(sets && ways, "barriers of %u sets of %u ways", sets, ways);
    *b = (struct re_convergence_barriers){.cfg = {sets, ways}};
    b->barrier = calloc((size_t)sets * ways, sizeof *b->barrier);
    require_memory(b->barrier);
}

void re_convergence_barriers_free(struct re_convergence_barriers *b) {
    free(b->barrier);
    b->barrier = NULL;
}

void re_convergence_barriers_clear(struct re_convergence_barriers *b) {
    memset(b->barrier, 0, (size_t)b->cfg.sets * b->cfg.ways * sizeof *b->barrier);
    b->used = b->complete = 0;
    if (b->cycle) re_convergence_barriers_cycle_reset(b->cycle);
}

static struct re_convergence_barrier *set_of(const struct re_convergence_barriers *b, unsigned row) {
    return b->barrier + (size_t)(row % b->cfg.sets) * b->cfg.ways;
}

static bool holds(const struct re_convergence_barrier *e, unsigned row, unsigned lane) {
    return e->warp.valid >> lane & 1 && e->warp.row[lane] == row;
}

static bool is_complete(const struct re_convergence_barrier *e) {
    return e->warp.valid && e->reached == e->warp.valid;
}

/* --- reserving --- */

/* Returns the first barrier of the set in which the thread can take a slot; NULL if none. */
static struct re_convergence_barrier *shared(const struct re_convergence_barriers *b, uint32_t rpc,
                                             uint32_t group, unsigned row, unsigned lane) {
    struct re_convergence_barrier *e = set_of(b, row);
    for (unsigned way = 0; way < b->cfg.ways; ++way)
        if (e[way].warp.pc == rpc && e[way].warp.group == group && !(e[way].warp.valid >> lane & 1) &&
            !is_complete(&e[way]))
            return &e[way];
    return NULL;
}

static struct re_convergence_barrier *unused(const struct re_convergence_barriers *b, unsigned row,
                                             int gone) {
    struct re_convergence_barrier *e = set_of(b, row);
    for (unsigned way = 0; way < b->cfg.ways; ++way)
        if (!e[way].warp.pc && &e[way] - b->barrier != gone) return &e[way];
    return NULL;
}

static bool is_held(const struct re_convergence_barriers *b, uint32_t rpc, unsigned row, unsigned lane) {
    const struct re_convergence_barrier *e = set_of(b, row);
    for (unsigned way = 0; way < b->cfg.ways; ++way)
        if (e[way].warp.pc == rpc && holds(&e[way], row, lane)) return true;
    return false;
}

static void reserve(struct re_convergence_barriers *b, const struct regrouped_warp *w, unsigned lane,
                    uint32_t rpc, int gone) {
    const unsigned row = w->row[lane];
    if (is_held(b, rpc, row, lane)) return;
    struct re_convergence_barrier *e = shared(b, rpc, w->group, row, lane);
    if (e)
        ++b->counted.shared;
    else if ((e = unused(b, row, gone))) {
        *e = (struct re_convergence_barrier){.warp = {.pc = rpc, .group = w->group}};
        if (++b->used > b->counted.most) b->counted.most = b->used;
    } else {
        ++b->counted.missed;
        return;
    }
    ++b->counted.reserved;
    regrouped_move(&e->warp, w, 1ull << lane);
}

void re_convergence_barriers_reserve(struct re_convergence_barriers *b, const struct regrouped_warp *w,
                                     uint64_t lanes, uint32_t rpc, int gone) {
    if (b->cycle) {
        re_convergence_barriers_cycle_reserve(b->cycle, w, lanes, rpc, gone);
        return;
    }
    for (; lanes; lanes &= lanes - 1) reserve(b, w, (unsigned)__builtin_ctzll(lanes), rpc, gone);
}

/* --- arrivals and exits --- */

uint64_t re_convergence_barriers_arrive(struct re_convergence_barriers *b, const struct regrouped_warp *w,
                                        uint64_t lanes, uint32_t pc) {
    uint64_t wait = 0;
    if (b->cycle) return re_convergence_barriers_cycle_arrive(b->cycle, w, lanes, pc);
    if (!b->used) return 0;
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes), row = w->row[lane];
        struct re_convergence_barrier *e = set_of(b, row);
        for (unsigned way = 0; way < b->cfg.ways; ++way) {
            if (e[way].warp.pc != pc || !holds(&e[way], row, lane)) continue;
            b->complete -= is_complete(&e[way]);
            e[way].reached |= 1ull << lane;
            b->complete += is_complete(&e[way]);
            wait |= 1ull << lane;
        }
    }
    return wait;
}

void re_convergence_barriers_exit(struct re_convergence_barriers *b, const struct regrouped_warp *w,
                                  uint64_t lanes) {
    if (b->cycle && lanes) {
        re_convergence_barriers_cycle_exit(b->cycle, w, lanes);
        return;
    }
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes), row = w->row[lane];
        struct re_convergence_barrier *e = set_of(b, row);
        for (unsigned way = 0; way < b->cfg.ways; ++way) {
            if (!e[way].warp.pc || !holds(&e[way], row, lane)) continue;
            b->complete -= is_complete(&e[way]);
            e[way].warp.valid &= ~(1ull << lane);
            e[way].reached &= ~(1ull << lane);
            b->complete += is_complete(&e[way]);
            if (e[way].warp.valid) continue;
            e[way].warp.pc = 0;
            --b->used;
        }
    }
}

int re_convergence_barriers_complete(const struct re_convergence_barriers *b) {
    for (unsigned n = 0; b->complete && n < b->cfg.sets * b->cfg.ways; ++n)
        if (b->barrier[n].warp.pc && is_complete(&b->barrier[n])) return (int)n;
    return -1;
}

struct regrouped_warp re_convergence_barriers_fire(struct re_convergence_barriers *b, unsigned barrier) {
    const struct regrouped_warp w = b->barrier[barrier].warp;
    if (b->cycle) {
        re_convergence_barriers_cycle_fire(b->cycle);
        return w;
    }
    b->barrier[barrier] = (struct re_convergence_barrier){.reached = 0};
    --b->used;
    --b->complete;
    ++b->counted.completed;
    return w;
}
