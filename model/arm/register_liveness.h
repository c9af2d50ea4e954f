/*
 * register_liveness: the cycles in which the vector registers of a warp were live, that is, held a value that
 * was read later. Some of these cycles are protected: a second copy of a scalar was available for comparison
 * (uniform §5.4, Fig. 15).
 *
 * The cycles of a register are counted at the read that ends its live time. A partial write does not end the
 * life of the old value, which other threads still have. Cycles are those in which first rounds start.
 */
#ifndef MODEL_ARM_REGISTER_LIVENESS_H
#define MODEL_ARM_REGISTER_LIVENESS_H

#include "model/arm/arm.h"

struct register_cycles {
    uint64_t live, protected;
};

/* State of one warp. */
struct register_liveness {
    struct register_life {
        uint64_t since;     /* cycle of the last write or read */
        uint64_t protected; /* protected cycles since then */
    } life[ARM_REGISTERS];
};

/* Resets all registers in cycle t. */
void register_liveness_start(struct register_liveness *l, uint64_t t);
/* Counts reads of registers; those in `protected` are protected at cycle t. */
void register_liveness_read(struct register_liveness *l, uint64_t registers, uint64_t protected, uint64_t t,
                            struct register_cycles *sum);
/* Notes that registers have a new value in every thread. */
void register_liveness_written(struct register_liveness *l, uint64_t registers, uint64_t t);
/* Notes that a register has lost its protection but not its value. */
void register_liveness_exposed(struct register_liveness *l, unsigned reg, uint64_t t);

#endif
