/*
 * text: parts of the diagnoses of any machine, appended to a text of fixed size, which is cut off when it is
 * full.
 */
#ifndef MODEL_REPORT_TEXT_H
#define MODEL_REPORT_TEXT_H

#include "model/core/launch.h"
#include "sim/error.h"

#include <stdarg.h>

struct simt;

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
/* Appends both: "pc 0x10040, …: ldr r0, [r1]". */
void text_instruction_at(struct text *out, const struct machine_code *code, uint32_t pc);
/* Appends "work-item (5, 0, 0)", of the work-item in a work-group, or in a position of a warp; the latter
 * with its kernel and its work-group. */
void text_work_item(struct text *out, const struct machine_launch *l, const uint32_t group[3],
                    const uint32_t local[3]);
void text_thread(struct text *out, const struct simt *u, unsigned warp, unsigned position);
void text_whole_thread(struct text *out, const struct simt *u, unsigned warp, unsigned position);
/* Fails a launch: "WHO WHAT\n  at PLACE: INSTRUCTION", with the formatted text as WHAT. */
#define TEXT_MESSAGE_BYTES 500
void text_fail(struct error *e, const struct machine_code *code, const char *who, uint32_t pc,
               const char *format, va_list what) __attribute__((format(printf, 5, 0)));
/* Appends the effect of an execution that ended in a fault: "writes 4 bytes at 0x60001000, outside every
 * buffer; …". in_mimd: the fault of a core, not of a thread of a warp. */
void text_fault(struct text *out, const struct memory *memory, const struct arm_instruction *i,
                const struct arm_execution *x, uint32_t stack_size, bool in_mimd);

#endif
