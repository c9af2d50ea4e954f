#include "model/private_l2.h"

#include "sim/error.h"

#include <string.h>

void private_l2_init(struct private_l2 *l, const struct machine_config *c) {
    memset(l, 0, sizeof *l);
    cache_init(&l->tags, &c->l2);
    l->latency_cycles = c->l2.latency_cycles;
    l->memory_cycles = c->mem.latency_cycles;
    l->mshrs = c->mem.mshrs;
    histogram_init_linear(&l->in_flight, 1, 1, l->mshrs);
}

void private_l2_free(struct private_l2 *l) {
    cache_free(&l->tags);
}

static void retire(struct private_l2 *l, uint64_t t) {
    while (l->outstanding && l->done[l->first] < t) {
        l->first = (l->first + 1) % L2_MAX_MSHRS;
        --l->outstanding;
    }
}

/* Requests do not come strictly in order of time (an access of two lines, a slow L1I): the ring is kept
 * sorted. */
static void add_miss(struct private_l2 *l, uint64_t done) {
    unsigned n = l->outstanding++;
    for (; n; --n) {
        const uint64_t before = l->done[(l->first + n - 1) % L2_MAX_MSHRS];
        if (before <= done) break;
        l->done[(l->first + n) % L2_MAX_MSHRS] = before;
    }
    l->done[(l->first + n) % L2_MAX_MSHRS] = done;
}

static bool refused(struct private_l2 *l, uint64_t *done) {
    *done = l->done[l->first] + 1;
    return false;
}

bool private_l2_miss(struct private_l2 *l, uint32_t address, bool store, uint64_t t, uint64_t *done) {
    retire(l, t);
    if (l->outstanding == l->mshrs) return refused(l, done);
    *done = t + l->latency_cycles + l->memory_cycles - 1;
    struct cache_line *line = cache_fill(&l->tags, address, t, *done + 1);
    if (!line) return refused(l, done);
    add_miss(l, *done);
    histogram_add(&l->in_flight, l->outstanding);
    line->dirty = store;
    ++l->tags.misses;
    ++l->tags.accesses;
    return true;
}

/* Is the line absent, and can its set take it at cycle t? */
static bool absent(const struct private_l2 *l, uint32_t line, uint64_t t, bool *set_full) {
    const struct cache *c = &l->tags;
    const struct cache_line *set = &c->line[(line & (c->sets - 1)) * c->ways];
    bool full = true;
    for (unsigned way = 0; way < c->ways; ++way) {
        if (set[way].valid && set[way].tag == line) return false;
        full &= set[way].valid && set[way].present > t;
    }
    *set_full |= full;
    return true;
}

uint64_t private_l2_refuses(struct private_l2 *l, uint32_t address, unsigned size, uint64_t t) {
    const unsigned shift = l->tags.line_shift;
    unsigned misses = 0;
    bool set_full = false;
    retire(l, t);
    for (uint32_t line = address >> shift; line <= (address + size - 1) >> shift; ++line)
        misses += absent(l, line, t, &set_full);
    if (!misses || (!set_full && l->outstanding + misses <= l->mshrs)) return 0;
    invariant(misses <= l->mshrs, "an access of %u lines needs more miss registers than the %u there are",
              misses, l->mshrs);
    return l->done[l->first] + 1;
}
