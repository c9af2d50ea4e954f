/*
 * sms_threads: of an SM a shadow of its threads, which follows them by what flights do when they issue and
 * when they have ended: who runs where, stacks, barriers (gpu-like.md, divergence.md §2, §4).
 *
 * Order of a cycle: shadow_observe() notes what has issued, as soon as any block is evaluated after it; the
 * blocks of the load-store unit come after all issue and before anything takes effect, the barrier table
 * after all effects of others than instructions without one.
 */
#ifndef TESTS_RECKONING_SMS_THREADS_H
#define TESTS_RECKONING_SMS_THREADS_H

#include "model/machine/machine.h"
#include "model/machine/sms.h"
#include "model/sm/sm.h"
#include "tests/reckoning/place.h"
#include "tests/reckoning/uniform_told.h"

#define SHADOW_ENTRIES (2 * LWM_MAX_THREADS + RE_CONVERGENCE_STACK_MAX_CALLS)

struct shadow_entry {
    uint64_t mask;
    uint32_t pc, rpc;
    bool call;
};

struct shadow_warp {
    uint64_t live, waiting;
    uint64_t flying;            /* an instruction of theirs is in flight */
    uint64_t arriving, leaving; /* it has been executed: they wait for their turn at a barrier, or to end */
    uint64_t with;              /* of those that wait: at a barrier with the scalar thread */
    uint32_t pc[ARM_MAX_POSITIONS]; /* where they go on */
    uint32_t waits_at[ARM_MAX_POSITIONS];
    struct shadow_entry stack[SHADOW_ENTRIES]; /* the lowest first; of sbr */
    unsigned depth;
    uint64_t pending;    /* at the end of the last cycle, as the scoreboard must have it */
    unsigned unresolved; /* branches, barriers and exits in flight */
    bool buffered;       /* instructions are in its buffer, or have been asked for, in the last cycle */
    bool fetching;
    uint8_t part[LWM_MAX_THREADS / 4]; /* lwm: the warps of which this is the first; else none */
    unsigned parts;
    uint64_t chosen; /* threads that S has chosen, and their PC */
    uint32_t chosen_pc;
};

struct shadow_flight {
    uint64_t age;             /* that it is known as */
    bool known, over, leaves; /* its effect has come; it waits for its turn */
    uint16_t rounds;          /* that had started in the last cycle */
    struct reuse_told reuses; /* it asks for its result in O, which is for others if it is not found */
};

/* Requests of a load-store unit to its blocks for one flight, in their order. */
struct shadow_beat {
    bool local; /* words of local memory: the resolver of bank conflicts; else the coalescer */
    unsigned bytes;
    uint64_t active;
    uint32_t address[ARM_MAX_POSITIONS];
};
#define SHADOW_BEATS                                                                                         \
    136 /* of a flight: words of 64 bytes in private memory, and of as many in local memory */

struct shadow_sender {
    bool sends;
    uint64_t age; /* of the flight */
    unsigned beats, at;
    struct shadow_beat beat[SHADOW_BEATS];
};

struct shadow_group {
    bool used, release, release_scalar; /* a barrier opened in the last cycle */
    uint64_t number;
    bool scalar_live, scalar_waits;
    unsigned live, waiting;
};

struct shadow_scheduler {
    bool issued; /* since the scoreboard's last cycle */
    unsigned warp;
    uint64_t writes;
    uint64_t called; /* the last cycle of its block */
    int a, f; /* barrel: the items that the front end holds, at the end of the last cycle; −1: none */
    bool d;
    unsigned queue;
};

struct sms_shadow {
    struct sm *s;
    uint64_t cycle;  /* the one at hand */
    unsigned called; /* schedulers that have had theirs in it */
    uint64_t age;    /* of the next flight to issue */
    bool stacks;     /* threads go by a stack of their warp */
    struct shadow_warp warp[SM_MAX_WARPS];
    struct shadow_group group[SM_MAX_WARPS];
    struct shadow_scheduler scheduler[SM_MAX_SCHEDULERS];
    struct shadow_flight *flight;
    unsigned flights; /* room */
    uint16_t *flying; /* those in flight */
    unsigned flying_count;
    unsigned taken[SM_MAX_UNITS]; /* collectors, at the end of the last cycle */
    uint64_t pending[SM_MAX_WARPS], unread[SM_MAX_WARPS];
    unsigned in_flight[SM_MAX_WARPS], loads[SM_MAX_WARPS], stores[SM_MAX_WARPS];
    struct shadow_sender sender[SM_MAX_SCHEDULERS];
    struct uniform_told uniform; /* of this cycle */
    struct reuse_told asks, insert;
    int renaming; /* a load whose registers get scalar ones in later cycles; −1: none */
    uint64_t loads_left;
    unsigned beats_left;
    bool renames_uniform;
    warp_set begun;               /* warps that begin in this cycle */
    int released;                 /* a warp whose last thread has ended in the last cycle; −1: none */
    struct reckoning_place *told; /* whose block is being evaluated */
};

void shadow_reset(struct sms_shadow *h);
/* The first evaluation of cycle t: a work-group has begun, perhaps. */
void shadow_begin_cycle(struct sms_shadow *h, uint64_t t);
/* Lists the flights, and takes note of those that have issued. */
void shadow_observe(struct sms_shadow *h);
void shadow_check_threads(struct sms_shadow *h);
void shadow_barriers(struct sms_shadow *h);
uint64_t shadow_runs(const struct sms_shadow *h, unsigned warp, uint32_t *pc);
static inline struct shadow_entry *shadow_top(struct shadow_warp *w) {
    return &w->stack[w->depth - 1];
}

#endif
