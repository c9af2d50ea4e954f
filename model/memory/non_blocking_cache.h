/*
 * non_blocking_cache: a cache of a GPU-like cluster, in time (gpu-like.md §4): L1D, L1I, cache of constants.
 * Tags and miss registers (MSHRs) only: data are read and written when instructions issue.
 *
 * The caller hands in at most one request a cycle, of bytes within one line. The cache is looked up for
 * `latency` cycles from that cycle on; hits have their data at the end of the last, and what misses is in the
 * injection queue of the cluster's port then. Tags and registers are looked at in the first one: what they
 * say then decides.
 *
 *   load           A miss takes a register and asks the L2 for the line; loads of a line on its way wait for
 *                  it, up to `merges` for one register, the first included. The line gets its place when it
 *                  comes: that of the least recently used line of its set.
 *   store          goes to the L2 and drops the line. A miss on its way to the same line answers those who
 *                  wait for it, but is not kept, and later loads do not join it.
 *   private store  stays here: to a line that is not there, too, which is not fetched then, and of which only
 *                  what was written is there. A load of other bytes of it is a miss. A line that was written
 *                  goes to the L2 when it must go.
 *   exclusive      goes to the L2 past the cache, drops the line as a store does, takes a register and is
 *                  answered.
 *
 * What cannot be done in this cycle (no register, no room for another request in one, no place in the
 * injection queue) is refused, has changed nothing but a counter, and is to be asked again in the next cycle.
 * A private store whose place is that of a written line needs a place in the injection queue.
 *
 * Set = line mod sets: sizes and ways need not be powers of two.
 */
#ifndef MODEL_MEMORY_NON_BLOCKING_CACHE_H
#define MODEL_MEMORY_NON_BLOCKING_CACHE_H

#include "model/memory/cluster_port.h"
#include "model/memory/masked_cache.h"

enum cache_request_kind {
    CACHE_LOAD, /* of memory, also of private memory */
    CACHE_STORE,
    CACHE_PRIVATE_STORE,
    CACHE_EXCLUSIVE_LOAD,
    CACHE_EXCLUSIVE_STORE,
};

struct cache_request {
    uint32_t address; /* of the first byte */
    uint16_t bytes;   /* to the last one, within a line */
    uint8_t kind;
    bool ahead;     /* a load of a scalar thread: what it fetches may be for others */
    uint16_t moved; /* of a store: bytes that its packet brings; 0: as many as `bytes` */
    uint32_t tag;   /* the caller's: comes back with the answer */
    /* Of a store: bit n % 64 of written[n / 64]: the byte at address + n is written, for n below bytes. NULL:
     * all are. coalescer_bytes() makes it. */
    const uint64_t *written;
};

enum cache_result {
    CACHE_HIT,      /* *done is the cycle at whose end a load has its data; a store has been accepted */
    CACHE_MISS,     /* an answer to the port brings it: non_blocking_cache_fill() */
    CACHE_NO_MSHR,  /* refused: all registers are taken */
    CACHE_NO_MERGE, /* refused: as many wait for the line as may */
    CACHE_NO_ROOM,  /* refused: the injection queue is full */
};

struct cache_mshr {
    uint32_t line; /* number: address / line length */
    uint16_t count;
    bool merges; /* later loads of the line may join, and it is kept when it comes */
    bool ahead;  /* only scalar threads have asked for it */
    bool taken;
};

struct non_blocking_cache {
    struct masked_cache lines;
    struct cluster_port *port;
    unsigned source, latency_cycles;
    unsigned mshrs, requests;
    struct cache_mshr *mshr;
    uint32_t *waiting; /* [register][request]: tags */
    unsigned outstanding;
    enum cache_result
        refused; /* what it was, of the last request, if nothing has changed since; else CACHE_HIT: */
    uint32_t refused_address;
    uint16_t refused_bytes;
    uint8_t refused_kind;
    uint64_t accesses, misses, merged, refused_mshr, refused_merge, refused_room, writebacks;
    /* Lines that scalar threads have fetched; of these, those that others' loads have asked for; of these,
     * those that were still on their way then. */
    uint64_t ahead, ahead_useful, ahead_late;
};

/* `source` is the number that packets and answers of this cache carry. */
void non_blocking_cache_init(struct non_blocking_cache *c, const struct machine_cache_config *config,
                             const struct machine_mshr_config *misses, struct cluster_port *port,
                             unsigned source);
void non_blocking_cache_free(struct non_blocking_cache *c);

/* A request in a cycle; cycles never go back. */
enum cache_result non_blocking_cache_request(struct non_blocking_cache *c, const struct cache_request *r,
                                             uint64_t cycle, uint64_t *done);

/* What a request would be told, without making it: nothing changes. */
enum cache_result non_blocking_cache_outlook(struct non_blocking_cache *c, const struct cache_request *r,
                                             uint64_t cycle);

/* An answer of kind ANSWER_DATA with this cache's source, in the cycle after its own: *waiting are the tags
 * of those who have their data at the end of the answer's cycle, in the order of their requests; returns how
 * many. They are good until the next request. */
unsigned non_blocking_cache_fill(struct non_blocking_cache *c, const struct memory_answer *answer,
                                 const uint32_t **waiting);

/* A launch: no line is there any more. Nothing is on its way. */
void non_blocking_cache_invalidate(struct non_blocking_cache *c);

#endif
