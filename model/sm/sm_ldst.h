/*
 * sm_ldst: the load-store unit of an SM and the caches it asks (gpu-like.md §4): an instruction's accesses
 * become transactions, of which one goes to a cache in a cycle; local memory is passed through bank by bank.
 *
 * An instruction that touches several spaces does local memory, then constants, then the rest. Constants are
 * loads from the image and the argument block. Private memory lies, for the caches, word by word over the
 * threads of a warp.
 */
#ifndef MODEL_SM_SM_LDST_H
#define MODEL_SM_SM_LDST_H

#include "model/control/bank_conflict_resolver.h"
#include "model/control/coalescer.h"
#include "model/control/miss_registers.h"
#include "model/memory/non_blocking_cache.h"
#include "model/sm/sm.h"

enum sm_cache { SM_L1I, SM_L1D, SM_CONSTANT, SM_CACHES };

/* One cycle of sending: a transaction, or part of the passes of local memory. */
struct sm_transaction {
    struct cache_request request;
    uint64_t written[COALESCER_LINE / 64];
    enum sm_cache cache;
};

/* What a block of the load-store unit is asked, cycle by cycle, until it has said its last. */
struct sm_beat {
    bool local;   /* the words of local memory in `address`: bank_conflict_resolver; else coalescer */
    uint8_t kind; /* enum cache_request_kind */
    uint8_t bytes;
    uint64_t active;
    uint32_t address[ARM_MAX_POSITIONS];
};

/* A load-store unit, and the instruction whose transactions it sends. */
struct sm_sender {
    uint16_t flight;     /* SM_NO_FLIGHT: none */
    uint16_t next;       /* whose addresses are there, with ldst.overlap; likewise */
    bool conflict;       /* it passes through local memory */
    uint64_t from;       /* first cycle of the next transaction; of no flight: of the next round */
    uint64_t held_until; /* local memory: last cycle of its passes */
    uint64_t *banks; /* local memory: the banks that each of them reads: kept where there are scalar units */
    unsigned bank_room, passes;
    uint64_t passes_from, passes_until; /* their first and last cycle */
    struct sm_transaction *send;
    unsigned sends, sent, send_room;
    uint64_t sent_cycle; /* for waves: the last in which a transaction was sent, and which */
    uint32_t sent_address;
    uint8_t sent_warp, sent_to;

    /* Stepped: the blocks, and what they are still to be asked for the instruction. */
    struct coalescer coalescer;
    struct bank_conflict_resolver resolver;
    uint32_t addresses[ARM_MAX_POSITIONS], words[ARM_MAX_POSITIONS]; /* at their inputs */
    struct sm_beat *beat;
    unsigned beats, beat_at, beat_room;
    unsigned answers; /* to the beat at hand */
};

/* Stores that the L2 has still to take, for memory barriers: of a warp, of all warps of a scheduler whose
 * engine regroups threads, or of a scalar thread. */
#define SM_STORES_OF_SCHEDULERS SM_MAX_WARPS
#define SM_STORES_OF_SCALARS    (SM_STORES_OF_SCHEDULERS + SM_MAX_SCHEDULERS)
#define SM_STORES               (SM_STORES_OF_SCALARS + SM_MAX_WARPS) /* a work-group has a warp at least */
struct sm_stores {
    uint32_t threads; /* how often threads have begun here: what earlier ones stored is not counted */
    uint32_t untaken;
};

struct sm_ldst {
    struct cluster_port *port;
    struct sm_stores stores[SM_STORES];
    uint64_t untaken; /* stores of all, also of threads that have ended */
    struct non_blocking_cache cache[SM_CACHES];
    struct coalescer_config coalescer;
    struct bank_conflict_resolver_config banks;
    uint32_t arguments, arguments_end; /* of the launch: the region of the argument block */

    struct sm_sender sender[SM_MAX_SCHEDULERS]; /* one; with barrel issue, one of each scheduler */
    unsigned senders, sending;                  /* how many; bit per one that has an instruction */
    struct sm_sender *to;                       /* that transactions are made for */
    bool asked[SM_CACHES];                      /* in this cycle: each takes one request */

    bool follows; /* stepped: what comes to the L1D's miss registers goes to these as well */
    struct miss_registers misses;
    uint64_t watched; /* their cycles beside twins */

    uint64_t requests, transactions, bytes_asked, bytes_moved;    /* coalescer */
    uint64_t local_accesses, local_passes, local_conflict_cycles; /* local memory */
};

/* Where the miss registers are followed: a request to the L1D; an answer to one of its registers. */
enum cache_result sm_ask_followed(struct sm *s, const struct cache_request *r, uint64_t t, uint64_t *done);
void sm_note_fill(struct sm *s, unsigned mshr, uint64_t t);
/* A launch: can they be followed? */
void sm_follow_misses(struct sm *s);

/* Asks the L1I for the instructions of a warp at an address in cycle t. False: it takes no request now. */
/* Is an address in local memory; among the image's constants and the arguments? LDREX,
 * STREX and their kind. */
bool sm_in_local(uint32_t address);
bool sm_in_constants(const struct sm_ldst *l, uint32_t address);
bool sm_is_exclusive(const struct arm_instruction *i);
/* Banks of local memory that the load-store unit uses in cycle t. */
uint64_t sm_ldst_banks(const struct sm *s, uint64_t t);

/* The cycle in which the next answer that is known is taken. */
static inline uint64_t sm_ldst_next(const struct sm *s) {
    const uint64_t next = cluster_port_next(s->ldst->port);
    return next == UINT64_MAX ? SM_NEVER : next + 1;
}

/* The load-store units have nothing to do in this cycle. */
static inline bool sm_ldst_rests(const struct sm *s) {
    const struct sm_ldst *l = s->ldst;
    return !l->sending && !(s->stepped || s->lanes.apart || s->scalar);
}

bool sm_ldst_fetch(struct sm *s, unsigned warp, uint32_t pc, uint64_t t);

/* A request to a cache, which takes one a cycle. */
static inline enum cache_result sm_ask_cache(struct sm *s, enum sm_cache cache, const struct cache_request *r,
                                             uint64_t t, uint64_t *done) {
    if (__builtin_expect(s->ldst->follows && cache == SM_L1D, 0)) return sm_ask_followed(s, r, t, done);
    return non_blocking_cache_request(&s->ldst->cache[cache], r, t, done);
}

/* --- between ldst.c and ldst_stepped.c --- */

/* Transactions of a load-store unit, line by line of the cache they go to. */
void sm_add_lines(struct sm_ldst *l, struct sm_sender *x, const struct coalescer_transaction *c,
                  const struct sm_beat *beat, bool store, uint32_t tag);
/* Cycles that a pass of local memory holds a load-store unit. */
unsigned sm_local_pass_cycles(const struct sm *s, const struct sm_flight *f);
/* Cycle t of the blocks of a load-store unit, the n-th. */
void sm_step_blocks(struct sm *s, unsigned n, uint64_t t);

void sm_ldst_register_counters(struct sm *s, const char *scope, struct counter_registry *r);

#endif
