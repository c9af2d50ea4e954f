/*
 * scalar_cases: small programs in assembler, each made for one rule of scalarization, with what they must
 * come to. `k:` is a kernel's thunk, whose r0 is the argument block; other labels in front of `bl` are
 * functions. An expectation is a list of
 *
 *   a=s  a=v          the instruction at label a is scalar, is a vector instruction
 *   a.r1=s            the value that it writes to r1 is a scalar (v: a vector)
 *   a.r1==b.r2        both are in one register; a.r1!=b.r2: not
 *   a<r1  a!<r1       r1 is, is not an operand that a reads; a>r1, a!>r1: writes
 *   V=2  S=3          the kernel's vector and scalar registers
 */
#ifndef TESTS_COMPILER_SCALAR_CASES_H
#define TESTS_COMPILER_SCALAR_CASES_H

#include "compiler/driver/compile.h"

struct scalar_case {
    const char *name; /* what fails when it is dropped */
    enum compile_scalarize rule;
    const char *code, *expected;
};

extern const struct scalar_case scalar_cases[];
extern const unsigned scalar_case_count;

#endif
