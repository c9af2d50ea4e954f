/*
 * snoop_bus: the bus between the L2s of a cluster, on which every miss and upgrade takes its turn and is
 * snooped by the others (moesi.h); behind it the main memory, or the directory where there are several
 * clusters.
 *
 * A request that wants the bus in cycle t gets it in the first free cycle s and holds it for
 * `snoop.occupancy` cycles (the line that answers it included). All other L2s have looked it up by
 * s + `snoop.latency`. If one has the line, that is when its data are there, or when it has received
 * the line itself: any holder supplies, the owner first. A line that no neighbour has comes from memory,
 * which sees the request in cycle s as well (a neighbour's answer cancels it), or from the directory, which
 * is asked once the neighbours have answered. An upgrade is granted when they have. A line written back takes
 * its turn as well.
 *
 * Known inaccuracies: the neighbours' tags serve snoops beside their own accesses (duplicate tags); the
 * answer from memory or another cluster takes no second turn on the bus.
 */
#ifndef MODEL_MEMORY_SNOOP_BUS_H
#define MODEL_MEMORY_SNOOP_BUS_H

#include "model/memory/calendar.h"
#include "model/memory/directory.h"
#include "model/memory/moesi.h"
#include "model/memory/snoop_directory.h"

struct private_l2;
struct cache_line;
struct snoop_bus {
    const struct moesi_table *table;
    unsigned cluster; /* its number at the directory */
    unsigned count;
    struct private_l2 *l2[MACHINE_MAX_LANES];
    struct main_memory *memory;
    struct directory *directory;      /* NULL: this is the only cluster */
    struct snoop_directory *protocol; /* is asked while something runs beside it; NULL: never */
    /* Told before the directory asks for a line; NULL: nobody. */
    void (*before_forward)(void *context, uint32_t line);
    void *context;
    struct calendar turns;
    unsigned latency_cycles, occupancy_cycles;
    uint64_t covered[MOESI_STATE_COUNT][MOESI_EVENT_COUNT]; /* rows applied, but for hits */
    uint64_t requests, supplied, upgrades, wait_cycles;
};

/* The bus of a cluster; with more clusters than one the directory learns of it. L2s join in order of their
 * number (private_l2_init()). */
void snoop_bus_init(struct snoop_bus *b, unsigned cluster, const struct machine_config *c,
                    struct main_memory *memory, struct directory *directory);

struct snoop_answer {
    uint64_t ready; /* first cycle in which the line, and the right to write, are there */
    enum moesi_event fill;
    uint32_t version;
};
/* The L2 asks for a line, which it has in a state, in cycle t: MOESI_READ, _WRITE or _UPGRADE. */
struct snoop_answer snoop_bus_request(struct snoop_bus *b, const struct private_l2 *who,
                                      enum moesi_action request, unsigned state, uint32_t line, uint64_t t);

/* The L2 has evicted a line; dirty: it must be written back from cycle t on. Returns whether it was. */
bool snoop_bus_evicted(struct snoop_bus *b, const struct private_l2 *who, const struct cache_line *victim,
                       bool dirty, uint64_t t);

/* The host writes lines `first` to `last`, between launches, into main memory: no L2 keeps them, and what was
 * dirty is not written back. Takes no time. */
void snoop_bus_overwrite(struct snoop_bus *b, uint32_t first, uint32_t last);

/* What L2s had when they were asked. */
struct snooped {
    unsigned holders;
    bool alone, dirty; /* a holder's was the only copy; a holder's was newer than memory */
    bool supplied;     /* a holder has given it */
    uint64_t present;  /* when its supplier has received it */
    uint32_t version;
};
/* The directory asks the cluster, from cycle t on; *ready: the first cycle after its answer. says: decides
 * what comes of it; NULL: the tables do. */
struct snooped snoop_bus_forward(struct snoop_bus *b, enum moesi_event event, uint32_t line, uint64_t t,
                                 const struct snoop_directory *says, uint64_t *ready);

#endif
