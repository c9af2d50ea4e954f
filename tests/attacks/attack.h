/* attack: common parts of tests with many random cases: seeds, bounded numbers of cases and time, the command
 * that repeats a case, random changes of bytes.
 *
 * Case i of a test depends only on SEED + i. LOCKSTEP_CASES=N runs N cases, otherwise LOCKSTEP_LONG=1 runs
 * the long form. A test stops after LOCKSTEP_SECONDS (default: 8, in the long form 300) and prints how many
 * cases it has run. `build/tests/test_NAME TEST` runs one test only. */
#ifndef TESTS_ATTACKS_ATTACK_H
#define TESTS_ATTACKS_ATTACK_H

#include "tests/seed.h"

#include <stdbool.h>

struct attack {
    const char *test;
    uint64_t seed; /* seed of case 0 */
    unsigned count, all;
    double deadline;
};

/* Starts a test. In a build with sanitizers, a finding ends a program with the status of SIGABRT, 134. */
struct attack attack_start(const char *test, unsigned some, unsigned all);
/* Starts the next case. Returns false if there is none. */
bool attack_next(struct attack *a);
/* Returns the random numbers of the current case. */
struct seed attack_seed(const struct attack *a);
/* Fails the test with a message and the command that repeats the case. */
void attack_fail(const struct attack *a, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
/* Prints the seeds used, and results. */
void attack_end(const struct attack *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs all tests, or those whose name is argv[1]. */
#define attack_run(argc, argv, tests)                                                                        \
    (cmocka_set_test_filter((argc) > 1 ? (argv)[1] : NULL), cmocka_run_group_tests(tests, NULL, NULL))

/* Return the bytes of a file, followed by a zero (to be freed); write a file with these bytes. */
char *attack_read(const char *path, size_t *size);
void attack_write(const char *path, const void *bytes, size_t size);

/* Changes an array of bytes in one or a few places: flips bits, writes values that are often wrong, deletes,
 * repeats, exchanges, truncates. The array is reallocated if needed. */
void attack_mutate(struct seed *s, char **bytes, size_t *size);

#endif
