/*
 * ir_lines: LLVM IR as text with a comment "; FILE:LINE" before the instructions of each source line. The
 * result is valid LLVM IR.
 */
#ifndef COMPILER_IR_LINES_H
#define COMPILER_IR_LINES_H

#include "compiler/driver/text.h"

void ir_lines_add(const char *ir, struct text *annotated);

#endif
