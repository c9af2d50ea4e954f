/*
 * sm_memories: kinds and numbers of the memories of an SM of a GPU-like machine, for its area and its
 * energy.
 */
#ifndef SYNTHESIS_SM_MEMORIES_H
#define SYNTHESIS_SM_MEMORIES_H

#include "model/config/machine_config.h"
#include "synthesis/sram.h"

struct sm_memory {
    unsigned words, bits, ports, count; /* words, bits of a word and ports of one memory; number of memories
                                           in an SM */
    struct sram sram;                   /* figures of one memory */
};

/* Returns the registers in a row of a bank: one for each thread that executes together. */
unsigned sm_row_registers(const struct machine_config *c);
/* Returns the banks of the vector register file. With vrf.banks 0, which means no conflicts, there is one
 * with three read ports and one write port. */
struct sm_memory sm_register_bank(const struct machine_config *c);
/* Returns the operand collectors, each with three operands of a warp, row by row. */
struct sm_memory sm_operand_collector(const struct machine_config *c);
/* Returns the banks of the local memory, with words of 32 bits. */
struct sm_memory sm_local_bank(const struct machine_config *c);

#endif
