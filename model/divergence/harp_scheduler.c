#include "model/divergence/harp_scheduler.h"

#include "model/divergence/harp_scheduler_cycle.h"
#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void harp_scheduler_init(struct harp_scheduler *h, const struct harp_config *c) {
    invariant(c->threads && c->first_level >= 1 && c->first_level <= HARP_MAX_FIRST_LEVEL &&
                  c->barrier_stages >= 1 && c->barrier_stages <= HARP_MAX_STAGES,
              "HARP of %u threads, %u warps in the First-Level, %u stages", c->threads, c->first_level,
              c->barrier_stages);
    *h = (struct harp_scheduler){.cfg = *c};
    for (unsigned n = 0; n < HARP_MAX_FIRST_LEVEL; ++n) h->fl_slot[n] = (uint8_t)n;
    second_level_init(&h->second_level, c->threads);
    h->waiting = calloc(c->threads, sizeof *h->waiting);
    h->waiting_slot = calloc(c->threads, sizeof *h->waiting_slot);
    require_memory(h->waiting);
    require_memory(h->waiting_slot);
    second_level_init(&h->parked, c->threads);
    warp_lookup_init(&h->ready_lookup, c->ready_lookup, true);
    warp_lookup_init(&h->waiting_lookup, c->waiting_lookup, false);
    re_convergence_barriers_init(&h->barriers, c->sets, c->ways);
}

void harp_scheduler_clear(struct harp_scheduler *h) {
    h->fl_issued = h->fl_due = h->fl_memory = 0;
    h->waits = h->in_first_level = h->in_stages = h->unparks = 0;
    h->number = 0;
    h->released = 0;
    memset(h->waiting_slot, 0, h->cfg.threads * sizeof *h->waiting_slot);
    second_level_clear(&h->parked);
    warp_lookup_clear(&h->ready_lookup);
    warp_lookup_clear(&h->waiting_lookup);
    second_level_clear(&h->second_level);
    h->chosen.source = HARP_NONE;
    h->chosen.barrier = -1;
    h->chosen.lookup = h->chosen.forward = false;
    h->stepped = UINT64_MAX;
    re_convergence_barriers_clear(&h->barriers);
    if (h->cycle) harp_scheduler_cycle_reset(h->cycle);
}

void harp_scheduler_free(struct harp_scheduler *h) {
    second_level_free(&h->second_level);
    free(h->waiting);
    free(h->waiting_slot);
    h->waiting = NULL;
    h->waiting_slot = NULL;
    second_level_free(&h->parked);
    re_convergence_barriers_free(&h->barriers);
}

/* --- the Second-Level --- */

static unsigned in_second_level(const struct harp_scheduler *h) {
    return h->second_level.count + h->waits;
}

static void put(struct harp_scheduler *h, const struct regrouped_warp *w) {
    second_level_put(&h->second_level, w);
    if (in_second_level(h) > h->counted.most_second_level) h->counted.most_second_level = in_second_level(h);
}

void harp_scheduler_start(struct harp_scheduler *h, const struct regrouped_warp *w) {
    if (h->cycle)
        harp_scheduler_cycle_start(h->cycle, w);
    else
        put(h, w);
}

bool harp_scheduler_take(struct harp_scheduler *h, struct regrouped_warp *w) {
    return second_level_take(&h->second_level, w);
}

/* --- events of the pipeline --- */

/* Returns a mask with a bit for each warp of the First-Level, numbered by age. */
static uint64_t in_first_level(const struct harp_scheduler *h) {
    return h->in_first_level < 64 ? (1ull << h->in_first_level) - 1 : ~0ull;
}

static unsigned numbered(const struct harp_scheduler *h, uint32_t number) {
    unsigned n = 0;
    while (n < h->in_first_level && h->first_level[h->fl_slot[n]].warp.number != number) ++n;
    invariant(n < h->in_first_level, "HARP: warp %u is not in the First-Level", number);
    return n;
}

void harp_scheduler_due(struct harp_scheduler *h, uint32_t number, uint64_t cycle) {
    if (h->cycle) {
        harp_scheduler_cycle_due(h->cycle, number, cycle);
        return;
    }
    const unsigned n = numbered(h, number);
    h->first_level[h->fl_slot[n]].due = cycle;
    h->fl_due |= 1ull << n;
}

void harp_scheduler_to_memory(struct harp_scheduler *h, uint32_t number) {
    if (h->cycle)
        harp_scheduler_cycle_to_memory(h->cycle, number);
    else
        h->fl_memory |= 1ull << numbered(h, number);
}

