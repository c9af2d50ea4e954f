/* scalar_pair: a scalar of a warp with error detection: two copies, each with a parity bit (uniform §3.3;
 * machine.md §9).
 *
 * Two lanes compute, and their results must be equal. With uniform.storage token, the copies are with two
 * threads of the last round; with srf, in the scalar register file and with the first thread of the first
 * lane. A read reads both copies; if they differ, parity selects the right one.
 *
 * A word with an even number of wrong bits has good parity. If one copy is such a word, the difference is
 * noticed, but not which copy is wrong. */
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
