/*
 * memory_map: the 32-bit address space of the simulated machine, shared by compiler, runtime and machine.
 *
 * The launch block, the argument block and the stacks of the cores begin at MEMORY_LAUNCH_BASE. The printf
 * buffer is directly below the local memory (printf_buffer.h). The window of local memory maps to separate
 * memory for each work-group. Buffers are allocated from MEMORY_BUFFER_BASE up to MEMORY_BUFFER_END.
 */
#ifndef ABI_MEMORY_MAP_H
#define ABI_MEMORY_MAP_H

#define MEMORY_CODE_BASE   0x00010000u
#define MEMORY_LAUNCH_BASE 0x30000000u
#define MEMORY_LOCAL_BASE  0x40000000u
#define MEMORY_STACK_BASE  0x50000000u
#define MEMORY_BUFFER_BASE 0x60000000u
#define MEMORY_BUFFER_END  0xf0000000u

#endif