void harp_scheduler_done(struct harp_scheduler *h, unsigned row, unsigned lane) {
    if (h->cycle) {
        harp_scheduler_cycle_done(h->cycle, row, lane);
        return;
    }
    if (warp_lookup_ready(&h->waiting_lookup, row, lane)) return;
    for (unsigned n = 0; n < h->waits; ++n)
        if (h->waiting[n].warp.valid >> lane & 1 && h->waiting[n].warp.row[lane] == row)
            h->waiting[n].ready |= 1ull << lane;
}

void harp_scheduler_release(struct harp_scheduler *h, uint32_t group) {
    if (h->cycle)
        harp_scheduler_cycle_release(h->cycle, group);
    else
        h->released |= 1ull << group;
}

/* --- departures --- */

/* Returns whether a warp is committed before another. If threads of two warps of the same lookup were issued
 * together, the warp in the lower slot is older. */
static bool is_older(const struct issued_warp *w, const struct issued_warp *than, bool of_one_lookup) {
    if (w->number == than->number) return of_one_lookup && w->slot < than->slot;
    return issued_before(w->number, than->number);
}

/* Selects the warp that was issued first from all warps that can be committed. Among equals, the First-Level
 * goes before the Waiting-Lookup, and that before the Second-Level. */
static const struct regrouped_warp *choose_commit(struct harp_scheduler *h, uint64_t cycle) {
    const struct issued_warp *oldest = NULL;
    h->chosen.source = HARP_NONE;
    const struct {
        enum harp_source source;
        const struct issued_warp *warp;
        unsigned count;
    } places[] = {
        {HARP_FROM_LOOKUP, h->waiting_lookup.entry, h->waiting_lookup.count},
        {HARP_FROM_SECOND_LEVEL, h->waiting, h->waits},
    };
    for (uint64_t rest = h->fl_due; rest; rest &= rest - 1) {
        const unsigned n = (unsigned)__builtin_ctzll(rest);
        const struct issued_warp *w = &h->first_level[h->fl_slot[n]].warp;
        if (h->first_level[h->fl_slot[n]].due > cycle || (oldest && !is_older(w, oldest, false))) continue;
        oldest = w;
        h->chosen.source = HARP_FROM_FIRST_LEVEL;
        h->chosen.committed = n;
    }
    for (unsigned p = 0; p < 2; ++p)
        for (unsigned n = 0; n < places[p].count; ++n) {
            const struct issued_warp *w = &places[p].warp[n];
            const bool of_one_lookup = p == 0 && h->chosen.source == HARP_FROM_LOOKUP;
            if (w->ready != w->warp.valid || (oldest && !is_older(w, oldest, of_one_lookup))) continue;
            oldest = w;
            h->chosen.source = places[p].source;
            h->chosen.committed = n;
        }
    return oldest ? &oldest->warp : NULL;
}

static void choose_transfer(struct harp_scheduler *h) {
    h->chosen.barrier = re_convergence_barriers_complete(&h->barriers);
    h->chosen.lookup = h->second_level.count < 2 && h->ready_lookup.count;
}

void harp_scheduler_choose(struct harp_scheduler *h, uint64_t cycle, bool issues,
                           const struct regrouped_warp **committed, const struct regrouped_warp **issued,
                           uint32_t *number) {
    if (h->cycle) {
        harp_scheduler_cycle_choose(h->cycle, cycle, issues, committed, issued, number);
        return;
    }
    *committed = choose_commit(h, cycle);
    choose_transfer(h);
    h->chosen.forward = h->second_level.count && h->in_first_level < h->cfg.first_level;
    const uint64_t others = in_first_level(h) & ~h->fl_issued;
    h->chosen.issued = issues && others ? __builtin_ctzll(others) : -1;
    *issued = NULL;
    if (h->chosen.issued < 0) return;
    const struct harp_first_level *f = &h->first_level[h->fl_slot[h->chosen.issued]];
    h->fl_issued |= 1ull << h->chosen.issued;
    *issued = &f->warp.warp;
    *number = f->warp.number;
}

bool harp_scheduler_moves(const struct harp_scheduler *h, bool issues) {
    if ((h->second_level.count && h->in_first_level < h->cfg.first_level) ||
        (h->second_level.count < 2 && h->ready_lookup.count) || h->in_stages ||
        re_convergence_barriers_complete(&h->barriers) >= 0)
        return true;
    if ((issues && in_first_level(h) & ~h->fl_issued) || h->fl_due || h->fl_memory) return true;
    for (unsigned n = 0; n < h->waiting_lookup.count; ++n)
        if (h->waiting_lookup.entry[n].ready == h->waiting_lookup.entry[n].warp.valid) return true;
    for (unsigned n = 0; n < h->waits; ++n)
        if (h->waiting[n].ready == h->waiting[n].warp.valid) return true;
    return false;
}

/* --- commits and arrivals --- */

