#include "model/memory/l1d.h"

#include <string.h>

void l1d_init(struct l1d *l, const struct machine_config *c, struct private_l2 *l2) {
    memset(l, 0, sizeof *l);
    cache_init(&l->tags, &c->l1d, c->mem.replacement_seed);
    l->l2 = l2;
    l->latency_cycles = c->l1d.latency_cycles;
    l->entries = c->write_buffer_entries;
    l2->l1d = &l->tags;
}

void l1d_free(struct l1d *l) {
    cache_free(&l->tags);
}

uint64_t l1d_miss(struct l1d *l, uint32_t address, uint64_t t) {
    uint64_t done;
    ++l->tags.misses;
    t += l->latency_cycles;
    while (!private_l2_access(l->l2, address, false, t, &done)) t = done;
    /* A line that joined a miss whose line goes to another L2 is read once and not kept. */
    const struct cache_line *below = cache_peek(&l->l2->tags, address);
    if (below) cache_fill(&l->tags, address, UINT64_MAX, done + 1)->version = below->version;
    return done + 1;
}

/* Returns the first cycle from t on in which the buffer has a free entry. */
static uint64_t entry_free(struct l1d *l, uint64_t t) {
    while (l->used && l->leaves[l->oldest] <= t) {
        l->oldest = (l->oldest + 1) % L1D_MAX_WRITES;
        --l->used;
    }
    return l->used < l->entries ? t : l->leaves[l->oldest];
}

/* Returns the first cycle, from t on, in which a new entry may leave: entries leave in order, one a cycle. */
static uint64_t behind_the_others(const struct l1d *l, uint64_t t) {
    const uint64_t before = l->used ? l->leaves[(l->oldest + l->used - 1) % L1D_MAX_WRITES] : 0;
    return before > t ? before : t;
}

uint64_t l1d_store(struct l1d *l, uint32_t address, uint64_t t) {
    struct cache_line *line = cache_find(&l->tags, address);
    uint64_t done, enters = t, leaves;
    ++l->tags.accesses;
    ++l->stores;
    if (line)
        ++line->version;
    else
        ++l->tags.misses;
    if (l->entries) {
        enters = entry_free(l, t);
        entry_free(l, enters);
    }
    leaves = behind_the_others(l, enters + l->latency_cycles);
    while (!private_l2_access(l->l2, address, true, leaves, &done)) leaves = done;
    if (l->entries) l->leaves[(l->oldest + l->used++) % L1D_MAX_WRITES] = leaves + 1;
    l->full_cycles += enters - t;
    return enters - t;
}
