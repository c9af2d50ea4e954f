/* warp_lookup: a small table of warps in which threads with one PC merge (divergence.md §5: HARP's
 * Ready-Lookup and Waiting-Lookup).
 *
 * Entries are ordered by age. A thread merges into the oldest entry of its PC and work-group whose lane is
 * free. Threads that arrive together search in parallel and may merge into different entries. In a
 * Ready-Lookup, entries with merged threads become the youngest, in their previous order. An entry stores
 * which of its threads was issued first, and for each thread whether it is ready; the entry is ready when all
 * its threads are.
 *
 * Part of HARP (harp_scheduler.h). */
#ifndef MODEL_DIVERGENCE_WARP_LOOKUP_H
#define MODEL_DIVERGENCE_WARP_LOOKUP_H

#include "model/config/limits.h"
#include "model/divergence/regrouped_warp.h"

/* A warp with the state of its instruction. */
struct issued_warp {
    struct regrouped_warp warp;
    uint64_t ready;  /* lanes whose access is done */
    uint32_t number; /* number of the thread issued first: by warps in the order of S, modulo 2^32 */
    unsigned slot;   /* place of the entry in hardware */
};

/* Returns whether number a was issued before b; they differ by less than 2^31. */
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
        uint64_t merged; /* merged threads */
        uint64_t full;   /* warps without room */
        unsigned most;   /* most entries at the same time */
    } counted;
    struct warp_lookup_cycle *cycle; /* each operation is a cycle of it; NULL: none */
};

void warp_lookup_init(struct warp_lookup *l, unsigned entries, bool renews);
/* Empties it; counters are kept. */
void warp_lookup_clear(struct warp_lookup *l);

/* Adds the threads of a warp: each joins an entry, or they make a new one. Returns those without room. */
uint64_t warp_lookup_come(struct warp_lookup *l, const struct issued_warp *w);
/* First half: merges the threads of some lanes. Returns the threads that join no entry. */
uint64_t warp_lookup_merge(struct warp_lookup *l, const struct issued_warp *w, uint64_t lanes);
/* Second half: makes an entry of these. Returns false if there is no room. */
bool warp_lookup_insert(struct warp_lookup *l, const struct issued_warp *w, uint64_t lanes);

/* Removes and returns entry n. */
struct issued_warp warp_lookup_take(struct warp_lookup *l, unsigned n);

/* Notes that a thread's access is done. Returns false if it is in no entry. */
bool warp_lookup_ready(struct warp_lookup *l, unsigned row, unsigned lane);

#endif