void harp_scheduler_commit(struct harp_scheduler *h, const struct regrouped_warp *w,
                           const struct regrouped_outcome *o, uint64_t cycle, int gone) {
    const uint64_t living = regrouped_living(w, o);
    struct harp_stage *s = &h->stage[h->in_stages];
    s->arrived = 0;
    s->due = cycle + h->cfg.barrier_stages - 1;
    s->warp = *w;
    s->count = regrouped_groups(w, o, living, s->groups);
    s->diverged = s->count + (living != w->valid) > 1;
    h->counted.divergences += s->diverged;
    h->counted.groups += s->diverged ? s->count : 0;
    re_convergence_barriers_exit(&h->barriers, w, o->waits ? w->valid : w->valid & ~living);
    if (o->waits) { /* a warp waits as a whole */
        struct regrouped_warp parked = *w;
        parked.pc = s->groups[0].pc;
        second_level_put(&h->parked, &parked);
        return;
    }
    if (s->diverged && o->meeting) re_convergence_barriers_reserve(&h->barriers, w, living, o->meeting, gone);
    h->in_stages += s->count != 0;
}

/* Lets threads with a reserved slot wait at the barrier of their PC, and keeps the others in `w`. Returns
 * whether any are left. */
static bool arrive(struct harp_scheduler *h, struct regrouped_warp *w) {
    h->met = re_convergence_barriers_arrive(&h->barriers, w, w->valid, w->pc);
    w->valid &= ~h->met;
    return w->valid;
}

static void arrive_parted(struct harp_scheduler *h, const struct regrouped_warp *w) {
    struct issued_warp i = {.warp = *w};
    i.warp.valid = warp_lookup_come(&h->ready_lookup, &i);
    if (i.warp.valid) put(h, &i.warp);
}

static bool settles(const struct harp_scheduler *h, uint64_t cycle) {
    return h->in_stages && h->stage[0].due <= cycle;
}

/* Lets the next group of the oldest barrier stage arrive. */
static void settle(struct harp_scheduler *h) {
    struct harp_stage *s = &h->stage[0];
    const bool diverged = s->diverged;
    struct regrouped_warp w = s->warp;
    w.pc = s->groups[s->arrived].pc;
    w.valid = (uint64_t)s->groups[s->arrived].mask;
    if (++s->arrived == s->count && --h->in_stages)
        memmove(&h->stage[0], &h->stage[1], h->in_stages * sizeof h->stage[0]);
    if (!arrive(h, &w)) return;
    if (diverged)
        arrive_parted(h, &w);
    else
        put(h, &w);
}

void harp_scheduler_settle(struct harp_scheduler *h, uint64_t cycle) {
    while (settles(h, cycle)) settle(h);
}

static void depart(struct harp_scheduler *h) {
    if (h->chosen.barrier >= 0) {
        const struct regrouped_warp w =
            re_convergence_barriers_fire(&h->barriers, (unsigned)h->chosen.barrier);
        put(h, &w);
    } else if (h->chosen.lookup) {
        const struct issued_warp w = warp_lookup_take(&h->ready_lookup, 0);
        put(h, &w.warp);
    }
}

void harp_scheduler_transfer(struct harp_scheduler *h) {
    choose_transfer(h);
    depart(h);
}

/* --- a cycle --- */

/* Removes bit n of a mask and shifts the bits above down. */
static uint64_t without(uint64_t mask, unsigned n) {
    const uint64_t below = (1ull << n) - 1;
    return (mask & below) | (mask >> 1 & ~below);
}

static void leave_first_level(struct harp_scheduler *h, unsigned n) {
    h->fl_issued = without(h->fl_issued, n);
    h->fl_due = without(h->fl_due, n);
    h->fl_memory = without(h->fl_memory, n);
    const uint8_t slot = h->fl_slot[n];
    memmove(&h->fl_slot[n], &h->fl_slot[n + 1], --h->in_first_level - n);
    h->fl_slot[h->in_first_level] = slot;
}

/* Removes the committed warp from the table that holds it, and returns it. */
static struct regrouped_warp committed(struct harp_scheduler *h) {
    const unsigned n = h->chosen.committed;
    struct regrouped_warp w;
    if (h->chosen.source == HARP_FROM_LOOKUP) return warp_lookup_take(&h->waiting_lookup, n).warp;
    if (h->chosen.source == HARP_FROM_FIRST_LEVEL) {
        w = h->first_level[h->fl_slot[n]].warp.warp;
        leave_first_level(h, n);
    } else {
        w = h->waiting[n].warp;
        h->waiting_slot[h->waiting[n].slot] = false;
        memmove(&h->waiting[n], &h->waiting[n + 1], (--h->waits - n) * sizeof h->waiting[0]);
    }
    return w;
}

