/* Accesses of few or many threads to words that are contiguous, scattered, or in few banks; some of the words
 * are equal. An access stays until its last pass and is now and then not presented. Includes occasional
 * resets. */
#ifndef TB_STIMULUS_BANK_CONFLICT_RESOLVER_H
#define TB_STIMULUS_BANK_CONFLICT_RESOLVER_H

#include "model/control/bank_conflict_resolver.h"
#include "tb/stimulus/stimulus.h"

static struct bank_conflict_resolver stimulus_resolver;
static uint32_t stimulus_word[64];
static unsigned stimulus_passes; /* passes of the access before this cycle */

static inline void start_bank_conflict_resolver(struct seed *s, const struct rtl_size *size) {
    (void)s;
    memset(stimulus_word, 0, sizeof stimulus_word);
    stimulus_passes = 0;
    bank_conflict_resolver_init(&stimulus_resolver, &(struct bank_conflict_resolver_config){
                                                        .warp_size = rtl_size_of(size, "WARP_SIZE"),
                                                        .banks = rtl_size_of(size, "BANKS"),
                                                        .broadcast = rtl_size_of(size, "BROADCAST")});
}

static inline void stimulus_words(struct seed *s, struct bank_conflict_resolver *r) {
    const uint32_t base = (uint32_t)seed_next(s) >> 2;
    const unsigned stride = seed_below(s, 4) ? 1u << seed_below(s, 7) : seed_below(s, 40);
    const unsigned words = 1 + seed_below(s, 80), bit = seed_below(s, 30); /* words may differ in any bit */
    const bool linear = seed_below(s, 3) == 0;
    const bool one_bank = stimulus_rare(s, 16); /* one bank, which all threads access */
    r->in.active = one_bank ? stimulus_all(r->cfg.warp_size) : stimulus_mask(s, r->cfg.warp_size);
    for (unsigned k = 0; k < r->cfg.warp_size; ++k) {
        const uint32_t other = seed_below(s, 8) ? 0 : 1u << bit;
        if (one_bank) {
            stimulus_word[k] = (base + k * r->cfg.banks) & 0x3fffffff;
            continue;
        }
        stimulus_word[k] = ((base + stride * (linear ? k : seed_below(s, words))) ^ other) & 0x3fffffff;
    }
}

static inline bool drive_bank_conflict_resolver(struct seed *s) {
    struct bank_conflict_resolver *r = &stimulus_resolver;
    const bool reset = seed_below(s, 512) == 0;
    if (reset)
        bank_conflict_resolver_init(
            r, &(struct bank_conflict_resolver_config){r->cfg.warp_size, r->cfg.banks, r->cfg.broadcast});
    if (!r->q.begun) {
        stimulus_words(s, r);
        stimulus_passes = 0;
    }
    r->in.valid = seed_below(s, 16) != 0;
    r->in.word = stimulus_word;
    bank_conflict_resolver_eval(r);
    return reset;
}

static inline void clock_bank_conflict_resolver(void) {
    stimulus_passes += stimulus_resolver.out.pass;
    bank_conflict_resolver_clock(&stimulus_resolver);
}

static const struct stimulus_corner bank_conflict_resolver_corner[] = {
    {"the last thread is served", NULL},
    {"all threads are active", "WARP_SIZE>1"},
    {"an access takes as many passes as threads", "WARP_SIZE>1"},
    {"no request while an access is under way", "WARP_SIZE>1"},
    {NULL, NULL},
};

static inline uint64_t corners_bank_conflict_resolver(void) {
    const struct bank_conflict_resolver *r = &stimulus_resolver;
    return STIMULUS_CORNERS(r->out.pass && r->out.threads >> (r->cfg.warp_size - 1) & 1,
                            r->in.valid && !r->q.begun && r->in.active == stimulus_all(r->cfg.warp_size),
                            r->out.last &&
                                stimulus_passes + 1 == (unsigned)__builtin_popcountll(r->in.active) &&
                                r->in.active == stimulus_all(r->cfg.warp_size),
                            !r->in.valid && r->q.begun);
}

static const struct stimulus_block bank_conflict_resolver_stimulus = {
    "bank_conflict_resolver",      "bank_conflict_resolver",       CLUSTER_BLOCK_RESOLVER,
    &stimulus_resolver.in,         &stimulus_resolver.q,           &stimulus_resolver.out,
    start_bank_conflict_resolver,  drive_bank_conflict_resolver,   clock_bank_conflict_resolver,
    bank_conflict_resolver_corner, corners_bank_conflict_resolver,
};

#endif
