/*
 * fifo: each set has a pointer to its next victim, which advances when that way is replaced (round robin). So
 * the line that arrived first is replaced, unless a line was dropped in between: a line that takes a dropped
 * line's way waits for the pointer there. Ways that must stay are skipped.
 */
#include "model/replacement/replacement.h"

static unsigned set_bits(unsigned ways) {
    unsigned bits = 0;
    while (1u << bits < ways) ++bits;
    return bits;
}

static void fill(struct replacement_state *r, unsigned set, unsigned way) {
    uint64_t *pointer = replacement_set(r, set);
    if (way == *pointer || r->replaces) *pointer = (way + 1) % r->ways;
}

static unsigned victim(const struct replacement_state *r, unsigned set, const uint64_t *may) {
    return replacement_next(r, may, (unsigned)*replacement_set(r, set));
}

const struct replacement replacement_fifo = {
    .doc = "the one that came first",
    .set_bits = set_bits,
    .fill = fill,
    .victim = victim,
};