static void to_memory(struct harp_scheduler *h, unsigned n) {
    struct issued_warp w = h->first_level[h->fl_slot[n]].warp;
    leave_first_level(h, n);
    w.warp.valid = warp_lookup_come(&h->waiting_lookup, &w);
    if (!w.warp.valid) return;
    w.slot = 0;
    while (h->waiting_slot[w.slot]) ++w.slot;
    h->waiting_slot[w.slot] = true;
    h->waiting[h->waits++] = w;
}

static void forward(struct harp_scheduler *h) {
    struct harp_first_level *f = &h->first_level[h->fl_slot[h->in_first_level++]];
    harp_scheduler_take(h, &f->warp.warp);
    f->warp.number = h->number++;
    f->warp.ready = 0;
    f->due = UINT64_MAX;
}

/* Takes the oldest parked warp, which continues if the barrier of its work-group has opened and is parked
 * again otherwise. */
static void unpark(struct harp_scheduler *h) {
    struct regrouped_warp w;
    second_level_take(&h->parked, &w);
    if (h->released >> w.group & 1)
        put(h, &w);
    else
        second_level_put(&h->parked, &w);
    if (!--h->unparks) h->released = 0;
}

void harp_scheduler_begin(struct harp_scheduler *h, uint64_t cycle, const struct regrouped_outcome *o) {
    if (in_second_level(h) > h->cfg.second_level && h->stepped < cycle) /* the cycles since the last step, in
                                                                         * which the count has not changed */
        h->counted.over += cycle - h->stepped - 1;
    h->stepped = cycle;
    struct regrouped_warp done;
    const bool commits = h->chosen.source != HARP_NONE;
    if (commits) done = committed(h);
    if (h->chosen.forward) forward(h);
    depart(h);
    if (commits) harp_scheduler_commit(h, &done, o, cycle, h->chosen.barrier);
    h->unparks = h->released ? h->parked.count : 0;
    if (!h->unparks) h->released = 0;
}

bool harp_scheduler_pending(const struct harp_scheduler *h) {
    return h->fl_memory || settles(h, h->stepped) || h->unparks;
}

void harp_scheduler_go_on(struct harp_scheduler *h) {
    h->met = 0;
    if (h->fl_memory)
        to_memory(h, (unsigned)__builtin_ctzll(h->fl_memory));
    else if (settles(h, h->stepped))
        settle(h);
    else
        unpark(h);
}

/* Updates the counters at the end of a cycle. */
static void end_cycle(struct harp_scheduler *h) {
    if (h->in_first_level > h->counted.most_first_level) h->counted.most_first_level = h->in_first_level;
    if (in_second_level(h) > h->cfg.second_level) ++h->counted.over;
}

void harp_scheduler_step(struct harp_scheduler *h, uint64_t cycle, const struct regrouped_outcome *o) {
    if (h->cycle) {
        harp_scheduler_cycle_step(h->cycle, cycle, o);
    } else {
        harp_scheduler_begin(h, cycle, o);
        while (harp_scheduler_pending(h)) harp_scheduler_go_on(h);
    }
    end_cycle(h);
}

/* --- counters --- */

void harp_scheduler_register(struct harp_scheduler *h, const char *scope, unsigned n,
                             struct counter_registry *r) {
    const struct {
        const char *name, *unit, *description;
        const uint64_t *value;
    } counters[] = {
        {"divergences", "instructions", "after which threads of a warp parted", &h->counted.divergences},
        {"groups", "groups", "into which they parted", &h->counted.groups},
        {"second_level_over", "cycles", "with more warps in the Second-Level than it has entries",
         &h->counted.over},
        {"ready_merged", "threads", "that joined a warp in the Ready-Lookup",
         &h->ready_lookup.counted.merged},
        {"ready_bypassed", "warps", "that found the Ready-Lookup full", &h->ready_lookup.counted.full},
        {"waiting_merged", "threads", "that joined a warp in the Waiting-Lookup",
         &h->waiting_lookup.counted.merged},
        {"waiting_bypassed", "warps", "that found the Waiting-Lookup full", &h->waiting_lookup.counted.full},
        {"reserved", "threads", "that reserved a slot of a barrier", &h->barriers.counted.reserved},
        {"shared", "threads", "of these, in a barrier that others had reserved", &h->barriers.counted.shared},
        {"missed", "threads", "that found no barrier free", &h->barriers.counted.missed},
        {"completed", "barriers", "that all of their threads had reached", &h->barriers.counted.completed},
    };
    char sub[48];
    snprintf(sub, sizeof sub, "%s.harp%u", scope, n);
    for (unsigned k = 0; k < sizeof counters / sizeof counters[0]; ++k)
        counter_register(r, sub, counters[k].name, counters[k].unit, counters[k].description,
                         counters[k].value);
}
