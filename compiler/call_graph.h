/*
 * call_graph: the functions that a function calls, at whatever depth, each once and behind those that it
 * calls itself, so that whatever adds up along calls is found in one pass. Takes time that is linear in the
 * code. In a cycle, which only a library can have, the function that was come to first is the last.
 */
#ifndef COMPILER_CALL_GRAPH_H
#define COMPILER_CALL_GRAPH_H

#include "compiler/value_map.h"

#include <llvm-c/Core.h>

struct call_graph {
    LLVMValueRef *functions; /* the root is the last; declarations are among them */
    size_t count;
    struct value_map index; /* function → its place in `functions` */
};

void call_graph_read(struct call_graph *g, LLVMValueRef root);
void call_graph_free(struct call_graph *g);

/* The function that an instruction calls by its name; NULL: none. */
LLVMValueRef call_graph_called(LLVMValueRef instruction);

#endif
