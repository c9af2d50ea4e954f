/*
 * code_flow: the control flow of an image's ARM code, function by function: where threads may part, and where
 * they meet again. Reads finished images, so that addresses are those of the machine.
 */
#ifndef COMPILER_CODE_FLOW_H
#define COMPILER_CODE_FLOW_H

#include "compiler/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Symbol in front of the twins, whose threads have nobody to part from. */
#define CODE_FLOW_END "__lockstep_twins"

/* [[branch, meeting], …] by address: each instruction of the SIMT code after which threads may stand at
 * different places, and its immediate post-dominator (of a call the instruction behind it); 0: they leave the
 * function first, may never meet, or meet only where they end. */
json_t *code_flow_branches(const struct text *image);

/* Does it leave its function, for some threads? They meet the others no sooner than behind the call. */
bool code_flow_is_conditional_return(uint32_t instruction);

#endif
