#include "compiler/ir/slots.h"

#include "compiler/ir/operation.h"
#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

struct lowering {
    struct slots *slots;
    struct uniformity *uniformity;
    const struct flow *flow;
    LLVMBuilderRef builder;
};

/* --- uses --- */

struct uses {
    LLVMUseRef *list;
    size_t count;
};

static struct uses uses_of(LLVMValueRef value) {
    struct uses u = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        u.list = grow(u.list, u.count, sizeof(LLVMUseRef));
        u.list[u.count++] = use;
    }
    return u;
}

/* Returns the block in which an operand must be available: for a PHI the incoming block. */
static LLVMBasicBlockRef use_block(LLVMValueRef user, unsigned operand) {
    return LLVMIsAPHINode(user) ? LLVMGetIncomingBlock(user, operand) : LLVMGetInstructionParent(user);
}

static LLVMValueRef use_position(LLVMValueRef user, unsigned operand) {
    return LLVMIsAPHINode(user) ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, operand)) : user;
}

static bool crosses_blocks(LLVMValueRef value) {
    LLVMBasicBlockRef own = LLVMGetInstructionParent(value);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        for (int k = 0; k < LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, (unsigned)k) == value && use_block(user, (unsigned)k) != own)
                return true;
    }
    return false;
}

/* Calls make(x, value) before each use of a value (all uses, or only those in other blocks) and replaces the
 * use by the result. */
static void replace_uses(struct lowering *x, LLVMValueRef value, bool everywhere,
                         LLVMValueRef (*make)(struct lowering *x, LLVMValueRef value)) {
    struct uses uses = uses_of(value);
    LLVMBasicBlockRef own = LLVMGetInstructionParent(value);
    for (size_t n = 0; n < uses.count; n++) {
        LLVMValueRef user = LLVMGetUser(uses.list[n]);
        for (int k = 0; k < LLVMGetNumOperands(user); k++) {
            if (LLVMGetOperand(user, (unsigned)k) != value) continue;
            if (!everywhere && use_block(user, (unsigned)k) == own) continue;
            LLVMPositionBuilderBefore(x->builder, use_position(user, (unsigned)k));
            LLVMSetOperand(user, (unsigned)k, make(x, value));
            break; /* each use is in the list once */
        }
    }
    free(uses.list);
}

/* --- ids and what is computed from them --- */

static LLVMValueRef id_variable(const struct slots *s, LLVMValueRef value) {
    struct operation o = LLVMIsAInstruction(value) ? operation_of(value) : (struct operation){0};
    return o.kind == OPERATION_LOCAL_ID    ? s->local_id[o.dimension]
           : o.kind == OPERATION_GLOBAL_ID ? s->global_id[o.dimension]
                                           : NULL;
}

static bool is_cheap(LLVMValueRef value) {
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMBitCast:
    case LLVMGetElementPtr:
    case LLVMICmp: return LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind;
    default: return false;
    }
}

/* Returns the number of operations to recompute a value; more than SLOTS_RECOMPUTED: too many. */
static unsigned recomputation(const struct lowering *x, LLVMValueRef value) {
    if (!LLVMIsAInstruction(value) || LLVMIsAAllocaInst(value) || id_variable(x->slots, value)) return 0;
    if (uniformity_of(x->uniformity, value)) return 0;
    if (LLVMGetInstructionParent(value) == x->flow->blocks[0].llvm) return 0;
    if (!is_cheap(value)) return SLOTS_RECOMPUTED + 1;
    unsigned sum = 1;
    for (int k = 0; k < LLVMGetNumOperands(value) && sum <= SLOTS_RECOMPUTED; k++)
        sum += recomputation(x, LLVMGetOperand(value, (unsigned)k));
    return sum;
}

