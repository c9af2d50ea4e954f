#include "model/tlb.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void tlb_init(struct tlb *t, unsigned entries) {
    memset(t, 0, sizeof *t);
    t->entries = entries;
    t->page = calloc(entries, sizeof *t->page);
    t->use = calloc(entries, sizeof *t->use);
    require_memory(t->page && t->use);
}

void tlb_free(struct tlb *t) {
    free(t->page);
    free(t->use);
}

static bool hit(struct tlb *t, unsigned entry) {
    t->guess[t->page[entry] % TLB_GUESSES] = (uint16_t)entry;
    t->use[entry] = ++t->uses;
    return true;
}

static unsigned victim(const struct tlb *t) {
    if (t->used < t->entries) return t->used;
    unsigned oldest = 0;
    for (unsigned i = 1; i < t->entries; ++i)
        if (t->use[i] < t->use[oldest]) oldest = i;
    return oldest;
}

bool tlb_search(struct tlb *t, uint32_t page) {
    for (unsigned i = 0; i < t->used; ++i)
        if (t->page[i] == page) return hit(t, i);
    ++t->misses;
    const unsigned at = victim(t);
    if (at == t->used) ++t->used;
    t->page[at] = page;
    hit(t, at);
    return false;
}

bool tlb_holds(const struct tlb *t, uint32_t address) {
    const unsigned guess = t->guess[(address >> TLB_PAGE_SHIFT) % TLB_GUESSES];
    if (guess < t->used && t->page[guess] == address >> TLB_PAGE_SHIFT) return true;
    for (unsigned i = 0; i < t->used; ++i)
        if (t->page[i] == address >> TLB_PAGE_SHIFT) return true;
    return false;
}
