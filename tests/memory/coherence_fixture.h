/* coherence_fixture: the caches of a machine without cores: clusters of L2s with L1Ds above them, memory and
 * directory, and a checker that counts the stores to every line (its version).
 *
 * After each access, the checker examines all copies of the line. Each copy has the line's version. A
 * modified or exclusive copy is the only one; at most one is owned. Memory has the version unless a cache
 * owns the line. An L1D contains no line that its L2 lacks; the directory knows exactly the clusters with
 * copies. The checker also examines the cost of the access: the owner supplies the line, memory is read only
 * if no cache has the line, and written only for dirty victims. Hits cause no requests, and a line without
 * other copies is exclusive. */
#ifndef TESTS_MEMORY_COHERENCE_FIXTURE_H
#define TESTS_MEMORY_COHERENCE_FIXTURE_H

#include "model/memory/l1d.h"
#include "tests/seed.h"

#include <stdio.h>
#include <string.h>

#define COHERENCE_LINES 24
#define COHERENCE_CORES 32

enum coherence_access { COHERENCE_LOAD, COHERENCE_STORE, COHERENCE_FETCH, COHERENCE_ACCESSES };

struct coherence {
    struct machine_config config;
    struct main_memory memory;
    struct directory directory;
    struct snoop_bus bus[16];
    struct private_l2 l2[COHERENCE_CORES];
    struct l1d l1d[COHERENCE_CORES];
    unsigned clusters, lanes, cores;
    uint32_t version[COHERENCE_LINES], memory_version[COHERENCE_LINES];
    unsigned exclusive[COHERENCE_LINES]; /* 1 + the cluster with all copies; 0: none */
    uint64_t t, accesses, joined;
    uint64_t hits[MOESI_STATE_COUNT][2]; /* accesses of the L2s by state and by load or store */
    bool was_shared;                     /* a cache had the line before the access */
    char failure[200];                   /* first error; empty: none */
};

/* L2s of 2 sets of `ways` ways, L1Ds of 1 set. */
static void coherence_init(struct coherence *c, unsigned clusters, unsigned lanes, unsigned ways,
                           const struct moesi_table *moesi, const struct directory_table *directory) {
    memset(c, 0, sizeof *c);
    config_defaults(&machine_config_table, &c->config);
    c->config.cluster.count = clusters;
    c->config.cluster.lanes = lanes;
    c->config.l2.size_bytes = 2 * ways * 64;
    c->config.l2.ways = ways;
    c->config.l1d.size_bytes = 2 * 64;
    c->config.l1d.ways = 2;
    c->config.mem.mshrs = 4;
    c->clusters = clusters;
    c->lanes = lanes;
    c->cores = clusters * lanes;
    main_memory_init(&c->memory, &c->config);
    c->memory.version = c->memory_version;
    directory_init(&c->directory, &c->config, &c->memory);
    if (directory) c->directory.table = directory;
    for (unsigned k = 0; k < clusters; ++k) {
        snoop_bus_init(&c->bus[k], k, &c->config, &c->memory, clusters > 1 ? &c->directory : NULL);
        if (moesi) c->bus[k].table = moesi;
        for (unsigned i = k * lanes; i < (k + 1) * lanes; ++i) {
            private_l2_init(&c->l2[i], &c->config, &c->bus[k]);
            l1d_init(&c->l1d[i], &c->config, &c->l2[i]);
        }
    }
}

static void coherence_free(struct coherence *c) {
    for (unsigned i = 0; i < c->cores; ++i) {
        private_l2_free(&c->l2[i]);
        l1d_free(&c->l1d[i]);
    }
    directory_free(&c->directory);
}

#define WRONG(...)                                                                                           \
    do {                                                                                                     \
        if (!c->failure[0]) snprintf(c->failure, sizeof c->failure, __VA_ARGS__);                            \
        return false;                                                                                        \
    } while (0)

static inline struct cache_line *coherence_line(const struct coherence *c, unsigned core, uint32_t line) {
    return cache_peek(&c->l2[core].tags, line * 64);
}

static inline unsigned coherence_state(const struct coherence *c, unsigned core, uint32_t line) {
    const struct cache_line *l = coherence_line(c, core, line);
    return l ? l->state : MOESI_I;
}

