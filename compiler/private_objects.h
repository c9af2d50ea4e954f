/*
 * private_objects: private variables that stay in memory (arrays indexed at run time, structures whose
 * address is taken), and which of them every work-item needs for itself: those whose contents outlive a
 * barrier, unless all work-items fill them alike before the first barrier and only read them afterwards.
 * Conservative: one whose address gets away is needed everywhere.
 */
#ifndef COMPILER_PRIVATE_OBJECTS_H
#define COMPILER_PRIVATE_OBJECTS_H

#include "compiler/uniformity.h"

struct private_object {
    LLVMValueRef variable; /* an alloca of the first block */
    bool replicated;       /* every work-item needs its own across a barrier */
};

struct private_objects {
    struct private_object *list;
    size_t count;
};

/* On a function in SSA form whose allocas all stand in the first block. */
void private_objects_find(struct private_objects *o, const struct uniformity *u);
void private_objects_free(struct private_objects *o);

/* Whether an instruction is llvm.lifetime.start or .end. */
bool private_objects_is_lifetime(LLVMValueRef instruction, bool *start);

#endif
