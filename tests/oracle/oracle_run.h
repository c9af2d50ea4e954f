/* oracle_run: runs launches under the oracle (oracle.h), from a test on the host.
 *
 * Start, add records in order, finish, then read the results in the order of the requests. Any number of
 * launches share one process.
 * Needs: $(B)/tests/oracle_arm */
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

/* Runs all records. Returns NULL, or the oracle's messages if it failed (to be freed). */
char *oracle_finish(struct oracle *o);
/* Reads the next size_bytes of results; panics if there are no more. */
void oracle_read(struct oracle *o, void *to, uint32_t size_bytes);
void oracle_end(struct oracle *o);

#endif
