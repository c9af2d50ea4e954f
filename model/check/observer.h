/*
 * observer: receives the instructions of a launch, one by one, after their execution. It changes nothing.
 */
#ifndef MODEL_CHECK_OBSERVER_H
#define MODEL_CHECK_OBSERVER_H

#include "model/arm/arm.h"

#include <stdint.h>

struct sm;
struct sm_flight;

/* An executed instruction of a warp, or of a core in MIMD mode. */
struct observed {
    const struct arm_instruction *i;
    uint64_t cycle; /* cycle of the execution: of its first round (X), on an SM the first in O, of a core that
                       of its issue */
    uint64_t participating, passed;    /* positions of the warp; positions that passed the condition */
    const uint32_t *address;           /* lowest address of a load or store, for each position that passed */
    const struct arm_threads *threads; /* registers of the warp or core; NULL: of several warps */
    const uint32_t *group;             /* id of the work-group; NULL: none */
    uint32_t pc;
    unsigned unit, place; /* number of the cluster or SM; of the warp or core */
    bool is_core;
    const struct sm *sm; /* NULL: not an SM, else with the flight */
    const struct sm_flight *flight;
};

struct machine_launch;

struct observer {
    void *context;
    /* Called when a launch begins. */
    void (*launch)(void *context, const struct machine_launch *l);
    void (*executed)(void *context, const struct observed *o);
};

#endif
