#include "compiler/ir/slots_merge.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

struct merging {
    struct slots *slots;
    size_t count;           /* number of slots */
    bool *apart;            /* [slot × count]: one is changed while the other is live */
    size_t *holds;          /* for each slot: number of its value in the current block; 0: unknown */
    struct value_map known; /* value → number */
    size_t numbers;
};

/* --- what is in which slot, within a block --- */

static void begin_block(struct merging *x) {
    memset(x->holds, 0, x->count * sizeof *x->holds);
    value_map_free(&x->known);
    x->known = (struct value_map){0};
    x->numbers = 0;
}

/* Returns the number of a value. Two variables with the same constant, or argument, remain two. */
static size_t number_of(struct merging *x, const struct flow_block *b, LLVMValueRef value) {
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) != b->llvm) return ++x->numbers;
    uintptr_t number = value_map_get(&x->known, value);
    if (number != VALUE_MAP_NONE) return number;
    value_map_set(&x->known, value, ++x->numbers);
    return x->numbers;
}

static void note_load(struct merging *x, const struct flow_block *b, LLVMValueRef load, size_t slot) {
    if (x->holds[slot])
        value_map_set(&x->known, load, x->holds[slot]);
    else
        x->holds[slot] = number_of(x, b, load);
}

/* --- which slots must stay apart --- */

/* Finds the slots live after each store of a block, last store first. Returns the number of stores. */
static size_t live_behind_stores(const struct merging *x, const struct flow_block *b, bool **rows) {
    size_t stores = 0;
    bool *live = allocate(NULL, x->count);
    memset(live, 0, x->count);
    for (size_t i = 0; i < b->successor_count; i++)
        for (size_t n = 0; n < x->count; n++) live[n] |= slots_live(x->slots, b->successors[i], n);
    for (LLVMValueRef i = LLVMGetLastInstruction(b->llvm); i; i = LLVMGetPreviousInstruction(i)) {
        size_t loaded = slots_loaded(x->slots, i), stored = slots_stored(x->slots, i);
        if (loaded != VALUE_MAP_NONE) live[loaded] = true;
        if (stored == VALUE_MAP_NONE) continue;
        rows[0] = grow(rows[0], stores, x->count);
        memcpy(rows[0] + stores++ * x->count, live, x->count);
        live[stored] = false;
    }
    free(live);
    return stores;
}

static void keep_apart(struct merging *x, const struct flow_block *b) {
    bool *rows = NULL;
    size_t left = live_behind_stores(x, b, &rows);
    begin_block(x);
    for (LLVMValueRef i = LLVMGetFirstInstruction(b->llvm); i; i = LLVMGetNextInstruction(i)) {
        size_t loaded = slots_loaded(x->slots, i), stored = slots_stored(x->slots, i);
        if (loaded != VALUE_MAP_NONE) note_load(x, b, i, loaded);
        if (stored == VALUE_MAP_NONE) continue;
        size_t number = number_of(x, b, LLVMGetOperand(i, 0));
        const bool *live = rows + --left * x->count;
        x->holds[stored] = number;
        for (size_t n = 0; n < x->count; n++)
            if (live[n] && x->holds[n] != number)
                x->apart[n * x->count + stored] = x->apart[stored * x->count + n] = true;
    }
    free(rows);
}

/* --- merging --- */

static void merge(struct merging *x, size_t into, size_t slot) {
    struct slot *list = x->slots->list;
    LLVMReplaceAllUsesWith(list[slot].variable, list[into].variable);
    list[into].varying |= list[slot].varying;
    x->holds[slot] = 0;
    for (size_t n = 0; n < x->count; n++)
        if (x->apart[slot * x->count + n])
            x->apart[n * x->count + into] = x->apart[into * x->count + n] = true;
}

/* Merges slots that hold the same value where it is stored. */
static void merge_copies(struct merging *x, const struct flow_block *b) {
    begin_block(x);
    for (LLVMValueRef i = LLVMGetFirstInstruction(b->llvm); i; i = LLVMGetNextInstruction(i)) {
        size_t loaded = slots_loaded(x->slots, i), stored = slots_stored(x->slots, i);
        if (loaded != VALUE_MAP_NONE) note_load(x, b, i, loaded);
        if (stored == VALUE_MAP_NONE) continue;
        size_t number = number_of(x, b, LLVMGetOperand(i, 0));
        for (size_t n = 0; n < x->count; n++) {
            if (n == stored || x->holds[n] != number || x->apart[n * x->count + stored] ||
                x->slots->list[n].type != x->slots->list[stored].type)
                continue;
            merge(x, n, stored);
            stored = n;
        }
        x->holds[stored] = number;
    }
}

/* Deletes stores of values that are already present, and unused loads. */
static void delete_copies(struct merging *x, const struct flow_block *b) {
    begin_block(x);
    for (LLVMValueRef next, i = LLVMGetFirstInstruction(b->llvm); i; i = next) {
        size_t loaded = slots_loaded(x->slots, i), stored = slots_stored(x->slots, i);
        next = LLVMGetNextInstruction(i);
        if (loaded != VALUE_MAP_NONE) note_load(x, b, i, loaded);
        if (stored == VALUE_MAP_NONE) continue;
        size_t number = number_of(x, b, LLVMGetOperand(i, 0));
        if (x->holds[stored] == number) LLVMInstructionEraseFromParent(i);
        x->holds[stored] = number;
    }
    for (LLVMValueRef next, i = LLVMGetFirstInstruction(b->llvm); i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (slots_loaded(x->slots, i) != VALUE_MAP_NONE && !LLVMGetFirstUse(i))
            LLVMInstructionEraseFromParent(i);
    }
}

void slots_merge(struct slots *s, const struct flow *f) {
    struct merging x = {.slots = s, .count = s->count};
    x.apart = allocate(NULL, x.count * x.count);
    x.holds = allocate(NULL, x.count * sizeof *x.holds);
    memset(x.apart, 0, x.count * x.count);
    for (size_t b = 0; b < f->count; b++) keep_apart(&x, &f->blocks[b]);
    for (size_t b = 0; b < f->count; b++) merge_copies(&x, &f->blocks[b]);
    for (size_t b = 0; b < f->count; b++) delete_copies(&x, &f->blocks[b]);
    slots_find_live(s, f);
    free(x.apart);
    free(x.holds);
    value_map_free(&x.known);
}
