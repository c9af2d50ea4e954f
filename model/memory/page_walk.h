/*
 * page_walk: the walkers of a core (mem.walkers), which its two TLBs share, and the time of a walk (dual-mode
 * Table 2): a fixed penalty, or, with mem.page_walk: memory, two reads through the L2, one after the other,
 * of the two descriptors of a 4 KB page.
 *
 * The walker that is free first serves a request; if all are busy, requests wait in order. Requests must come
 * in order of time.
 *
 * The translation table is at the addresses of the architecture's short descriptors: word address >> 20 of
 * the first level, word address >> 12 of a contiguous second level. Translation itself is the identity.
 *
 * Known inaccuracy: the descriptors of a waiting walk are requested from the L2 when the walk is requested,
 * for the cycles in which the walk will need them.
 */
#ifndef MODEL_MEMORY_PAGE_WALK_H
#define MODEL_MEMORY_PAGE_WALK_H

#include "model/config/limits.h"
#include "model/memory/private_l2.h"

#define PAGE_WALK_LEVEL_1 0xff000000u /* above every buffer */
#define PAGE_WALK_LEVEL_2 0xff800000u

struct page_walkers {
    const struct machine_config *config;
    struct private_l2 *l2;
    uint64_t free[PAGE_WALK_WALKERS]; /* first cycle in which each walker is free */
    uint64_t wait_cycles;             /* cycles in which walks waited for a walker */
};

struct page_walk_times {
    uint64_t start, end; /* first cycle of the walk; first cycle after it, with the translation present */
};

void page_walkers_init(struct page_walkers *w, const struct machine_config *config, struct private_l2 *l2);

/* Returns the times of a walk for an address, requested in cycle t. */
struct page_walk_times page_walkers_take(struct page_walkers *w, uint32_t address, uint64_t t);

#endif
