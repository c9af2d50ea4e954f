/* reuse_operands: the fields of an instruction reuse buffer for a uniform instruction: operands to be
 * compared, and the result (uniform §3.2; instruction_reuse_buffer.h describes the fields).
 *
 * Sources are the values of the registers that the instruction reads, in the order of their roles in the
 * encoding (not of their numbers: R1 − R2 is not R2 − R1), followed by all bits of the encoding that are
 * neither opcode, nor condition, nor register: immediates, amounts and kinds of shifts, positions of bit
 * fields. With three registers, these bits are a part of the opcode. So equal opcodes and sources mean the
 * same function of the same values, whatever the PC and the registers.
 *
 * Excluded are instructions that are no ALU or VFP operation, that read the PC, or that have more than one
 * 32-bit register as result or more than three as sources. Also excluded are instructions that read or write
 * Q, GE, the cumulative flags or modes of FPSCR. */
#ifndef MODEL_UNIFORM_REUSE_OPERANDS_H
#define MODEL_UNIFORM_REUSE_OPERANDS_H

#include "model/arm/arm.h"

struct reuse_operands {
    uint32_t opcode, source[3], flags;
};

struct reuse_result {
    uint32_t value, flags;
};

/* Returns whether the instruction is an operation of the ALU or of VFP: no load, store, branch, hint or
 * co-processor instruction. */
static inline bool reuse_is_alu(const struct arm_instruction *i) {
    return !i->writes_pc && (i->class <= ARM_CLASS_DIVIDE ||
                             (i->class >= ARM_CLASS_VFP_MOVE && i->class <= ARM_CLASS_VFP_DIVIDE_DOUBLE));
}

/* Fills in the operands of the thread at a position, before it executes i. Returns false if i is not for a
 * reuse buffer. */
bool reuse_operands_of(const struct arm_instruction *i, const struct arm_threads *t, unsigned position,
                       struct reuse_operands *o);

/* Returns the result of the thread at a position, after it has executed i; flags that it does not write are
 * 0. */
struct reuse_result reuse_result_of(const struct arm_instruction *i, const struct arm_threads *t,
                                    unsigned position);

/* Writes the result to the threads of a mask. */
void reuse_result_put(const struct arm_instruction *i, struct arm_threads *t, uint64_t mask,
                      struct reuse_result r);

#endif
