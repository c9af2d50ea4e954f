#include "compiler/ir/uniformity.h"

#include "compiler/ir/address_space.h"
#include "compiler/ir/operation.h"
#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

static bool has_attribute(LLVMValueRef call, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMValueRef f = LLVMIsAFunction(LLVMGetCalledValue(call));
    return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
           (f && LLVMGetEnumAttributeAtIndex(f, LLVMAttributeFunctionIndex, kind));
}

/* Returns whether an instruction may give work-items different values for equal operands. */
static bool varies_by_itself(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return LLVMGetVolatile(i) ||
               LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) != ADDRESS_SPACE_CONSTANT;
    case LLVMAlloca:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMVAArg: return true;
    case LLVMCall: return operation_of(i).kind != OPERATION_GROUP && !has_attribute(i, "readnone");
    default: return false;
    }
}

static bool is_id(LLVMValueRef i) {
    enum operation_kind kind = operation_of(i).kind;
    return kind == OPERATION_LOCAL_ID || kind == OPERATION_GLOBAL_ID;
}

bool uniformity_of(const struct uniformity *u, LLVMValueRef value) {
    return value_map_get(&u->varying, value) != true;
}

void uniformity_copy(struct uniformity *u, LLVMValueRef from, LLVMValueRef to) {
    value_map_set(&u->varying, to, !uniformity_of(u, from));
}

static bool mark(struct uniformity *u, LLVMValueRef value) {
    if (!uniformity_of(u, value)) return false;
    value_map_set(&u->varying, value, true);
    return true;
}

static bool operands_vary(const struct uniformity *u, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (!uniformity_of(u, LLVMGetOperand(i, (unsigned)k))) return true;
    return false;
}

/* Returns whether a PHI has different incoming values. */
static bool chooses(LLVMValueRef phi) {
    for (unsigned k = 1; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingValue(phi, k) != LLVMGetIncomingValue(phi, 0)) return true;
    return false;
}

/* Marks the PHIs that work-items reach by different paths, or at different times, after a divergent
 * branch. */
static bool mark_influence(struct uniformity *u, size_t branch, bool *reached, bool *meeting) {
    bool changed = false;
    flow_influence(u->flow, branch, false, reached, meeting);
    for (size_t b = 0; b < u->flow->count; b++) {
        if (!reached[b] && !meeting[b]) continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(u->flow->blocks[b].llvm); i && LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i))
            if (chooses(i) && mark(u, i)) changed = true;
    }
    return changed;
}

static bool mark_block(struct uniformity *u, size_t b) {
    bool changed = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(u->flow->blocks[b].llvm); i; i = LLVMGetNextInstruction(i))
        if (uniformity_of(u, i) && (varies_by_itself(i) || is_id(i) || operands_vary(u, i)))
            changed |= mark(u, i);
    return changed;
}

static void mark_parameters(struct uniformity *u, const struct value_map *given) {
    LLVMValueRef function = LLVMGetBasicBlockParent(u->flow->blocks[0].llvm);
    for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p))
        if (value_map_get(given, p) == true) mark(u, p);
}

void uniformity_find(struct uniformity *u, const struct flow *f, const struct value_map *given) {
    bool *scratch = allocate(NULL, 2 * f->count);
    *u = (struct uniformity){.flow = f, .divergent = allocate(NULL, f->count)};
    memset(u->divergent, 0, f->count);
    if (given) mark_parameters(u, given);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = 0; b < f->count; b++) {
            changed |= mark_block(u, b);
            LLVMValueRef last = LLVMGetBasicBlockTerminator(f->blocks[b].llvm);
            if (f->blocks[b].successor_count < 2 || u->divergent[b] || uniformity_of(u, last)) continue;
            u->divergent[b] = true;
            changed |= mark_influence(u, b, scratch, scratch + f->count);
        }
    }
    free(scratch);
}

void uniformity_forget(struct uniformity *u) {
    for (size_t b = 1; b < u->flow->count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(u->flow->blocks[b].llvm); i;
             i = LLVMGetNextInstruction(i))
            mark(u, i);
}

void uniformity_free(struct uniformity *u) {
    value_map_free(&u->varying);
    free(u->divergent);
    *u = (struct uniformity){0};
}

unsigned uniformity_divergent_branches(const struct uniformity *u) {
    unsigned n = 0;
    for (size_t b = 0; b < u->flow->count; b++) n += u->divergent[b];
    return n;
}
