/* counter_private: declarations that the files of the counters share: counter.c (the registry),
 * counter_formula.c (ratios), counter_print.c. */
#ifndef SIM_COUNTER_PRIVATE_H
#define SIM_COUNTER_PRIVATE_H

#include "sim/counter.h"

struct counter_registry {
    struct counter **counters; /* counters in order of registration */
    size_t count, capacity, cells;
    size_t *slots; /* hash of scope and name → index + 1; 0 is free; a power of two, at most half full */
    size_t slot_count;
};

/* Panics if the formula cannot be read. */
void counter_check_formula(const struct counter *c);

#endif
