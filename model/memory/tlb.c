#include "model/memory/tlb.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void tlb_init(struct tlb *t, unsigned entries) {
    memset(t, 0, sizeof *t);
    t->entries = entries;
    t->next_end = TLB_NO_WALK;
    t->page = calloc(entries, sizeof *t->page);
    t->use = calloc(entries, sizeof *t->use);
    require_memory(t->page && t->use);
}

void tlb_free(struct tlb *t) {
    free(t->page);
    free(t->use);
    free(t->walk);
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
    return false;
}

void tlb_fill(struct tlb *t, uint32_t address) {
    const unsigned at = victim(t);
    if (at == t->used) ++t->used;
    t->page[at] = address >> TLB_PAGE_SHIFT;
    hit(t, at);
}

void tlb_begin_walk(struct tlb *t, uint32_t address, uint64_t end) {
    if (t->walks == t->room) {
        t->room = 2 * t->room + 16;
        t->walk = realloc(t->walk, t->room * sizeof *t->walk);
        require_memory(t->walk);
    }
    unsigned n = t->walks++;
    for (; n && t->walk[n - 1].end > end; --n) t->walk[n] = t->walk[n - 1];
    t->walk[n] = (struct tlb_walk){address >> TLB_PAGE_SHIFT, end};
    t->next_end = t->walk[0].end;
}

void tlb_end_walks(struct tlb *t, uint64_t cycle) {
    unsigned ended = 0;
    for (; ended < t->walks && t->walk[ended].end <= cycle; ++ended)
        tlb_fill(t, t->walk[ended].page << TLB_PAGE_SHIFT);
    if (ended == 0) return;
    t->walks -= ended;
    memmove(t->walk, t->walk + ended, t->walks * sizeof *t->walk);
    t->next_end = t->walks ? t->walk[0].end : TLB_NO_WALK;
}

uint64_t tlb_walk_end(const struct tlb *t, uint32_t address) {
    for (unsigned n = 0; n < t->walks; ++n)
        if (t->walk[n].page == address >> TLB_PAGE_SHIFT) return t->walk[n].end;
    return TLB_NO_WALK;
}

bool tlb_holds(const struct tlb *t, uint32_t address) {
    const unsigned guess = t->guess[(address >> TLB_PAGE_SHIFT) % TLB_GUESSES];
    if (guess < t->used && t->page[guess] == address >> TLB_PAGE_SHIFT) return true;
    for (unsigned i = 0; i < t->used; ++i)
        if (t->page[i] == address >> TLB_PAGE_SHIFT) return true;
    return false;
}
