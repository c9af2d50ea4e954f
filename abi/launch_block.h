/*
 * launch_block: parameters of a launch for the start-up code of the cores, as little-endian words. MRC p7,
 * c7, c0, 1 returns the address of the block (coprocessor.md §C).
 */
#ifndef ABI_LAUNCH_BLOCK_H
#define ABI_LAUNCH_BLOCK_H

/* Offsets of members, for start-up code in assembly. */
#define LAUNCH_BLOCK_KERNEL_PC      4
#define LAUNCH_BLOCK_ARGUMENT_BLOCK 8

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

/* Mode of a launch. MODE_AUTO occurs only in configurations. */
enum machine_mode { MODE_SIMT, MODE_MIMD, MODE_AUTO };
/* Lane of position k of a warp of N_it rounds. Block: k / N_it; cyclic: k mod lanes; balanced
 * (model/config/lane_map.h): initially as cyclic. */
enum lane_map_kind { LANE_MAP_BLOCK, LANE_MAP_CYCLIC, LANE_MAP_BALANCED };

struct launch_block {
    uint32_t mode;      /* enum machine_mode */
    uint32_t kernel_pc; /* entry of the kernel (SIMT mode) or of its twin (MIMD mode) */
    uint32_t argument_block;
    uint32_t
        stack_top; /* top of stack (TOS) of core 0's stack segment; SP of context j is TOS − j·stack_size */
    uint32_t stack_size; /* bytes for each thread, a power of two */
    /* Bytes between the TOS of neighbouring cores: core i has TOS + i·stack_segment. */
    uint32_t stack_segment;
    uint32_t core_stack_top; /* initial SP of core 0; that of core i is core_stack_top + i·core_stack_size */
    uint32_t core_stack_size; /* bytes */
    uint32_t lane_map;        /* enum lane_map_kind: block or cyclic */
    uint32_t work_group_size; /* work-items */
    uint32_t local_size[3];   /* work-items in each dimension */
};

_Static_assert(offsetof(struct launch_block, kernel_pc) == LAUNCH_BLOCK_KERNEL_PC, "as said above");
_Static_assert(offsetof(struct launch_block, argument_block) == LAUNCH_BLOCK_ARGUMENT_BLOCK, "as said above");

#endif
#endif
