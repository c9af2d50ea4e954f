#include "synthesis/cache_memory.h"

#include "model/replacement/replacement_kind.h"

/* A memory of so few words and bits that the form of sram.h does not have them: by words and bits. */
static struct sram small_memory(unsigned words, unsigned bits) {
    enum { LEAST_BITS = 8 };
    const unsigned of_words = words < SRAM_LEAST_WORDS ? SRAM_LEAST_WORDS : words,
                   of_bits = bits < LEAST_BITS ? LEAST_BITS : bits;
    const double bits_share = (double)bits / of_bits, share = bits_share * words / of_words;
    struct sram s = sram_memory(of_words, of_bits, 1);
    s.mm2 *= share;
    s.leakage_mw *= share;
    s.write_pj *= bits_share;
    return s;
}

/* A policy's state in the cache, a word for each set; the energy to read is what a hit takes. */
static struct sram state_of(const struct machine_cache_config *c, uint32_t kind) {
    const struct replacement *p = replacements[kind];
    const unsigned sets = c->size_bytes / (c->ways * c->line_bytes),
                   bits = p->set_bits ? p->set_bits(c->ways) : 0;
    struct sram s = {0};
    if (bits)
        s = small_memory(sets, bits);
    else if (p->cache_bits)
        s = small_memory(1, p->cache_bits);
    s.read_pj = p->on_use ? s.write_pj : 0;
    return s;
}

struct sram cache_memory(const struct machine_cache_config *c) {
    struct sram s = sram_cache(c->size_bytes, c->ways, c->line_bytes);
    if (c->replacement == REPLACEMENT_lru) return s;
    const struct sram lru = state_of(c, REPLACEMENT_lru), own = state_of(c, c->replacement);
    s.mm2 += own.mm2 - lru.mm2;
    s.leakage_mw += own.leakage_mw - lru.leakage_mw;
    s.read_pj += own.read_pj - lru.read_pj;
    s.write_pj += own.write_pj - lru.write_pj;
    return s;
}