/* The copies of a line. */
struct coherence_copies {
    unsigned all, alone, owned, neighbours, sharers, dirty_cluster;
    bool neighbour_alone;
};

/* Checks every invariant between accesses. `core`: its neighbours are counted. */
static bool coherence_check(struct coherence *c, uint32_t line, unsigned core, struct coherence_copies *n) {
    *n = (struct coherence_copies){0};
    for (unsigned i = 0; i < c->cores; ++i) {
        const struct cache_line *l = coherence_line(c, i, line);
        const struct cache_line *above = cache_peek(&c->l1d[i].tags, line * 64);
        if (above && !l) WRONG("core %u has line %u in its L1D only", i, line);
        if (!l) continue;
        if (above && above->version != l->version) WRONG("the L1D of core %u has line %u stale", i, line);
        if (l->version != c->version[line])
            WRONG("core %u has version %u of line %u, which is at %u", i, l->version, line, c->version[line]);
        ++n->all;
        n->alone += moesi_alone(l->state);
        n->owned += l->state == MOESI_O;
        n->sharers |= 1u << i / c->lanes;
        if (moesi_dirty(l->state)) n->dirty_cluster = 1u << i / c->lanes;
        if (i / c->lanes != core / c->lanes || i == core) continue;
        ++n->neighbours;
        n->neighbour_alone |= moesi_alone(l->state);
    }
    if (n->alone && n->all > 1) WRONG("line %u has %u copies, one of which is the only one", line, n->all);
    if (n->owned > 1) WRONG("line %u has %u owners", line, n->owned);
    if (!n->dirty_cluster && c->memory_version[line] != c->version[line])
        WRONG("memory has version %u of line %u, which is at %u", c->memory_version[line], line,
              c->version[line]);
    if (c->clusters == 1) return true;
    const struct directory_entry *e = directory_find(&c->directory, line);
    if ((e ? e->sharers : 0) != n->sharers)
        WRONG("the directory knows clusters 0x%x of line %u, 0x%x have it", e ? (unsigned)e->sharers : 0,
              line, n->sharers);
    if (!e) return true;
    const bool single = !(n->sharers & (n->sharers - 1));
    const bool right = e->state == DIRECTORY_X
                           ? single && c->exclusive[line] == 1u + e->owner && n->sharers == 1u << e->owner
                       : e->state == DIRECTORY_O ? n->dirty_cluster == 1u << e->owner && n->owned
                       : e->state == DIRECTORY_S ? !n->dirty_cluster && !n->alone && !c->exclusive[line]
                                                 : false;
    if (!right)
        WRONG("the directory has line %u in state %s, owner %u; sharers 0x%x, dirty in 0x%x", line,
              directory_state_name[e->state], e->owner, n->sharers, n->dirty_cluster);
    return true;
}

/* Moves a store that joined a miss along with the line, if the line has been passed on. */
static void coherence_forward_store(struct coherence *c, uint32_t line) {
    for (unsigned i = 0; i < c->cores; ++i) {
        struct cache_line *l = coherence_line(c, i, line), *above = cache_peek(&c->l1d[i].tags, line * 64);
        if (l) ++l->version;
        if (above) ++above->version;
    }
    ++c->memory_version[line];
}

/* Returns the number of dirty lines of the line's set. */
static unsigned coherence_dirty(const struct coherence *c, unsigned core, uint32_t line, uint32_t but) {
    unsigned dirty = 0;
    for (uint32_t other = line % 2; other < COHERENCE_LINES; other += 2)
        dirty += other != but && moesi_dirty(coherence_state(c, core, other));
    return dirty;
}