static LLVMValueRef recompute(struct lowering *x, LLVMValueRef value) {
    if (!LLVMIsAInstruction(value) || LLVMIsAAllocaInst(value) || id_variable(x->slots, value) ||
        uniformity_of(x->uniformity, value))
        return value;
    LLVMValueRef copy = LLVMInstructionClone(value);
    for (int k = 0; k < LLVMGetNumOperands(value); k++)
        LLVMSetOperand(copy, (unsigned)k, recompute(x, LLVMGetOperand(value, (unsigned)k)));
    LLVMInsertIntoBuilder(x->builder, copy);
    uniformity_copy(x->uniformity, value, copy);
    return copy;
}

static LLVMValueRef load_id(struct lowering *x, LLVMValueRef value) {
    LLVMValueRef load = LLVMBuildLoad2(x->builder, LLVMTypeOf(value), id_variable(x->slots, value), "");
    uniformity_copy(x->uniformity, value, load);
    return load;
}

#define FOR_EACH_LOWERED(x, i)                                                                               \
    for (size_t b_ = 1; b_ < (x)->flow->count; b_++)                                                         \
        for (LLVMValueRef next_, i = LLVMGetFirstInstruction((x)->flow->blocks[b_].llvm);                    \
             i && (next_ = LLVMGetNextInstruction(i), true); i = next_)

/* Treats ids as ordinary values, read where the source reads them. */
static void read_ids(struct lowering *x) {
    FOR_EACH_LOWERED(x, i) {
        if (!id_variable(x->slots, i)) continue;
        LLVMPositionBuilderBefore(x->builder, i);
        LLVMReplaceAllUsesWith(i, load_id(x, i));
        LLVMInstructionEraseFromParent(i);
    }
}

static void lower_ids(struct lowering *x) {
    FOR_EACH_LOWERED(x, i) {
        if (id_variable(x->slots, i) || uniformity_of(x->uniformity, i) || !crosses_blocks(i)) continue;
        if (recomputation(x, i) <= SLOTS_RECOMPUTED) replace_uses(x, i, false, recompute);
    }
    FOR_EACH_LOWERED(x, i) {
        if (!id_variable(x->slots, i)) continue;
        replace_uses(x, i, true, load_id);
        LLVMInstructionEraseFromParent(i);
    }
}

/* --- slots --- */

static LLVMValueRef make_variable(struct lowering *x, LLVMTypeRef type, const char *name) {
    LLVMPositionBuilderBefore(x->builder, LLVMGetFirstInstruction(x->flow->blocks[0].llvm));
    LLVMSetCurrentDebugLocation2(x->builder, NULL);
    return LLVMBuildAlloca(x->builder, type, name);
}

static struct slot *add_slot(struct lowering *x, LLVMValueRef value) {
    struct slots *s = x->slots;
    size_t size;
    const char *name = LLVMGetValueName2(value, &size);
    s->list = grow(s->list, s->count, sizeof *s->list);
    struct slot *slot = &s->list[s->count];
    *slot = (struct slot){.variable = make_variable(x, LLVMTypeOf(value), *name ? name : "value"),
                          .type = LLVMTypeOf(value),
                          .varying = !uniformity_of(x->uniformity, value)};
    value_map_set(&s->index, slot->variable, s->count++);
    return slot;
}

static void lower_phi(struct lowering *x, LLVMValueRef phi) {
    LLVMValueRef variable = add_slot(x, phi)->variable, at = phi;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMPositionBuilderBefore(x->builder, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k)));
        LLVMBuildStore(x->builder, LLVMGetIncomingValue(phi, k), variable);
    }
    while (LLVMIsAPHINode(at)) at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(x->builder, at);
    LLVMValueRef load = LLVMBuildLoad2(x->builder, LLVMTypeOf(phi), variable, "");
    uniformity_copy(x->uniformity, phi, load);
    LLVMReplaceAllUsesWith(phi, load);
}

/* Lowers PHIs. All are read before any is written: each has its own slot, and their loads are at the block's
 * start. */
