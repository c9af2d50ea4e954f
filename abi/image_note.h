/*
 * image_note: the description of a compiled OpenCL program in its file, an ELF32 ARM executable. The
 * description is the JSON text below, the descriptor of a note section: .note.lockstep (owner
 * IMAGE_NOTE_OWNER, type IMAGE_NOTE_TYPE).
 *
 * {"checksum":"…" (image_checksum.h), "version": 20, "priority_levels": 8, "startup": "<symbol of the
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
 * "tile", "file": "reduce.cl", "line": 14 (of the declaration; "" and 0: unknown), "private": 0|1, "base":
 * 0, "offset": 0, "stride": 0, "size": 1024 (bytes), "element": 4 (bytes), "dimensions": [16, 16] (empty: no
 * array)}], "twin_variables": [as variables]}]}
 *
 * Arguments: the strings are those of clang's metadata. A 2-D image is an argument whose access is not
 * "none"; the argument block holds the device address of its struct image_object (image_object.h). A sampler
 * has type "sampler_t" in private space; the argument block holds its bits.
 *
 * variables: those in local memory, with their offsets in it; then, in an image for SIMT mode, private ones
 * of the thunk. twin_variables: private ones of the twin. The offset of a private variable is its distance,
 * modulo 2^32, from the core register `base`; its size is 0 if its place is unknown. With a stride, each
 * work-item has such a variable, at this distance from that of the work-item before; there is one array of
 * them, at the stack pointer.
 *
 * An image is for SIMT mode, MIMD mode or both. Kernels of an image for MIMD mode alone have no thunk,
 * stack_bytes, registers and conditional_returns. Kernels of an image for SIMT mode alone have no twin,
 * twin_stack_bytes, twin_item_bytes, barriers, replicated and divergent_branches.
 *
 * The twin runs a whole work-group as one thread (MIMD mode): void twin(const void *argument_block), an
 * ordinary function under AAPCS that returns. It needs twin_stack_bytes of stack and twin_item_bytes more for
 * each work-item of the group.
 *
 * Members of a kernel:
 *
 *   registers            core registers and 32-bit VFP registers that the SIMT code uses
 *   conditional_returns  conditional returns in the SIMT code, including the kernel's functions
 *   barriers             barriers in the source, including inlined helpers
 *   replicated           values that the twin keeps for each work-item across barriers
 *   divergent_branches   conditional branches whose condition may differ within a work-group
 *   prints               1 if the program calls printf, so that the kernel may need a printf buffer
 *                        (printf_buffer.h)
 *   scalar_kernel        name of its scalar kernel (lockstep_scalar.h); "" if it has none
 *   prefetches           1 if it is a scalar kernel that only loads ahead; its loads outside every buffer
 *                        read 0
 *   synchronises         1 if it waits at barriers that include the scalar thread
 *   stores               1 if it stores into global or local memory
 *   thunk_objects,       1 + the number of the set of all objects, except for private variables, that the
 *   twin_objects         thunk or the twin itself accesses; 0: unknown
 *
 * Images for machines with scalar registers also have a member "scalar", and each kernel has the members
 * vector_registers and scalar_registers (scalar_note.h).
 *
 * branches: the instructions of the SIMT code after which threads may diverge (conditional branches, calls
 * and returns, table jumps), in the order of addresses. `meeting` is the immediate post-dominator: the first
 * instruction on all paths from the branch to the function's end. It is 0 if there is none before the end. It
 * is also 0 if it is the end of the threads (a thunk's last instruction), where no thread waits for others.
 *
 * objects: sets of objects that loads and stores access. Each set has the number of a kernel and the numbers
 * of its objects: n for its n-th argument, counted from 0, and then its twin_variables; -1 - n for its n-th
 * variable. The discriminator of
 * a load or store in the line table is IMAGE_FIRST_OBJECTS plus the number of its set. Other discriminators
 * have no meaning. A load or store without a set may access all of the kernel's thunk_objects or
 * twin_objects, but no private memory.
 *
 * The DWARF information has lines, types and variables. The column of a barrier in the line table is not a
 * column of the source: it encodes the memory that the barrier fences.
 *
 * Segments: code and constants from MEMORY_CODE_BASE on (PT_LOAD, read-only); section .local, NOBITS, at
 * MEMORY_LOCAL_BASE with the static local variables, which is not loaded, since each work-group has its own
 * window. OpenCL has no other writable globals; an image with another writable segment is refused.
 */
#ifndef ABI_IMAGE_NOTE_H
#define ABI_IMAGE_NOTE_H

#define IMAGE_NOTE_SECTION  ".note.lockstep"
#define IMAGE_NOTE_OWNER    "Lockstep"
#define IMAGE_NOTE_TYPE     1
#define IMAGE_VERSION       20
#define IMAGE_STACK_POINTER 13 /* base of a variable */

/* The column of a barrier in the line table is IMAGE_FENCE_COLUMN plus the flags of the call, if they are
 * known. */
#define IMAGE_FENCE_COLUMN 0xff00u
#define IMAGE_FENCE_FLAGS  0x3u /* CLK_LOCAL_MEM_FENCE 1, CLK_GLOBAL_MEM_FENCE 2 */

/* First discriminator of loads and stores with known objects; LLVM's own are lower, and libdw has 24 bits. */
#define IMAGE_FIRST_OBJECTS 0x800000u
#define IMAGE_MOST_OBJECTS  16

#endif
