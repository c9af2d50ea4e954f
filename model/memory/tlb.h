/*
 * tlb: a fully associative translation look-aside buffer of 4 KB pages with true LRU replacement. Translation
 * is the identity; what a miss costs is page_walk's business.
 *
 * A walk in flight brings its entry when it ends: until then the page misses, and later misses of it wait for
 * the same walk. Lookups must come in order of time.
 */
#ifndef MODEL_MEMORY_TLB_H
#define MODEL_MEMORY_TLB_H

#include <stdbool.h>
#include <stdint.h>

#define TLB_PAGE_SHIFT 12
#define TLB_GUESSES    256
#define TLB_NO_WALK    UINT64_MAX

/* Walks in flight, in the order in which they end: from `first` to before `end`. */
struct tlb_walks {
    uint32_t *page;
    uint64_t *there; /* first cycle in which the entry is */
    unsigned first, end, room;
};

struct tlb {
    unsigned entries, used;
    uint16_t guess[TLB_GUESSES]; /* entry hit last for pages of this number modulo TLB_GUESSES */
    uint16_t pages[TLB_GUESSES]; /* of this number: no less than are there or on their way */
    uint32_t *page;
    uint64_t *use; /* order of last use */
    struct tlb_walks walks;
    uint64_t next_end; /* `there` of the first; TLB_NO_WALK: none is in flight */
    uint64_t uses, accesses, misses;
    uint64_t walked, walk_cycles; /* of its misses: kept by who walks */
};

void tlb_init(struct tlb *t, unsigned entries);
void tlb_free(struct tlb *t);
/* The whole of an access whose first guess failed. */
bool tlb_search(struct tlb *t, uint32_t page);

/* Is the page there? Counts nothing and is no use of it. */
bool tlb_holds(const struct tlb *t, uint32_t address);

/* The entry of an address's page, where the first guess finds it; −1: it does not. Counts nothing and is no
 * use of it. */
static inline int tlb_guess(const struct tlb *t, uint32_t address) {
    const unsigned guess = t->guess[(address >> TLB_PAGE_SHIFT) % TLB_GUESSES];
    return guess < t->used && t->page[guess] == address >> TLB_PAGE_SHIFT ? (int)guess : -1;
}

/* The page takes the place of the least recently used one; it is not there yet. */
void tlb_fill(struct tlb *t, uint32_t address);

/* A walk for the page has been begun (or waits) that ends before cycle `end`. */
void tlb_begin_walk(struct tlb *t, uint32_t address, uint64_t end);
/* Walks that have ended by cycle t bring their entries. */
void tlb_end_walks(struct tlb *t, uint64_t cycle);
/* The first cycle in which the page is there by a walk in flight; TLB_NO_WALK: there is none for it. */
uint64_t tlb_walk_end(const struct tlb *t, uint32_t address);

/* Does the first guess say that the page is there in a cycle? No use of it: tlb_use() is, and counts. */
static inline bool tlb_hits(struct tlb *t, uint32_t address, uint64_t cycle) {
    const uint32_t page = address >> TLB_PAGE_SHIFT;
    if (__builtin_expect(cycle >= t->next_end, 0)) tlb_end_walks(t, cycle);
    const unsigned guess = t->guess[page % TLB_GUESSES];
    return guess < t->used && t->page[guess] == page;
}
static inline void tlb_use(struct tlb *t, uint32_t address) {
    ++t->accesses;
    t->use[t->guess[(address >> TLB_PAGE_SHIFT) % TLB_GUESSES]] = ++t->uses;
}

/* Is the page there in a cycle? Counted. */
static inline bool tlb_access(struct tlb *t, uint32_t address, uint64_t cycle) {
    if (tlb_hits(t, address, cycle)) {
        tlb_use(t, address);
        return true;
    }
    ++t->accesses;
    return tlb_search(t, address >> TLB_PAGE_SHIFT);
}

#endif
