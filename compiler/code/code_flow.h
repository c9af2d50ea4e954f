/*
 * code_flow: the control flow of an image's ARM code, function by function: instructions after which threads
 * may diverge, and their reconvergence points. Reads finished images, so that addresses are those of the
 * machine.
 */
#ifndef COMPILER_CODE_FLOW_H
#define COMPILER_CODE_FLOW_H

#include "compiler/code/code_section.h"
#include "compiler/ir/postdominators.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Symbol before the twins, whose threads cannot diverge. */
#define CODE_FLOW_END "__lockstep_twins"

struct code_flow_function {
    uint32_t begin;
    size_t count;  /* number of instructions and data words, which are nodes 0 …; node `count` is the end */
    size_t symbol; /* index of the name: code_section_name() */
    struct postdominators_edge *edges; /* sorted by `from` */
    size_t edge_count;
    size_t *meeting; /* immediate post-dominator of each node: postdominators_find() */
};

/* Functions of the SIMT code, by address. */
struct code_flow {
    struct code_flow_function *functions;
    size_t count;
};

void code_flow_read(struct code_flow *flow, const struct code_section *c);
void code_flow_free(struct code_flow *flow);

/* Returns the node inside the function where threads that diverge at a node reconverge; the function's end if
 * there is none. */
size_t code_flow_meeting(const struct code_flow_function *f, const struct code_section *c, size_t node);

bool code_flow_is_branch(uint32_t instruction);                    /* B */
bool code_flow_is_call(uint32_t instruction);                      /* BL */
uint32_t code_flow_target(uint32_t instruction, uint32_t address); /* target of either */
bool code_flow_ends_thread(uint32_t instruction);

/* Returns [[branch, meeting], …] by address: each instruction of the SIMT code after which threads may
 * diverge, and its immediate post-dominator (for a call the instruction after it); 0: they leave the function
 * first, may never meet, or meet only where they end. */
json_t *code_flow_branches(const struct text *image);

/* Returns whether the instruction leaves its function for some threads only. They reconverge with the others
 * after the call at the earliest. */
bool code_flow_is_conditional_return(uint32_t instruction);

#endif
