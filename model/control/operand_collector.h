/*
 * operand_collector: collects the source vTPOs of warp instructions before their rounds (dual-mode §3.5;
 * timing.md §O): the order of instructions, the vTPOs that each read port of the TPM reads, and the free
 * buffers.
 *
 * A unit follows this block with --exact-steps and with twins. Otherwise it computes these cycles itself
 * (model/slots/contexts/tpm.c), and so does the fast pipeline (model/fast/front.c), with equal cycle numbers
 * and counters.
 *
 * Known inaccuracy: buffers hold no words, only the owner of words while they are read. No result depends on
 * this: the warp is in Execution, so its registers do not change before its first round, which reads them.
 */
#ifndef MODEL_CONTROL_OPERAND_COLLECTOR_H
#define MODEL_CONTROL_OPERAND_COLLECTOR_H

#include "generated/operand_collector_ports.h"

struct operand_collector_config { /* the parameters of rtl/operand_collector.sv */
    unsigned collectors, read_ports, read_latency, vtpo_lines;
};

/* --- parameters, ports and flip-flops --- */

struct operand_collector {
    struct operand_collector_config cfg;
    struct operand_collector_in in; /* ports and flip-flops are described in rtl/operand_collector.sv */
    struct operand_collector_out out;
    struct operand_collector_state q, d;
};

/* --- functions --- */

void operand_collector_init(struct operand_collector *o, const struct operand_collector_config *config);
void operand_collector_eval(struct operand_collector *o);  /* in, q → out, d */
void operand_collector_clock(struct operand_collector *o); /* d → q: the edge */

/* Returns the vTPOs that lines `first` to first + count − 1 belong to (bits as in
 * model/config/arm_classes.h). The sources' lines are in order: vtpo_lines for each source, one for a
 * scalar. */
uint64_t operand_collector_batch(uint64_t sources, uint64_t scalars, unsigned vtpo_lines, unsigned first,
                                 unsigned count);

#endif
