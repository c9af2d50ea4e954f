/*
 * subwarp_packer: the sub-warps as which the lanes execute an instruction of a warp with more threads than
 * lanes (divergence.md §4, lwm; Narasiman et al. 2011).
 *
 * Thread n is in lane n mod lanes, row n div lanes. In each round every lane takes the thread in the lowest
 * row of those that are left. So there are as many sub-warps as the fullest lane has threads, whichever they
 * are: a large warp (lwm) is a warp of a re-convergence stack, and this. Its masks are of at most 64 threads.
 *
 * No machine has one yet: it waits for `simt.divergence: lwm`.
 */
#ifndef MODEL_DIVERGENCE_SUBWARP_PACKER_H
#define MODEL_DIVERGENCE_SUBWARP_PACKER_H

#include <stdint.h>

/* The next sub-warp of the threads that are left; 0 if none is. */
static inline uint64_t subwarp_packer_next(uint64_t mask, unsigned lanes) {
    const uint64_t row = ~0ull >> (64 - lanes);
    uint64_t taken = 0, subwarp = 0;
    for (unsigned at = 0; at < 64 && mask >> at; at += lanes) {
        subwarp |= (mask & ~(taken << at)) & row << at;
        taken |= mask >> at & row;
    }
    return subwarp;
}

#endif
