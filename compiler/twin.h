/*
 * twin: the same program for MIMD mode: a second module made from the same bitcode, in which every kernel has
 * a function that runs a whole work-group (coalesce.h), without priority operations.
 */
#ifndef COMPILER_TWIN_H
#define COMPILER_TWIN_H

#include "compiler/coalesce.h"
#include "compiler/module.h"
#include "compiler/thunk.h"

/* Room on the stack beside frames: of the helpers in builtins.a, and for aligning the records. */
#define TWIN_SPARE_STACK_BYTES 256

#define TWIN_SECTION ".twin" /* all of its code */

/* Turns a linked module whose thunks have been dropped into the twins' module: one result per kernel. A
 * barrier that cannot be compiled is refused with its file and line. builtins: assembler text that leads
 * calls which code generation makes to helpers without priority operations. snucl: coalesce.h. */
void twin_make(struct module *m, const struct thunks *kernels, const struct text *builtins, bool snucl,
               struct coalesced *results);

/* Optimises it, and puts its code into a section of its own. */
void twin_optimise(struct module *m, bool optimise);

#endif
