/*
 * tlb: a fully associative translation look-aside buffer of 4 KB pages. replacement.h chooses the victim of a
 * full TLB. Translation is the identity; page_walk has the cost of a miss.
 *
 * A walk in flight fills its entry when it ends: until then the page misses, and later misses of the page
 * wait for the same walk. Lookups must come in order of time.
 */
#ifndef MODEL_MEMORY_TLB_H
#define MODEL_MEMORY_TLB_H

#include "model/replacement/replacement.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TLB_PAGE_SHIFT 12
#define TLB_GUESSES    256
#define TLB_NO_WALK    UINT64_MAX

/* Walks in flight, in the order in which they end: indices [first, end). */
struct tlb_walks {
    uint32_t *page;
    uint64_t *there; /* first cycle in which the entry is present */
    unsigned first, end, room;
};

struct tlb {
    unsigned entries, used;
    uint16_t guess[TLB_GUESSES]; /* entry hit last, by page number modulo TLB_GUESSES */
    uint16_t pages[TLB_GUESSES]; /* upper bound of the pages present or in flight, by page number modulo
                                    TLB_GUESSES */
    uint32_t *page;
    uint64_t *use; /* order of last use */
    struct tlb_walks walks;
    uint64_t next_end; /* `there` of the first walk; TLB_NO_WALK if none is in flight */
    uint64_t uses, accesses, misses;
    void (*touch)(struct replacement_state *, unsigned set,
                  unsigned way);  /* policy's use of an entry; NULL for lru */
    uint64_t walked, walk_cycles; /* walks and their cycles, counted by the walker */
    struct replacement_state replacement;
};

/* `seed` of the TLB's generator; not 0 */
void tlb_init(struct tlb *t, unsigned entries, uint32_t replacement, uint32_t seed);
void tlb_free(struct tlb *t);
/* Does the whole access after the first guess has failed. */
bool tlb_search(struct tlb *t, uint32_t page);

/* Returns whether the page is present. Neither counts nor uses the entry. */
bool tlb_holds(const struct tlb *t, uint32_t address);

/* Returns the entry of an address's page if the first guess finds it, else −1. Neither counts nor uses the
 * entry. */
static inline int tlb_guess(const struct tlb *t, uint32_t address) {
    const unsigned guess = t->guess[(address >> TLB_PAGE_SHIFT) % TLB_GUESSES];
    return guess < t->used && t->page[guess] == address >> TLB_PAGE_SHIFT ? (int)guess : -1;
}

/* Uses an entry `times` times, with no other use between them. Does not count. */
static inline void tlb_touch(struct tlb *t, unsigned entry, unsigned times) {
    t->use[entry] = t->uses += times;
    if (__builtin_expect(t->touch != NULL, 0)) t->touch(&t->replacement, 0, entry);
}

/* Puts an absent page into a free entry or that of the policy's victim. */
void tlb_fill(struct tlb *t, uint32_t address);

/* Reports a walk for the page that has begun or waits, and ends before cycle `end`. */
void tlb_begin_walk(struct tlb *t, uint32_t address, uint64_t end);
/* Fills the entries of walks that have ended by `cycle`. */
void tlb_end_walks(struct tlb *t, uint64_t cycle);
/* Returns the first cycle in which a walk in flight makes the page present; TLB_NO_WALK if there is none. */
uint64_t tlb_walk_end(const struct tlb *t, uint32_t address);

/* Returns whether the first guess finds the page in a cycle. tlb_use() uses the entry and counts. */
static inline bool tlb_hits(struct tlb *t, uint32_t address, uint64_t cycle) {
    const uint32_t page = address >> TLB_PAGE_SHIFT;
    if (__builtin_expect(cycle >= t->next_end, 0)) tlb_end_walks(t, cycle);
    const unsigned guess = t->guess[page % TLB_GUESSES];
    return guess < t->used && t->page[guess] == page;
}
static inline void tlb_use(struct tlb *t, uint32_t address) {
    ++t->accesses;
    tlb_touch(t, t->guess[(address >> TLB_PAGE_SHIFT) % TLB_GUESSES], 1);
}

/* Returns whether the page is present in a cycle. Counts. */
static inline bool tlb_access(struct tlb *t, uint32_t address, uint64_t cycle) {
    if (tlb_hits(t, address, cycle)) {
        tlb_use(t, address);
        return true;
    }
    ++t->accesses;
    return tlb_search(t, address >> TLB_PAGE_SHIFT);
}

#endif
