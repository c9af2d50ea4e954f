/*
 * warp_lookup: a small table of warps in which threads that come to one PC meet (divergence.md §5: HARP's
 * Ready-Lookup and Waiting-Lookup).
 *
 * Entries are in the order of their ages. A thread joins the oldest entry at its PC, of its work-group, whose
 * lane is free; threads that come together search the table at once, and may so go to different entries. In a
 * Ready-Lookup those that somebody joins then become the youngest, in the order that they have. Of an
 * entry it is kept which of its threads was issued first, and of each thread whether it is ready: an entry
 * is, once all of its threads are.
 *
 * It is a part of HARP (harp_scheduler.h).
 */
#ifndef MODEL_DIVERGENCE_WARP_LOOKUP_H
#define MODEL_DIVERGENCE_WARP_LOOKUP_H

#include "model/config/limits.h"
#include "model/divergence/regrouped_warp.h"

/* A warp and what its instruction has come to. */
struct issued_warp {
    struct regrouped_warp warp;
    uint64_t ready;  /* lanes whose access is done */
    uint32_t number; /* of the thread that was issued first: of warps in the order of S, around at 2^32 */
    unsigned slot;   /* of an entry: where the hardware has it, as long as it is there */
};

/* Was the one with number a issued before that with b? They are less than 2^31 apart. */
static inline bool issued_before(uint32_t a, uint32_t b) {
    return (int32_t)(a - b) < 0;
}

struct warp_lookup {
    struct {
        unsigned entries; /* 1–64 */
        bool renews;      /* a merge makes its entry the youngest */
    } cfg;
    unsigned count;
    struct issued_warp entry[WARP_LOOKUP_MAX_ENTRIES]; /* the oldest first */
    struct {
        uint64_t merged; /* threads */
        uint64_t full;   /* warps that found no room */
        unsigned most;   /* entries at once */
    } counted;
    struct warp_lookup_cycle *cycle; /* each operation is a cycle of it; NULL: of nothing */
};

void warp_lookup_init(struct warp_lookup *l, unsigned entries, bool renews);
/* It is empty, as at first; what has been counted stays. */
void warp_lookup_clear(struct warp_lookup *l);

/* The threads of a warp come: each joins an entry, or they make one; returns those that find no room. */
uint64_t warp_lookup_come(struct warp_lookup *l, const struct issued_warp *w);
/* Its two halves: those in some lanes that join nobody; */
uint64_t warp_lookup_merge(struct warp_lookup *l, const struct issued_warp *w, uint64_t lanes);
/* they make an entry. False: there is no room. */
bool warp_lookup_insert(struct warp_lookup *l, const struct issued_warp *w, uint64_t lanes);

/* Entry n leaves. */
struct issued_warp warp_lookup_take(struct warp_lookup *l, unsigned n);

/* A thread's access is done. False: it is in no entry. */
bool warp_lookup_ready(struct warp_lookup *l, unsigned row, unsigned lane);

#endif
