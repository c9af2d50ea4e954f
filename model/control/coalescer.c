#include "model/control/coalescer.h"

#include "sim/error.h"

/* What is left of a part of the warp: threads whose first, and whose last byte no transaction has yet. The
 * latter are only those whose bytes lie in two segments. */
struct rest {
    uint64_t first, last;
};

static unsigned segment_shift(const struct coalescer_config *c, unsigned bytes) {
    if (c->rule == COALESCE_CC20) return (unsigned)__builtin_ctz(c->line_bytes);
    return bytes == 1 ? 5 : bytes == 2 ? 6 : 7;
}

/* The bytes [from, to] of a thread, as far as they lie in the transaction, in its pieces. */
static inline unsigned pieces_of(const struct coalescer_transaction *t, uint32_t from, uint32_t to) {
    const uint32_t last = t->length - 1u, begin = from - t->address, end = to - t->address;
    const uint32_t low = begin > last ? 0 : begin, high = end > last ? last : end;
    return 1u << low / COALESCER_PIECE | 1u << high / COALESCER_PIECE;
}

/* Threads of `candidates` whose bytes `offset` on are in the segment join. */
static void join(struct coalescer_transaction *t, uint64_t *candidates, const uint32_t *address,
                 unsigned bytes, uint32_t offset, unsigned shift) {
    uint64_t joined = 0;
    for (uint64_t m = *candidates; m; m &= m - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(m);
        if ((address[k] + offset) >> shift != t->address >> shift) continue;
        joined |= m & -m;
        t->pieces = (uint8_t)(t->pieces | pieces_of(t, address[k], address[k] + bytes - 1));
    }
    t->threads |= joined;
    *candidates &= ~joined;
}

/* cc13: as long as only one half is used, that half remains. */
static void halve(struct coalescer_transaction *t) {
    while (t->length > COALESCER_PIECE) {
        const unsigned half = t->length / COALESCER_PIECE / 2, low = (1u << half) - 1;
        if (t->pieces & low && t->pieces >> half) return;
        t->length /= 2;
        if (t->pieces & low) continue;
        t->address += t->length;
        t->pieces = (uint8_t)(t->pieces >> half);
    }
}

/* The transaction of the lowest thread that is left. */
static struct coalescer_transaction next(const struct coalescer_config *c, const uint32_t *address,
                                         unsigned bytes, bool store, struct rest *rest) {
    const unsigned shift = segment_shift(c, bytes);
    const unsigned k = (unsigned)__builtin_ctzll(rest->first | rest->last);
    const uint32_t byte = address[k] + (rest->first >> k & 1 ? 0 : bytes - 1);
    struct coalescer_transaction t = {.address = byte >> shift << shift, .length = (uint16_t)(1u << shift)};
    join(&t, &rest->first, address, bytes, 0, shift);
    if (rest->last) join(&t, &rest->last, address, bytes, bytes - 1, shift);
    if (c->rule == COALESCE_CC13) halve(&t);
    t.bytes = store && c->rule == COALESCE_CC20
                  ? (uint16_t)(COALESCER_PIECE * (unsigned)__builtin_popcount(t.pieces))
                  : t.length;
    return t;
}

unsigned coalescer_transactions(const struct coalescer_config *c, const uint32_t *address, unsigned bytes,
                                uint64_t active, bool store,
                                struct coalescer_transaction transaction[COALESCER_MOST]) {
    invariant(bytes && bytes <= 8 && !(bytes & (bytes - 1)), "a thread's access of %u bytes", bytes);
    const unsigned shift = segment_shift(c, bytes);
    const unsigned part = c->rule == COALESCE_CC13 ? COALESCER_PART : 64;
    unsigned count = 0;
    for (unsigned from = 0; from < c->warp_size; from += part) {
        const uint64_t all = part == 64 ? ~0ull : ((1ull << part) - 1) << from;
        struct rest rest = {.first = active & all};
        for (uint64_t m = rest.first; m; m &= m - 1) {
            const uint32_t first = address[__builtin_ctzll(m)];
            if (first >> shift != (first + bytes - 1) >> shift) rest.last |= m & -m;
        }
        while (rest.first | rest.last) transaction[count++] = next(c, address, bytes, store, &rest);
    }
    return count;
}

void coalescer_bytes(const struct coalescer_transaction *t, const uint32_t *address, unsigned bytes,
                     uint64_t written[COALESCER_LINE / 64]) {
    for (unsigned n = 0; n < COALESCER_LINE / 64; ++n) written[n] = 0;
    for (uint64_t m = t->threads; m; m &= m - 1) {
        const uint32_t from = address[__builtin_ctzll(m)] - t->address;
        for (uint32_t byte = from; byte != from + bytes; ++byte)
            if (byte < t->length) written[byte / 64] |= 1ull << byte % 64;
    }
}
