/*
 * page_walk: the walkers of a core (mem.walkers), which its two TLBs share, and what a walk takes (dual-mode
 * Table 2): a fixed penalty, or, with mem.page_walk: memory, the two descriptors of a 4 KB page read through
 * the L2, one after the other.
 *
 * A request for a walk is served by the walker that is free first; if all are busy it waits, first come,
 * first served. Requests must come in order of time.
 *
 * The translation table is where the architecture's short descriptors would be: word address >> 20 of the
 * first level, word address >> 12 of a second level that is contiguous. Translation itself is the identity.
 *
 * Known inaccuracy: the L2 is asked for the descriptors of a walk that waits when the walk is asked for, with
 * the cycles in which the walk will want them.
 */
#ifndef MODEL_MEMORY_PAGE_WALK_H
#define MODEL_MEMORY_PAGE_WALK_H

#include "model/config/limits.h"
#include "model/memory/private_l2.h"

#define PAGE_WALK_LEVEL_1 0xff000000u /* behind every buffer */
#define PAGE_WALK_LEVEL_2 0xff800000u

struct page_walkers {
    const struct machine_config *config;
    struct private_l2 *l2;
    uint64_t free[PAGE_WALK_WALKERS]; /* first cycle in which each is */
    uint64_t wait_cycles;             /* walks have waited for a walker */
};

struct page_walk_times {
    uint64_t start, end; /* first cycle of the walk, and first after it: the translation is there */
};

void page_walkers_init(struct page_walkers *w, const struct machine_config *config, struct private_l2 *l2);

/* The walk for an address that is asked for in cycle t. */
struct page_walk_times page_walkers_take(struct page_walkers *w, uint32_t address, uint64_t t);

#endif
