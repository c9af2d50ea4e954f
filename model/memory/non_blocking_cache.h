/*
 * non_blocking_cache: a cache of a GPU-like cluster, in time (gpu-like.md §4): L1D, L1I, cache of constants.
 * Tags and miss registers (MSHRs) only: data are read and written when instructions issue.
 *
 * The caller makes at most one request a cycle, for bytes within one line. The look-up takes `latency` cycles
 * from that cycle on. Hits have their data at the end of the last cycle; misses are then in the injection
 * queue of the cluster's port. The state of tags and registers in the first cycle decides.
 *
 *   load           A miss takes a register and requests the line from the L2; loads of a line in flight wait
 * for it, up to `merges` for one register, the first included. The line gets its place when it comes: that of
 * the least recently used line of its set. store          goes to the L2 and drops the line. A miss in flight
 * for the same line answers its waiting requests, but the line is not kept, and later loads do not join.
 *   private store  stays in the cache, also if the line is absent; the line is not fetched then, and holds
 *                  only the written bytes. A load of other bytes of it is a miss. A written line goes to
 *                  the L2 when it is evicted.
 *   kept store     does the same for memory (l1d.write_policy: write_back); the line goes to the L2 at the
 *                  end of the launch at the latest: non_blocking_cache_write_back().
 *   exclusive      goes to the L2 past the cache, drops the line as a store does, takes a register and is
 *                  answered. Bytes that kept stores have written to the line go to the L2 before it, beyond
 *                  the last place of the injection queue.
 *
 * A request is refused if there is no register, no room for another request in its register, or no place in
 * the injection queue. A refusal changes only a counter; the caller must repeat the request in the next
 * cycle. A private store that evicts a written line needs a place in the injection queue.
 *
 * Set = line mod sets: sizes and ways need not be powers of two.
 */
#ifndef MODEL_MEMORY_NON_BLOCKING_CACHE_H
#define MODEL_MEMORY_NON_BLOCKING_CACHE_H

#include "model/memory/cluster_port.h"
#include "model/memory/masked_cache.h"

enum cache_request_kind {
    CACHE_LOAD, /* load of memory, including private memory */
    CACHE_STORE,
    CACHE_PRIVATE_STORE,
    CACHE_KEPT_STORE, /* store to memory other than private, with write-back */
    CACHE_EXCLUSIVE_LOAD,
    CACHE_EXCLUSIVE_STORE,
};

struct cache_request {
    uint32_t address; /* address of the first byte */
    uint16_t bytes;   /* number of bytes, within a line */
    uint8_t kind;
    bool ahead;     /* load of a scalar thread, which may fetch the line for others */
    uint16_t moved; /* stores only: bytes that the packet brings; 0: `bytes` */
    uint32_t tag;   /* number of the caller, copied to the answer */
    /* Stores only: bit n % 64 of written[n / 64]: the byte at address + n is written, for n below `bytes`.
     * NULL: all are. coalescer_bytes() makes it. */
    const uint64_t *written;
};

/* A row of l1d.write_policy (enum write_policy_kind). */
struct write_policy {
    enum cache_request_kind store; /* request that a store to memory makes to the L1D */
    bool at_end;                   /* written lines go to the L2 at the end of a launch */
};
extern const struct write_policy write_policies[];

enum cache_result {
    CACHE_HIT,      /* *done is the cycle at whose end a load has its data; a store is accepted */
    CACHE_MISS,     /* data arrive with an answer to the port: non_blocking_cache_fill() */
    CACHE_NO_MSHR,  /* refused: all registers are taken */
    CACHE_NO_MERGE, /* refused: the line's register has no room for another request */
    CACHE_NO_ROOM,  /* refused: the injection queue is full */
};

struct cache_mshr {
    uint32_t line; /* number of the line: address / line length */
    uint16_t count;
    bool merges; /* later loads may join, and the line is kept when it arrives */
    bool ahead;  /* only scalar threads have requested the line */
    bool taken;
};

/* Counters: member and name, unit, description; those of write-backs are shown only with write-back
 * stores. */
#define NON_BLOCKING_CACHE_COUNTERS(X)                                                                       \
    X(accesses, "accesses", "requests, those refused and asked again once")                                  \
    X(misses, "accesses", "requests that went to the L2 for their data")                                     \
    X(merged, "accesses", "requests that joined a miss on its way")                                          \
    X(refused_mshr, "cycles", "a request has found no free miss register")                                   \
    X(refused_merge, "cycles", "a request could not join a miss: as many as may have")                       \
    X(refused_room, "cycles", "a request has found the injection queue full")
#define WRITE_BACK_COUNTERS(X)                                                                               \
    X(writebacks, "lines", "written lines that went to the L2")                                              \
    X(written_at_end, "lines", "of these, at the end of a launch")

struct non_blocking_cache {
    struct masked_cache lines;
    struct cluster_port *port;
    unsigned source, latency_cycles;
    unsigned mshrs, requests;
    struct cache_mshr *mshr;
    uint32_t *waiting; /* [register][request]: tags of waiting requests */
    unsigned outstanding;
    enum cache_result refused; /* result of the last request if it was refused and the cache has not changed
                                  since; else CACHE_HIT: */
    uint32_t refused_address;
    uint16_t refused_bytes;
    uint8_t refused_kind;
    unsigned written;    /* lines here that kept stores have written */
    unsigned write_next; /* line at which non_blocking_cache_write_back() continues, set by set */
#define X(name, unit, what) uint64_t name;
    NON_BLOCKING_CACHE_COUNTERS(X)
    WRITE_BACK_COUNTERS(X)
#undef X
    /* Lines that scalar threads have fetched; of these, lines that other loads have requested; of these,
     * lines that were still in flight then. */
    uint64_t ahead, ahead_useful, ahead_late;
};

/* `source` is the number in packets and answers of this cache; `seed` is cache_init()'s. */
void non_blocking_cache_init(struct non_blocking_cache *c, const struct machine_cache_config *config,
                             const struct machine_mshr_config *misses, struct cluster_port *port,
                             unsigned source, uint32_t seed);
void non_blocking_cache_free(struct non_blocking_cache *c);

/* Makes a request in a cycle; cycles never decrease. */
enum cache_result non_blocking_cache_request(struct non_blocking_cache *c, const struct cache_request *r,
                                             uint64_t cycle, uint64_t *done);

/* Returns the result that a request would have. Changes nothing. */
enum cache_result non_blocking_cache_outlook(struct non_blocking_cache *c, const struct cache_request *r,
                                             uint64_t cycle);

/* Handles an answer of kind ANSWER_DATA with this cache's source, in the cycle after its own. *waiting are
 * the tags of the requests that have their data at the end of the answer's cycle, in order. Returns their
 * number. *waiting is valid until the next request. */
unsigned non_blocking_cache_fill(struct non_blocking_cache *c, const struct memory_answer *answer,
                                 const uint32_t **waiting);

/* After the end of a launch: sends the next line that kept stores have written to the L2, if the injection
 * queue has a place. The line stays, as one that is not written. To be called once a cycle. */
void non_blocking_cache_write_back(struct non_blocking_cache *c, uint64_t cycle);

/* Invalidates all lines when a launch begins. No miss may be pending. */
void non_blocking_cache_invalidate(struct non_blocking_cache *c);

#endif
