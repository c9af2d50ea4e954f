/*
 * local_memory_arbiter: the threads that local memory serves in a cycle, of the rounds that lane groups
 * present (lanes.md §2).
 *
 * Group l presents the threads from l · group on, with group = lanes / groups. The groups are served in turn
 * from `turn` on, their threads in ascending order. Each thread takes the bank of its word if the bank is
 * free; all threads that need the same word of a bank are served. A word's bank is its number modulo `banks`.
 */
#ifndef MODEL_CONTROL_LOCAL_MEMORY_ARBITER_H
#define MODEL_CONTROL_LOCAL_MEMORY_ARBITER_H

#include "generated/local_memory_arbiter_ports.h"

#define LOCAL_MEMORY_ARBITER_BANKS 64 /* largest number of banks */

struct local_memory_arbiter_config { /* the parameters of rtl/local_memory_arbiter.sv */
    unsigned lanes;                  /* 1 to 32 */
    unsigned groups;                 /* 1 to 16, divides the lanes */
    unsigned banks;                  /* 1 to 64, a power of two */
};

struct local_memory_arbiter {
    struct local_memory_arbiter_config cfg;
    struct local_memory_arbiter_in in; /* ports: rtl/local_memory_arbiter.sv */
    struct local_memory_arbiter_out out;
};

void local_memory_arbiter_init(struct local_memory_arbiter *a,
                               const struct local_memory_arbiter_config *config);
void local_memory_arbiter_eval(struct local_memory_arbiter *a); /* combinational: in → out */

#endif
