#include "model/control/coalescer.h"

#include "sim/error.h"

/* Threads whose bytes are in no transaction yet: first bytes, and last bytes if these lie in another
 * segment. */
struct rest {
    uint64_t first, second;
};

static unsigned segment_shift(const struct coalescer_config *c, unsigned bytes) {
    if (c->rule == COALESCE_CC20) return (unsigned)__builtin_ctz(c->line_bytes);
    return bytes == 1 ? 5 : bytes == 2 ? 6 : 7;
}

/* Returns the pieces of the transaction that contain bytes [from, to] of a thread. */
static inline unsigned pieces_of(const struct coalescer_transaction *t, uint32_t from, uint32_t to) {
    const uint32_t last = t->length - 1u, begin = from - t->address, end = to - t->address;
    const uint32_t low = begin > last ? 0 : begin, high = end > last ? last : end;
    return 1u << low / COALESCER_PIECE | 1u << high / COALESCER_PIECE;
}

/* Adds the threads of `candidates` whose byte at `offset` lies in the segment; returns them. */
static uint64_t join(struct coalescer_transaction *t, uint64_t candidates, const uint32_t *address,
                     unsigned bytes, uint32_t offset, unsigned shift) {
    uint64_t joined = 0;
    for (uint64_t m = candidates; m; m &= m - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(m);
        if ((address[k] + offset) >> shift != t->address >> shift) continue;
        joined |= m & -m;
        t->pieces = (uint8_t)(t->pieces | pieces_of(t, address[k], address[k] + bytes - 1));
    }
    t->threads |= joined;
    return joined;
}

/* cc13: shrinks the transaction to the used half, repeatedly. */
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

static struct rest rest_of(const struct coalescer_config *c, const uint32_t *address, unsigned bytes,
                           uint64_t active) {
    const unsigned shift = segment_shift(c, bytes);
    struct rest rest = {.first = active};
    for (uint64_t m = active; m; m &= m - 1) {
        const uint32_t first = address[__builtin_ctzll(m)];
        if (first >> shift != (first + bytes - 1) >> shift) rest.second |= m & -m;
    }
    return rest;
}

/* Takes the transaction of the lowest thread out of `rest`, which is not empty. */
static struct coalescer_transaction next(const struct coalescer_config *c, const uint32_t *address,
                                         unsigned bytes, bool store, struct rest *rest) {
    const unsigned shift = segment_shift(c, bytes);
    const unsigned k = (unsigned)__builtin_ctzll(rest->first | rest->second);
    const uint64_t part = c->rule == COALESCE_CC13 ? 0xffffull << k / COALESCER_PART * COALESCER_PART : ~0ull;
    const uint32_t byte = address[k] + (rest->first >> k & 1 ? 0 : bytes - 1);
    struct coalescer_transaction t = {.address = byte >> shift << shift, .length = (uint16_t)(1u << shift)};
    rest->first &= ~join(&t, rest->first & part, address, bytes, 0, shift);
    rest->second &= ~join(&t, rest->second & part, address, bytes, bytes - 1, shift);
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
    struct rest rest = rest_of(c, address, bytes, active);
    unsigned count = 0;
    while (rest.first | rest.second) transaction[count++] = next(c, address, bytes, store, &rest);
    return count;
}

void coalescer_bytes(const struct coalescer_transaction *t, const uint32_t *address, unsigned bytes,
                     uint64_t written[COALESCER_LINE / 64]) {
    for (unsigned n = 0; n < COALESCER_LINE / 64; ++n) written[n] = 0;
    for (uint64_t m = t->threads; m; m &= m - 1) {
        const uint32_t from = address[__builtin_ctzll(m)] - t->address;
        if (from + bytes <= t->length && from % 64 + bytes <= 64 && from < t->length) {
            written[from / 64] |= ((1ull << bytes) - 1) << from % 64;
            continue;
        }
        for (uint32_t byte = from; byte != from + bytes; ++byte)
            if (byte < t->length) written[byte / 64] |= 1ull << byte % 64;
    }
}

/* --- the block --- */

void coalescer_init(struct coalescer *b, const struct coalescer_config *config) {
    *b = (struct coalescer){.cfg = *config};
}

void coalescer_eval(struct coalescer *b) {
    const struct coalescer_in *in = &b->in;
    struct rest rest = {.first = b->q.first, .second = b->q.second};
    b->out = (struct coalescer_out){.valid = false};
    b->d = b->q;
    if (!in->valid) return;
    if (!b->q.begun) rest = rest_of(&b->cfg, in->address, in->bytes, in->active);
    if (rest.first | rest.second) {
        const struct coalescer_transaction t = next(&b->cfg, in->address, in->bytes, in->store, &rest);
        b->out = (struct coalescer_out){.valid = true,
                                        .address = t.address,
                                        .length = t.length,
                                        .bytes = t.bytes,
                                        .pieces = t.pieces,
                                        .threads = t.threads};
    }
    b->d = (struct coalescer_state){
        .begun = rest.first | rest.second, .first = rest.first, .second = rest.second};
    b->out.last = !b->d.begun;
}

void coalescer_clock(struct coalescer *b) {
    b->q = b->d;
}
