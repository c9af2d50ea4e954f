/*
 * launch_block: the launch's parameters for the cores' start-up code, as little-endian words. MRC p7, c7,
 * c0, 1 returns its address (coprocessor.md §C).
 */
#ifndef ABI_LAUNCH_BLOCK_H
#define ABI_LAUNCH_BLOCK_H

/* Offsets of members, for start-up code in assembly. */
#define LAUNCH_BLOCK_KERNEL_PC      4
#define LAUNCH_BLOCK_ARGUMENT_BLOCK 8

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

/* MODE_AUTO occurs in configurations only; each launch has one of the others. */
enum machine_mode { MODE_SIMT, MODE_MIMD, MODE_AUTO };
/* Lane of position k of a warp of N_it rounds: lane k / N_it, or lane k mod lanes; balanced
 * (model/config/lane_map.h) begins as cyclic. */
enum lane_map_kind { LANE_MAP_BLOCK, LANE_MAP_CYCLIC, LANE_MAP_BALANCED };

struct launch_block {
    uint32_t mode;      /* enum machine_mode */
    uint32_t kernel_pc; /* the kernel's entry (SIMT) or its twin (MIMD) */
    uint32_t argument_block;
    uint32_t stack_top;       /* TOS of core 0's stack segment: SP of context j is TOS − j·stack_size */
    uint32_t stack_size;      /* bytes per thread, a power of two */
    uint32_t stack_segment;   /* bytes between the TOS of one core and the next: core i has
                                 TOS + i·stack_segment */
    uint32_t core_stack_top;  /* first SP of core 0 itself; core i has core_stack_top + i·core_stack_size */
    uint32_t core_stack_size; /* bytes */
    uint32_t lane_map;        /* enum lane_map_kind: block or cyclic */
    uint32_t work_group_size; /* work-items */
    uint32_t local_size[3];   /* work-items in each dimension */
};

_Static_assert(offsetof(struct launch_block, kernel_pc) == LAUNCH_BLOCK_KERNEL_PC, "as said above");
_Static_assert(offsetof(struct launch_block, argument_block) == LAUNCH_BLOCK_ARGUMENT_BLOCK, "as said above");

#endif
#endif
