/* Rounds of few or many threads that access contiguous words, words in few banks, or equal words. */
#ifndef TB_STIMULUS_LOCAL_MEMORY_ARBITER_H
#define TB_STIMULUS_LOCAL_MEMORY_ARBITER_H

#include "model/control/local_memory_arbiter.h"
#include "tb/stimulus/stimulus.h"

static struct local_memory_arbiter stimulus_local_arbiter;
static uint32_t stimulus_local_word[32];

static inline void start_local_memory_arbiter(struct seed *s, const struct rtl_size *size) {
    (void)s;
    local_memory_arbiter_init(&stimulus_local_arbiter, &(struct local_memory_arbiter_config){
                                                           .lanes = rtl_size_of(size, "LANES"),
                                                           .groups = rtl_size_of(size, "LANE_GROUPS"),
                                                           .banks = rtl_size_of(size, "BANKS")});
}

static inline bool drive_local_memory_arbiter(struct seed *s) {
    struct local_memory_arbiter *a = &stimulus_local_arbiter;
    const uint32_t base = (uint32_t)seed_next(s) >> 2, stride = 1u << seed_below(s, 7);
    const unsigned words = 1 + seed_below(s, 40), bit = seed_below(s, 30); /* words may differ in any bit */
    for (unsigned k = 0; k < a->cfg.lanes; ++k) {
        const uint32_t other = seed_below(s, 8) ? 0 : 1u << bit;
        stimulus_local_word[k] = ((base + stride * seed_below(s, words)) ^ other) & 0x3fffffff;
    }
    if (stimulus_rare(s, 16)) /* one word, and another that differs in one bit */
        for (unsigned k = 0; k < a->cfg.lanes; ++k)
            stimulus_local_word[k] = (base ^ seed_below(s, 2) << (seed_below(s, 2) ? bit : 29)) & 0x3fffffff;
    a->in.turn = stimulus_one_of(s, a->cfg.groups);
    a->in.active = (uint32_t)stimulus_mask(s, a->cfg.lanes);
    a->in.word = stimulus_local_word;
    local_memory_arbiter_eval(a);
    return false;
}

static inline bool stimulus_local_differs(void) {
    uint32_t ones = 0, zeros = 0;
    for (uint32_t rest = stimulus_local_arbiter.in.active; rest; rest &= rest - 1) {
        ones |= stimulus_local_word[__builtin_ctz(rest)];
        zeros |= ~stimulus_local_word[__builtin_ctz(rest)];
    }
    return (ones & zeros) == 1u << 29;
}

static const struct stimulus_corner local_memory_arbiter_corner[] = {
    {"the last lane is served", NULL},
    {"all lanes want words", "LANES>1"},
    {"the turn is at the last group", "LANE_GROUPS>1"},
    {"a group is robbed of its bank", "LANE_GROUPS>1"},
    {"words that differ in their highest bit alone", "LANES>1"},
    {NULL, NULL},
};

static inline uint64_t corners_local_memory_arbiter(void) {
    const struct local_memory_arbiter *a = &stimulus_local_arbiter;
    return STIMULUS_CORNERS(a->out.served >> (a->cfg.lanes - 1) & 1,
                            a->in.active == stimulus_all(a->cfg.lanes), a->in.turn == a->cfg.groups - 1,
                            a->out.robbed != 0, stimulus_local_differs());
}

static const struct stimulus_block local_memory_arbiter_stimulus = {
    "local_memory_arbiter",
    "local_memory_arbiter",
    CLUSTER_BLOCK_LOCAL,
    &stimulus_local_arbiter.in,
    NULL,
    &stimulus_local_arbiter.out,
    start_local_memory_arbiter,
    drive_local_memory_arbiter,
    NULL,
    local_memory_arbiter_corner,
    corners_local_memory_arbiter,
};

#endif
