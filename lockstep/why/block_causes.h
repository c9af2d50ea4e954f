/*
 * block_causes: the bits on which a port, flip-flop or memory of the co-processor's blocks depends in a
 * cycle. Each input and flip-flop bit is inverted in the C model; if the signal then changes, the bit is a
 * cause. If no such bit has changed since the signal had another value, a smallest set of the bits that have
 * changed is a cause, too: with all of them inverted the signal changes, with any one left out it does not.
 */
#ifndef LOCKSTEP_BLOCK_CAUSES_H
#define LOCKSTEP_BLOCK_CAUSES_H

#include "lockstep/why/block_model.h"

#include <stdio.h>

struct block_causes {
    /* Bits, in the order of the signals: `count` that are causes each alone, then `together` that are one
     * together. */
    struct block_bits *cause;
    unsigned count, together, room;
};

/* Finds the causes of a value in cycle `n` of the history. Those of an output are the inputs, flip-flops and
 * memories of its block in that cycle; those of a flip-flop or memory are the same of the cycle before. Those
 * of an input of a block, and of a port of the whole co-processor, are its inputs, and flip-flops and
 * memories of all blocks. */
void block_causes_find(struct block_causes *c, struct block_model *m, const struct block_bits *of, size_t n);
void block_causes_free(struct block_causes *c);

/* Returns the cycle of the history whose values are the causes: `n` or the one before; inverts bits there and
 * evaluates. False: such values cannot occur. */
bool block_causes_force(struct block_model *m, const struct block_bits *of, size_t n,
                        const struct block_bits *inverted, unsigned count);

/* Parses "warp_scheduler.ready_i[3]", which ends at '@': elements and bits are in brackets. Returns false
 * with *e (EXIT_USER) if there is no such signal. */
bool block_causes_parse(const struct block_model *m, const char *name, struct block_bits *bits,
                        struct error *e);
/* An event of a warp's instruction, at which a chain of causes leaves the blocks. */
struct block_event {
    bool is_any;
    unsigned warp, stamp; /* warp of the block; enum record_stamp or CAUSES_S */
    uint64_t cycle;       /* the event comes then or later */
};

/* Prints at most `depth` causes, each since the cycle in which its value began. Returns the number of lines;
 * *event: what the last one waits for, if it is an event of an instruction. */
uint64_t block_causes_print(struct block_model *m, const struct block_bits *of, size_t n, uint64_t depth,
                            FILE *out, struct block_event *event);

#endif
