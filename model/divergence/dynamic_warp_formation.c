#include "model/divergence/dynamic_warp_formation.h"

#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dynamic_warp_formation_init(struct dynamic_warp_formation *f, unsigned threads, unsigned lut) {
    invariant(threads, "warp formation of %u threads", threads);
    *f = (struct dynamic_warp_formation){.cfg = {threads}};
    f->pool = calloc(threads, sizeof *f->pool);
    f->at = calloc(threads, sizeof *f->at);
    warp_formation_table_init(&f->table, lut);
    require_memory(f->pool);
    require_memory(f->at);
    dynamic_warp_formation_clear(f);
}

void dynamic_warp_formation_clear(struct dynamic_warp_formation *f) {
    memset(f->pool, 0, f->cfg.threads * sizeof *f->pool);
    warp_formation_table_clear(&f->table);
    f->pcs = 0;
    f->pc = 0;
    f->free = -1;
    for (unsigned n = f->cfg.threads; n--; f->free = (int)n) f->pool[n].next = f->free;
}

void dynamic_warp_formation_free(struct dynamic_warp_formation *f) {
    free(f->pool);
    free(f->at);
    warp_formation_table_free(&f->table);
    f->pool = NULL;
    f->at = NULL;
}

/* --- the pool --- */

/* Returns the index of a PC in the table of ready PCs; f->pcs if no warp is ready there. */
static unsigned place_of(const struct dynamic_warp_formation *f, uint32_t pc) {
    unsigned n = 0;
    while (n < f->pcs && f->at[n].pc != pc) ++n;
    return n;
}

/* Makes a warp ready. Warps with the same PC are listed by age, oldest first. */
static void make_ready(struct dynamic_warp_formation *f, unsigned warp) {
    struct warp_formation_warp *w = &f->pool[warp];
    const unsigned n = place_of(f, w->warp.pc);
    if (n == f->pcs) f->at[f->pcs++] = (struct warp_formation_pc){.pc = w->warp.pc, .oldest = -1};
    int *before = &f->at[n].oldest;
    if (*before >= 0 && f->pool[f->at[n].youngest].age < w->age) before = &f->pool[f->at[n].youngest].next;
    while (*before >= 0 && f->pool[*before].age < w->age) before = &f->pool[*before].next;
    w->next = *before;
    *before = (int)warp;
    if (w->next < 0) f->at[n].youngest = (int)warp;
    w->state = WARP_FORMATION_READY;
    f->at[n].threads += (unsigned)__builtin_popcountll(w->warp.valid);
}

/* Removes the oldest ready warp from a PC's list and returns it. */
static unsigned take(struct dynamic_warp_formation *f, unsigned place) {
    struct warp_formation_pc *at = &f->at[place];
    const int warp = at->oldest;
    at->oldest = f->pool[warp].next;
    at->threads -= (unsigned)__builtin_popcountll(f->pool[warp].warp.valid);
    if (at->oldest < 0) *at = f->at[--f->pcs];
    return (unsigned)warp;
}

static unsigned add(struct dynamic_warp_formation *f, const struct regrouped_warp *w) {
    invariant(f->free >= 0, "warp formation: %u threads make more warps", f->cfg.threads);
    const unsigned n = (unsigned)f->free;
    f->free = f->pool[n].next;
    f->pool[n] = (struct warp_formation_warp){.warp = *w, .age = ++f->time, .next = -1};
    return n;
}

void dynamic_warp_formation_start(struct dynamic_warp_formation *f, const struct regrouped_warp *w) {
    make_ready(f, add(f, w));
}

/* Returns the index of the PC to be selected: the last one while warps are ready there, else the PC with most
 * threads (the lower of equals); f->pcs if no warp is ready. */
static unsigned majority(const struct dynamic_warp_formation *f) {
    unsigned most = place_of(f, f->pc);
    if (most < f->pcs || !f->pcs) return most;
    most = 0;
    for (unsigned n = 1; n < f->pcs; ++n)
        if (f->at[n].threads > f->at[most].threads ||
            (f->at[n].threads == f->at[most].threads && f->at[n].pc < f->at[most].pc))
            most = n;
    return most;
}

