/*
 * benchmark_checks: benchmark programs that check themselves against C, on the base machine or on PoCL.
 * `words` are a program and its arguments, NULL at the end; a failed check ends the test.
 */
#ifndef TESTS_LOCKSTEP_BENCHMARK_CHECKS_H
#define TESTS_LOCKSTEP_BENCHMARK_CHECKS_H

#include "tests/fixture.h"

enum { BENCHMARK_WORDS = 12, BENCHMARK_SETTINGS = 3 };

/* SIMT mode, as settings. */
extern const char *const benchmark_simt[BENCHMARK_SETTINGS];

/* Runs a program. settings: up to three fields of the machine, NULL after the last; NULL: on PoCL. */
struct spawned benchmark_run(const char *const settings[BENCHMARK_SETTINGS], char *const words[]);
/* Returns the program's line about its result, without the time. */
char *benchmark_passed(const char *const settings[BENCHMARK_SETTINGS], char *const words[]);
/* Checks that the program prints the same in SIMT mode and in MIMD mode with both coalescers. setting: a
 * further field, or NULL. */
void benchmark_says_the_same(const char *setting, char *const words[]);
/* With `to` in place of the only `from` in its kernels it fails. setting: a field, or NULL; in SIMT mode
 * unless that is the mode. */
void benchmark_fails_with(const char *setting, const char *from, const char *to, char *const words[]);
/* Checks that a program refuses its arguments, with a message. */
void benchmark_refuses(const char *says, char *const words[]);
char *benchmark_kernels(const char *name);

#endif
