/*
 * tlb: a fully associative translation look-aside buffer of 4 KB pages with true LRU replacement. Translation
 * is the identity; what is modelled is the miss (a fixed penalty instead of a page walk).
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
};

void tlb_init(struct tlb *t, unsigned entries);
void tlb_free(struct tlb *t);
/* True on a hit; on a miss the page takes the place of the least recently used one. Counted. */
bool tlb_access(struct tlb *t, uint32_t address);

#endif
