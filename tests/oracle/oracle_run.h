/*
 * oracle_run: has the oracle (oracle.h) run launches, from a test on the host.
 *
 * Start, add what is to be done in order, finish, then read the results in the order in which they were asked
 * for. Any number of launches share one process.
 * Needs: $(B)/tests/oracle_arm
 */
#ifndef TESTS_ORACLE_ORACLE_RUN_H
#define TESTS_ORACLE_ORACLE_RUN_H

#include "tests/oracle/oracle.h"

#include <stddef.h>
#include <stdio.h>

struct oracle {
    char *folder;
    FILE *records, *results;
};

void oracle_start(struct oracle *o);
void oracle_memory(struct oracle *o, uint32_t base, const void *bytes, uint32_t size_bytes);
void oracle_launch(struct oracle *o, const struct oracle_launch *l);
void oracle_result(struct oracle *o, uint32_t base, uint32_t size_bytes);

/* Runs them all. NULL, or what the oracle said when it did not come to the end (to be freed). */
char *oracle_finish(struct oracle *o);
/* The next size_bytes of results; panics if there are no more. */
void oracle_read(struct oracle *o, void *to, uint32_t size_bytes);
void oracle_end(struct oracle *o);

#endif
