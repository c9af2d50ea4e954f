/*
 * l1d: the L1 data cache of a core in MIMD mode, in time: write-through, no allocation on stores, a write
 * buffer between it and the L2 (dual-mode Table 2). In SIMT mode its storage is the TPM, and none of this is
 * used.
 *
 * A load that misses asks the L2 after the L1D's latency. A store that hits changes the line, and every store
 * goes to the L2: into the write buffer in the cycle in which the L1D is looked up, if it has an entry free,
 * and out of it in the cycle in which the L2 takes it, in order. A perfect buffer (no entries configured)
 * always has room, and its stores do not wait for each other.
 *
 * Known inaccuracy: a store that waits in the buffer for a miss register is seen by other cores from the
 * cycle in which it enters the buffer.
 */
#ifndef MODEL_MEMORY_L1D_H
#define MODEL_MEMORY_L1D_H

#include "model/memory/private_l2.h"

struct l1d {
    struct cache tags;
    struct private_l2 *l2;
    unsigned latency_cycles;
    unsigned entries, used, oldest;  /* the write buffer; 0 entries: perfect */
    uint64_t leaves[L1D_MAX_WRITES]; /* ring: first cycle in which each entry is free again */
    uint64_t full_cycles;            /* stores have waited for an entry */
    uint64_t stores;                 /* of tags.accesses */
};

void l1d_init(struct l1d *l, const struct machine_config *c, struct private_l2 *l2);
void l1d_free(struct l1d *l);

/* l1d_load() of a line that is not there. */
uint64_t l1d_miss(struct l1d *l, uint32_t address, uint64_t t);

/* A load that is looked up in cycle t: 0 on a hit, else the first cycle in which its line is there. */
static inline uint64_t l1d_load(struct l1d *l, uint32_t address, uint64_t t) {
    const struct cache_line *line = cache_find(&l->tags, address);
    ++l->tags.accesses;
    if (!line) return l1d_miss(l, address, t);
    return line->present > t ? line->present : 0;
}

/* A load that is looked up in cycle t: does it find its line there? Else nothing has happened. */
static inline bool l1d_load_hits(struct l1d *l, uint32_t address, uint64_t t) {
    const struct cache_line *line = cache_find(&l->tags, address);
    if (!line || line->present > t) return false;
    ++l->tags.accesses;
    return true;
}

/* A store that is looked up in cycle t: does a perfect write buffer take it, and the L2, which has the right
 * to write? Else nothing has happened. */
static inline bool l1d_store_hits(struct l1d *l, uint32_t address, uint64_t t) {
    uint64_t done;
    if (l->entries || !private_l2_hits(l->l2, address, true, t + l->latency_cycles, &done)) return false;
    struct cache_line *line = cache_find(&l->tags, address);
    ++l->tags.accesses;
    ++l->stores;
    if (line)
        ++line->version;
    else
        ++l->tags.misses;
    return true;
}

/* A store that is looked up in cycle t: the cycles that it waits for an entry of the write buffer. */
uint64_t l1d_store(struct l1d *l, uint32_t address, uint64_t t);

#endif
