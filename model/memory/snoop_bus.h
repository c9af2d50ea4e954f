/*
 * snoop_bus: the bus between the L2s of a cluster, which every miss and upgrade takes in turn and on which
 * the other L2s snoop (moesi.h). Behind it is the main memory or, with several clusters, the directory.
 *
 * A request that wants the bus in cycle t gets it in the first free cycle s and holds it for
 * `snoop.occupancy` cycles (including the answering line). All other L2s have looked it up by s +
 * `snoop.latency`. If one has the line, its data are available then, or when it has received the line itself:
 * any holder supplies, the owner first. If no neighbour has the line, it comes from memory or from the
 * directory. The memory sees the request in cycle s as well, and a neighbour's answer cancels it. The
 * directory gets the request after the neighbours' answers. An upgrade is granted after these answers. A
 * written-back line takes a turn, too.
 *
 * Known inaccuracies: snoops do not delay the neighbours' own accesses (duplicate tags); the answer from
 * memory or another cluster takes no second turn on the bus.
 */
#ifndef MODEL_MEMORY_SNOOP_BUS_H
#define MODEL_MEMORY_SNOOP_BUS_H

#include "model/memory/calendar.h"
#include "model/memory/directory.h"
#include "model/memory/moesi.h"
#include "model/memory/snoop_directory.h"

struct private_l2;
struct cache_line;
/* Counters: member and name, unit, description. */
#define SNOOP_BUS_COUNTERS(X)                                                                                \
    X(requests, "requests", "misses and upgrades of the cluster's L2s")                                      \
    X(upgrades, "requests", "of these, for the right to write")                                              \
    X(supplied, "requests", "of these, answered with a line by another L2 of the cluster")                   \
    X(wait_cycles, "cycles",                                                                                 \
      "requests, write-backs and other clusters have waited for the bus (snoop.occupancy)")

struct snoop_bus {
    const struct moesi_table *table;
    unsigned cluster; /* number at the directory */
    unsigned count;
    struct private_l2 *l2[MACHINE_MAX_LANES];
    struct main_memory *memory;
    struct directory *directory;      /* NULL: the only cluster */
    struct snoop_directory *protocol; /* decides while it has a twin; NULL: never */
    /* called before the directory requests a line; NULL: no call */
    void (*before_forward)(void *context, uint32_t line);
    void *context;
    struct calendar turns;
    unsigned latency_cycles, occupancy_cycles;
    uint64_t covered[MOESI_STATE_COUNT][MOESI_EVENT_COUNT]; /* rows applied, except hits */
#define X(name, unit, what) uint64_t name;
    SNOOP_BUS_COUNTERS(X)
#undef X
};

/* Initialises the bus of a cluster; with several clusters it registers at the directory. L2s join in the
 * order of their numbers (private_l2_init()). */
void snoop_bus_init(struct snoop_bus *b, unsigned cluster, const struct machine_config *c,
                    struct main_memory *memory, struct directory *directory);

struct snoop_answer {
    uint64_t ready; /* first cycle in which the line and the right to write are present */
    enum moesi_event fill;
    uint32_t version;
};
/* Makes an L2's request MOESI_READ, _WRITE or _UPGRADE for a line, which the L2 has in `state`, in cycle
 * t. */
struct snoop_answer snoop_bus_request(struct snoop_bus *b, const struct private_l2 *who,
                                      enum moesi_action request, unsigned state, uint32_t line, uint64_t t);

/* Reports that the L2 has evicted a line; dirty: it must be written back from cycle t on. Returns whether it
 * was. */
bool snoop_bus_evicted(struct snoop_bus *b, const struct private_l2 *who, const struct cache_line *victim,
                       bool dirty, uint64_t t);

/* Drops the lines `first` to `last` from all L2s when the host writes them into main memory between launches;
 * dirty ones are not written back. Takes no simulated time. */
void snoop_bus_overwrite(struct snoop_bus *b, uint32_t first, uint32_t last);

/* Result of a snoop of several L2s. */
struct snooped {
    unsigned holders;
    bool alone, dirty; /* a holder had the only copy; a holder's copy was newer than memory */
    bool supplied;     /* a holder has supplied the line */
    uint64_t present;  /* cycle in which the supplier has received the line */
    uint32_t version;
};
/* Handles a request of the directory to the cluster, from cycle t on. *ready: first cycle after the answer.
 * `says` decides the outcome; NULL: the tables decide. */
struct snooped snoop_bus_forward(struct snoop_bus *b, enum moesi_event event, uint32_t line, uint64_t t,
                                 const struct snoop_directory *says, uint64_t *ready);

#endif
