/*
 * scalar_note: which instructions of a program are scalar, and where each register operand is, for machines
 * whose warps have scalar registers beside vector registers (lanes.md §3). It is the member "scalar" of the
 * image's note (image_note.h) of images built with lockstep-cc --scalarize=RULE, and only of those:
 *
 * "scalar": {"instructions": [[address, scalar, [operand that is read, …], [operand that is written, …]], …]}
 *
 * in the order of their addresses, the instructions that kernels reach: an instruction that is not in the
 * list is never executed. scalar: 1, one thread executes it for all; 0, every thread does. An instruction
 * that is scalar has scalar operands only; one that is not writes vector operands only, but may read scalar
 * ones. The caller's registers that a function saves and restores are no operands of the instructions that do
 * so, which only access private memory: their values stay in the registers where they are.
 *
 * An operand is one number, SCALAR_NOTE_OPERAND: the architectural register, the class of the value in it,
 * and the number of the register of that class that holds it. Registers of the two classes are numbered apart
 * from 0 on, and the same number means the same register in all functions. A kernel's members
 * "vector_registers" and "scalar_registers" (v and s) are one more than the highest of each class in the code
 * that it reaches: a warp needs warp_size · v + s words. With --scalarize=none every operand is a vector and
 * every instruction, too.
 *
 * Flags are registers: a condition reads NZCV, and so does an instruction that sets some of them only. Any
 * other conditional write, which keeps the old value for some threads, is no read of it.
 */
#ifndef ABI_SCALAR_NOTE_H
#define ABI_SCALAR_NOTE_H

/* Architectural registers: r0–r14 are 0–14, s0–s31 are 16–47 (Dn is 16 + 2n and 17 + 2n). */
#define SCALAR_NOTE_NZCV          48
#define SCALAR_NOTE_FPSCR_FLAGS   49
#define SCALAR_NOTE_ARCHITECTURAL 50 /* number of architectural registers */

#define SCALAR_NOTE_OPERAND(architectural, is_vector, number)                                                \
    ((number) << 7 | ((is_vector) ? 1 : 0) << 6 | (architectural))
#define SCALAR_NOTE_OPERAND_ARCHITECTURAL(operand) ((operand)&63)
#define SCALAR_NOTE_OPERAND_IS_VECTOR(operand)     ((operand) >> 6 & 1)
#define SCALAR_NOTE_OPERAND_NUMBER(operand)        ((operand) >> 7)

#endif
