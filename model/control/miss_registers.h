/*
 * miss_registers: the miss status holding registers of a non-blocking cache (gpu-like.md §4): the block
 * decides which load joins a pending miss, which takes a register, which must wait, and which loads an
 * arriving line answers.
 *
 * The L1D of an SM (model/memory/non_blocking_cache.c) makes the same decisions when a request or an answer
 * arrives. With --exact-steps and with twins, its decisions are checked against this block in every cycle.
 */
#ifndef MODEL_CONTROL_MISS_REGISTERS_H
#define MODEL_CONTROL_MISS_REGISTERS_H

#include "generated/miss_registers_ports.h"
#include "model/control/block_twins.h"

#define MISS_REGISTERS_MAX        64
#define MISS_REGISTERS_MAX_MERGES 64

/* --- parameters, ports and flip-flops --- */

/* Contents of the flip-flops, by register. */
struct miss_registers_values {
    uint64_t taken, open; /* bit m: register m */
    uint32_t line[MISS_REGISTERS_MAX], count[MISS_REGISTERS_MAX];
};

struct miss_registers {
    struct {
        unsigned mshrs, merges; /* 1–64 */
    } cfg;
    struct miss_registers_in in; /* ports, flip-flops and memory are described in rtl/miss_registers.sv */
    struct miss_registers_out out;
    struct miss_registers_state q; /* points to `now` */
    struct miss_registers_values now, d;
    struct miss_registers_row {
        uint32_t request[MISS_REGISTERS_MAX_MERGES];
    } row[MISS_REGISTERS_MAX];
    block_rows written;                           /* bit m: row m changes in this cycle */
    uint32_t answered[MISS_REGISTERS_MAX_MERGES]; /* out.request */
};

/* --- functions --- */

/* Initialises in place, with all registers free: the structure points to itself and must not be copied. */
void miss_registers_init(struct miss_registers *r, unsigned mshrs, unsigned merges);
void miss_registers_eval(struct miss_registers *r); /* in, q → out, d */
/* Does the part of the edge that writes rows, once after the evaluation. Rows are not read between this call
 * and the edge. */
void miss_registers_write(struct miss_registers *r);
void miss_registers_clock(struct miss_registers *r); /* d → q: the rest of the edge; clears the inputs */

#endif
