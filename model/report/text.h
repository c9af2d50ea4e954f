/*
 * text: the words of diagnoses, whatever machine they are about: appended to a text of fixed size, which is
 * cut off when it is full.
 */
#ifndef MODEL_REPORT_TEXT_H
#define MODEL_REPORT_TEXT_H

#include "model/core/launch.h"

/* What a twin executes where its work-items do not stay together: UDF #1 (docs/compiler.md). r0: the linear
 * number of the work-item; r1: the line of the barrier at which those before it wait, 0: they have returned.
 */
#define TEXT_TWIN_TRAP 0xe7f000f1u

struct text {
    char *at;
    size_t left;
};

void text_put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "pc 0x10040, x.cl:12 in 'f', inlined at x.cl:20 in 'k'". */
void text_place(struct text *out, const struct machine_code *code, uint32_t pc);
/* "ldr r0, [r1]", a co-processor's instruction with its name: "barrier: mcr 7, 0, …". */
void text_instruction(struct text *out, const struct machine_code *code, uint32_t pc);
/* What an execution that ended in a fault has done: "writes 4 bytes at 0x60001000, outside every buffer; …".
 * in_mimd: a core's, not a thread's of a warp. */
void text_fault(struct text *out, const struct memory *memory, const struct arm_instruction *i,
                const struct arm_execution *x, uint32_t stack_size, bool in_mimd);

#endif
