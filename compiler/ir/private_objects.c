#include "compiler/ir/private_objects.h"

#include "compiler/ir/address_space.h"
#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

enum event { EVENT_NONE, EVENT_ACCESS, EVENT_UNDEFINED /* contents begin or cease to be live */ };

/* One object as it is analysed. */
struct tracking {
    const struct flow *flow;
    const struct uniformity *uniformity;
    const bool *same_for_all; /* blocks that all work-items execute alike, before any barrier */
    LLVMValueRef variable;
    struct value_map events;  /* instruction → enum event */
    struct value_map derived; /* pointers into the object */
    LLVMValueRef *pending;
    size_t pending_count;
    bool escaped, filled_apart; /* not filled by all work-items alike */
};

bool private_objects_is_lifetime(LLVMValueRef i, bool *start) {
    static unsigned begin, end;
    LLVMValueRef called = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
    if (!begin) {
        begin = LLVMLookupIntrinsicID("llvm.lifetime.start", strlen("llvm.lifetime.start"));
        end = LLVMLookupIntrinsicID("llvm.lifetime.end", strlen("llvm.lifetime.end"));
    }
    unsigned id = called ? LLVMGetIntrinsicID(called) : 0;
    *start = id == begin;
    return id && (id == begin || id == end);
}

static void derive(struct tracking *t, LLVMValueRef pointer) {
    if (value_map_get(&t->derived, pointer) != VALUE_MAP_NONE) return;
    value_map_set(&t->derived, pointer, 1);
    t->pending = grow(t->pending, t->pending_count, sizeof(LLVMValueRef));
    t->pending[t->pending_count++] = pointer;
}

/* Returns whether a function may keep a pointer argument. Intrinsics do not. */
static bool keeps(LLVMValueRef call, LLVMValueRef pointer) {
    static const char name[] = "nocapture";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMValueRef f = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (f && LLVMGetIntrinsicID(f)) return false;
    for (unsigned a = 0; a < LLVMGetNumArgOperands(call); a++) {
        if (LLVMGetOperand(call, a) != pointer) continue;
        if (LLVMGetCallSiteEnumAttribute(call, a + 1, kind)) continue;
        if (!f || !LLVMGetEnumAttributeAtIndex(f, a + 1, kind)) return true;
    }
    return false;
}

/* Returns whether a pointer into the object is at the same place for all work-items. */
static bool is_same_place(const struct tracking *t, LLVMValueRef pointer) {
    if (pointer == t->variable) return true;
    if (LLVMIsABitCastInst(pointer)) return is_same_place(t, LLVMGetOperand(pointer, 0));
    if (!LLVMIsAGetElementPtrInst(pointer)) return false;
    for (int k = 1; k < LLVMGetNumOperands(pointer); k++)
        if (!uniformity_of(t->uniformity, LLVMGetOperand(pointer, (unsigned)k))) return false;
    return is_same_place(t, LLVMGetOperand(pointer, 0));
}

static bool is_copy_of_constant(const struct tracking *t, LLVMValueRef call) {
    LLVMValueRef called = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (!called || LLVMGetIntrinsicID(called) != LLVMLookupIntrinsicID("llvm.memcpy", strlen("llvm.memcpy")))
        return false;
    LLVMValueRef from = LLVMGetOperand(call, 1), size = LLVMGetOperand(call, 2);
    return LLVMGetPointerAddressSpace(LLVMTypeOf(from)) == ADDRESS_SPACE_CONSTANT &&
           uniformity_of(t->uniformity, from) && uniformity_of(t->uniformity, size);
}

/* Returns whether an access gives the object different contents for different work-items, or at different
 * times. */
static bool fills_apart(const struct tracking *t, LLVMValueRef pointer, LLVMValueRef user) {
    if (LLVMIsALoadInst(user)) return false;
    if (!t->same_for_all[flow_index(t->flow, LLVMGetInstructionParent(user))]) return true;
    if (!is_same_place(t, pointer)) return true;
    if (LLVMIsAStoreInst(user)) return !uniformity_of(t->uniformity, LLVMGetOperand(user, 0));
    return !is_copy_of_constant(t, user) || LLVMGetOperand(user, 0) != pointer;
}

static void track_use(struct tracking *t, LLVMValueRef pointer, LLVMValueRef user) {
    bool start;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPHI:
    case LLVMSelect: derive(t, user); return;
    case LLVMICmp: return;
    case LLVMStore:
        if (LLVMGetOperand(user, 0) == pointer) t->escaped = true;
        break;
    case LLVMLoad: break;
    case LLVMCall:
        if (private_objects_is_lifetime(user, &start)) {
            value_map_set(&t->events, user, EVENT_UNDEFINED);
            return;
        }
        if (keeps(user, pointer)) t->escaped = true;
        break;
    default: t->escaped = true; break;
    }
    if (fills_apart(t, pointer, user)) t->filled_apart = true;
    value_map_set(&t->events, user, EVENT_ACCESS);
}

