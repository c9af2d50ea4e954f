/*
 * tlb: a fully associative translation look-aside buffer of 4 KB pages with true LRU replacement. Translation
 * is the identity; what a miss costs is page_walk's business.
 */
#ifndef MODEL_TLB_H
#define MODEL_TLB_H

#include <stdbool.h>
#include <stdint.h>

#define TLB_PAGE_SHIFT 12
#define TLB_GUESSES    64

struct tlb {
    unsigned entries, used;
    uint16_t guess[TLB_GUESSES]; /* entry hit last for pages of this number modulo TLB_GUESSES */
    uint32_t *page;
    uint64_t *use; /* order of last use */
    uint64_t uses, accesses, misses;
    uint64_t walk_cycles; /* of its misses: kept by who walks */
};

void tlb_init(struct tlb *t, unsigned entries);
void tlb_free(struct tlb *t);
/* The whole of an access whose first guess failed. */
bool tlb_search(struct tlb *t, uint32_t page);

/* Is the page there? Counts nothing and is no use of it. */
bool tlb_holds(const struct tlb *t, uint32_t address);

/* True on a hit; on a miss the page takes the place of the least recently used one. Counted. */
static inline bool tlb_access(struct tlb *t, uint32_t address) {
    const uint32_t page = address >> TLB_PAGE_SHIFT;
    const unsigned guess = t->guess[page % TLB_GUESSES];
    ++t->accesses;
    if (guess >= t->used || t->page[guess] != page) return tlb_search(t, page);
    t->use[guess] = ++t->uses;
    return true;
}

#endif
