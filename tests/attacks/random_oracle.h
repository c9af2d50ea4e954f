/* random_oracle: the kernels of a batch under qemu-arm, the oracle, which runs the same ARM code. */
#ifndef TESTS_ATTACKS_RANDOM_ORACLE_H
#define TESTS_ATTACKS_RANDOM_ORACLE_H

#include "tests/attacks/random_batch.h"

/* Returns the number of kernels of the batch that leave other memory under the oracle, which runs their
 * work-items or, with `twin`, the twins for whole work-groups. With `say`, prints a message for each. */
unsigned random_oracle_differences(struct random_batch *b, bool twin, bool say);

#endif
