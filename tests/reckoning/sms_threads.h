/* sms_threads: a shadow of an SM's threads. It follows flights at their issue and their end: places of
 * threads, stacks, barriers (gpu-like.md, divergence.md §2, §4).
 *
 * Order of a cycle: shadow_observe() records issued flights when the first block is evaluated afterwards. The
 * blocks of the load-store unit follow all issue and precede all effects. The barrier table follows all
 * effects except those of instructions without one. */
#ifndef TESTS_RECKONING_SMS_THREADS_H
#define TESTS_RECKONING_SMS_THREADS_H

#include "model/machine/machine.h"
#include "model/divergence/regrouped_warp.h"
#include "model/machine/sms.h"
#include "model/memory/non_blocking_cache.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm.h"
#include "model/unit/unit.h"
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
    uint64_t flying;                /* an instruction of theirs is in flight */
    uint64_t arriving, leaving;     /* executed: waiting for their turn to arrive at a barrier, or to exit */
    uint64_t with;                  /* waiting threads whose barrier includes the scalar thread */
    uint32_t pc[ARM_MAX_POSITIONS]; /* next PC of each thread */
    uint32_t waits_at[ARM_MAX_POSITIONS];
    struct shadow_entry stack[SHADOW_ENTRIES]; /* the lowest first; of sbr */
    unsigned depth;
    uint64_t pending;    /* results pending at the end of the last cycle, as the scoreboard must have them */
    unsigned unresolved; /* branches, barriers and exits in flight */
    bool buffered;       /* instructions are in its buffer, or have been asked for, in the last cycle */
    bool fetching;
    uint8_t part[LWM_MAX_THREADS / 4]; /* lwm: the warps of which this is the first; otherwise none */
    unsigned parts, place;             /* place: its own among those of its large warp */
    re_convergence_mask begun, left, executed,
        passed; /* for a large warp's instruction: participating threads; those not yet in a sub-warp;
                 * executed ones; executed ones with a true condition */
    uint8_t level[64];
    uint64_t chosen; /* dwf: threads that S has chosen, and that are not in flight yet */
};

