/*
 * statement_cases: functions in which each kind of statement stands inside each other one and is left in each
 * way there is: by its end, break, continue, return and goto; behind work or as the only thing in a branch;
 * in a helper function and in the kernel itself. Each case is a kernel kN(__global int *a, int n, int fuel)
 * on 16 words, for each n another way through. A program that holds them declares or defines probe(id), which
 * marks a point that must be reached at one priority level only, and KERNEL_HEAD, what a kernel begins with.
 */
#ifndef TESTS_COMPILER_STATEMENT_CASES_H
#define TESTS_COMPILER_STATEMENT_CASES_H

#include <stddef.h>

enum { CASE_STATEMENTS = 17, CASE_EXITS = 6, CASE_WAYS = 2 * (2 * CASE_EXITS - 1), CASE_WORDS = 16 };

struct program_text {
    char data[1 << 20];
    size_t size;
    unsigned probes; /* used so far */
};

void program_add(struct program_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Kernel number k: statement `inner` inside `outer`, left in one of CASE_WAYS. */
void statement_case(struct program_text *t, unsigned k, unsigned outer, unsigned inner, unsigned way);

#endif
