#include "compiler/ir/priority_operations.h"

#include "compiler/ir/call_graph.h"
#include "compiler/ir/operation.h"
#include "compiler/driver/trouble.h"
#include "compiler/ir/uniformity.h"

#include <llvm-c/DebugInfo.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWN_LEVEL (~0u)

static bool is_priority(LLVMValueRef i) {
    return operation_of(i).kind == OPERATION_PRIORITY;
}

static void drop_from(LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_priority(i)) LLVMInstructionEraseFromParent(i);
        }
}

void priority_operations_drop(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) drop_from(f);
}

/* --- statements without effect --- */

/* A part of a block between priority operations, at one level. */
struct segment {
    size_t block;
    LLVMValueRef operation; /* operation after it; NULL: the block's end */
    unsigned level;
};

/* A connected part of the flow at or above a level: a statement that was raised to the level. */
struct component {
    bool divergent;   /* has a divergent branch at this level */
    bool parts;       /* has a divergent branch at or above the level */
    unsigned exits;   /* number of operations that leave it */
    bool left_anyhow; /* an inner statement diverges and has several exits */
};

struct thinning {
    struct flow flow;
    struct uniformity uniformity;
    struct segment *segments;
    size_t count, *first;         /* first: for each block */
    unsigned top;                 /* highest level */
    size_t *parent;               /* [level × count]: union-find */
    struct component *components; /* [level × count], at the roots */
};

static void read_segments(struct thinning *t) {
    t->first = allocate(NULL, t->flow.count * sizeof *t->first);
    for (size_t b = 0; b < t->flow.count; b++) {
        t->first[b] = t->count;
        for (LLVMValueRef i = LLVMGetFirstInstruction(t->flow.blocks[b].llvm);;
             i = LLVMGetNextInstruction(i)) {
            if (i && !is_priority(i)) continue;
            t->segments = grow(t->segments, t->count, sizeof *t->segments);
            t->segments[t->count++] = (struct segment){b, i, UNKNOWN_LEVEL};
            if (!i) break;
        }
    }
}

static unsigned level_behind(const struct segment *s) {
    int levels = operation_of(s->operation).levels;
    return levels ? s->level + (unsigned)levels : 0;
}

/* Sets the levels; returns false if they are inconsistent, which insertion never causes. */
static bool set_levels(struct thinning *t, size_t block, unsigned level) {
    size_t s = t->first[block];
    if (t->segments[s].level != UNKNOWN_LEVEL) return t->segments[s].level == level;
    for (t->segments[s].level = level; t->segments[s].operation; s++)
        t->segments[s + 1].level = level_behind(&t->segments[s]);
    for (size_t n = t->first[block]; n <= s; n++)
        if (t->segments[n].level != UNKNOWN_LEVEL && t->segments[n].level > t->top)
            t->top = t->segments[n].level;
    for (size_t i = 0; i < t->flow.blocks[block].successor_count; i++)
        if (!set_levels(t, t->flow.blocks[block].successors[i], t->segments[s].level)) return false;
    return true;
}

static size_t root(const struct thinning *t, unsigned level, size_t s) {
    const size_t *parent = t->parent + level * t->count;
    while (parent[s] != s) s = parent[s];
    return s;
}

static struct component *component(const struct thinning *t, unsigned level, size_t s) {
    return &t->components[level * t->count + root(t, level, s)];
}

/* Calls `visit` for each step from a segment to the next. */
static void for_each_step(struct thinning *t, void (*visit)(struct thinning *t, size_t from, size_t to)) {
    for (size_t s = 0; s < t->count; s++) {
        const struct flow_block *b = &t->flow.blocks[t->segments[s].block];
        if (t->segments[s].operation) {
            visit(t, s, s + 1);
            continue;
        }
        for (size_t i = 0; i < b->successor_count; i++) visit(t, s, t->first[b->successors[i]]);
    }
}

static void join(struct thinning *t, size_t from, size_t to) {
    for (unsigned k = 1; k <= t->segments[from].level && k <= t->segments[to].level; k++)
        t->parent[k * t->count + root(t, k, from)] = root(t, k, to);
}

static void count_exits(struct thinning *t, size_t from, size_t to) {
    for (unsigned k = t->segments[to].level + 1; k <= t->segments[from].level; k++)
        component(t, k, from)->exits++;
}

