/*
 * access: accesses of some threads of a warp by one executed instruction, as input of the checks.
 */
#ifndef MODEL_CHECK_ACCESS_H
#define MODEL_CHECK_ACCESS_H

#include "model/core/launch.h"

#define NO_ITEM UINT32_MAX /* the work-item is unknown: a core in MIMD mode */

struct checked_access {
    const struct arm_instruction *i;
    uint32_t pc;
    uint32_t first_item; /* linear number of position 0's work-item in its work-group; a core: NO_ITEM */
    uint64_t threads;    /* threads, except for stack accesses and failed exclusive stores */
    uint64_t in_stack;   /* threads that access their own stacks */
    const uint32_t *address;
    const struct arm_threads *registers;
};

#endif
