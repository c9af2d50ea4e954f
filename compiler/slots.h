/*
 * slots: a function's values that are used in other blocks than their own, lowered to private variables
 * ("slots"), so that blocks can be copied without regard to dominance; later passes turn what is left of them
 * into registers again.
 *
 * A value that is cheaply computed from work-item ids and uniform values is not lowered but computed again
 * where it is used: at most SLOTS_RECOMPUTED operations. Ids themselves are slots that whoever copies the
 * code sets.
 */
#ifndef COMPILER_SLOTS_H
#define COMPILER_SLOTS_H

#include "compiler/uniformity.h"

#define SLOTS_RECOMPUTED 6

struct slot {
    LLVMValueRef variable; /* an alloca of the entry block */
    LLVMTypeRef type;
    bool varying;
};

struct slots {
    struct slot *list;
    size_t count;
    struct value_map index;                 /* alloca → number */
    LLVMValueRef local_id[3], global_id[3]; /* allocas; not in the list */
    bool *live;                             /* [block × count]: needed at the block's start */
};

/* The flow's first block is a prologue: what it defines dominates everything and stays as it is. `recompute`:
 * as said above; else ids are read where the source asks for them, and are lowered like other values. */
void slots_lower(struct slots *s, struct uniformity *u, bool recompute);
void slots_free(struct slots *s);

/* The number of a slot that an instruction loads or stores (`store`); VALUE_MAP_NONE: none. */
size_t slots_loaded(const struct slots *s, LLVMValueRef instruction);
size_t slots_stored(const struct slots *s, LLVMValueRef instruction);

/* Finds what slots_live() says, again after a change of the code. */
void slots_find_live(struct slots *s, const struct flow *f);

static inline bool slots_live(const struct slots *s, size_t block, size_t slot) {
    return s->live[block * s->count + slot];
}

#endif
