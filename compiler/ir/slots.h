/*
 * slots: lowers the values of a function that are used in other blocks to private variables ("slots"). Then
 * blocks can be copied without regard to dominance. Later passes turn the remaining slots into registers.
 *
 * A value that is cheap to compute from work-item ids and uniform values, with at most SLOTS_RECOMPUTED
 * operations, is recomputed at its uses instead. Ids are slots that are set by the code that copies blocks.
 */
#ifndef COMPILER_SLOTS_H
#define COMPILER_SLOTS_H

#include "compiler/ir/uniformity.h"

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
    bool *live;                             /* [block × count]: live at the block's start */
};

/* The flow's first block is a prologue: its values dominate all blocks and are not lowered. `recompute`:
 * recomputes cheap values; else ids are read where the source reads them and lowered like other values. */
void slots_lower(struct slots *s, struct uniformity *u, bool recompute);
void slots_free(struct slots *s);

/* Return the number of the slot that an instruction loads; that it stores. VALUE_MAP_NONE: none. */
size_t slots_loaded(const struct slots *s, LLVMValueRef instruction);
size_t slots_stored(const struct slots *s, LLVMValueRef instruction);

/* Recomputes the liveness for slots_live() after a change of the code. */
void slots_find_live(struct slots *s, const struct flow *f);

static inline bool slots_live(const struct slots *s, size_t block, size_t slot) {
    return s->live[block * s->count + slot];
}

#endif
