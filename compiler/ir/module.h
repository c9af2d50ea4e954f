/*
 * module: a program in LLVM's form, from clang's bitcode to an ARM object: calling conventions, linking with
 * the device library, optimisation, code generation.
 */
#ifndef COMPILER_MODULE_H
#define COMPILER_MODULE_H

#include "compiler/driver/text.h"

#include <llvm-c/Core.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/TargetMachine.h>

#define MODULE_STARTUP "lockstep_startup"

struct module_frame { /* a function's stack frame, known after code generation */
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
    bool prints;      /* the program calls printf */
    bool structured;  /* diverged threads reconverge where the source allows: code of SIMT mode */
    bool simd;        /* Advanced SIMD may be used */
    bool many_blocks; /* a function is too large for LLVM's usual register allocation */
};

/* Creates a module from bitcode in memory, or an empty one (NULL). `structured`: no pass may copy code in
 * which the sides of a branch meet. `simd`: with Advanced SIMD, also in linked libraries. */
void module_create(struct module *m, const struct text *bitcode, bool structured, bool simd);
/* Returns a further module in the same context, owned by the caller. */
LLVMModuleRef module_parse(const struct module *m, const struct text *bitcode);
void module_free(struct module *m);

/* Removes the kernels' entries, thunks or twins, whose names begin with `dropped`. Kernels become ordinary C
 * functions that are always inlined into their entries, and all but the entries become internal, so that
 * names of the user and the library cannot collide. Samplers become their bits; compiler/ir/printf_calls.h
 * describes the treatment of printf. */
void module_prepare(struct module *m, const char *dropped);

/* Returns whether a function is a kernel's entry. */
bool module_is_entry(LLVMValueRef function);

/* Adds the functions of a library that the module needs. `path` is for messages. */
void module_link(struct module *m, const struct text *library, const char *path);

/* Prints the user's name of a function: "_Z3fooi" → "foo". */
void module_print_name(struct text *t, const char *symbol);

/* Refuses a call to a function that neither the program nor the library defines, with its source line. */
void module_refuse_undefined(const struct module *m);

/* Tells LLVM that an inline assembly accesses only memory of its own, such as a thread's priority: loads can
 * be moved past it. It keeps its order relative to others of its kind and is not duplicated: threads execute
 * it together. */
void module_mark_place(const struct module *m, LLVMValueRef assembly);

/* Runs LLVM passes, with the names of LLVM's `opt`. */
void module_run_passes(struct module *m, const char *passes);

/* Makes all but the entries internal, and optimises (or only inlines as required). */
void module_optimise(struct module *m, bool optimise);

/* Generates machine code: an ELF object, or assembler text. Fills `frames`. */
void module_generate(struct module *m, LLVMCodeGenFileType type, struct text *output);

/* Returns a disassembler for the code of module_generate(), owned by the caller. */
LLVMDisasmContextRef module_disassembler(void);

/* Limit of the private memory of all work-items. */
#define PRIVATE_LIMIT_BYTES (256u << 20)

/* Returns the deepest stack of a function and its callees in bytes, at most PRIVATE_LIMIT_BYTES. Valid after
 * module_generate(). */
unsigned module_stack_bytes(const struct module *m, const char *function);

#endif
