/*
 * random_kernel: random kernels: nested ifs, loops, switches, early exits, functions, gotos out of
 * statements, back, and into loops and branches (so that some loops have two entries), case labels inside
 * loops; structures, unions, pointers, 64-bit values, byte, half and double-word stores; barriers in uniform
 * flow, values of all kinds that live across them, exchanges through local and global memory, atomics whose
 * order does not matter.
 *
 * They end, stay inside their buffers, and are free of races: memory after a launch does not depend on the
 * order in which work-items run. Kernel k is kernel void kNUMBER(global uint *out, global const uint *in,
 * global uint *mid, global uint *counters, local uint *tile, int pa, uint pb, float pc) out has
 * RANDOM_OUT_WORDS for each work-item, in RANDOM_INPUT_WORDS, mid a word for each work-item, counters
 * RANDOM_COUNTERS, tile a word for each work-item of a group.
 */
#ifndef TESTS_ATTACKS_RANDOM_KERNEL_H
#define TESTS_ATTACKS_RANDOM_KERNEL_H

#include <stdint.h>
#include <stdio.h>

#define RANDOM_OUT_WORDS  16u
#define RANDOM_COUNTERS   8u
#define RANDOM_MOST_ITEMS 300u /* of a launch */

struct random_kernel {
    char name[24];
    uint32_t work_dim, global_size[3], local_size[3], global_offset[3];
    uint32_t group_items, items;
    int32_t pa;
    uint32_t pb;
    float pc;
};

/* What a source with such kernels starts with. */
void random_kernel_begin(FILE *source);
/* Adds kernel `number`, made from `seed` alone, to a source, and says how to launch it. */
void random_kernel(FILE *source, uint64_t seed, unsigned number, struct random_kernel *k);

#endif
