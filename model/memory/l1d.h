/*
 * l1d: the L1 data cache of a core in MIMD mode, in time: write-through, no allocation on stores, with a
 * write buffer before the L2 (dual-mode Table 2). In SIMT mode its storage is the TPM, and this model is not
 * used.
 *
 * A load that misses goes to the L2 after the L1D's latency. A store that hits changes the line, and every
 * store goes to the L2. It enters the write buffer in the cycle of the L1D's look-up, if the buffer has a
 * free entry. It leaves the buffer in the cycle in which the L2 takes it, in order. A perfect buffer (no
 * entries configured) always has room, and its stores do not wait for each other.
 *
 * Known inaccuracy: other cores see a store from the cycle in which it enters the buffer, even if it waits
 * there for a miss register.
 */
#ifndef MODEL_MEMORY_L1D_H
#define MODEL_MEMORY_L1D_H

#include "model/memory/private_l2.h"

struct l1d {
    struct cache tags;
    struct private_l2 *l2;
    unsigned latency_cycles;
    unsigned entries, used, oldest;  /* write buffer; 0 entries: perfect */
    uint64_t leaves[L1D_MAX_WRITES]; /* ring: first cycle in which each entry is free again */
    uint64_t full_cycles;            /* cycles in which stores waited for an entry */
    uint64_t stores;                 /* number of stores in tags.accesses */
};

void l1d_init(struct l1d *l, const struct machine_config *c, struct private_l2 *l2);
void l1d_free(struct l1d *l);

/* Handles a load of a line that is not in the L1D; see l1d_load(). */
uint64_t l1d_miss(struct l1d *l, uint32_t address, uint64_t t);

/* Handles a load that is looked up in cycle t. Returns 0 on a hit, else the first cycle in which its line is
 * present. */
static inline uint64_t l1d_load(struct l1d *l, uint32_t address, uint64_t t) {
    const struct cache_line *line = cache_find(&l->tags, address);
    ++l->tags.accesses;
    if (!line) return l1d_miss(l, address, t);
    return line->present > t ? line->present : 0;
}

/* Returns whether a load that is looked up in cycle t hits. If not, nothing has changed. */
static inline bool l1d_load_hits(struct l1d *l, uint32_t address, uint64_t t) {
    const struct cache_line *line = cache_find(&l->tags, address);
    if (!line || line->present > t) return false;
    ++l->tags.accesses;
    return true;
}

/* Returns whether a store that is looked up in cycle t needs no waiting: the write buffer is perfect, and the
 * L2 may write the line. If not, nothing has changed. */
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

/* Handles a store that is looked up in cycle t. Returns the number of cycles that it waits for an entry of
 * the write buffer. */
uint64_t l1d_store(struct l1d *l, uint32_t address, uint64_t t);

#endif
