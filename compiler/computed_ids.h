/*
 * computed_ids: ids and addresses made by instructions of their own, as PTX makes them (kernel.ids:
 * computed). The co-processor gives a global id by itself, and ARM's loads and stores add, and shift, an
 * offset.
 */
#ifndef COMPILER_COMPUTED_IDS_H
#define COMPILER_COMPUTED_IDS_H

#include <llvm-c/Core.h>

/* Makes each global id of the work-group's id and size, the local id and the offset. Before optimisation. */
void computed_ids_make(LLVMModuleRef module);

/* Splits each address with a variable offset from what accesses it: the offset, then its sum with the base.
 * After optimisation. Private memory is left as it is. */
void computed_ids_split(LLVMModuleRef module);

#endif
