/*
 * sm_memories: the memories that an SM of a GPU-like machine is made of, and how many, for its area and its
 * energy.
 */
#ifndef SYNTHESIS_SM_MEMORIES_H
#define SYNTHESIS_SM_MEMORIES_H

#include "model/config/machine_config.h"
#include "synthesis/sram.h"

struct sm_memory {
    unsigned words, bits, ports, count; /* of one; how many an SM has */
    struct sram sram;                   /* of one */
};

/* Registers of as many threads as execute together: a row of a bank. */
unsigned sm_row_registers(const struct machine_config *c);
/* Banks of the vector register file. One that never conflicts (vrf.banks 0) has three ports to read and one
 * to write. */
struct sm_memory sm_register_bank(const struct machine_config *c);
/* Operand collectors: three operands of a warp each, row by row. */
struct sm_memory sm_operand_collector(const struct machine_config *c);
/* Banks of the local memory: a word of 32 bits each. */
struct sm_memory sm_local_bank(const struct machine_config *c);

#endif
