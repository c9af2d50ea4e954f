/*
 * text: parts of the diagnoses of any machine, appended to a text of fixed size, which is cut off when it is
 * full.
 */
#ifndef MODEL_REPORT_TEXT_H
#define MODEL_REPORT_TEXT_H

#include "model/core/launch.h"

/* Instruction that a twin executes if its work-items diverge at a barrier: UDF #1 (docs/compiler.md). r0:
 * linear number of the work-item; r1: line of the barrier at which the work-items before it wait, 0: they
 * have returned. */
#define TEXT_TWIN_TRAP 0xe7f000f1u

struct text {
    char *at;
    size_t left;
};

void text_put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends "pc 0x10040, x.cl:12 in 'f', inlined at x.cl:20 in 'k'". */
void text_place(struct text *out, const struct machine_code *code, uint32_t pc);
/* Appends "ldr r0, [r1]"; before an instruction of the co-processor its name: "barrier: mcr 7, 0, …". */
void text_instruction(struct text *out, const struct machine_code *code, uint32_t pc);
/* Appends the effect of an execution that ended in a fault: "writes 4 bytes at 0x60001000, outside every
 * buffer; …". in_mimd: the fault of a core, not of a thread of a warp. */
void text_fault(struct text *out, const struct memory *memory, const struct arm_instruction *i,
                const struct arm_execution *x, uint32_t stack_size, bool in_mimd);

#endif
