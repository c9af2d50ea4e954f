/*
 * computed_ids: ids and addresses computed by separate instructions, as in PTX (kernel.ids: computed). The
 * co-processor returns global ids directly, and ARM's loads and stores add, and shift, an offset.
 */
#ifndef COMPILER_COMPUTED_IDS_H
#define COMPILER_COMPUTED_IDS_H

#include <llvm-c/Core.h>

/* Computes each global id from the work-group's id and size, the local id and the offset. To be called before
 * optimisation. */
void computed_ids_make(LLVMModuleRef module);

/* Separates each address with a variable offset from its access: the offset, then its sum with the base. To
 * be called after optimisation. Private memory is not changed. */
void computed_ids_split(LLVMModuleRef module);

#endif