static void find_components(struct thinning *t) {
    size_t cells = (t->top + 1) * t->count;
    t->parent = allocate(NULL, cells * sizeof *t->parent);
    t->components = allocate(NULL, cells * sizeof *t->components);
    memset(t->components, 0, cells * sizeof *t->components);
    for (size_t i = 0; i < cells; i++) t->parent[i] = i % t->count;
    for_each_step(t, join);
    for_each_step(t, count_exits);
    for (size_t s = 0; s < t->count; s++) {
        const struct segment *g = &t->segments[s];
        if (g->operation || !t->uniformity.divergent[g->block]) continue;
        for (unsigned k = 1; k <= g->level; k++) component(t, k, s)->parts = true;
        component(t, g->level, s)->divergent = g->level > 0;
    }
    for (size_t s = 0; s < t->count; s++)
        for (unsigned k = 1; k < t->segments[s].level; k++) {
            const struct component *inner = component(t, k + 1, s);
            component(t, k, s)->left_anyhow |= inner->parts && inner->exits > 1;
        }
}

static bool is_uniform(const struct thinning *t, unsigned level, size_t s) {
    const struct component *c = component(t, level, s);
    return !c->divergent && !c->left_anyhow;
}

static void replace_lower(LLVMValueRef operation, unsigned levels) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(operation));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    char text[64], none[] = "";
    int size = snprintf(text, sizeof text, "mcr p7, 0, r0, c3, c%u, 1", levels);
    LLVMValueRef assembly =
        LLVMGetInlineAsm(type, text, (size_t)size, none, 0, true, false, LLVMInlineAsmDialectATT, false);
    LLVMPositionBuilderBefore(builder, operation);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(operation));
    LLVMBuildCall2(builder, type, assembly, NULL, 0, "");
    LLVMDisposeBuilder(builder);
    LLVMInstructionEraseFromParent(operation);
}

static void rewrite(const struct thinning *t, size_t s) {
    LLVMValueRef operation = t->segments[s].operation;
    unsigned from = t->segments[s].level, to = t->segments[s + 1].level, kept = 0;
    if (to > from) {
        if (is_uniform(t, to, s + 1)) LLVMInstructionEraseFromParent(operation);
        return;
    }
    for (unsigned k = to + 1; k <= from; k++) kept += !is_uniform(t, k, s);
    if (kept == from - to) return;
    if (!kept)
        LLVMInstructionEraseFromParent(operation);
    else if (operation_of(operation).levels)
        replace_lower(operation, kept);
}

static void thin(LLVMValueRef function, const struct value_map *varying) {
    struct thinning t = {0};
    flow_read(&t.flow, function);
    uniformity_find(&t.uniformity, &t.flow, varying);
    read_segments(&t);
    if (set_levels(&t, 0, 0)) {
        find_components(&t);
        for (size_t s = 0; s < t.count; s++)
            if (t.segments[s].operation && t.segments[s].level != UNKNOWN_LEVEL) rewrite(&t, s);
    }
    free(t.segments);
    free(t.first);
    free(t.parent);
    free(t.components);
    uniformity_free(&t.uniformity);
    flow_free(&t.flow);
}

/* Marks the parameters that get varying values in a call; returns whether there are new ones. */
static bool pass_on(const struct uniformity *u, LLVMValueRef i, struct value_map *varying) {
    LLVMValueRef called = call_graph_called(i);
    bool changed = false;
    if (!called || LLVMIsDeclaration(called)) return false;
    for (unsigned k = 0; k < LLVMCountParams(called) && k < LLVMGetNumArgOperands(i); k++) {
        LLVMValueRef parameter = LLVMGetParam(called, k);
        if (uniformity_of(u, LLVMGetOperand(i, k)) || value_map_get(varying, parameter) == true) continue;
        value_map_set(varying, parameter, true);
        changed = true;
    }
    return changed;
}

static bool pass_on_all(LLVMValueRef function, struct value_map *varying) {
    struct flow flow;
    struct uniformity u;
    bool changed = false;
    flow_read(&flow, function);
    uniformity_find(&u, &flow, varying);
    for (size_t b = 0; b < flow.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(flow.blocks[b].llvm); i; i = LLVMGetNextInstruction(i))
            changed |= pass_on(&u, i, varying);
    uniformity_free(&u);
    flow_free(&flow);
    return changed;
}

#define FOR_EACH_DEFINITION(f, module)                                                                       \
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))                       \
        if (!LLVMIsDeclaration(f))

void priority_operations_thin(LLVMModuleRef module) {
    struct value_map varying = {0}; /* parameters */
    for (bool changed = true; changed;) {
        changed = false;
        FOR_EACH_DEFINITION(f, module) changed |= pass_on_all(f, &varying);
    }
    FOR_EACH_DEFINITION(f, module) thin(f, &varying);
    value_map_free(&varying);
}
