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
#include "model/memory/non_blocking_cache.h"
#include "model/sm/sm.h"

enum sm_cache { SM_L1I, SM_L1D, SM_CONSTANT, SM_CACHES };

/* One cycle of sending: a transaction, or part of the passes of local memory. */
struct sm_transaction {
    struct cache_request request;
    uint64_t written[COALESCER_LINE / 64];
    enum sm_cache cache;
};

/* A load-store unit, and the instruction whose transactions it sends. */
struct sm_sender {
    uint16_t flight;     /* SM_NO_FLIGHT: none */
    bool conflict;       /* it passes through local memory */
    uint64_t from;       /* first cycle of the next transaction; of no flight: of the next round */
    uint64_t held_until; /* local memory: last cycle of its passes */
    struct sm_transaction *send;
    unsigned sends, sent, send_room;
    uint64_t sent_cycle; /* for waves: the last in which a transaction was sent, and which */
    uint32_t sent_address;
    uint8_t sent_warp, sent_to;
};

struct sm_ldst {
    struct cluster_port *port;
    struct non_blocking_cache cache[SM_CACHES];
    struct coalescer_config coalescer;
    struct bank_conflict_resolver_config banks;
    uint32_t arguments, arguments_end; /* of the launch: the region of the argument block */

    struct sm_sender sender[SM_MAX_SCHEDULERS]; /* one; with barrel issue, one of each scheduler */
    unsigned senders;
    struct sm_sender *to; /* that transactions are made for */

    uint64_t requests, transactions, bytes_asked, bytes_moved;    /* coalescer */
    uint64_t local_accesses, local_passes, local_conflict_cycles; /* local memory */
};

/* Asks the L1I for the instructions of a warp at an address in cycle t. False: it takes no request now. */
bool sm_ldst_fetch(struct sm *s, unsigned warp, uint32_t pc, uint64_t t);
void sm_ldst_register_counters(struct sm *s, const char *scope, struct counter_registry *r);

#endif
