#include "compiler/ir/call_graph.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>

LLVMValueRef call_graph_called(LLVMValueRef instruction) {
    return LLVMIsACallInst(instruction) ? LLVMIsAFunction(LLVMGetCalledValue(instruction)) : NULL;
}

static void visit(struct call_graph *g, LLVMValueRef function) {
    if (value_map_get(&g->index, function) != VALUE_MAP_NONE) return;
    value_map_set(&g->index, function, 0);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef called = call_graph_called(i);
            if (called) visit(g, called);
        }
    value_map_set(&g->index, function, g->count);
    g->functions = grow(g->functions, g->count, sizeof(LLVMValueRef));
    g->functions[g->count++] = function;
}

void call_graph_read(struct call_graph *g, LLVMValueRef root) {
    *g = (struct call_graph){0};
    visit(g, root);
}

void call_graph_free(struct call_graph *g) {
    free(g->functions);
    value_map_free(&g->index);
    *g = (struct call_graph){0};
}
