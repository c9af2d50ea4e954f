/*
 * scalar_scheduler: selects the scalar thread of a scalar unit whose instruction issues (scalar-unit.md
 * §4.1).
 *
 * The unit works in the cluster's cycles whose numbers are multiples of the divisor; the block has the low
 * bits of the number as an input. In such a cycle it takes the first ready thread after the one it took last,
 * in turn. A thread is ready if its next instruction is in its buffer and its sources are available; the unit
 * reports this.
 */
#ifndef MODEL_CONTROL_SCALAR_SCHEDULER_H
#define MODEL_CONTROL_SCALAR_SCHEDULER_H

#include "generated/scalar_scheduler_ports.h"

struct scalar_scheduler_config { /* the parameters of rtl/scalar_scheduler.sv */
    unsigned threads;            /* 1 to 64 */
    unsigned divisor;            /* 1, 2, 4, 8 */
};

struct scalar_scheduler {
    struct scalar_scheduler_config cfg;
    struct scalar_scheduler_in in; /* ports and flip-flops: rtl/scalar_scheduler.sv */
    struct scalar_scheduler_out out;
    struct scalar_scheduler_state q, d;
};

void scalar_scheduler_init(struct scalar_scheduler *s, const struct scalar_scheduler_config *config);
void scalar_scheduler_eval(struct scalar_scheduler *s);  /* in, q → out, d */
void scalar_scheduler_clock(struct scalar_scheduler *s); /* d → q: the edge */

#endif
