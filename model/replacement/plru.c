/*
 * plru: a tree of bits over the ways of a set. Each bit points to the half that was not used last, and the
 * line at the end of the pointers is replaced. If no way of a half may be evicted, the other half is taken. A
 * number of ways that is not a power of two uses the first leaves of the next larger tree.
 *
 * Node 1 is the root; nodes 2 n and 2 n + 1 are the halves of node n. Bit n of the set's state is set if node
 * n points to the second half.
 */
#include "model/replacement/replacement.h"

static unsigned leaves_of(unsigned ways) {
    unsigned leaves = 1;
    while (leaves < ways) leaves *= 2;
    return leaves;
}

static unsigned set_bits(unsigned ways) {
    return ways - 1;
}

static void touch(struct replacement_state *r, unsigned set, unsigned way) {
    uint64_t *bits = replacement_set(r, set);
    for (unsigned node = leaves_of(r->ways) + way; node > 1; node /= 2) {
        const uint64_t parent = UINT64_C(1) << node / 2 % 64;
        if (node % 2)
            bits[node / 2 / 64] &= ~parent;
        else
            bits[node / 2 / 64] |= parent;
    }
}

static bool any_may(const uint64_t *may, unsigned first, unsigned end) {
    while (first < end && !replacement_may(may, first)) ++first;
    return first < end;
}

static unsigned victim(const struct replacement_state *r, unsigned set, const uint64_t *may) {
    const uint64_t *bits = replacement_set(r, set);
    unsigned node = 1, first = 0;
    for (unsigned half = leaves_of(r->ways) / 2; half; half /= 2) {
        const unsigned middle = first + half;
        const bool second =
            replacement_may(bits, node) ? any_may(may, middle, middle + half) : !any_may(may, first, middle);
        node = 2 * node + second;
        if (second) first = middle;
    }
    return first;
}

const struct replacement replacement_plru = {
    .doc = "the one to which a tree of bits points, away from those used last",
    .set_bits = set_bits,
    .on_use = true,
    .touch = touch,
    .victim = victim,
};
