/*
 * sm_divergence: the slot `simt.divergence` of an SM: an engine decides which threads run together next, and
 * keeps their PCs (divergence.md §4, §5). An engine is a file divergence_NAME.c, which ends with a row of
 * functions, sm_divergence_NAME, and a row that the configuration reads (model/config/divergence_engine.h).
 * Other parts of the SM do not depend on the engine, except that scoreboard issue works only with `sbr`,
 * whose stack it reads.
 *
 * With barrel issue a scheduler calls `select` for a warp in S. The warp passes the front end and becomes one
 * or more flights, one after the other. When these have been written, `commit` updates the PCs of its
 * threads. Warps of the register file give the place of a thread's registers; the warps of a regrouping
 * engine have any threads of a scheduler, one in each position (struct sm_threads).
 *
 * An engine without such a file that forms warps, a row of struct divergence_slot, has the functions of
 * formed.c, and is s->formed. */
#ifndef MODEL_SM_SM_DIVERGENCE_H
#define MODEL_SM_SM_DIVERGENCE_H

#include "model/sm/sm.h"
#include "model/unit/unit.h"

struct sm_divergence {
    void (*create)(struct sm *s); /* makes the state s->engine */
    void (*free)(struct sm *s);   /* may be NULL */
    void (*launch)(struct sm *s); /* may be NULL */
    /* Starts the threads of a work-group's warps at the launch's thunk. */
    void (*start)(struct sm *s, unsigned group);

    /* --- barrel issue --- */

    /* Selects a warp in S of a scheduler in cycle t. Returns false if there is none. Called if A is `free`;
     * with s->formed->commits in every cycle. */
    bool (*select)(struct sm *s, unsigned scheduler, uint64_t t, bool free, struct sm_selected *x);
    /* Returns whether S may select a warp in the next cycle, if A is free, or the engine has other work. */
    bool (*moves)(const struct sm *s, unsigned scheduler, bool free);
    /* A: sets the PC and the participating threads of a warp. S has set them for the account of its cycle.
     * NULL: they stay. */
    void (*arbitrate)(struct sm *s, struct sm_selected *x);
    /* Sets the threads of the next flight of a selected warp. Returns whether more follow. NULL: a warp is
     * one flight. */
    bool (*next_flight)(struct sm *s, struct sm_selected *x);
    /* Called when a flight has been written. Returns whether its warp is committed with it, at the end of the
     * cycle. NULL: yes. */
    bool (*written)(struct sm *s, struct sm_flight *f);

    /* Called when a copy instruction has been written that had the place of a warp's next instruction
     * (uniform.md §7). NULL: front[].busy is all that has changed since S. */
    void (*copied)(struct sm *s, struct sm_flight *f);

    /* --- effects, at the end of a cycle --- */

    /* Updates the threads of a flight after its instruction; barriers and exits are called in turn. */
    void (*commit)(struct sm *s, struct sm_flight *f);
    /* Called when the barrier of a work-group opens. May be NULL. */
    void (*release)(struct sm *s, unsigned group);

    /* --- counters, waves and diagnoses; each may be NULL --- */

    /* Called when an instruction has executed. */
    void (*count)(struct sm *s, const struct sm_flight *f);
    /* Called when a work-group has ended. */
    void (*ended)(struct sm *s, unsigned group);
    void (*register_counters)(struct sm *s, const char *scope, struct counter_registry *r);
    /* Returns the PC of the first live thread of a warp. */
    uint32_t (*where)(const struct sm *s, unsigned warp);
    /* Returns the threads of a warp that run next; NULL: all live ones that do not wait at a barrier. */
    uint64_t (*runs)(const struct sm *s, unsigned warp);
    const char *const *tables; /* see sm_place_tables() */
    /* Reports each place of a scheduler with threads. */
    void (*places)(const struct sm *s, unsigned scheduler, thread_place_visitor *visit, void *context);
    /* Allocates the model of one of the engine's blocks, and evaluates it in each further cycle with *b as
     * context. Returns NULL if there is no such block. May be NULL: no blocks. */
    void *(*clocked)(struct sm *s, struct sm_clocked_block *b);
};

/* Returns the warps of a scheduler that can be selected, for engines with fixed warps, and their `moves`. */
static inline uint64_t sm_ready(const struct sm *s, unsigned scheduler) {
    const struct sm_scheduler *q = &s->scheduler[scheduler];
    return q->live & ~q->barrier & ~s->front[scheduler].busy;
}
bool sm_ready_moves(const struct sm *s, unsigned scheduler, bool free);

/* Returns the names of the engine's tables, NULL after the last. */
static inline const char *const *sm_place_tables(const struct sm *s) {
    return s->formed ? s->formed->tables : s->divergence->tables;
}

/* Returns the engine of a machine. */
const struct sm_divergence *sm_divergence_of(const struct machine_config *c);

#endif
