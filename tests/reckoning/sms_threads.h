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
#include "model/divergence/regrouped_warp.h"
#include "model/machine/sms.h"
#include "model/memory/non_blocking_cache.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm.h"
#include "tests/reckoning/place.h"
#include "tests/reckoning/uniform_told.h"

#define SHADOW_ENTRIES (2 * LWM_MAX_THREADS + RE_CONVERGENCE_STACK_MAX_CALLS)

struct shadow_entry {
    re_convergence_mask mask;
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
    unsigned parts, place;             /* place: its own among those of its large warp */
    re_convergence_mask begun, left, executed,
        passed; /* of a large warp's instruction: threads that take part; of these,
                   those that are in no sub-warp yet, and those that have been
                   executed; of these, those that passed the condition */
    uint64_t
        chosen; /* threads that S has chosen, and that are not in flight yet; of some engines with their PC */
    uint32_t chosen_pc;
};

struct shadow_flight {
    uint64_t age;             /* that it is known as */
    bool known, over, leaves; /* its effect has come; it waits for its turn */
    bool in_memory, told;     /* HARP: it has left the First-Level; it can be committed; */
    uint64_t done;  /* positions whose access is done, or, with dwf, whose threads have joined other warps; */
    uint64_t joins; /* those that do, at the end of the cycle */
    uint16_t rounds;          /* that had started in the last cycle */
    struct reuse_told reuses; /* it asks for its result in O, which is for others if it is not found */
};

/* Requests of a load-store unit to its blocks for one flight, in their order. */
struct shadow_beat {
    bool local; /* words of local memory: the resolver of bank conflicts; else the coalescer */
    unsigned bytes;
    enum cache_request_kind kind;
    uint64_t active;
    uint32_t address[ARM_MAX_POSITIONS];
};
#define SHADOW_BEATS                                                                                         \
    136 /* of a flight: words of 64 bytes in private memory, and of as many in local memory */

/* A request to a cache. */
struct shadow_request {
    uint32_t address, bytes;
    uint8_t cache; /* enum sm_cache */
    enum cache_request_kind kind;
    uint32_t tag;
};
#define SHADOW_REQUESTS                                                                                      \
    (3 * ARM_MAX_POSITIONS) /* of a flight: constants in two lines, exclusive accesses                       \
                             */

struct shadow_sender {
    bool sends;
    uint64_t age;  /* of the flight */
    uint64_t from; /* first cycle in which it asks a cache */
    unsigned beats, at;
    struct shadow_beat beat[SHADOW_BEATS];
    unsigned requests, sent; /* that are known; of these, those that a cache has taken */
    struct shadow_request request[SHADOW_REQUESTS];
};

struct shadow_group {
    bool used, release, release_scalar; /* a barrier opened in the last cycle */
    uint64_t number;
    bool scalar_live, scalar_waits;
    unsigned live, waiting;
};

/* The scalar thread of a work-group. */
struct shadow_scalar {
    uint32_t number;                  /* of the thread in its slot */
    unsigned buffered;                /* instructions in its buffer at the end of the last cycle */
    bool fetching;                    /* then the L1I had been asked for more */
    uint64_t from;                    /* first cycle in which the buffered ones may issue */
    uint64_t ready[SCALAR_RESOURCES]; /* first cycle in which a result may be used, of instructions other than
                                         loads */
    uint64_t loads;                   /* resources that a load wrote last */
    uint64_t settled;                 /* first cycle in which all results of other instructions may be used */
    enum sm_effect effect;            /* in flight: no instruction issues */
    uint64_t effect_at;               /* cycle at whose end it comes; SM_NEVER: a PC is being loaded */
};

struct shadow_scheduler {
    bool issued; /* since the scoreboard's last cycle */
    unsigned warp;
    uint64_t writes;
    uint64_t called; /* the last cycle of its block */
    uint64_t moved;  /* barrel: the last cycle in which its front end moved; */
    bool picked;     /* it selected a warp in it */
    int a, f;        /* the items that the front end holds, at the end of the last cycle; −1: none */
    bool d;
    unsigned queue;
};

/* What a scheduler's HARP has been told. */
struct shadow_harp {
    uint64_t opens; /* work-groups whose barriers open in this cycle, and of which it has not been told */
    uint64_t chosen, stepped; /* the last cycles in which it chose warps, and in which they went */
    bool commits;             /* in the cycle at hand: */
    uint32_t pc;
    uint64_t mask;
    uint16_t row[REGROUPED_MAX_LANES];
};

struct sms_shadow {
    struct sm *s;
    uint64_t cycle;  /* the one at hand */
    unsigned called; /* schedulers that have had theirs in it */
    uint64_t age;    /* of the next flight to issue */
    bool stacks;     /* threads go by a stack of their warp, */
    bool large;      /* or of several warps: lwm */
    struct shadow_warp warp[SM_MAX_WARPS];
    struct shadow_group group[SM_MAX_WARPS];
    struct shadow_scheduler scheduler[SM_MAX_SCHEDULERS];
    struct shadow_harp harp[SM_MAX_SCHEDULERS];
    uint64_t starting[SM_MAX_WARPS]; /* HARP: threads of work-groups that begin in this cycle */
    int granted; /* HARP: the flight whose turn it is to arrive at a barrier or to exit; −1: none */
    struct shadow_flight *flight;
    unsigned flights; /* room */
    uint16_t *flying; /* those in flight */
    unsigned flying_count;
    unsigned taken[SM_MAX_UNITS]; /* collectors, at the end of the last cycle */
    uint64_t pending[SM_MAX_WARPS], unread[SM_MAX_WARPS];
    unsigned in_flight[SM_MAX_WARPS], loads[SM_MAX_WARPS], stores[SM_MAX_WARPS];
    struct shadow_sender sender[SM_MAX_SCHEDULERS];
    struct scalar_part part[SCALAR_MAX_UNITS]; /* what each scalar unit asks for in this cycle, */
    unsigned part_at[SCALAR_MAX_UNITS];        /* where it stands in the unit's ring; */
    uint32_t asks_for_scalars;                 /* bit per unit that does */
    uint64_t misses;  /* registers of the L1D that were taken at the end of the last cycle */
    uint64_t packets; /* that the SM's caches had sent then */
    struct shadow_scalar scalar[SM_MAX_WARPS];
    uint64_t scalar_next[SCALAR_MAX_UNITS]; /* first cycle in which the unit may issue */
    struct uniform_told uniform;            /* of this cycle */
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
uint32_t shadow_meeting_of(const struct sm *s, uint32_t pc);
/* Has a flight gone through all stages? */
bool shadow_is_over(const struct sm_flight *f);
/* Where the thread in a position of a flight goes on behind it. */
uint32_t shadow_next_of(const struct sms_shadow *h, const struct sm_flight *f, unsigned k);
enum sm_effect shadow_effect_of(const struct arm_instruction *i);
uint64_t shadow_runs(const struct sms_shadow *h, unsigned warp, uint32_t *pc);
#endif
