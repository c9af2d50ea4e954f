/*
 * scalar_note: the scalar instructions of a program and the register of each operand, for machines whose
 * warps have scalar and vector registers (lanes.md §3). This is the member "scalar" of the image's note
 * (image_note.h). Only images built with lockstep-cc --scalarize=RULE have it:
 *
 * "scalar": {"instructions": [[address, scalar, [operand that is read, …], [operand that is written, …]], …]}
 *
 * The list has all instructions that kernels reach, in the order of addresses; an instruction that is not in
 * the list is never executed. `scalar` is 1 if one thread executes the instruction for all threads, and 0 if
 * every thread does. A scalar instruction has only scalar operands. Any other instruction writes only vector
 * operands, but may read scalar ones.
 *
 * A function that saves and restores registers of its caller only copies them to and from private memory.
 * Such registers are not operands of these instructions: their values stay in place.
 *
 * An operand is one number, SCALAR_NOTE_OPERAND. It contains the architectural register, the class of its
 * value, and the number of the register of this class that holds the value. Each class has its own numbers
 * from 0 on. The same number means the same register in all functions. The members "vector_registers" and
 * "scalar_registers" (v and s) of a kernel are one more than the highest number of each class in the code
 * that the kernel reaches. A warp needs warp_size · v + s words. With --scalarize=none every operand and
 * every instruction is a vector.
 *
 * Flags are registers. A condition reads NZCV, as does an instruction that sets only some of the flags. Other
 * conditional writes keep the old value for some threads; this does not count as a read.
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
