/*
 * local_note: variables of a kernel, in local and in private memory, for the image's note (abi/image_note.h).
 */
#ifndef COMPILER_LOCAL_NOTE_H
#define COMPILER_LOCAL_NOTE_H

#include "compiler/ir/local_memory.h"

#include <jansson.h>

/* Returns the variables that a kernel reaches. */
json_t *local_note(const struct local_memory *l, LLVMModuleRef module, size_t kernel);
/* Returns a private variable whose place is not known yet. declared: its DILocalVariable. */
json_t *private_note(LLVMValueRef declared, LLVMTypeRef type, LLVMModuleRef module);

#endif
