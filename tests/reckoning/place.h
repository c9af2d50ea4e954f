/* place: what the reckonings of the places of a machine share. */
#ifndef TESTS_RECKONING_PLACE_H
#define TESTS_RECKONING_PLACE_H

#include "model/control/block_twins.h"
#include "sim/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 reckoned_bits;

/* What runs beside the blocks of one place. */
struct reckoning_place {
    struct cluster_twins hook;
    void *shadow;         /* of the cluster or SM, which is as its twins' context has it */
    unsigned number;      /* of the scheduler, unit or channel there */
    struct error **error; /* of the launch; NULL there: none has begun */
    char name[40];
    uint64_t comparisons;
};

/* An input must be what was reckoned. The first difference of a launch fills its error. */
void reckon(struct reckoning_place *p, const char *input, uint64_t t, reckoned_bits said,
            reckoned_bits reckoned);
/* Likewise of an input that is one of several, such as a thread's. */
void reckon_of(struct reckoning_place *p, const char *input, unsigned n, uint64_t t, reckoned_bits said,
               reckoned_bits reckoned);

#endif
