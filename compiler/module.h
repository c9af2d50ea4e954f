/*
 * module: a program in LLVM's form, from clang's bitcode to an ARM object: calling conventions, linking with
 * the device library, optimisation, code.
 */
#ifndef COMPILER_MODULE_H
#define COMPILER_MODULE_H

#include "compiler/text.h"

#include <llvm-c/Core.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/TargetMachine.h>

#define MODULE_STARTUP "lockstep_startup"

struct module_frame { /* a function's stack frame, known once code has been made */
    char *function;
    unsigned long long bytes;
};

struct module {
    LLVMContextRef context;
    LLVMModuleRef llvm;
    LLVMTargetMachineRef machine;
    struct text diagnostics; /* errors that LLVM reported */
    struct module_frame *frames;
    size_t frame_count;
    bool prints;      /* it called printf */
    bool structured;  /* threads that part meet where the source lets them: code of SIMT mode */
    bool many_blocks; /* a function is too large for LLVM's usual register allocation */
};

/* From bitcode in memory, or empty (NULL). `structured`: no pass may copy the code in which the sides of a
 * branch meet. */
void module_create(struct module *m, const struct text *bitcode, bool structured);
/* A further module in the same context, the caller's own. */
LLVMModuleRef module_parse(const struct module *m, const struct text *bitcode);
void module_free(struct module *m);

/* Removes those of the kernels' entries, thunks and twins whose names begin with `dropped`. Kernels
 * become ordinary C functions that are always inlined into their entries, and everything but the entries
 * becomes internal, so that no name of the user's meets one of the library's. Samplers become their bits,
 * calls of printf what compiler/printf_calls.h says. */
void module_prepare(struct module *m, const char *dropped);

/* Whether a function is a kernel's entry. */
bool module_is_entry(LLVMValueRef function);

/* Adds what the module needs of a library. `path` is for messages. */
void module_link(struct module *m, const struct text *library, const char *path);

/* "_Z3fooi" → "foo": the name of a function as the user wrote it. */
void module_print_name(struct text *t, const char *symbol);

/* A call to a function that neither the program nor the library defines is refused with its source line. */
void module_refuse_undefined(const struct module *m);

/* Tells LLVM that a call of inline assembly touches only memory of its own, such as a thread's priority:
 * loads can be moved past it. It keeps its order with others of its kind, and is in one place: threads
 * execute it together. */
void module_mark_place(const struct module *m, LLVMValueRef assembly);

/* Runs LLVM passes, named as LLVM's `opt` names them. */
void module_run_passes(struct module *m, const char *passes);

/* Leaves only the entries visible, and optimises (or only inlines what must be). */
void module_optimise(struct module *m, bool optimise);

/* Machine code: an ELF object, or assembler text. Fills `frames`. */
void module_generate(struct module *m, LLVMCodeGenFileType type, struct text *output);

/* For the code that module_generate() makes; the caller's own. */
LLVMDisasmContextRef module_disassembler(void);

/* The largest private memory of all work-items together. */
#define PRIVATE_LIMIT_BYTES (256u << 20)

/* Deepest stack that a function and what it calls need, in bytes, at most
 * PRIVATE_LIMIT_BYTES; valid after module_generate(). */
unsigned module_stack_bytes(const struct module *m, const char *function);

#endif
