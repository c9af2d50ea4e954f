/*
 * code_flow: the control flow of an image's ARM code, function by function: where threads may part, and where
 * they meet again. Reads finished images, so that addresses are those of the machine.
 */
#ifndef COMPILER_CODE_FLOW_H
#define COMPILER_CODE_FLOW_H

#include "compiler/code_section.h"
#include "compiler/postdominators.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Symbol in front of the twins, whose threads have nobody to part from. */
#define CODE_FLOW_END "__lockstep_twins"

struct code_flow_function {
    uint32_t begin;
    size_t count;  /* of its instructions and data, which are nodes 0 …; node `count` is its end */
    size_t symbol; /* its name: code_section_name() */
    struct postdominators_edge *edges; /* a node's stand together */
    size_t edge_count;
    size_t *meeting; /* of each node, the immediate post-dominator: postdominators_find() */
};

/* The functions of the SIMT code, by address. */
struct code_flow {
    struct code_flow_function *functions;
    size_t count;
};

void code_flow_read(struct code_flow *flow, const struct code_section *c);
void code_flow_free(struct code_flow *flow);

/* The node where threads that part at a node meet inside the function; its end: nowhere, or only where they
 * end. */
size_t code_flow_meeting(const struct code_flow_function *f, const struct code_section *c, size_t node);

bool code_flow_is_branch(uint32_t instruction);                    /* B */
bool code_flow_is_call(uint32_t instruction);                      /* BL */
uint32_t code_flow_target(uint32_t instruction, uint32_t address); /* where either goes */
bool code_flow_ends_thread(uint32_t instruction);

/* [[branch, meeting], …] by address: each instruction of the SIMT code after which threads may stand at
 * different places, and its immediate post-dominator (of a call the instruction behind it); 0: they leave the
 * function first, may never meet, or meet only where they end. */
json_t *code_flow_branches(const struct text *image);

/* Does it leave its function, for some threads? They meet the others no sooner than behind the call. */
bool code_flow_is_conditional_return(uint32_t instruction);

#endif
