/* Any instructions of any warps. */
#ifndef TB_STIMULUS_TOKEN_FILE_H
#define TB_STIMULUS_TOKEN_FILE_H

#include "tb/stimulus/stimulus.h"

static struct token_file stimulus_tokens;

static inline void start_token_file(struct seed *s, const struct rtl_size *size) {
    (void)s;
    token_file_init(&stimulus_tokens, rtl_size_of(size, "WARPS"), rtl_size_of(size, "REGISTERS"));
}

static inline bool drive_token_file(struct seed *s) {
    struct token_file *f = &stimulus_tokens;
    const unsigned warps = f->cfg.warps, registers = f->cfg.registers;
    const bool reset = seed_below(s, 512) == 0;
    if (reset) token_file_reset(f);
    f->in = (struct token_file_in){
        .start = seed_below(s, 64) == 0,
        .start_warps = stimulus_warps(s, warps),
        .read_warp = seed_below(s, warps),
        .read_sources = stimulus_mask(s, registers),
        .read_destinations = stimulus_mask(s, registers - TOKEN_STATES),
        .read_full = seed_below(s, 4) != 0,
        .read_conditional = seed_below(s, 3) == 0,
        .read_fails = seed_below(s, 2),
        .write_warp = seed_below(s, warps),
        .write_destinations =
            seed_below(s, 4) ? 1ull << seed_below(s, registers) : stimulus_mask(s, registers),
        .write_full = seed_below(s, 8) != 0,
        .write_uniform = seed_below(s, 2),
        .write_broadcast = stimulus_mask(s, registers),
    };
    token_file_eval(f);
    return reset;
}

static inline void clock_token_file(void) {
    token_file_clock(&stimulus_tokens);
}

static const struct stimulus_block token_file_stimulus = {
    "token_file",         "token_file",     CLUSTER_BLOCK_TOKENS, &stimulus_tokens.in, &stimulus_tokens.q,
    &stimulus_tokens.out, start_token_file, drive_token_file,     clock_token_file,
};

#endif
