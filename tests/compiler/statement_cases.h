/* statement_cases: functions in which each kind of statement is nested in each other kind and is left in
 * every possible way: at its end, by break, continue, return and goto; after work or by the only statement of
 * a branch; in a helper function and in the kernel itself. Each case is a kernel kN(__global int *a, int n,
 * int fuel) on 16 words; each n selects another path. A program with the cases declares or defines probe(id)
 * and KERNEL_HEAD, the first statements of a kernel. probe(id) marks a point that must have the same priority
 * level on every path. */
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

/* Prints kernel number k: statement `inner` inside `outer`, left in one of CASE_WAYS. */
void statement_case(struct program_text *t, unsigned k, unsigned outer, unsigned inner, unsigned way);

#endif