static void lower_phis(struct lowering *x) {
    FOR_EACH_LOWERED(x, i)
    if (LLVMIsAPHINode(i)) lower_phi(x, i);
    FOR_EACH_LOWERED(x, i)
    if (LLVMIsAPHINode(i)) LLVMInstructionEraseFromParent(i);
}

static LLVMValueRef load_slot(struct lowering *x, LLVMValueRef value) {
    const struct slot *last = &x->slots->list[x->slots->count - 1];
    return LLVMBuildLoad2(x->builder, LLVMTypeOf(value), last->variable, "");
}

static void lower_values(struct lowering *x) {
    FOR_EACH_LOWERED(x, i) {
        if (!crosses_blocks(i)) continue;
        LLVMValueRef variable = add_slot(x, i)->variable;
        replace_uses(x, i, false, load_slot);
        LLVMPositionBuilderBefore(x->builder, LLVMGetNextInstruction(i));
        LLVMBuildStore(x->builder, i, variable);
    }
}

/* --- liveness --- */

static size_t slot_of(const struct slots *s, LLVMValueRef variable) {
    return value_map_get(&s->index, variable);
}

size_t slots_loaded(const struct slots *s, LLVMValueRef i) {
    return LLVMIsALoadInst(i) ? slot_of(s, LLVMGetOperand(i, 0)) : VALUE_MAP_NONE;
}

size_t slots_stored(const struct slots *s, LLVMValueRef i) {
    return LLVMIsAStoreInst(i) ? slot_of(s, LLVMGetOperand(i, 1)) : VALUE_MAP_NONE;
}

/* Computes the slots live at a block's start from those live at its end. Returns whether they have
 * changed. */
static bool update_live(struct slots *s, const struct flow *f, size_t block, bool *live) {
    const struct flow_block *b = &f->blocks[block];
    memset(live, 0, s->count);
    for (size_t i = 0; i < b->successor_count; i++)
        for (size_t n = 0; n < s->count; n++) live[n] |= slots_live(s, b->successors[i], n);
    for (LLVMValueRef i = LLVMGetLastInstruction(b->llvm); i; i = LLVMGetPreviousInstruction(i)) {
        size_t loaded = slots_loaded(s, i), stored = slots_stored(s, i);
        if (loaded != VALUE_MAP_NONE) live[loaded] = true;
        if (stored != VALUE_MAP_NONE) live[stored] = false;
    }
    if (!memcmp(live, s->live + block * s->count, s->count)) return false;
    memcpy(s->live + block * s->count, live, s->count);
    return true;
}

void slots_find_live(struct slots *s, const struct flow *f) {
    bool *scratch = allocate(NULL, s->count);
    free(s->live);
    s->live = allocate(NULL, f->count * s->count);
    memset(s->live, 0, f->count * s->count);
    for (bool changed = s->count > 0; changed;) {
        changed = false;
        for (size_t b = f->count; b-- > 0;) changed |= update_live(s, f, b, scratch);
    }
    free(scratch);
}

void slots_lower(struct slots *s, struct uniformity *u, bool recompute) {
    static const char *const local_names[] = {"local_id.x", "local_id.y", "local_id.z"};
    static const char *const global_names[] = {"global_id.x", "global_id.y", "global_id.z"};
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(u->flow->function));
    struct lowering x = {s, u, u->flow, LLVMCreateBuilderInContext(context)};
    *s = (struct slots){0};
    for (unsigned d = 0; d < 3; d++) {
        s->local_id[d] = make_variable(&x, LLVMInt32TypeInContext(context), local_names[d]);
        s->global_id[d] = make_variable(&x, LLVMInt32TypeInContext(context), global_names[d]);
    }
    if (recompute)
        lower_ids(&x);
    else
        read_ids(&x);
    lower_phis(&x);
    lower_values(&x);
    slots_find_live(s, u->flow);
    LLVMDisposeBuilder(x.builder);
}

void slots_free(struct slots *s) {
    free(s->list);
    free(s->live);
    value_map_free(&s->index);
    *s = (struct slots){0};
}
