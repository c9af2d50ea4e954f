/*
 * private_l2: the private unified L2 of a core, in time (machine.md §5, dual-mode Table 2): write-back,
 * write-allocate, coherent with the other L2s of its cluster over their bus (snoop_bus, moesi) and with those
 * of other clusters.
 *
 * A request that reaches the L2 in cycle t starts in the first cycle in which its bank has a port free; it
 * has its data at the end of `l2.latency` cycles on a hit. A load of a line that is not there, and a store
 * without the right to write, is a miss or an upgrade: it takes a miss register (MSHR) and goes to the bus
 * when the L2 has looked it up. A line on its way is in the tags with the cycle from which it is present, and
 * requests to it join the miss: they wait for the line and take no register of their own. So do requests to a
 * line that another L2 has been promised meanwhile: it goes there with all that is done to it before it has
 * come. A set's victim is its least recently used line; a dirty one is written back.
 *
 * The L1D above holds only lines that are here, too (inclusion): a line that goes, goes from both. The L1I
 * is not coherent, as in the architecture.
 */
#ifndef MODEL_MEMORY_PRIVATE_L2_H
#define MODEL_MEMORY_PRIVATE_L2_H

#include "model/memory/cache.h"
#include "model/memory/snoop_bus.h"
#include "sim/histogram.h"

#define L2_MAX_PORTS (L2_MAX_BANKS * L2_MAX_BANK_PORTS)

/* --- state --- */

/* A miss or upgrade that has not ended. */
struct l2_mshr {
    uint64_t done; /* cycle at whose end the line is there */
    uint32_t line;
    bool write; /* it brings the right to write */
};

/* A port of a bank takes a request a cycle. */
struct l2_port {
    uint64_t last;  /* latest cycle taken */
    uint64_t taken; /* bit n: cycle last − n is */
};

struct private_l2 {
    struct cache tags;
    const struct moesi_table *table;
    struct snoop_bus *bus;
    struct cache *l1d; /* NULL: none above */
    unsigned number;   /* on the bus */
    unsigned latency_cycles, mshrs, ports, bank_mask;
    struct l2_port port[L2_MAX_PORTS];
    struct l2_mshr mshr[L2_MAX_MSHRS]; /* ring of the misses in flight, earliest end first */
    unsigned first, outstanding;
    uint64_t retired; /* the latest cycle of which those that have ended are not in the ring any more */
    uint64_t upgrades, joined, writebacks, lost, port_wait_cycles, refused, overwritten;
    uint64_t stores;            /* of tags.accesses */
    struct histogram in_flight; /* of `outstanding`, at each miss, itself included */
};

/* --- functions --- */

/* The next L2 on the bus. */
void private_l2_init(struct private_l2 *l, const struct machine_config *c, struct snoop_bus *bus);
void private_l2_free(struct private_l2 *l);

/* private_l2_access() of what is no hit: the line is not there (NULL), or may not be written. */
bool private_l2_miss(struct private_l2 *l, struct cache_line *line, uint32_t address, bool store, uint64_t t,
                     uint64_t *done);
/* The port of a bank whose latest cycle is not before t: the cycle in which it takes the request. */
uint64_t private_l2_wait_port(struct private_l2 *l, unsigned bank, uint64_t t);

/* The cycle, t or later, in which the bank of the address takes a request. */
static inline uint64_t private_l2_take_port(struct private_l2 *l, uint32_t address, uint64_t t) {
    const unsigned bank = (address >> l->tags.line_shift & l->bank_mask) * l->ports;
    struct l2_port *p = &l->port[bank];
    if (__builtin_expect(t <= p->last, 0)) return private_l2_wait_port(l, bank, t);
    const uint64_t past = t - p->last;
    p->taken = past < 64 ? p->taken << past | 1 : 1;
    p->last = t;
    return t;
}

/* private_l2_hits() of the line that has been found; NULL: there is none. */
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

/* A request of one line in cycle t that the L2 answers alone: *done is the cycle at whose end the data are
 * there. False: it is none, and nothing has happened. */
static inline bool private_l2_hits(struct private_l2 *l, uint32_t address, bool store, uint64_t t,
                                   uint64_t *done) {
    return private_l2_hits_line(l, cache_find(&l->tags, address), address, store, t, done);
}

/* A request of one line in cycle t. True: *done is the cycle at whose end the data are there. False: it
 * cannot be taken before cycle *done (no free MSHR, or all ways of the set on their way) and nothing has
 * happened. */
static inline bool private_l2_access(struct private_l2 *l, uint32_t address, bool store, uint64_t t,
                                     uint64_t *done) {
    struct cache_line *line = cache_find(&l->tags, address);
    return private_l2_hits_line(l, line, address, store, t, done) ||
           private_l2_miss(l, line, address, store, t, done);
}

/* Would requests for a line that is not in the tags join a miss in flight? The cycle at whose end it is done:
 * they would up to and with it; 0: they would not. Nothing happens. */
uint64_t private_l2_joins(const struct private_l2 *l, uint32_t line, bool store);

/* Would a store to the address be a hit? Nothing happens. */
static inline bool private_l2_may_write(const struct private_l2 *l, uint32_t address) {
    const struct cache_line *line = cache_peek(&l->tags, address);
    return line && l->table->row[line->state][MOESI_STORE].action == MOESI_HIT;
}

/* Would requests for the bytes [address, address + size) that begin in cycle t be refused? 0 if not, else the
 * first cycle in which to try again. Nothing happens. */
uint64_t private_l2_refuses(struct private_l2 *l, uint32_t address, unsigned size, bool store, uint64_t t);

/* The host writes a line, between launches: this L2 and its L1D do not have it any more. Was it dirty? */
bool private_l2_overwrite(struct private_l2 *l, uint32_t line);

/* The bus has taken a line away: the L1D loses it as well. */
void private_l2_lose(struct private_l2 *l, uint32_t line);

#endif
