/*
 * mimd_memory: the memory that each core of a cluster sees in a MIMD launch: everything that the machine has,
 * less the threads' stacks, plus a stack and a local memory of its own. So a core that leaves its stack, or
 * finds another's, accesses what is not there.
 */
#ifndef MODEL_MACHINE_MIMD_MEMORY_H
#define MODEL_MACHINE_MIMD_MEMORY_H

#include "model/config/machine_config.h"
#include "model/core/launch.h"
#include "model/memory/memory.h"
#include "sim/error.h"

/* Stacks lie side by side from here; the top of core i's is base + (i + 1) · size. */
#define MACHINE_STACK_RESERVE 128 /* bytes of a stack: what helpers that code generation calls may push */
#define MIMD_STACKS_BASE      (MEMORY_LAUNCH_BASE + 0x01000000u)
#define MIMD_STACKS_BYTES     0x0d000000u

struct mimd_memory {
    unsigned cores;
    uint32_t line_bytes; /* of what an L2 is asked for, and loses */
    struct memory *view; /* of each core */
    struct memory *own;  /* of that, in the same slots, what no other core can change or take away: the core's
                            stack  and local memory, and what nobody can write */
    uint8_t *stacks, *local;
    uint64_t stacks_bytes, local_bytes;
};

void mimd_memory_init(struct mimd_memory *m, const struct machine_config *c);
void mimd_memory_free(struct mimd_memory *m);

/* Bytes of one core's stack for this launch: a multiple of 64, as small as the twin allows. */
uint64_t mimd_memory_stack_bytes(const struct machine_launch *l);

/* Makes the cores' views of `all` for a launch; `hidden` is the region of `all` that they do not see, −1 if
 * none. False and *e: the stacks do not fit (EXIT_PROGRAM_FAULT), or too many regions are there
 * (EXIT_USER). */
bool mimd_memory_map(struct mimd_memory *m, const struct memory *all, int hidden,
                     const struct machine_launch *l, struct error *e);

#endif
