/*
 * call_graph: the functions that a function calls, directly or indirectly, each once and after its own
 * callees, so that sums along calls need one pass. Takes time linear in the code. In a cycle, which only a
 * library can contain, the function visited first is the last.
 */
#ifndef COMPILER_CALL_GRAPH_H
#define COMPILER_CALL_GRAPH_H

#include "compiler/ir/value_map.h"

#include <llvm-c/Core.h>

struct call_graph {
    LLVMValueRef *functions; /* the root is the last; includes declarations */
    size_t count;
    struct value_map index; /* function → index in `functions` */
};

void call_graph_read(struct call_graph *g, LLVMValueRef root);
void call_graph_free(struct call_graph *g);

/* Returns the function that an instruction calls directly; NULL if none. */
LLVMValueRef call_graph_called(LLVMValueRef instruction);

#endif
