/*
 * debugger: calls to a debugger of a machine's threads while a launch runs. A call that does not return stops
 * simulated time.
 */
#ifndef MODEL_CHECK_DEBUGGER_H
#define MODEL_CHECK_DEBUGGER_H

#include "model/core/launch.h"

struct cluster;
struct core;
struct unit_flight;
struct sm;

/* An instruction of threads of one warp of an SM's register file. */
struct debugger_sm_instruction {
    struct sm *sm;
    unsigned warp;
    uint32_t pc;
    struct arm_instruction *i;
    uint64_t threads;
};

struct debugger {
    void *context;
    bool every;  /* the debugger is called for every instruction */
    bool marked; /* the debugger is called for instructions with `stops` */
    /* Called when a launch begins. */
    void (*launch)(void *context, const struct machine_launch *l);
    /* Executes a warp's instruction for all participating threads, in any order, into *x. */
    void (*warp)(void *context, struct cluster *c, const struct unit_flight *f, struct arm_execution *x);
    /* Executes a warp's instruction of an SM into *x, which is all zero. */
    void (*sm)(void *context, const struct debugger_sm_instruction *i, struct arm_execution *x);
    /* Called before a core in MIMD mode issues the kernel's instruction at its PC; called again if the core
     * does not issue it. */
    void (*core)(void *context, struct cluster *c, struct core *k);
    /* Called for a fault of a thread of a warp (flight; core NULL) or of a core. The launch fails when this
     * returns. */
    void (*fault)(void *context, struct cluster *c, const struct unit_flight *f, struct core *k,
                  const struct arm_execution *x);
    void (*sm_fault)(void *context, const struct debugger_sm_instruction *i, const struct arm_execution *x);
    /* Called periodically. */
    void (*poll)(void *context);
};

/* Returns whether the debugger, which may be NULL, is called for this instruction. */
static inline bool debugger_asks(const struct debugger *d, const struct arm_instruction *i) {
    return d && (d->every || i->stops);
}

#endif
