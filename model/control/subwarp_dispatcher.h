/*
 * subwarp_dispatcher: executes a warp instruction as rounds of spatial sub-warps (dual-mode §3.3; timing.md
 * §X).
 *
 * `in.valid` offers the oldest collected instruction. It is taken when the lanes are free (`out.ready`): then
 * its context (instruction, warp PC) is broadcast (`out.first`) with the first round. A round has in.beats
 * beats, one every in.occupancy cycles. In a beat every thread does the work of one cycle (one register of a
 * multiple access, or the whole instruction). Each beat is broadcast with the thread id j = warp · N_it + v.
 * A beat that the lanes cannot finish in its cycle (in.hold: the memory system refuses it, or ports of the
 * TPM are taken) is offered again in the next cycle. The lanes are free in.occupancy cycles after the last
 * beat, so that the rounds of the next instruction follow without a gap; the operands of the first are needed
 * (out.busy) up to the cycle of its last beat.
 *
 * An instruction with fewer rounds than N_it has the last ones, v = N_it − rounds … N_it − 1. A uniform
 * instruction has one round, that of the threads which hold the value (machine.md §9). No output depends on
 * in.hold.
 */
#ifndef MODEL_CONTROL_SUBWARP_DISPATCHER_H
#define MODEL_CONTROL_SUBWARP_DISPATCHER_H

#include "generated/subwarp_dispatcher_ports.h"
#include "model/config/limits.h"

/* --- parameters, ports and flip-flops --- */

struct subwarp_dispatcher {
    struct {
        unsigned warps;  /* 1–128 */
        unsigned rounds; /* N_it, 1–64 */
    } cfg;
    struct subwarp_dispatcher_in in; /* ports and flip-flops are described in rtl/subwarp_dispatcher.sv */
    struct subwarp_dispatcher_out out;
    struct subwarp_dispatcher_state q, d;
};

/* --- functions --- */

/* warp_size must be a multiple of lanes. */
void subwarp_dispatcher_init(struct subwarp_dispatcher *s, unsigned warps, unsigned warp_size,
                             unsigned lanes);
void subwarp_dispatcher_reset(struct subwarp_dispatcher *s); /* flip-flops and ports: as after init */
void subwarp_dispatcher_eval(struct subwarp_dispatcher *s);  /* in, q → out, d */
void subwarp_dispatcher_clock(struct subwarp_dispatcher *s); /* d → q: the edge */

#endif