int dynamic_warp_formation_select(struct dynamic_warp_formation *f) {
    const unsigned place = majority(f);
    if (place == f->pcs) return -1;
    const uint32_t pc = f->at[place].pc;
    const unsigned oldest = take(f, place);
    warp_formation_table_issue(&f->table, pc, f->pool[oldest].warp.group, oldest);
    f->pool[oldest].state = WARP_FORMATION_ISSUED;
    f->pc = pc;
    return (int)oldest;
}

/* --- commit --- */

/* Looks up the table for threads of a warp that continue at one PC: which join a known warp, and which form a
 * new one. */
static struct warp_formation_found come(struct dynamic_warp_formation *f, const struct regrouped_warp *from,
                                        uint64_t lanes, uint32_t pc) {
    invariant(f->free >= 0, "warp formation: %u threads make more warps", f->cfg.threads);
    const struct warp_formation_found x =
        warp_formation_table_come(&f->table, pc, from->group, lanes, (uint32_t)f->free);
    if (x.hit) {
        f->counted.joined += (unsigned)__builtin_popcountll(x.joined);
        f->counted.taken += (unsigned)__builtin_popcountll(x.left);
    }
    f->counted.lost += x.lost;
    f->counted.formed += x.left != 0;
    return x;
}

/* Moves threads to the warp found in the table; forms a new warp of the remaining threads. */
static void join(struct dynamic_warp_formation *f, const struct regrouped_warp *from,
                 const struct warp_formation_found x, uint32_t pc) {
    if (x.hit) {
        regrouped_move(&f->pool[x.warp].warp, from, x.joined);
        f->at[place_of(f, pc)].threads += (unsigned)__builtin_popcountll(x.joined);
    }
    if (!x.left) return;
    struct regrouped_warp new = {.pc = pc, .group = from->group};
    regrouped_move(&new, from, x.left);
    make_ready(f, add(f, &new));
}

/* Keeps a committed warp unchanged. Its entry in the pool is the first on the free list. */
static void stay(struct dynamic_warp_formation *f, uint32_t pc) {
    struct warp_formation_warp *w = &f->pool[f->free];
    const int warp = f->free;
    f->free = w->next;
    w->warp.pc = pc;
    w->age = ++f->time;
    make_ready(f, (unsigned)warp);
}

void dynamic_warp_formation_commit(struct dynamic_warp_formation *f, unsigned warp,
                                   const struct regrouped_outcome *o) {
    struct re_convergence_group groups[REGROUPED_MAX_LANES];
    struct regrouped_warp w = f->pool[warp].warp;
    const uint64_t living = regrouped_living(&w, o);
    const unsigned count = regrouped_groups(&w, o, living, groups);
    f->pool[warp].state = WARP_FORMATION_FREE;
    f->pool[warp].next = f->free;
    f->free = (int)warp;
    if (o->waits && count) {
        w.pc = groups[0].pc;
        f->pool[add(f, &w)].state = WARP_FORMATION_WAITING;
        return;
    }
    for (unsigned n = 0; n < count; ++n) {
        const struct warp_formation_found x = come(f, &w, (uint64_t)groups[n].mask, groups[n].pc);
        if (x.left == w.valid)
            stay(f, groups[n].pc); /* its entry in the pool has not been reused */
        else
            join(f, &w, x, groups[n].pc);
    }
}

void dynamic_warp_formation_release(struct dynamic_warp_formation *f, unsigned group) {
    for (unsigned n = 0; n < f->cfg.threads; ++n)
        if (f->pool[n].state == WARP_FORMATION_WAITING && f->pool[n].warp.group == group) make_ready(f, n);
}

void dynamic_warp_formation_register(struct dynamic_warp_formation *f, const char *scope, unsigned n,
                                     struct counter_registry *r) {
    char sub[48];
    snprintf(sub, sizeof sub, "%s.dwf%u", scope, n);
    counter_register(r, sub, "formed", "warps",
                     "made of threads for which the table knew no warp with their positions free",
                     &f->counted.formed);
    counter_register(r, sub, "joined", "threads", "that joined a warp that the table knew",
                     &f->counted.joined);
    counter_register(r, sub, "conflicts", "threads", "whose position was taken there", &f->counted.taken);
    counter_register(r, sub, "lost", "entries", "of the table that made room for others", &f->counted.lost);
}