/* Checks the cost of an access in this state of the L2. */
static bool coherence_check_cost(struct coherence *c, unsigned core, uint32_t line, bool store,
                                 unsigned before, const struct coherence_copies *had, uint64_t requests,
                                 uint64_t asked, uint64_t reads) {
    const unsigned after = coherence_state(c, core, line);
    const bool hit = store ? moesi_alone(before) : before != MOESI_I;
    if ((requests == 0) != hit)
        WRONG("%s in state %s asks the bus %u times", store ? "store" : "load", moesi_state_name[before],
              (unsigned)requests);
    const unsigned expected = store ? MOESI_M : before != MOESI_I ? before : had->all ? MOESI_S : MOESI_E;
    if (after != expected)
        WRONG("after a %s in state %s, %u others have it: %s", store ? "store" : "load",
              moesi_state_name[before], had->all, moesi_state_name[after]);
    if (hit) return true;
    const bool outside = had->neighbours == 0 && before == MOESI_I;
    if (reads != (outside && !had->dirty_cluster && !had->alone))
        WRONG("%s of line %u in state %s, %u neighbours, reads memory %u times", store ? "store" : "load",
              line, moesi_state_name[before], had->neighbours, (unsigned)reads);
    const bool asks = c->clusters > 1 && !had->neighbour_alone && (store || outside);
    if (asked != asks)
        WRONG("%s of line %u asks the directory %u times", store ? "store" : "load", line, (unsigned)asked);
    return true;
}

/* Notes exclusive clusters. A cluster with all copies supplies the line, even if memory has it, too. A
 * line with copies in several clusters comes from memory unless one owns it. */
static void coherence_note_exclusive(struct coherence *c, unsigned core, uint32_t line, bool store) {
    unsigned sharers = 0;
    for (unsigned i = 0; i < c->cores; ++i)
        if (coherence_line(c, i, line)) sharers |= 1u << i / c->lanes;
    if (store || !c->was_shared)
        c->exclusive[line] = 1 + core / c->lanes;
    else if (sharers & (sharers - 1))
        c->exclusive[line] = 0;
}

static uint64_t coherence_request(struct coherence *c, unsigned core, uint32_t line,
                                  enum coherence_access access) {
    uint64_t done = 0, at = c->t;
    switch (access) {
    case COHERENCE_LOAD: return l1d_load(&c->l1d[core], line * 64, c->t);
    case COHERENCE_STORE: return l1d_store(&c->l1d[core], line * 64, c->t);
    default:
        while (!private_l2_access(&c->l2[core], line * 64, false, at, &done)) at = done;
        return done + 1;
    }
}

/* Accesses a line from a core in cycle c->t. Returns false on an error (c->failure). */
static bool coherence_access(struct coherence *c, unsigned core, uint32_t line,
                             enum coherence_access access) {
    struct coherence_copies had, has;
    struct private_l2 *l2 = &c->l2[core];
    const struct snoop_bus *bus = l2->bus;
    const bool store = access == COHERENCE_STORE;
    if (!coherence_check(c, line, core, &had)) return false;
    const unsigned before = coherence_state(c, core, line), dirty = coherence_dirty(c, core, line, line);
    const uint64_t joined = l2->joined, accesses = l2->tags.accesses, requests = bus->requests,
                   asked = c->directory.requests, reads = c->memory.reads, writes = c->memory.writes;
    const bool elsewhere = c->exclusive[line] && had.all;
    c->was_shared = had.all;
    coherence_request(c, core, line, access);
    ++c->accesses;
    c->version[line] += store;
    if (l2->joined != joined) {
        ++c->joined;
        if (store) coherence_forward_store(c, line);
        return coherence_check(c, line, core, &has);
    }
    if (l2->tags.accesses != accesses) coherence_note_exclusive(c, core, line, store);
    if (!coherence_check(c, line, core, &has)) return false;
    if (dirty - coherence_dirty(c, core, line, line) != c->memory.writes - writes)
        WRONG("%u dirty lines have gone, %u were written", dirty - coherence_dirty(c, core, line, line),
              (unsigned)(c->memory.writes - writes));
    if (l2->tags.accesses == accesses) return true; /* the L1D had it */
    ++c->hits[before][store];
    if (elsewhere) had.alone = 1;
    return coherence_check_cost(c, core, line, store, before, &had, bus->requests - requests,
                                c->directory.requests - asked, c->memory.reads - reads);
}

/* Makes a random access some cycles after the last: mostly soon, sometimes after all lines have arrived. */
static inline bool coherence_step(struct coherence *c, struct seed *s) {
    const uint64_t r = seed_next(s);
    c->t += (r & 255) == 0 ? 1000 : r >> 8 & 15;
    return coherence_access(c, (unsigned)((r >> 16 & 0xffff) * c->cores >> 16),
                            (uint32_t)((r >> 32 & 0xffff) * COHERENCE_LINES >> 16),
                            (enum coherence_access)((r >> 48) % COHERENCE_ACCESSES));
}

#endif
