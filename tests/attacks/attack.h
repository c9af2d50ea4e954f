/*
 * attack: what the tests share that try many random cases: seeds, bounded numbers and time, the command that
 * repeats one case, bytes that are changed at random.
 *
 * Case i of a test is made from SEED + i alone. LOCKSTEP_CASES=N takes N cases, else LOCKSTEP_LONG=1 the many
 * of the long form; a test stops after LOCKSTEP_SECONDS (default: 8, in the long form 300) and says how far
 * it came. `build/tests/test_NAME TEST` runs one test only.
 */
#ifndef TESTS_ATTACKS_ATTACK_H
#define TESTS_ATTACKS_ATTACK_H

#include "tests/seed.h"

#include <stdbool.h>

struct attack {
    const char *test;
    uint64_t seed; /* of case 0 */
    unsigned count, all;
    double deadline;
};

/* In a build with sanitizers what they find ends a program with the status of SIGABRT, 134. */
struct attack attack_start(const char *test, unsigned some, unsigned all);
/* Is there a next case? It is then the running one. */
bool attack_next(struct attack *a);
/* The random numbers of the running case. */
struct seed attack_seed(const struct attack *a);
/* Ends the test: what was wrong, and the command that repeats the case. */
void attack_fail(const struct attack *a, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
/* Prints the seeds that were taken and what was found. */
void attack_end(const struct attack *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs the tests, or those named like argv[1]. */
#define attack_run(argc, argv, tests)                                                                        \
    (cmocka_set_test_filter((argc) > 1 ? (argv)[1] : NULL), cmocka_run_group_tests(tests, NULL, NULL))

/* A file's bytes, with a zero behind them (to be freed); and a file of these bytes. */
char *attack_read(const char *path, size_t *size);
void attack_write(const char *path, const void *bytes, size_t size);

/* Changes bytes, of an array that is reallocated as needed, in one to a few places: flips bits, writes values
 * that are often wrong, cuts out, repeats, exchanges, cuts off. */
void attack_mutate(struct seed *s, char **bytes, size_t *size);

#endif
