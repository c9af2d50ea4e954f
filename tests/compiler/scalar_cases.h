/* scalar_cases: small programs in assembler, each for one rule of scalarization, with expected results. `k:`
 * is a kernel's thunk, whose r0 is the argument block; other labels before `bl` are functions. An expectation
 * is a list of
 *
 *   a=s  a=v          the instruction at label a is scalar, is a vector instruction
 *   a.r1=s            the value that it writes to r1 is a scalar (v: a vector)
 *   a.r1==b.r2        both are in one register; a.r1!=b.r2: not
 *   a<r1  a!<r1       a reads r1, does not read r1; a>r1, a!>r1: writes
 *   V=2  S=3          numbers of vector and scalar registers of the kernel */
#ifndef TESTS_COMPILER_SCALAR_CASES_H
#define TESTS_COMPILER_SCALAR_CASES_H

#include "compiler/driver/compile.h"

struct scalar_case {
    const char *name; /* message if the rule is dropped */
    enum compile_scalarize rule;
    const char *code, *expected;
};

extern const struct scalar_case scalar_cases[];
extern const unsigned scalar_case_count;

#endif
