/*
 * operand_collector: collects the source vTPOs of warp instructions before their rounds (dual-mode §3.5;
 * timing.md §O): which instruction when, which vTPOs through how many of the TPM's read ports, and which
 * buffers are free.
 *
 * A path computes ahead what this gives cycle by cycle (model/pipeline/front.c); where it is clocked, with
 * --exact-steps or beside twins, it does what this says, and every cycle number and counter is the same.
 *
 * Known inaccuracy: the words that a buffer holds are not here, only whose they are while they are read.
 * Nothing can tell: the warp is in Execution, so its registers stay as they are until its first round, which
 * reads them.
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

/* The sources' lines in order, vtpo_lines of each, of scalars one: those from `first` on, `count` of them,
 * are of these vTPOs (bit d: of register d). */
uint64_t operand_collector_batch(uint64_t sources, uint64_t scalars, unsigned vtpo_lines, unsigned first,
                                 unsigned count);

#endif
