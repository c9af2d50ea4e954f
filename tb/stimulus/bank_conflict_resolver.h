/* Accesses of few or many threads to words that lie together, apart, or in few banks, some of them the same;
 * each stays until its last pass, and is not asked about now and then; a reset now and then. */
#ifndef TB_STIMULUS_BANK_CONFLICT_RESOLVER_H
#define TB_STIMULUS_BANK_CONFLICT_RESOLVER_H

#include "model/control/bank_conflict_resolver.h"
#include "tb/stimulus/stimulus.h"

static struct bank_conflict_resolver stimulus_resolver;
static uint32_t stimulus_word[64];

static inline void start_bank_conflict_resolver(struct seed *s, const struct rtl_size *size) {
    (void)s;
    memset(stimulus_word, 0, sizeof stimulus_word);
    bank_conflict_resolver_init(&stimulus_resolver, &(struct bank_conflict_resolver_config){
                                                        .warp_size = rtl_size_of(size, "WARP_SIZE"),
                                                        .banks = rtl_size_of(size, "BANKS"),
                                                        .broadcast = rtl_size_of(size, "BROADCAST")});
}

static inline void stimulus_words(struct seed *s, struct bank_conflict_resolver *r) {
    const uint32_t base = (uint32_t)seed_next(s) >> 2;
    const unsigned stride = seed_below(s, 4) ? 1u << seed_below(s, 7) : seed_below(s, 40);
    const unsigned words = 1 + seed_below(s, 80), bit = seed_below(s, 30); /* they may differ in any bit */
    const bool linear = seed_below(s, 3) == 0;
    r->in.active = stimulus_mask(s, r->cfg.warp_size);
    for (unsigned k = 0; k < r->cfg.warp_size; ++k) {
        const uint32_t other = seed_below(s, 8) ? 0 : 1u << bit;
        stimulus_word[k] = ((base + stride * (linear ? k : seed_below(s, words))) ^ other) & 0x3fffffff;
    }
}

static inline bool drive_bank_conflict_resolver(struct seed *s) {
    struct bank_conflict_resolver *r = &stimulus_resolver;
    const bool reset = seed_below(s, 512) == 0;
    if (reset)
        bank_conflict_resolver_init(
            r, &(struct bank_conflict_resolver_config){r->cfg.warp_size, r->cfg.banks, r->cfg.broadcast});
    if (!r->q.begun) stimulus_words(s, r);
    r->in.valid = seed_below(s, 16) != 0;
    r->in.word = stimulus_word;
    bank_conflict_resolver_eval(r);
    return reset;
}

static inline void clock_bank_conflict_resolver(void) {
    bank_conflict_resolver_clock(&stimulus_resolver);
}

static const struct stimulus_block bank_conflict_resolver_stimulus = {
    "bank_conflict_resolver",     "bank_conflict_resolver",     CLUSTER_BLOCK_RESOLVER,
    &stimulus_resolver.in,        &stimulus_resolver.q,         &stimulus_resolver.out,
    start_bank_conflict_resolver, drive_bank_conflict_resolver, clock_bank_conflict_resolver,
};

#endif
