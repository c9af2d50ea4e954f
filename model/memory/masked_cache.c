#include "model/memory/masked_cache.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void masked_cache_init(struct masked_cache *c, const struct machine_cache_config *config, uint32_t seed) {
    cache_init(&c->tags, config, seed);
    c->mask = calloc((size_t)c->tags.sets * c->tags.ways, sizeof *c->mask);
    require_memory(c->mask);
}

void masked_cache_free(struct masked_cache *c) {
    cache_free(&c->tags);
    free(c->mask);
}

void masked_cache_invalidate(struct masked_cache *c) {
    cache_invalidate(&c->tags);
}

/* Sets bits `offset` and up of a line's mask from bits 0 to bytes − 1 of `from`; NULL: all 1. */
static void place_bits(uint64_t to[MASKED_CACHE_WORDS], unsigned offset, unsigned bytes,
                       const uint64_t *from) {
    memset(to, 0, MASKED_CACHE_WORDS * sizeof *to);
    for (unsigned n = 0; n < bytes; n += 64) {
        const unsigned left = bytes - n, word = (offset + n) / 64, shift = (offset + n) % 64;
        const uint64_t bits = (from ? from[n / 64] : ~0ull) & (left < 64 ? (1ull << left) - 1 : ~0ull);
        to[word] |= bits << shift;
        if (shift && word + 1 < MASKED_CACHE_WORDS) to[word + 1] |= bits >> (64 - shift);
    }
}

static unsigned offset_of(const struct masked_cache *c, uint32_t address, unsigned bytes) {
    const unsigned line = 1u << c->tags.line_shift, offset = address & (line - 1);
    invariant(bytes && offset + bytes <= line, "%u bytes at %#x are not within a line of %u", bytes, address,
              line);
    return offset;
}

bool masked_cache_holds_written(struct masked_cache *c, const struct cache_line *l, uint32_t address,
                                unsigned bytes) {
    const struct masked_line *m = masked_cache_mask(c, l);
    uint64_t wanted[MASKED_CACHE_WORDS], lacking = 0;
    place_bits(wanted, offset_of(c, address, bytes), bytes, NULL);
    for (unsigned n = 0; n < MASKED_CACHE_WORDS; ++n) lacking |= wanted[n] & ~m->written[n];
    return !lacking;
}

bool masked_cache_is_dirty(struct masked_cache *c, const struct cache_line *l) {
    const struct masked_line *m = masked_cache_mask(c, l);
    return m->written[0] | m->written[1] | m->written[2] | m->written[3];
}

void masked_cache_write(struct masked_cache *c, const struct cache_line *l, uint32_t address, unsigned bytes,
                        const uint64_t *written) {
    struct masked_line *m = masked_cache_mask(c, l);
    uint64_t more[MASKED_CACHE_WORDS];
    place_bits(more, offset_of(c, address, bytes), bytes, written);
    for (unsigned n = 0; n < MASKED_CACHE_WORDS; ++n) m->written[n] |= more[n];
}

unsigned masked_cache_pieces(const struct masked_line *m, unsigned bytes) {
    const uint64_t all = bytes < 64 ? (1ull << bytes) - 1 : ~0ull;
    unsigned pieces = 0;
    for (unsigned from = 0; from < 64 * MASKED_CACHE_WORDS; from += bytes) {
        uint64_t any = 0;
        for (unsigned byte = from; byte < from + bytes; byte += 64)
            any |= m->written[byte / 64] >> byte % 64 & all;
        pieces += any != 0;
    }
    return pieces;
}

void masked_cache_put(struct masked_cache *c, struct cache_line *victim, uint32_t address, bool whole) {
    cache_put(&c->tags, victim, (struct cache_line){.tag = address >> c->tags.line_shift, .state = 1});
    *masked_cache_mask(c, victim) = (struct masked_line){.whole = whole};
}
