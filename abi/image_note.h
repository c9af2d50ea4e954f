/*
 * image_note: what a compiled OpenCL program, an ELF32 ARM executable, says of itself: one note section,
 * .note.lockstep (owner IMAGE_NOTE_OWNER, type IMAGE_NOTE_TYPE), whose descriptor is the JSON text below.
 *
 * {"checksum":"…" (image_checksum.h), "version": 17, "priority_levels": 8, "startup": "<symbol of the
 * start-up code>", "build": {"priorities": "all", "coalescing": "modern", "math": "table", "scalar": "off",
 * "scalarize": "off", "ids": "coprocessor", "startup": "loop", "isa": "vfp"}
 * (the compiler's options of these names), "local_limit_bytes": 32768, "branches": [[address, meeting], …],
 * "objects": [[kernel, object, …], …],
 * "kernels": [{"name": "reduce", "thunk": "<symbol>", "file": "reduce.cl", "line": 12,
 * "argument_block_bytes": 24, "local_bytes": 1024 (static), "attributes": "text of the kernel's attributes",
 * "reqd_work_group_size": [x, y, z] (zeros: none), "stack_bytes": n (estimate; 0 unknown), "twin":
 * "<symbol>", "twin_stack_bytes": n, "twin_item_bytes": n, "registers": n, "conditional_returns": n,
 * "barriers": n, "replicated": n, "divergent_branches": n, "prints": 0|1, "scalar_kernel": "<kernel>",
 * "prefetches": 0|1, "synchronises": 0|1, "stores": 0|1, "features": [{"trips": [offset, …], "counts":
 * [number, …]}] (kernel_features.h; only of an image that is for both modes), "arguments": [{"name": "in",
 * "type": "float*", "space": "global|constant|local|private", "access":
 * "none|read_only|write_only|read_write", "qualifiers": "const restrict volatile", "offset": 0, "size": 4 (in
 * the block), "alignment": 4}], "variables": [{"name":
 * "tile", "file": "reduce.cl", "line": 14 (of the declaration; "" and 0: unknown), "offset": 0 (in local
 * memory), "size": 1024 (bytes), "element": 4 (bytes), "dimensions": [16, 16] (empty: no array)}]}]}
 *
 * Arguments are as clang's metadata has them. A 2-D image is one whose access is not "none": the block holds
 * the device address of its struct image_object (image_object.h). A sampler is one of type
 * "sampler_t" in private space: the block holds its bits.
 *
 * An image is for SIMT mode, MIMD mode or both. Kernels of an image for MIMD mode alone have no thunk,
 * stack_bytes, registers and conditional_returns. Kernels of an image for SIMT mode alone have no twin,
 * twin_stack_bytes, twin_item_bytes, barriers, replicated and divergent_branches.
 *
 * The twin runs a whole work-group as one thread (MIMD mode): void twin(const void *argument_block), an
 * ordinary function under AAPCS that returns. It needs twin_stack_bytes of stack and twin_item_bytes more per
 * work-item of the group. registers: core and VFP registers (32-bit ones) that the SIMT code uses;
 * conditional_returns: those in it, the kernel's functions included; barriers: in the source, inlined helpers
 * included; replicated: values that the twin keeps per work-item across barriers; divergent_branches:
 * conditional branches whose condition may differ within a work-group; prints: the program calls printf, so
 * the kernel may need a printf buffer (printf_buffer.h).
 *
 * scalar_kernel: its scalar kernel (lockstep_scalar.h), "": it has none; prefetches: it is a scalar kernel
 * that only loads ahead: its loads outside every buffer read 0; synchronises: it waits at barriers that
 * include the scalar thread; stores: it stores into global or local memory.
 *
 * Images for machines with scalar registers have a member "scalar" besides, and each kernel vector_registers
 * and scalar_registers (scalar_note.h).
 *
 * branches, in the order of their addresses: the instructions of the SIMT code after which threads may
 * diverge (conditional branches, calls and returns, table jumps), each with its immediate post-dominator.
 * This is the first instruction that all paths from the branch to the function's end pass. It is 0 if there
 * is none before the end, or if it is the end of the threads (a thunk's last instruction), where no thread
 * waits for others.
 *
 * objects: sets of objects that loads and stores of SIMT mode are of, each the number of a kernel and of its
 * objects: n of its n-th argument, from 0 on, -1 - n of its n-th variable. The discriminator of a load or
 * store in the line table is IMAGE_FIRST_OBJECTS plus the number of its set; other discriminators say
 * nothing.
 *
 * The DWARF has lines, types and variables. The
 * column of a barrier in the line table is not that of the source: it tells which memory the barrier fences.
 *
 * The segments: code and constants at MEMORY_CODE_BASE and up (PT_LOAD, read-only); section .local, NOBITS,
 * at MEMORY_LOCAL_BASE (the static local variables; not loaded: the window is per work-group). OpenCL has no
 * other writable globals; an image with another writable segment is refused.
 */
#ifndef ABI_IMAGE_NOTE_H
#define ABI_IMAGE_NOTE_H

#define IMAGE_NOTE_SECTION ".note.lockstep"
#define IMAGE_NOTE_OWNER   "Lockstep"
#define IMAGE_NOTE_TYPE    1
#define IMAGE_VERSION      17

/* The column of a barrier in the line table is IMAGE_FENCE_COLUMN plus the flags of the call, if they are
 * known. */
#define IMAGE_FENCE_COLUMN 0xff00u
#define IMAGE_FENCE_FLAGS  0x3u /* CLK_LOCAL_MEM_FENCE 1, CLK_GLOBAL_MEM_FENCE 2 */

/* Discriminators of loads and stores with known objects, above LLVM's own; libdw has 24 bits. */
#define IMAGE_FIRST_OBJECTS 0x800000u
#define IMAGE_MOST_OBJECTS  4

#endif
