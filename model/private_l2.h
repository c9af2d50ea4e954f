/*
 * private_l2: the private unified L2 of a core and the main memory behind it, in time (machine.md §5, Table
 * 2).
 *
 * A request that reaches the L2 in cycle t has its data at the end of cycle t + latency − 1 on a hit; a miss
 * takes the memory latency on top and one of the MSHRs until the line is there; a request to a line on its
 * way waits for that line and takes no MSHR of its own. Write-back, write-allocate. Known inaccuracies: the
 * L2 accepts any number of requests a cycle, memory has no bandwidth limit, write-backs take no time, there
 * is no coherence traffic.
 */
#ifndef MODEL_PRIVATE_L2_H
#define MODEL_PRIVATE_L2_H

#include "model/cache.h"
#include "sim/histogram.h"

#define L2_MAX_MSHRS 64

struct private_l2 {
    struct cache tags;
    unsigned latency_cycles, memory_cycles, mshrs;
    uint64_t
        done[L2_MAX_MSHRS]; /* ring: cycles at whose end the misses in flight are filled, earliest first */
    unsigned first, outstanding;
    struct histogram in_flight; /* of `outstanding`, at each miss, itself included */
};

void private_l2_init(struct private_l2 *l, const struct machine_config *c);
void private_l2_free(struct private_l2 *l);

/* private_l2_access() of a line that is neither there nor on its way. */
bool private_l2_miss(struct private_l2 *l, uint32_t address, bool store, uint64_t t, uint64_t *done);

/* A request of one line in cycle t. True: *done is the cycle at whose end the data are there. False: it
 * cannot be taken before cycle *done (no free MSHR, or all ways of the set on their way) and nothing has
 * happened. */
static inline bool private_l2_access(struct private_l2 *l, uint32_t address, bool store, uint64_t t,
                                     uint64_t *done) {
    struct cache_line *line = cache_find(&l->tags, address);
    if (!line) return private_l2_miss(l, address, store, t, done);
    const uint64_t looked_up = t + l->latency_cycles;
    *done = (line->present > looked_up ? line->present : looked_up) - 1;
    ++l->tags.accesses;
    line->dirty |= store;
    return true;
}

/* Would requests for the bytes [address, address + size) that begin in cycle t be refused? 0 if not, else the
 * first cycle in which to try again. Nothing happens. */
uint64_t private_l2_refuses(struct private_l2 *l, uint32_t address, unsigned size, uint64_t t);

#endif
