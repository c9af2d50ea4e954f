/*
 * sm_divergence: the slot `simt.divergence` of an SM: what says which threads run together next, and where
 * they go on (divergence.md §4, §5). An engine is a constant table of functions in a file of its own; nothing
 * else in the SM knows which one there is, but that scoreboard issue goes with `sbr` only, whose stack it
 * reads.
 *
 * With barrel issue a scheduler asks `select` for a warp in S. The warp goes through the front end, becomes a
 * flight, or several, one after the other, and when these have been written `commit` says where its threads
 * go on. Warps of the register file say where a thread's registers are; the warps of an engine that regroups
 * have any threads of a scheduler, one in each position (struct sm_threads).
 */
#ifndef MODEL_SM_SM_DIVERGENCE_H
#define MODEL_SM_SM_DIVERGENCE_H

#include "model/sm/sm.h"

/* Some threads that live, and where an engine has them: each is in exactly one place. */
enum sm_place_state {
    SM_PLACE_READY,    /* they can be selected */
    SM_PLACE_FLIGHT,   /* their instruction is on its way */
    SM_PLACE_MEMORY,   /* likewise, and accesses memory */
    SM_PLACE_INACTIVE, /* others that they parted from run first, or they wait in a table
                        * for others to join */
    SM_PLACE_MEETING,  /* they wait where they meet others again */
    SM_PLACE_BARRIER,  /* they wait at the barrier of their work-group */
    SM_PLACE_STATES
};
struct sm_place {
    enum sm_place_state state;
    const char *table; /* its name, one of the engine's */
    unsigned entry;    /* of the table */
    int warp;          /* whose table it is; −1: of them all */
    uint32_t pc;
    unsigned count;
    uint16_t thread[LWM_MAX_THREADS]; /* as in struct sm_threads */
};
typedef void sm_place_visitor(void *context, const struct sm_place *p);

struct sm_divergence {
    /* The positions of a flight: lanes that execute its rounds; an engine's state (s->engine) is made. */
    unsigned (*width)(const struct machine_config *c);
    bool picks; /* warps by simt.scheduler, else by itself */
    void (*create)(struct sm *s);
    void (*free)(struct sm *s);
    void (*launch)(struct sm *s);
    /* The threads of a work-group, those of its warps, begin at the launch's thunk. */
    void (*start)(struct sm *s, unsigned group);

    /* --- barrel issue --- */

    /* S of a scheduler in cycle t: the warp that it selects, if A is free. False: none. */
    bool (*select)(struct sm *s, unsigned scheduler, uint64_t t, bool free, struct sm_selected *x);
    /* May S select a warp in the next cycle, if A is free, or the engine do something else? */
    bool (*moves)(const struct sm *s, unsigned scheduler, bool free);
    /* A: where the warp's threads stand, and which take part. NULL: it is known from S on. */
    void (*arbitrate)(struct sm *s, struct sm_selected *x);
    /* The threads of the next flight of a warp that has been selected. Returns whether others follow. NULL: a
     * warp is one flight. */
    bool (*next_flight)(struct sm *s, struct sm_selected *x);
    /* Round 0 of a flight starts in X. NULL: no matter. */
    void (*executes)(struct sm *s, struct sm_flight *f);
    /* A flight has been written. Returns whether its warp is committed with it, at the end of the cycle.
     * NULL: it is. */
    bool (*written)(struct sm *s, struct sm_flight *f);

    /* --- effects, at the end of a cycle --- */

    /* The threads of a flight go on; a barrier or an exit has its turn. */
    void (*commit)(struct sm *s, struct sm_flight *f);
    /* What is committed in cycle t, those among it that wait for their turn. NULL: each flight when it has
     * been written, and has its turn. */
    void (*commits)(struct sm *s, uint64_t t);
    /* The barrier of a work-group opens. NULL: nobody need know. */
    void (*release)(struct sm *s, unsigned group);
    /* The last of a cycle. NULL: nothing. */
    void (*end_cycle)(struct sm *s, uint64_t t);

    /* --- what is counted, shown and told; NULL: nothing --- */

    /* An instruction has been carried out. */
    void (*count)(struct sm *s, const struct sm_flight *f);
    /* A work-group has ended. */
    void (*ended)(struct sm *s, unsigned group);
    void (*register_counters)(struct sm *s, const char *scope, struct counter_registry *r);
    /* Where the first of a warp's threads that live stands. */
    uint32_t (*where)(const struct sm *s, unsigned warp);
    /* The threads of a warp that run next; NULL: all that live and do not wait at a barrier. */
    uint64_t (*runs)(const struct sm *s, unsigned warp);
    /* The names of its tables, NULL behind the last. */
    const char *const *tables;
    /* Tells of each place of a scheduler that has threads. */
    void (*places)(const struct sm *s, unsigned scheduler, sm_place_visitor *visit, void *context);
    /* The model of one of its blocks, on the heap, which from now on has its cycles with *b as their context.
     * NULL: there is no such block; no such function: there is none at all. */
    void *(*beside)(struct sm *s, struct sm_beside *b);
};

/* Of a machine; by enum divergence. */
const struct sm_divergence *sm_divergence_of(const struct machine_config *c);

extern const struct sm_divergence sm_divergence_pc, sm_divergence_sbr, sm_divergence_oracle,
    sm_divergence_lwm, sm_divergence_dwf, sm_divergence_harp, sm_divergence_tbc;

#endif
