/*
 * sm_ldst: the load-store unit of an SM and its caches (gpu-like.md §4): the accesses of an instruction
 * become transactions, one of which goes to a cache in a cycle; local memory is accessed in passes over its
 * banks.
 *
 * An instruction that accesses several spaces does local memory first, then constants, then the rest.
 * Constants are loads from the image and the argument block. In the caches, private memory is interleaved:
 * word by word over the threads of a warp.
 */
#ifndef MODEL_SM_SM_LDST_H
#define MODEL_SM_SM_LDST_H

#include "model/control/bank_conflict_resolver.h"
#include "model/control/coalescer.h"
#include "model/control/miss_registers.h"
#include "model/memory/non_blocking_cache.h"
#include "model/sm/sm.h"

enum sm_cache { SM_L1I, SM_L1D, SM_CONSTANT, SM_CACHES };

/* One cycle of sending: a transaction, or a part of the passes of local memory. */
struct sm_transaction {
    struct cache_request request;
    uint64_t written[COALESCER_LINE / 64];
    enum sm_cache cache;
};

/* Request to a block of the load-store unit, which is repeated until its last answer. */
struct sm_beat {
    bool local;   /* words of local memory in `address`: bank_conflict_resolver; else coalescer */
    uint8_t kind; /* enum cache_request_kind */
    uint8_t bytes;
    uint64_t active;
    uint32_t address[ARM_MAX_POSITIONS];
};

/* A load-store unit, and the instruction whose transactions it sends. */
struct sm_sender {
    uint16_t flight;     /* SM_NO_FLIGHT: none */
    uint16_t next;       /* flight whose addresses are present, with ldst.overlap; SM_NO_FLIGHT: none */
    bool conflict;       /* serving passes of local memory */
    uint64_t from;       /* first cycle of the next transaction; without flight: of the next round */
    uint64_t held_until; /* local memory: last cycle of its passes */
    uint64_t *banks;     /* local memory: banks read in each pass; kept only with scalar units */
    unsigned bank_room, passes;
    uint64_t passes_from, passes_until; /* first and last cycle of the passes */
    struct sm_transaction *send;
    unsigned sends, sent, send_room;
    uint64_t sent_cycle; /* for waves: last cycle in which a transaction was sent, and the transaction */
    uint32_t sent_address;
    uint8_t sent_warp, sent_to;

    /* Stepped: the blocks, and their pending requests for the instruction. */
    struct coalescer coalescer;
    struct bank_conflict_resolver resolver;
    uint32_t addresses[ARM_MAX_POSITIONS], words[ARM_MAX_POSITIONS]; /* inputs of the blocks */
    struct sm_beat *beat;
    unsigned beats, beat_at, beat_room;
    unsigned answers; /* answers to the current beat */
};

/* Stores that the L2 has not taken, for memory barriers: of a warp, of all warps of a scheduler whose engine
 * regroups threads, or of a scalar thread. */
#define SM_STORES_OF_SCHEDULERS SM_MAX_WARPS
#define SM_STORES_OF_SCALARS    (SM_STORES_OF_SCHEDULERS + SM_MAX_SCHEDULERS)
#define SM_STORES               (SM_STORES_OF_SCALARS + SM_MAX_WARPS) /* a work-group has at least one warp */
struct sm_stores {
    uint32_t threads; /* number of starts of threads here: stores of earlier threads are not counted */
    uint32_t untaken;
};

struct sm_ldst {
    struct cluster_port *port;
    struct sm_stores stores[SM_STORES];
    uint64_t untaken; /* stores of all threads, including ended ones */
    struct non_blocking_cache cache[SM_CACHES];
    struct coalescer_config coalescer;
    struct bank_conflict_resolver_config banks;
    uint32_t arguments, arguments_end; /* region of the launch's argument block */

    struct sm_sender sender[SM_MAX_SCHEDULERS]; /* one; with barrel issue and spatial lanes, one for each
                                                 * scheduler */
    unsigned senders, sending;                  /* number; bit for each with an instruction */
    struct sm_sender *to;                       /* sender for which transactions are made */
    bool asked[SM_CACHES];                      /* requests in this cycle: each cache takes one */

    bool follows; /* stepped: requests to the L1D's miss registers also go to `misses` */
    struct miss_registers misses;
    uint64_t watched; /* compared cycles of the miss registers */

    uint64_t requests, transactions, bytes_asked, bytes_moved;    /* counters of the coalescer */
    uint64_t local_accesses, local_passes, local_conflict_cycles; /* counters of local memory */
};

/* Follow the miss registers: a request to the L1D; an answer to one of its registers. */
enum cache_result sm_ask_followed(struct sm *s, const struct cache_request *r, uint64_t t, uint64_t *done);
void sm_note_fill(struct sm *s, unsigned mshr, uint64_t t);
/* Decides at a launch whether they can be followed. */
void sm_follow_misses(struct sm *s);

/* Return whether an address is in local memory; among the image's constants and the arguments; whether an
 * instruction is LDREX, STREX or similar. */
bool sm_in_local(uint32_t address);
bool sm_in_constants(const struct sm_ldst *l, uint32_t address);
bool sm_is_exclusive(const struct arm_instruction *i);
/* Returns the banks of local memory that load-store units, or lane groups, use in cycle t. */
uint64_t sm_ldst_banks(const struct sm *s, uint64_t t);

/* Returns the cycle in which the next known answer is taken. */
static inline uint64_t sm_ldst_next(const struct sm *s) {
    const uint64_t next = cluster_port_next(s->ldst->port);
    return next == UINT64_MAX ? SM_NEVER : next + 1;
}

/* Returns whether the load-store units have no work in this cycle. */
static inline bool sm_ldst_rests(const struct sm *s) {
    const struct sm_ldst *l = s->ldst;
    return !l->sending && !(s->stepped || s->lanes.apart || s->scalar);
}

/* Requests the instructions of a warp at an address from the L1I in cycle t. Returns false if the L1I takes
 * no request now. */
bool sm_ldst_fetch(struct sm *s, unsigned warp, uint32_t pc, uint64_t t);

/* Makes a request to a cache, which takes one a cycle. */
static inline enum cache_result sm_ask_cache(struct sm *s, enum sm_cache cache, const struct cache_request *r,
                                             uint64_t t, uint64_t *done) {
    if (__builtin_expect(s->ldst->follows && cache == SM_L1D, 0)) return sm_ask_followed(s, r, t, done);
    return non_blocking_cache_request(&s->ldst->cache[cache], r, t, done);
}

/* --- shared by ldst.c and ldst_stepped.c --- */

/* Adds transactions of a load-store unit, for each line of the cache. */
void sm_add_lines(struct sm_ldst *l, struct sm_sender *x, const struct coalescer_transaction *c,
                  const struct sm_beat *beat, bool store, uint32_t tag);
/* Returns the cycles for which a pass of local memory holds a load-store unit. */
unsigned sm_local_pass_cycles(const struct sm *s, const struct sm_flight *f);
/* Does cycle t of the blocks of load-store unit n. */
void sm_step_blocks(struct sm *s, unsigned n, uint64_t t);

void sm_ldst_register_counters(struct sm *s, const char *scope, struct counter_registry *r);

#endif