struct shadow_flight {
    uint64_t age;             /* age of the flight recorded here */
    bool known, over, leaves; /* effect applied; waiting for its turn */
    bool in_memory, told;     /* HARP: outside the First-Level; committable */
    uint64_t done;            /* positions whose access is complete or, with dwf, whose threads have joined
                               * other warps */
    uint64_t joins;           /* positions that complete at the end of the cycle */
    uint16_t rounds;          /* rounds started up to the last cycle */
    struct reuse_told reuses; /* look-up of its result in O, which is inserted after a miss */
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
    136 /* limit for a flight: words of 64 bytes in private memory, and as many in local memory */

/* A request to a cache. */
struct shadow_request {
    uint32_t address, bytes;
    uint8_t cache; /* enum sm_cache */
    enum cache_request_kind kind;
    uint32_t tag;
};
#define SHADOW_REQUESTS (3 * ARM_MAX_POSITIONS) /* a flight's: constants in two lines, exclusive accesses */

struct shadow_sender {
    bool sends;
    uint64_t age;  /* age of the flight */
    uint64_t from; /* first cycle in which it makes a request to a cache */
    unsigned beats, at;
    struct shadow_beat beat[SHADOW_BEATS];
    unsigned requests, sent; /* numbers of known requests, and of accepted ones */
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
    uint32_t number;                  /* number of the thread in its slot */
    unsigned buffered;                /* instructions in its buffer at the end of the last cycle */
    bool fetching;                    /* the L1I had a further request at that time */
    uint64_t from;                    /* first cycle in which the buffered ones may issue */
    uint64_t ready[SCALAR_RESOURCES]; /* first cycle in which a result may be used, of instructions other than
                                         loads */
    uint64_t loads;                   /* resources that a load wrote last */
    uint64_t settled;                 /* first cycle in which all results of other instructions may be used */
    enum sm_effect effect;            /* effect in flight: no instruction issues */
    uint64_t effect_at;               /* cycle at whose end the effect comes; SM_NEVER: a PC is
                                       * being loaded */
};

/* The threads of a flight between A and O, for engines that keep warps unchanged; none: no such flight. */
struct shadow_choice {
    unsigned warp;
    uint64_t threads;
    uint32_t pc;
};

struct shadow_scheduler {
    bool issued; /* since the scoreboard's last cycle */
    unsigned warp;
    uint64_t writes;
    uint64_t called; /* the last cycle of its block */
    uint64_t moved;  /* barrel: latest cycle with activity in its front end */
    bool picked;     /* a warp was selected in cycle `moved` */
    int a, f;        /* flights in these stages at the end of the last cycle; −1: none */
    struct shadow_choice choice[UNIT_RING]; /* barrel: of each flight */
    bool d;
    unsigned queue;
};

/* Events that a scheduler's HARP has seen. */
struct shadow_harp {
    uint64_t opens;           /* work-groups whose barriers open in this cycle, not yet reported */
    uint64_t chosen, stepped; /* the last cycles in which it chose warps, and in which they went */
    bool commits;             /* this and the fields below: state of the present cycle */
    uint32_t pc;
    uint64_t mask;
    uint16_t row[REGROUPED_MAX_LANES];
};

struct sms_shadow {
    struct sm *s;
    uint64_t cycle;  /* present cycle */
    unsigned called; /* schedulers whose block has been evaluated in it */
    uint64_t age;    /* age of the next flight to issue */
    bool stacks;     /* each warp has a stack */
    bool large;      /* large warps (lwm) */
    bool pairs;      /* a warp may have two flights (dpe) */
    struct shadow_warp warp[SM_MAX_WARPS];
    struct shadow_group group[SM_MAX_WARPS];
    struct shadow_scheduler scheduler[SM_MAX_SCHEDULERS];
    struct shadow_harp harp[SM_MAX_SCHEDULERS];
    uint64_t starting[SM_MAX_WARPS]; /* HARP: threads of work-groups that begin in this cycle */
    int granted;                     /* HARP: the flight whose barrier or exit has its turn; −1: none */
    struct shadow_flight *flight;
    unsigned flights; /* capacity of `flight` */
    uint16_t *flying; /* numbers of the flights */
    unsigned flying_count;
    unsigned taken[SM_MAX_UNITS]; /* collectors, at the end of the last cycle */
    uint64_t pending[SM_MAX_WARPS], unread[SM_MAX_WARPS];
    unsigned in_flight[SM_MAX_WARPS], loads[SM_MAX_WARPS], stores[SM_MAX_WARPS];
    struct shadow_sender sender[SM_MAX_SCHEDULERS];
    struct scalar_part part[SCALAR_MAX_UNITS]; /* next part of each scalar unit in this cycle */
    unsigned part_at[SCALAR_MAX_UNITS];        /* index of `part` in the unit's ring */
    uint32_t asks_for_scalars;                 /* a bit for each unit with a request for scalars */
    uint64_t misses;  /* registers of the L1D allocated at the end of the last cycle */
    uint64_t packets; /* packets sent by the SM's caches by the end of the last cycle */
    struct shadow_scalar scalar[SM_MAX_WARPS];
    uint64_t scalar_next[SCALAR_MAX_UNITS]; /* first cycle in which the unit may issue */
    struct uniform_told uniform;            /* inputs of this cycle */
    struct uniform_told next; /* barrel: those of the oldest flight in front of O, if it begins O */
    struct reuse_told next_asks;
    struct reuse_told asks, insert;
    int renaming; /* load whose registers get scalar registers in later cycles; −1: none */
    uint64_t loads_left;
    unsigned beats_left;
    bool renames_uniform;
    warp_set begun;               /* warps that begin in this cycle */
    int released;                 /* warp whose last thread has exited in the last cycle; −1: none */
    struct reckoning_place *told; /* place whose block is being evaluated */
};

void shadow_reset(struct sms_shadow *h);
/* The first evaluation of cycle t: a work-group has begun, perhaps. */
void shadow_begin_cycle(struct sms_shadow *h, uint64_t t);
/* Lists the flights and records newly issued ones. */
void shadow_observe(struct sms_shadow *h);
void shadow_check_threads(struct sms_shadow *h);
void shadow_barriers(struct sms_shadow *h);
/* Returns the PC at which threads that part at pc meet; 0: at a return. */
uint32_t shadow_meeting_of(const struct machine_code *c, uint32_t pc);
/* Returns whether a flight has passed all stages. */
bool shadow_is_over(const struct sm_flight *f);
/* Returns the next PC of the thread in a position of a flight. */
uint32_t shadow_next_of(const struct sms_shadow *h, const struct sm_flight *f, unsigned k);
enum sm_effect shadow_effect_of(const struct arm_instruction *i);
uint64_t shadow_runs(const struct sms_shadow *h, unsigned warp, uint32_t *pc);
/* Returns the threads that run next besides the flights of the warp; 0 if no second flight may be selected
 * (dpe). */
uint64_t shadow_runs_besides(const struct sms_shadow *h, unsigned warp, uint32_t *pc);
#endif
