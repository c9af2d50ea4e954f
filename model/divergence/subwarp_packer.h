/* subwarp_packer: divides the threads of a warp with more threads than lanes into sub-warps, which the lanes
 * execute one after the other (divergence.md §4, lwm; Narasiman et al. 2011).
 *
 * Thread n is in lane n mod lanes, row n div lanes. In each round, every lane takes its remaining thread in
 * the lowest row. The number of sub-warps is thus the number of threads in the fullest lane. A large warp
 * (lwm) is a warp of a re-convergence stack with this packer. */
#ifndef MODEL_DIVERGENCE_SUBWARP_PACKER_H
#define MODEL_DIVERGENCE_SUBWARP_PACKER_H

#include "generated/subwarp_packer_ports.h"
#include "model/divergence/re_convergence_stack.h"

#define SUBWARP_PACKER_MAX_ROWS RE_CONVERGENCE_STACK_MAX_WARP_SIZE

/* Returns the next sub-warp of the remaining threads; 0 if there are none. */
static inline re_convergence_mask subwarp_packer_next(re_convergence_mask mask, unsigned lanes) {
    const uint64_t row = ~0ull >> (64 - lanes);
    re_convergence_mask subwarp = 0;
    uint64_t taken = 0;
    for (unsigned at = 0; at < RE_CONVERGENCE_STACK_MAX_WARP_SIZE && mask >> at; at += lanes) {
        const uint64_t its = (uint64_t)(mask >> at) & row & ~taken;
        subwarp |= (re_convergence_mask)its << at;
        taken |= its;
    }
    return subwarp;
}

/* --- the block with the ports of its Verilog, for twins --- */

struct subwarp_packer {
    struct {
        unsigned lanes, rows; /* 1–32 lanes; 1–128 threads in all */
    } cfg;
    struct subwarp_packer_in in; /* ports: rtl/subwarp_packer.sv */
    struct subwarp_packer_out out;
    uint32_t mask[SUBWARP_PACKER_MAX_ROWS]; /* arrays for `in` and `out`, row by row */
    uint32_t subwarp[SUBWARP_PACKER_MAX_ROWS], rest[SUBWARP_PACKER_MAX_ROWS];
};

/* Initialises in place: the structure points to itself and must not be copied. */
void subwarp_packer_init(struct subwarp_packer *p, unsigned lanes, unsigned rows);
void subwarp_packer_ask(struct subwarp_packer *p, re_convergence_mask mask); /* → in */
void subwarp_packer_eval(struct subwarp_packer *p);                          /* computes `out` from `in` */
/* Returns the sub-warp at the outputs. */
re_convergence_mask subwarp_packer_said(const struct subwarp_packer *p);

#endif
