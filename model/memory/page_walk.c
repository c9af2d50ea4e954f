#include "model/memory/page_walk.h"

#include <string.h>

void page_walkers_init(struct page_walkers *w, const struct machine_config *config, struct private_l2 *l2) {
    memset(w, 0, sizeof *w);
    w->config = config;
    w->l2 = l2;
}

/* Returns the first cycle after a walk that begins in cycle t and reads both descriptors. */
static __attribute__((noinline)) uint64_t walked(struct page_walkers *w, uint32_t address, uint64_t t) {
    const uint32_t descriptor[] = {PAGE_WALK_LEVEL_1 + (address >> 20) * 4,
                                   PAGE_WALK_LEVEL_2 + (address >> 12) * 4};
    uint64_t done;
    for (unsigned level = 0; level < 2; ++level) {
        while (!private_l2_access(w->l2, descriptor[level], false, t, &done)) t = done;
        t = done + 1;
    }
    return t;
}

struct page_walk_times page_walkers_take(struct page_walkers *w, uint32_t address, uint64_t t) {
    uint64_t *first = &w->free[0];
    for (unsigned n = 1; n < w->config->mem.walkers; ++n)
        if (w->free[n] < *first) first = &w->free[n];
    const uint64_t start = *first > t ? *first : t;
    w->wait_cycles += start - t;
    const bool reads = w->config->mem.page_walk != PAGE_WALK_FIXED;
    *first = reads ? walked(w, address, start) : start + w->config->mem.tlb_miss_cycles;
    return (struct page_walk_times){start, *first};
}
