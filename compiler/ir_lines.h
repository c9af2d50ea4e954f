/*
 * ir_lines: LLVM IR in text form with a comment "; FILE:LINE" in front of the instructions that come from
 * each source line. It stays valid LLVM IR.
 */
#ifndef COMPILER_IR_LINES_H
#define COMPILER_IR_LINES_H

#include "compiler/text.h"

void ir_lines_add(const char *ir, struct text *annotated);

#endif
