/*
 * scalar_pair: a scalar of a warp as error detection keeps it: two copies, each with a parity bit (uniform
 * §3.3; machine.md §9).
 *
 * Two lanes compute, and what they write must be the same. Where the copies are: with uniform.storage token
 * with two threads of the last round, with srf in the scalar register file and with the first thread of the
 * first lane. When it is read both copies are; if they differ, parity says which one is still right.
 *
 * A word with an even number of wrong bits has good parity: if only one of the copies has, it is noticed that
 * they differ, but not which of them is wrong.
 */
#ifndef MODEL_UNIFORM_SCALAR_PAIR_H
#define MODEL_UNIFORM_SCALAR_PAIR_H

#include <stdbool.h>
#include <stdint.h>

struct scalar_pair {
    uint32_t value[2];
    bool parity[2]; /* even parity of the word and this bit */
};

enum scalar_pair_state {
    SCALAR_PAIR_SOUND,
    SCALAR_PAIR_CORRECTED, /* the copies differed; one has bad parity, and both now have the other's value */
    SCALAR_PAIR_LOST       /* the copies differ, and parity does not show the right one */
};

/* Writes the results of two lanes. Returns false, with nothing written, if they differ. */
static inline bool scalar_pair_write(struct scalar_pair *p, uint32_t first, uint32_t second) {
    if (first != second) return false;
    const bool parity = __builtin_parity(first);
    *p = (struct scalar_pair){{first, second}, {parity, parity}};
    return true;
}

static inline enum scalar_pair_state scalar_pair_read(struct scalar_pair *p, uint32_t *value) {
    *value = p->value[0];
    if (p->value[0] == p->value[1]) return SCALAR_PAIR_SOUND;
    const bool good[2] = {__builtin_parity(p->value[0]) == p->parity[0],
                          __builtin_parity(p->value[1]) == p->parity[1]};
    if (good[0] == good[1]) return SCALAR_PAIR_LOST;
    *value = p->value[good[0] ? 0 : 1];
    scalar_pair_write(p, *value, *value);
    return SCALAR_PAIR_CORRECTED;
}

#endif
