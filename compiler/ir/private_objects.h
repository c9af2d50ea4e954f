/*
 * private_objects: private variables that stay in memory (arrays indexed at run time, structures whose
 * address is taken), and the ones that each work-item needs for itself: their contents are live across a
 * barrier, unless all work-items fill them alike before the first barrier and only read them afterwards.
 * Conservative: an object whose address escapes is live everywhere.
 */
#ifndef COMPILER_PRIVATE_OBJECTS_H
#define COMPILER_PRIVATE_OBJECTS_H

#include "compiler/ir/uniformity.h"

struct private_object {
    LLVMValueRef variable; /* an alloca of the first block */
    bool replicated;       /* each work-item needs its own across a barrier */
};

struct private_objects {
    struct private_object *list;
    size_t count;
};

/* The function must be in SSA form with all allocas in the first block. */
void private_objects_find(struct private_objects *o, const struct uniformity *u);
void private_objects_free(struct private_objects *o);

/* Returns whether an instruction is llvm.lifetime.start or .end. */
bool private_objects_is_lifetime(LLVMValueRef instruction, bool *start);

#endif
