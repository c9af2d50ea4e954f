#include "model/control/bank_conflict_resolver.h"

#include "sim/error.h"

#include <stdbool.h>

/* Returns the waiting threads of the lowest part that the next pass serves. */
static uint64_t pass(const struct bank_conflict_resolver_config *c, const uint32_t *word, uint64_t waiting) {
    const unsigned lowest = (unsigned)__builtin_ctzll(waiting);
    const uint64_t part = c->banks == 64 ? ~0ull : ((1ull << c->banks) - 1) << lowest / c->banks * c->banks;
    uint32_t chosen[BANK_CONFLICT_RESOLVER_BANKS]; /* word that each reading bank reads */
    uint64_t reads = 0, served = 0;
    for (uint64_t m = waiting & part; m; m &= m - 1) {
        const uint32_t wanted = word[__builtin_ctzll(m)];
        const unsigned bank = wanted & (c->banks - 1);
        const bool is_shared = c->broadcast == LOCAL_BROADCAST_ANY || wanted == word[lowest];
        if (reads >> bank & 1 && (chosen[bank] != wanted || !is_shared)) continue;
        reads |= 1ull << bank;
        chosen[bank] = wanted;
        served |= m & -m;
    }
    return served;
}

static uint64_t banks_of(const struct bank_conflict_resolver_config *c, const uint32_t *word,
                         uint64_t threads) {
    uint64_t banks = 0;
    for (uint64_t m = threads; m; m &= m - 1) banks |= 1ull << (word[__builtin_ctzll(m)] & (c->banks - 1));
    return banks;
}

/* `banks` may be NULL; else banks[n] becomes the banks that pass n reads. */
static unsigned passes_of(const struct bank_conflict_resolver_config *c, const uint32_t *word,
                          uint64_t waiting, uint64_t *banks) {
    unsigned passes = 0;
    for (; waiting; ++passes) {
        const uint64_t served = pass(c, word, waiting);
        if (banks) banks[passes] = banks_of(c, word, served);
        waiting &= ~served;
    }
    return passes;
}

unsigned bank_conflict_resolver_passes(const struct bank_conflict_resolver_config *c, const uint32_t *address,
                                       unsigned bytes, uint64_t active) {
    return bank_conflict_resolver_banks(c, address, bytes, active, NULL);
}

unsigned bank_conflict_resolver_banks(const struct bank_conflict_resolver_config *c, const uint32_t *address,
                                      unsigned bytes, uint64_t active, uint64_t *banks) {
    invariant(bytes == 1 || bytes == 2 || bytes == 4, "an access to local memory of %u bytes", bytes);
    uint32_t word[64] = {0};
    uint64_t two = 0;
    for (uint64_t m = active; m; m &= m - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(m);
        word[k] = address[k] / 4;
        if ((address[k] + bytes - 1) / 4 != word[k]) two |= m & -m;
    }
    const unsigned passes = passes_of(c, word, active, banks);
    for (uint64_t m = two; m; m &= m - 1) ++word[__builtin_ctzll(m)];
    return passes + passes_of(c, word, two, banks ? banks + passes : NULL);
}

/* --- the block --- */

void bank_conflict_resolver_init(struct bank_conflict_resolver *b,
                                 const struct bank_conflict_resolver_config *config) {
    *b = (struct bank_conflict_resolver){.cfg = *config};
}

void bank_conflict_resolver_eval(struct bank_conflict_resolver *b) {
    const uint64_t left = !b->in.valid ? 0 : b->q.begun ? b->q.left : b->in.active;
    b->out = (struct bank_conflict_resolver_out){.pass = left != 0};
    if (left) b->out.threads = pass(&b->cfg, b->in.word, left);
    b->d = b->q;
    if (!b->in.valid) return;
    b->d.left = left & ~b->out.threads;
    b->d.begun = b->d.left != 0;
    b->out.last = !b->d.begun;
}

void bank_conflict_resolver_clock(struct bank_conflict_resolver *b) {
    b->q = b->d;
}
