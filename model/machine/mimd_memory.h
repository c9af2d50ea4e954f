/*
 * mimd_memory: the memory that each core of a cluster sees in a MIMD launch: all of the machine's except the
 * threads' stacks, and a stack and a local memory of its own. Therefore an access outside the core's stack,
 * or to another core's stack, is an access to no region.
 */
#ifndef MODEL_MACHINE_MIMD_MEMORY_H
#define MODEL_MACHINE_MIMD_MEMORY_H

#include "model/config/machine_config.h"
#include "model/core/launch.h"
#include "model/memory/memory.h"
#include "sim/error.h"

/* First address of the adjacent stacks; the top of core i's stack is base + (i + 1) · size. */
#define MACHINE_STACK_RESERVE 128 /* bytes of a stack for helpers that code generation calls */
#define MIMD_STACKS_BASE      (MEMORY_LAUNCH_BASE + 0x01000000u)
#define MIMD_STACKS_BYTES     0x0d000000u

struct mimd_memory {
    unsigned cores;
    uint32_t line_bytes; /* line of the L2 */
    struct memory *view; /* view of each core */
    struct memory *own; /* parts of each view, in the same slots, that no other core can change or invalidate:
                           the core's stack and local memory, and read-only regions */
    uint8_t *stacks, *local;
    uint64_t stacks_bytes, local_bytes;
};

void mimd_memory_init(struct mimd_memory *m, const struct machine_config *c);
void mimd_memory_free(struct mimd_memory *m);

/* Returns the bytes of one core's stack for this launch: a multiple of 64, as small as the twin allows. */
uint64_t mimd_memory_stack_bytes(const struct machine_launch *l);

/* Makes the cores' views of `all` for a launch; `hidden` is the region of `all` that they do not see, −1 if
 * none. Returns false with *e if the stacks do not fit (EXIT_PROGRAM_FAULT) or there are too many regions
 * (EXIT_USER). */
bool mimd_memory_map(struct mimd_memory *m, const struct memory *all, int hidden,
                     const struct machine_launch *l, struct error *e);

#endif
