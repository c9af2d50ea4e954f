#include "model/page_walk.h"

uint64_t page_walk(struct private_l2 *l2, const struct machine_config *c, uint32_t address, uint64_t t) {
    if (c->mem.page_walk == PAGE_WALK_FIXED) return c->mem.tlb_miss_cycles;
    const uint32_t descriptor[] = {PAGE_WALK_LEVEL_1 + (address >> 20) * 4,
                                   PAGE_WALK_LEVEL_2 + (address >> 12) * 4};
    uint64_t at = t, done;
    for (unsigned level = 0; level < 2; ++level) {
        while (!private_l2_access(l2, descriptor[level], false, at, &done)) at = done;
        at = done + 1;
    }
    return at - t;
}