static void track(struct tracking *t) {
    derive(t, t->variable);
    while (t->pending_count) {
        LLVMValueRef pointer = t->pending[--t->pending_count];
        for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
            track_use(t, pointer, LLVMGetUser(use));
    }
}

static enum event event_of(const struct tracking *t, LLVMValueRef i) {
    uintptr_t event = value_map_get(&t->events, i);
    return event == VALUE_MAP_NONE ? EVENT_NONE : (enum event)event;
}

static enum event first_event(const struct tracking *t, size_t block) {
    LLVMValueRef i = LLVMGetFirstInstruction(t->flow->blocks[block].llvm);
    while (i && event_of(t, i) == EVENT_NONE) i = LLVMGetNextInstruction(i);
    return i ? event_of(t, i) : EVENT_NONE;
}

static enum event last_event(const struct tracking *t, size_t block) {
    LLVMValueRef i = LLVMGetLastInstruction(t->flow->blocks[block].llvm);
    while (i && event_of(t, i) == EVENT_NONE) i = LLVMGetPreviousInstruction(i);
    return i ? event_of(t, i) : EVENT_NONE;
}

/* Finds the blocks at whose start the contents may still be accessed. */
static void find_needed(const struct tracking *t, bool *needed) {
    const struct flow *f = t->flow;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = f->count; b-- > 0;) {
            enum event first = first_event(t, b);
            bool value = first == EVENT_ACCESS;
            for (size_t i = 0; i < f->blocks[b].successor_count && first == EVENT_NONE; i++)
                value |= needed[f->blocks[b].successors[i]];
            changed |= value && !needed[b];
            needed[b] |= value;
        }
    }
}

/* Finds the blocks at whose end there may be contents. */
static void find_filled(const struct tracking *t, bool *filled) {
    const struct flow *f = t->flow;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = 0; b < f->count; b++) {
            enum event last = last_event(t, b);
            bool value = last == EVENT_ACCESS;
            for (size_t i = 0; i < f->blocks[b].predecessor_count && last == EVENT_NONE; i++)
                value |= filled[f->blocks[b].predecessors[i]];
            changed |= value && !filled[b];
            filled[b] |= value;
        }
    }
}

static bool needs_replication(struct tracking *t) {
    const struct flow *f = t->flow;
    track(t);
    if (!t->escaped && !t->filled_apart) return false;
    bool *needed = allocate(NULL, 2 * f->count), *filled = needed + f->count, result = false;
    memset(needed, 0, 2 * f->count);
    find_needed(t, needed);
    find_filled(t, filled);
    for (size_t b = 0; b < f->count; b++)
        if (f->blocks[b].barrier && (t->escaped || (filled[b] && needed[f->blocks[b].successors[0]])))
            result = true;
    free(needed);
    return result;
}

/* Finds the blocks that depend on no varying condition and execute at most once, before the first barrier. */
static bool *find_same_for_all(const struct uniformity *u) {
    size_t n = u->flow->count;
    bool *same = allocate(NULL, 2 * n), *reached = same + n;
    memset(same, true, n);
    for (size_t b = 0; b < n; b++) {
        const struct flow_block *block = &u->flow->blocks[b];
        if (!block->barrier && !u->divergent[b]) continue;
        if (block->barrier)
            flow_reach(u->flow, block->successors[0], false, reached);
        else
            flow_influence(u->flow, b, false, reached, NULL);
        for (size_t i = 0; i < n; i++) same[i] &= !reached[i];
    }
    return same;
}

void private_objects_find(struct private_objects *o, const struct uniformity *u) {
    bool *same_for_all = find_same_for_all(u);
    *o = (struct private_objects){0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(u->flow->blocks[0].llvm); i;
         i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAAllocaInst(i)) continue;
        struct tracking t = {.flow = u->flow, .uniformity = u, .same_for_all = same_for_all, .variable = i};
        o->list = grow(o->list, o->count, sizeof *o->list);
        o->list[o->count++] = (struct private_object){i, needs_replication(&t)};
        value_map_free(&t.events);
        value_map_free(&t.derived);
        free(t.pending);
    }
    free(same_for_all);
}

void private_objects_free(struct private_objects *o) {
    free(o->list);
    *o = (struct private_objects){0};
}
