/*
 * memory_map: where things lie in the 32-bit address space of the simulated machine, as the compiler links
 * for it, the runtime fills it and the machine has it.
 *
 * Launch block, argument block and the cores' own stacks are from MEMORY_LAUNCH_BASE on, the printf buffer
 * below the local memory (printf_buffer.h). The window of local memory means another place for each
 * work-group. Buffers are allocated from MEMORY_BUFFER_BASE up to MEMORY_BUFFER_END.
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
