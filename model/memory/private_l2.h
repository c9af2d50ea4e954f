/*
 * private_l2: the private unified L2 of a core, in time (machine.md §5, dual-mode Table 2): write-back,
 * write-allocate, coherent with the other L2s of its cluster over their bus (snoop_bus, moesi) and with those
 * of other clusters.
 *
 * A request that reaches the L2 in cycle t starts in the first cycle in which its bank has a free port. A hit
 * has its data at the end of `l2.latency` cycles. A load of an absent line is a miss, a store without the
 * right to write is a miss or an upgrade: it takes a miss register (MSHR) and goes to the bus after the
 * look-up. A line in flight is in the tags with the cycle from which it is present. Requests to it join the
 * miss: they wait for the line and take no register. The same holds for a line in flight that has been
 * promised to another L2: it goes there with all changes made before its arrival. A set's victim is its least
 * recently used line; a dirty victim is written back.
 *
 * The L1D above holds only lines of the L2 (inclusion): an evicted line leaves both. The L1I is not coherent,
 * as in the architecture.
 */
#ifndef MODEL_MEMORY_PRIVATE_L2_H
#define MODEL_MEMORY_PRIVATE_L2_H

#include "model/memory/cache.h"
#include "model/memory/snoop_bus.h"
#include "sim/histogram.h"

#define L2_MAX_PORTS (L2_MAX_BANKS * L2_MAX_BANK_PORTS)

/* --- state --- */

/* A pending miss or upgrade. */
struct l2_mshr {
    uint64_t done; /* cycle at whose end the line is present */
    uint32_t line;
    bool write; /* brings the right to write */
};

/* A port of a bank, which takes one request a cycle. */
struct l2_port {
    uint64_t last;  /* latest cycle taken */
    uint64_t taken; /* bit n: cycle last − n is taken */
};

/* Counters in addition to those of the tags: member and name, unit, description. A new counter needs only a
 * line here and the code that counts. */
#define PRIVATE_L2_COUNTERS(X)                                                                               \
    X(upgrades, "accesses", "stores into lines that others had, too, or could have had")                     \
    X(joined, "accesses", "requests that joined a miss whose line goes on to another L2")                    \
    X(refused, "times", "a miss has found no free miss register (mem.mshrs), or no place in its set")        \
    X(port_wait_cycles, "cycles", "requests have waited for others to the same bank (l2.banks, l2.ports)")   \
    X(lost, "lines", "lines that others have taken away to write into them")                                 \
    X(writebacks, "lines", "dirty lines evicted to main memory")                                             \
    X(overwritten, "lines", "lines given up since the host has written their buffer")

struct private_l2 {
    struct cache tags;
    const struct moesi_table *table;
    struct snoop_bus *bus;
    struct cache *l1d; /* L1D above; NULL: none */
    unsigned number;   /* number on the bus */
    unsigned latency_cycles, mshrs, ports, bank_mask;
    struct l2_port port[L2_MAX_PORTS];
    struct l2_mshr mshr[L2_MAX_MSHRS]; /* ring of pending misses, earliest end first */
    unsigned first, outstanding;
    uint64_t retired; /* latest cycle whose ended misses have been removed from the ring */
#define X(name, unit, what) uint64_t name;
    PRIVATE_L2_COUNTERS(X)
#undef X
    uint64_t stores;            /* number of stores in tags.accesses */
    struct histogram in_flight; /* values of `outstanding` at each miss, including the miss */
};

/* --- functions --- */

/* Returns the number of miss registers in use in cycle t, not before the latest request. */
unsigned private_l2_pending(const struct private_l2 *l, uint64_t t);

/* Initialises the next L2 on the bus. */
void private_l2_init(struct private_l2 *l, const struct machine_config *c, struct snoop_bus *bus);
void private_l2_free(struct private_l2 *l);

/* Does private_l2_access() for a request that does not hit: the line is absent (NULL) or may not be
 * written. */
bool private_l2_miss(struct private_l2 *l, struct cache_line *line, uint32_t address, bool store, uint64_t t,
                     uint64_t *done);
/* Returns the cycle in which a port of the bank takes the request, if the latest cycle taken is not before
 * t. */
uint64_t private_l2_wait_port(struct private_l2 *l, unsigned bank, uint64_t t);

/* Returns the cycle, t or later, in which the bank of the address takes a request. */
static inline uint64_t private_l2_take_port(struct private_l2 *l, uint32_t address, uint64_t t) {
    const unsigned bank = (address >> l->tags.line_shift & l->bank_mask) * l->ports;
    struct l2_port *p = &l->port[bank];
    if (__builtin_expect(t <= p->last, 0)) return private_l2_wait_port(l, bank, t);
    const uint64_t past = t - p->last;
    p->taken = past < 64 ? p->taken << past | 1 : 1;
    p->last = t;
    return t;
}

/* Does private_l2_hits() for a line that has been looked up; NULL: absent. */
static inline bool private_l2_hits_line(struct private_l2 *l, struct cache_line *line, uint32_t address,
                                        bool store, uint64_t t, uint64_t *done) {
    if (!line) return false;
    const struct moesi_row row = l->table->row[line->state][store ? MOESI_STORE : MOESI_LOAD];
    if (__builtin_expect(row.action != MOESI_HIT, 0)) return false;
    line->state = row.next;
    line->version += store;
    const uint64_t looked_up = private_l2_take_port(l, address, t) + l->latency_cycles;
    *done = (line->present > looked_up ? line->present : looked_up) - 1;
    ++l->tags.accesses;
    l->stores += store;
    return true;
}

/* Makes a request for one line in cycle t if it hits. Returns true with *done, the cycle at whose end the
 * data are present; false if it does not hit, and nothing has changed. */
static inline bool private_l2_hits(struct private_l2 *l, uint32_t address, bool store, uint64_t t,
                                   uint64_t *done) {
    return private_l2_hits_line(l, cache_find(&l->tags, address), address, store, t, done);
}

/* Makes a request for one line in cycle t. Returns true with *done, the cycle at whose end the data are
 * present. Returns false if it cannot be taken before cycle *done (no free MSHR, or all ways of the set in
 * flight); nothing has changed then. */
static inline bool private_l2_access(struct private_l2 *l, uint32_t address, bool store, uint64_t t,
                                     uint64_t *done) {
    struct cache_line *line = cache_find(&l->tags, address);
    return private_l2_hits_line(l, line, address, store, t, done) ||
           private_l2_miss(l, line, address, store, t, done);
}

/* Returns the cycle at whose end the pending miss is done that requests for a line absent from the tags would
 * join; 0 if there is none. Changes nothing. */
uint64_t private_l2_joins(const struct private_l2 *l, uint32_t line, bool store);

/* Returns whether a store to the address would hit. Changes nothing. */
static inline bool private_l2_may_write(const struct private_l2 *l, uint32_t address) {
    const struct cache_line *line = cache_peek(&l->tags, address);
    return line && l->table->row[line->state][MOESI_STORE].action == MOESI_HIT;
}

/* Returns 0 if requests for the bytes [address, address + size) in cycle t would be accepted, else the first
 * cycle in which to try again. Changes nothing. */
uint64_t private_l2_refuses(struct private_l2 *l, uint32_t address, unsigned size, bool store, uint64_t t);

/* Drops a line from this L2 and its L1D when the host writes it between launches. Returns whether it was
 * dirty. */
bool private_l2_overwrite(struct private_l2 *l, uint32_t line);

/* Drops from the L1D a line that the bus has taken away. */
void private_l2_lose(struct private_l2 *l, uint32_t line);

#endif
