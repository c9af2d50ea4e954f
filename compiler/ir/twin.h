/*
 * twin: the program for MIMD mode: a second module from the same bitcode, in which every kernel has a
 * function that executes a whole work-group (coalesce.h), without priority operations.
 */
#ifndef COMPILER_TWIN_H
#define COMPILER_TWIN_H

#include "compiler/ir/coalesce.h"
#include "compiler/ir/module.h"
#include "compiler/ir/thunk.h"

/* Stack space in addition to frames: for the helpers in builtins.a, and to align the records. */
#define TWIN_SPARE_STACK_BYTES 256

#define TWIN_SECTION ".twin" /* section of all its code */

/* Turns a linked module without thunks into the twins' module; one result for each kernel. A barrier that
 * cannot be compiled is refused with its file and line. builtins: assembler text that directs calls of code
 * generation to helpers without priority operations. snucl: see coalesce.h. */
void twin_make(struct module *m, const struct thunks *kernels, const struct text *builtins, bool snucl,
               struct coalesced *results);

/* Optimises the module, and puts its code into a section of its own. */
void twin_optimise(struct module *m, bool optimise);

#endif
