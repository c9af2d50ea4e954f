/* place: common parts of the reckonings for the places of a machine. */
#ifndef TESTS_RECKONING_PLACE_H
#define TESTS_RECKONING_PLACE_H

#include "model/control/block_twins.h"
#include "sim/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 reckoned_bits;

/* Observer of the blocks of one place. */
struct reckoning_place {
    struct cluster_twins hook;
    void *shadow;         /* shadow of the cluster or SM, which is as its twins' context has it */
    unsigned number;      /* number of the scheduler, unit or channel there */
    struct error **error; /* error of the launch; NULL: no launch has started */
    char name[40];
    uint64_t comparisons;
};

/* Compares an input with its computed value. The first difference of a launch fills its error. */
void reckon(struct reckoning_place *p, const char *input, uint64_t t, reckoned_bits said,
            reckoned_bits reckoned);
/* Compares an input that is one of several, such as a thread's. */
void reckon_of(struct reckoning_place *p, const char *input, unsigned n, uint64_t t, reckoned_bits said,
               reckoned_bits reckoned);

#endif
