/*
 * register_liveness: for how many cycles the vector registers of a warp were live, that is, held a value that
 * was read later, and for how many of these they were protected, since a second copy of a scalar was there to
 * compare with (uniform §5.4, Fig. 15).
 *
 * A cycle of a register counts when the read that makes it live comes. A partial write does not end the life
 * of the old value, which other threads still have. Cycles are those in which first rounds start.
 */
#ifndef MODEL_ARM_REGISTER_LIVENESS_H
#define MODEL_ARM_REGISTER_LIVENESS_H

#include "model/arm/arm.h"

struct register_cycles {
    uint64_t live, protected;
};

/* Of a warp. */
struct register_liveness {
    struct register_life {
        uint64_t since;     /* last write, or last read */
        uint64_t protected; /* cycles since then up to the loss of the protection */
    } life[ARM_REGISTERS];
};

/* All registers are new in cycle t. */
void register_liveness_start(struct register_liveness *l, uint64_t t);
/* Registers are read; those in `protected` are protected now. */
void register_liveness_read(struct register_liveness *l, uint64_t registers, uint64_t protected, uint64_t t,
                            struct register_cycles *sum);
/* Every thread has a new value. */
void register_liveness_written(struct register_liveness *l, uint64_t registers, uint64_t t);
/* A register loses the protection, not its value. */
void register_liveness_exposed(struct register_liveness *l, unsigned reg, uint64_t t);

#endif
