/*
 * debugger: calls to a debugger of a machine's threads while a launch runs. A call that does not return stops
 * simulated time.
 */
#ifndef MODEL_CHECK_DEBUGGER_H
#define MODEL_CHECK_DEBUGGER_H

#include "model/core/launch.h"

struct cluster;
struct core;
struct simt;
struct simt_instruction;

struct debugger {
    void *context;
    bool every;  /* the debugger is called for every instruction */
    bool marked; /* the debugger is called for instructions with `stops` */
    /* Called when a launch begins. */
    void (*launch)(void *context, const struct machine_launch *l);
    /* Executes a warp's instruction for all participating threads, in any order, into *x. */
    void (*warp)(void *context, struct simt *u, const struct simt_instruction *n, struct arm_execution *x);
    /* Called before a core in MIMD mode issues the kernel's instruction at its PC; called again if the core
     * does not issue it. */
    void (*core)(void *context, struct cluster *c, struct core *k);
    /* Called for a fault of a thread of a warp, or of a core. The launch fails when this returns. */
    void (*fault)(void *context, struct simt *u, const struct simt_instruction *n,
                  const struct arm_execution *x);
    void (*core_fault)(void *context, struct cluster *c, struct core *k, const struct arm_execution *x);
    /* Called periodically. */
    void (*poll)(void *context);
};

/* Returns whether the debugger, which may be NULL, is called for this instruction. */
static inline bool debugger_asks(const struct debugger *d, const struct arm_instruction *i) {
    return d && (d->every || i->stops);
}

#endif
