/* random_kernel: random kernels. Control flow: nested ifs, loops, switches, early exits, functions, gotos out
 * of statements, backwards, and into loops and branches (so that some loops have two entries), case labels
 * inside loops. Data: structures, unions, pointers, 64-bit values, stores of bytes, halves and double words.
 * Barriers in uniform flow with values of all kinds live across them, exchanges through local and global
 * memory, atomics whose order has no effect.
 *
 * Kernels terminate, stay within their buffers and have no races: memory after a launch does not depend on
 * the order of work-items. Kernel k is
 *   kernel void kNUMBER(global uint *out, global const uint *in, global uint *mid, global uint *counters,
 *                       local uint *tile, int pa, uint pb, float pc)
 * out has RANDOM_OUT_WORDS for each work-item, in RANDOM_INPUT_WORDS, mid a word for each work-item, counters
 * RANDOM_COUNTERS, tile a word for each work-item of a group. */
#ifndef TESTS_ATTACKS_RANDOM_KERNEL_H
#define TESTS_ATTACKS_RANDOM_KERNEL_H

#include <stdint.h>
#include <stdio.h>

#define RANDOM_OUT_WORDS  16u
#define RANDOM_COUNTERS   8u
#define RANDOM_MOST_ITEMS 300u /* limit of a launch */

struct random_kernel {
    char name[24];
    uint32_t work_dim, global_size[3], local_size[3], global_offset[3];
    uint32_t group_items, items;
    int32_t pa;
    uint32_t pb;
    float pc;
};

/* Prints the start of a source with such kernels. */
void random_kernel_begin(FILE *source);
/* Adds kernel `number`, which depends only on `seed`, to a source, and fills in its launch. */
void random_kernel(FILE *source, uint64_t seed, unsigned number, struct random_kernel *k);

#endif
