#include "compiler/ir/latches.h"

#include "compiler/ir/postdominators.h"
#include "compiler/driver/trouble.h"
#include "compiler/ir/value_map.h"

#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The blocks of a function as numbers in their order. Dominators are post-dominators of the reversed
 * graph. */
struct graph {
    LLVMBasicBlockRef *blocks;
    struct postdominators_edge *reversed;
    size_t *dominator, count, edge_count;
};

static void graph_read(struct graph *g, LLVMValueRef function) {
    struct value_map index = {0};
    *g = (struct graph){.count = LLVMCountBasicBlocks(function)};
    g->blocks = allocate(NULL, g->count * sizeof *g->blocks);
    g->dominator = allocate(NULL, g->count * sizeof *g->dominator);
    LLVMGetBasicBlocks(function, g->blocks);
    for (size_t b = 0; b < g->count; b++) value_map_set(&index, g->blocks[b], b);
    for (size_t b = 0; b < g->count; b++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(g->blocks[b]);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
            g->reversed = grow(g->reversed, g->edge_count, sizeof *g->reversed);
            g->reversed[g->edge_count++] =
                (struct postdominators_edge){value_map_get(&index, LLVMGetSuccessor(last, i)), b};
        }
    }
    value_map_free(&index);
    postdominators_find(g->count, g->reversed, g->edge_count, 0, g->dominator);
}

static void graph_free(struct graph *g) {
    free(g->blocks);
    free(g->reversed);
    free(g->dominator);
}

/* Returns whether an edge leads back to a loop's header: a block that dominates the edge's start. */
static bool returns(const struct graph *g, struct postdominators_edge reversed) {
    size_t b = reversed.to;
    while (b != POSTDOMINATORS_NONE && b != reversed.from) b = g->dominator[b];
    return b == reversed.from;
}

/* Builds an empty inline assembly, which becomes no instruction. */
static void build_pin(const struct module *m, LLVMBuilderRef builder) {
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), NULL, 0, false);
    LLVMValueRef nothing = LLVMGetInlineAsm(type, "", 0, "", 0, true, false, LLVMInlineAsmDialectATT, false);
    module_mark_place(m, LLVMBuildCall2(builder, type, nothing, NULL, 0, ""));
}

static void make_latch(const struct graph *g, size_t header, const struct module *m, LLVMBuilderRef builder) {
    const unsigned loop = LLVMGetMDKindIDInContext(m->context, "llvm.loop", 9);
    LLVMBasicBlockRef target = g->blocks[header],
                      latch = LLVMInsertBasicBlockInContext(m->context, target, "latch");
    LLVMValueRef last = NULL, facts = NULL;
    for (size_t e = 0; e < g->edge_count; e++) {
        if (g->reversed[e].from != header || !returns(g, g->reversed[e])) continue;
        last = LLVMGetBasicBlockTerminator(g->blocks[g->reversed[e].to]);
        if (LLVMGetMetadata(last, loop)) facts = LLVMGetMetadata(last, loop);
        for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
            if (LLVMGetSuccessor(last, i) == target) LLVMSetSuccessor(last, i, latch);
    }
    LLVMPositionBuilderAtEnd(builder, latch);
    build_pin(m, builder);
    LLVMValueRef back = LLVMBuildBr(builder, target);
    LLVMInstructionSetDebugLoc(back, LLVMInstructionGetDebugLoc(last));
    if (facts) LLVMSetMetadata(back, loop, facts);
}

static void function_latches(const struct module *m, LLVMValueRef function, LLVMBuilderRef builder) {
    struct graph g;
    graph_read(&g, function);
    size_t *back = allocate(NULL, g.count * sizeof *back);
    memset(back, 0, g.count * sizeof *back);
    for (size_t e = 0; e < g.edge_count; e++) back[g.reversed[e].from] += returns(&g, g.reversed[e]);
    for (size_t b = 0; b < g.count; b++)
        if (back[b] > 1) make_latch(&g, b, m, builder);
    free(back);
    graph_free(&g);
}

void latches_make(const struct module *m) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) function_latches(m, f, builder);
    LLVMDisposeBuilder(builder);
}
