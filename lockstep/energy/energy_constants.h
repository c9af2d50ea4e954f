/*
 * energy_constants: the energy of events, in sets with one source each. The sets differ by factors of 10 to
 * 100: no single figure is reliable; print several, and compare ratios.
 */
#ifndef LOCKSTEP_ENERGY_CONSTANTS_H
#define LOCKSTEP_ENERGY_CONSTANTS_H

#include "sim/error.h"

#include <stddef.h>

/* Constants in picojoules, except leakage. A negative value is replaced by the value of the memories' model
 * (synthesis/sram.h). */
#define ENERGY_CONSTANTS(X)                                                                                  \
    X(integer, "data processing, branches, addresses, and what else an ALU does")                            \
    X(multiply, "an integer multiplication")                                                                 \
    X(divide, "an integer division")                                                                         \
    X(vfp_move, "a move between registers")                                                                  \
    X(vfp_add, "an addition, comparison or conversion")                                                      \
    X(vfp_multiply_single, "a multiplication of 32 bits")                                                    \
    X(vfp_multiply_double, "a multiplication of 64 bits")                                                    \
    X(vfp_chained_single, "a chained multiplication and addition of 32 bits")                                \
    X(vfp_chained_double, "a chained multiplication and addition of 64 bits")                                \
    X(vfp_divide_single, "a division or square root of 32 bits")                                             \
    X(vfp_divide_double, "a division or square root of 64 bits")                                             \
    X(instruction, "fetch (without the L1I), decode and control of an instruction")                          \
    X(idle_cycle, "a cycle in which a lane starts nothing")                                                  \
    X(register_read, "a register of 32 bits read")                                                           \
    X(register_write, "a register of 32 bits written")                                                       \
    X(scalar_read, "a scalar register read (uniform.storage srf)")                                           \
    X(scalar_write, "a scalar register written")                                                             \
    X(memory_line, "64 bytes to or from main memory; a burst of DRAM takes its share")                       \
    X(crossbar_flit, "32 bytes through a crossbar")                                                          \
    X(leakage_mw_per_mm2, "leakage of logic: mW a mm2")

struct energy_constants {
    const char *name, *source;
#define FIELD(name, what) double name;
    ENERGY_CONSTANTS(FIELD)
#undef FIELD
};

#define ENERGY_SETS 2
extern const struct energy_constants energy_sets[ENERGY_SETS]; /* horowitz, mcpat */

/* Reads the set of that name, or the file with that path: lines `name: value  # comment` that override the
 * first set. Returns false with *e (EXIT_USER), with file and line, for an unknown name, a value that is not
 * a number, or a repeated name. */
bool energy_constants_read(struct energy_constants *c, const char *name, struct error *e);

#endif
