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
        .write_warp = stimulus_one_of(s, warps),
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

static const struct stimulus_corner token_file_corner[] = {
    {"the last warp writes", NULL},
    {"a warp of 64 or above writes", "WARPS>64"},
    {"the last register is written", NULL},
    {"the warp that is read is written in that cycle", NULL},
    {"an instruction is uniform", NULL},
    {"a warp begins in the cycle in which it is written", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_token_file(void) {
    const struct token_file *f = &stimulus_tokens;
    const unsigned last = f->cfg.warps - 1;
    return STIMULUS_CORNERS(
        f->in.write_destinations && f->in.write_warp == last,
        f->in.write_destinations && f->in.write_warp >= 64,
        f->in.write_destinations >> (f->cfg.registers - 1) & 1,
        f->in.read_warp == f->in.write_warp && (f->in.read_sources & f->in.write_destinations),
        f->out.uniform, f->in.start && f->in.start_warps >> f->in.write_warp & 1 && f->in.write_destinations);
}

static const struct stimulus_block token_file_stimulus = {
    "token_file",       "token_file",         CLUSTER_BLOCK_TOKENS, &stimulus_tokens.in,
    &stimulus_tokens.q, &stimulus_tokens.out, start_token_file,     drive_token_file,
    clock_token_file,   token_file_corner,    corners_token_file,
};

#endif
