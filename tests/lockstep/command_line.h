/* command_line: output and exit status of a command of Lockstep that needs no simulation. */
#ifndef TESTS_LOCKSTEP_COMMAND_LINE_H
#define TESTS_LOCKSTEP_COMMAND_LINE_H

#include "tests/fixture.h"

/* Asserts the exit status, a part of standard error, and that standard output is empty. Frees s. */
void assert_fails(struct spawned s, int status, const char *part);
/* Asserts exit status 0, a part of standard output, and that standard error is empty. Frees s. */
void assert_works(struct spawned s, const char *part);

#endif
