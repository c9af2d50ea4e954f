/* seed: random numbers of a test, different in every run. A run prints the seed with which it can be
 * repeated. */
#ifndef TESTS_SEED_H
#define TESTS_SEED_H

#include "sim/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

/* Returns the seed in the environment variable SEED, or one from the clock. */
static inline struct seed seed_start(void) {
    const char *given = getenv("SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    print_message("repeat with SEED=%llu\n", (unsigned long long)seed);
    return seed_of(seed);
}

#endif
