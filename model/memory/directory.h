/*
 * directory: the protocol between clusters: the clusters that have copies of a line, and the one that answers
 * for it (dual-mode §5.4.2); one table (docs/coherence.md shows it).
 *
 * The directory is at the memory. A request crosses the network (`directory.hop` cycles), waits for its turn
 * (`directory.occupancy`) and is looked up (`directory.latency`). Then the memory, or the owner's cluster,
 * sends the line to the requester. Clusters that must invalidate the line report this to the requester. Each
 * of these takes one more crossing. A cluster that receives a request snoops on its own bus. Requests are
 * handled one after the other, with all state changes at once, in the order of simulated time (machine.h). A
 * cluster tells the directory when it writes a line back and when its last copy of a line is gone; no request
 * waits for these messages.
 *
 * The number of directory entries is unlimited: no line is evicted to make room for an entry.
 */
#ifndef MODEL_MEMORY_DIRECTORY_H
#define MODEL_MEMORY_DIRECTORY_H

#include "model/config/limits.h"
#include "model/memory/main_memory.h"

#include <stdbool.h>

/* --- states, events and actions --- */

#define DIRECTORY_STATES(X)                                                                                  \
    X(U, "uncached: no cluster has a copy")                                                                  \
    X(S, "shared: clusters have copies as in memory")                                                        \
    X(O, "owned: clusters have copies, memory is out of date; the owner answers")                            \
    X(X, "exclusive: one cluster has copies, perhaps newer than memory")                                     \
    X(B, "busy: the owner has a request to share the line")
enum directory_state {
#define X(id, what) DIRECTORY_##id,
    DIRECTORY_STATES(X)
#undef X
        DIRECTORY_STATE_COUNT
};

#define DIRECTORY_EVENTS(X)                                                                                  \
    X(READ, "read", "a cluster without a copy reads the line")                                               \
    X(WRITE, "write", "a cluster without a copy requests to write to the line")                              \
    X(UPGRADE, "upgrade", "a cluster with copies requests to write to the line")                             \
    X(CLEAN, "answer: clean", "the owner's cluster has shared the line; it is as in memory")                 \
    X(DIRTY, "answer: dirty", "the owner's cluster has shared the line and remains the owner")               \
    X(WRITE_BACK, "write back", "the owner's cluster writes the line to memory")                             \
    X(LEAVE, "leave", "a cluster's last copy is gone; other clusters have copies")                           \
    X(LAST_LEAVES, "last leaves", "a cluster's last copy is gone; no other cluster has one")
enum directory_event {
#define X(id, name, what) DIRECTORY_##id,
    DIRECTORY_EVENTS(X)
#undef X
        DIRECTORY_EVENT_COUNT
};

#define DIRECTORY_ACTIONS(X)                                                                                 \
    X(IMPOSSIBLE, "—", "impossible: the run ends with status 122")                                           \
    X(NOTHING, "", "nothing else happens")                                                                   \
    X(MEMORY, "memory", "memory sends the line")                                                             \
    X(MEMORY_INVALIDATE, "memory, invalidate", "memory sends the line, other copies are invalidated")        \
    X(FORWARD, "forward", "the owner's cluster must share the line, and sends it")                           \
    X(FORWARD_INVALIDATE, "forward, invalidate", "the owner's cluster sends the line; no copy remains")      \
    X(INVALIDATE, "invalidate", "the copies of other clusters are invalidated")
enum directory_action {
#define X(id, name, what) DIRECTORY_##id,
    DIRECTORY_ACTIONS(X)
#undef X
        DIRECTORY_ACTION_COUNT
};

struct directory_row {
    uint8_t action, next;
};
struct directory_table {
    struct directory_row row[DIRECTORY_STATE_COUNT][DIRECTORY_EVENT_COUNT];
};
extern const struct directory_table directory_table;
extern const char *const directory_state_name[DIRECTORY_STATE_COUNT];
extern const char *const directory_event_name[DIRECTORY_EVENT_COUNT];
/* Why the impossible rows are impossible; NULL for the others. */
extern const char *const directory_assertion[DIRECTORY_STATE_COUNT][DIRECTORY_EVENT_COUNT];

/* Returns the row of an event; panics with its name if it is impossible. */
const struct directory_row *directory_apply(const struct directory_table *t, unsigned state,
                                            enum directory_event event, uint32_t line);

/* --- state --- */

struct directory_entry {
    uint32_t line;
    uint8_t state, owner; /* owner's cluster, in X and O */
    uint64_t sharers;     /* clusters with copies, including the owner; 0: unused entry */
};

/* Returns whether a cluster answers for the line. */
static inline bool directory_owned(unsigned state) {
    return state == DIRECTORY_X || state == DIRECTORY_O;
}

struct snoop_bus;
struct snoop_directory;
struct directory {
    const struct directory_table *table;
    unsigned clusters, hop_cycles, latency_cycles, occupancy_cycles;
    struct snoop_bus *bus[MACHINE_MAX_CLUSTERS];
    struct main_memory *memory;
    struct calendar lookups;
    struct directory_entry *entry; /* hash table by line, open addressing */
    uint32_t entry_mask, entries;
    uint64_t covered[DIRECTORY_STATE_COUNT][DIRECTORY_EVENT_COUNT]; /* applications of each row */
    uint64_t requests, forwards, invalidations, wait_cycles;
};

/* --- functions --- */

/* Allocates storage for every line that the machine's L2s can hold. The buses register themselves. */
void directory_init(struct directory *d, const struct machine_config *c, struct main_memory *memory);
void directory_free(struct directory *d);

/* Returns the entry of a line; NULL if uncached. */
const struct directory_entry *directory_find(const struct directory *d, uint32_t line);

struct directory_answer {
    uint64_t ready; /* first cycle in which data and permission are in the cluster */
    bool alone;     /* no other cluster has a copy */
    bool data;      /* the line was sent, with this version */
    uint32_t version;
};

/* Handles a request, DIRECTORY_READ, _WRITE or _UPGRADE, that leaves the cluster's bus in cycle t. `says`
 * decides the outcome; NULL: the table decides. */
struct directory_answer directory_request(struct directory *d, unsigned cluster, enum directory_event event,
                                          uint32_t line, uint64_t t, const struct snoop_directory *says);
/* Sets the line's entry to that of `says`. */
void directory_follow(struct directory *d, uint32_t line, const struct snoop_directory *says);
/* Report that the cluster has written the line back; that its last copy is gone. */
void directory_write_back(struct directory *d, unsigned cluster, uint32_t line);
void directory_leave(struct directory *d, unsigned cluster, uint32_t line);

#endif
