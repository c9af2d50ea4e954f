#include "compiler/private_objects.h"

#include "compiler/trouble.h"

#include <stdlib.h>
#include <string.h>

enum event { EVENT_NONE, EVENT_ACCESS, EVENT_UNDEFINED /* here its contents begin or cease to matter */ };

/* What is known of one object. */
struct tracking {
    const struct flow *flow;
    LLVMValueRef variable;
    struct value_map events;  /* instruction → enum event */
    struct value_map derived; /* pointers into the object */
    LLVMValueRef *pending;
    size_t pending_count;
    bool escaped;
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

/* Whether a function may keep a pointer it is given. Intrinsics do not. */
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

/* Blocks at whose start the contents may still be accessed. */
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

/* Blocks at whose end there may be contents. */
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

static bool outlives_barrier(struct tracking *t) {
    const struct flow *f = t->flow;
    bool *needed = allocate(NULL, 2 * f->count), *filled = needed + f->count, result = false;
    memset(needed, 0, 2 * f->count);
    track(t);
    find_needed(t, needed);
    find_filled(t, filled);
    for (size_t b = 0; b < f->count; b++)
        if (f->blocks[b].barrier && (t->escaped || (filled[b] && needed[f->blocks[b].successors[0]])))
            result = true;
    free(needed);
    return result;
}

void private_objects_find(struct private_objects *o, const struct flow *f) {
    *o = (struct private_objects){0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(f->blocks[0].llvm); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAAllocaInst(i)) continue;
        struct tracking t = {.flow = f, .variable = i};
        o->list = grow(o->list, o->count, sizeof *o->list);
        o->list[o->count++] = (struct private_object){i, outlives_barrier(&t)};
        value_map_free(&t.events);
        value_map_free(&t.derived);
        free(t.pending);
    }
}

void private_objects_free(struct private_objects *o) {
    free(o->list);
    *o = (struct private_objects){0};
}
