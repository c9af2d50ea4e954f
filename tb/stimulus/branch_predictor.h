/* Fetches from few blocks, with branches in them or at addresses that differ in a bit, so that rows are
 * shared. Rows of the tables usually hold the entry that the fetch needs. A counter has the same value
 * wherever its row is read. */
#ifndef TB_STIMULUS_BRANCH_PREDICTOR_H
#define TB_STIMULUS_BRANCH_PREDICTOR_H

#include "model/control/branch_predictor.h"
#include "tb/stimulus/stimulus.h"

static struct branch_predictor stimulus_predictor;

static inline void start_branch_predictor(struct seed *s, const struct rtl_size *size) {
    (void)s;
    branch_predictor_init(&stimulus_predictor, rtl_size_of(size, "FETCH_WIDTH"), rtl_size_of(size, "COMMITS"),
                          rtl_size_of(size, "COUNTERS"), rtl_size_of(size, "TAG_BITS"));
}

/* Returns the address of a branch: in the block of the fetch, such an address with one bit changed,
 * or any. */
static inline uint32_t stimulus_branch(struct seed *s, uint32_t block, unsigned fetch_width) {
    const uint32_t word = block * fetch_width + seed_below(s, fetch_width);
    switch (seed_below(s, 8)) {
    case 0: return (uint32_t)seed_next(s) & 0x3fffffff;
    case 1:
    case 2: return word ^ 1u << seed_below(s, 30);
    default: return word;
    }
}

/* Returns the counter of a row, the same for all addresses of the row. */
static inline uint32_t stimulus_counter(const struct branch_predictor *p, uint32_t word, uint32_t key) {
    return ((word & (p->cfg.counters - 1)) * 0x9e3779b9u ^ key) >> 13 & 3;
}

static inline bool drive_branch_predictor(struct seed *s) {
    struct branch_predictor *p = &stimulus_predictor;
    const unsigned width = p->cfg.fetch_width, commits = p->cfg.commits;
    const uint32_t key = (uint32_t)seed_next(s);
    p->in.fetch = seed_below(s, 8) != 0;
    p->in.block =
        (seed_below(s, 4) ? 0x2545f491u * seed_below(s, 4) : (uint32_t)seed_next(s)) & 0x3fffffff / width;
    p->in.branch = (uint32_t)stimulus_mask(s, width);
    p->in.conditional = p->in.branch & (uint32_t)stimulus_mask(s, width);
    p->in.valid = (uint32_t)stimulus_mask(s, width);
    for (unsigned n = 0; n < width; ++n) {
        const uint32_t word = p->in.block * width + n, other = seed_below(s, 4) ? 0 : (uint32_t)seed_next(s);
        p->tag[n] =
            (word ^ (seed_below(s, 2) ? other : 1u << other % 30 & -(other != 0))) >> (30 - p->cfg.tag_bits);
        p->tag[n] &= UINT32_MAX >> (32 - p->cfg.tag_bits);
        p->target[n] = (uint32_t)seed_next(s) & 0x3fffffff;
        p->counter[n] = stimulus_counter(p, word, key);
    }
    p->in.learn = (uint32_t)stimulus_mask(s, commits);
    p->in.counts = (uint32_t)stimulus_mask(s, commits);
    p->in.was_taken = (uint32_t)stimulus_mask(s, commits);
    for (unsigned m = 0; m < commits; ++m) {
        p->pc[m] = stimulus_branch(s, p->in.block, width);
        p->new_target[m] = (uint32_t)seed_next(s) & 0x3fffffff;
        p->old_counter[m] = stimulus_counter(p, p->pc[m], key);
    }
    branch_predictor_eval(p);
    return false;
}

static const struct stimulus_corner branch_predictor_corner[] = {
    {"the last instruction of the block is taken", NULL},
    {"two branches of a cycle have one counter", "COMMITS>1"},
    {"two branches of a cycle have one row of the BTB", "COMMITS>1"},
    {"a branch is taken that was learned in the cycle", NULL},
    {"a counter that is 3 counts up", NULL},
    {"a counter that is 0 counts down", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_branch_predictor(void) {
    const struct branch_predictor *p = &stimulus_predictor;
    const uint32_t counted = p->in.learn & p->in.counts, taken = p->in.learn & p->in.was_taken;
    const uint32_t word = p->in.block * p->cfg.fetch_width + p->out.slot;
    bool learned = false, high = false, low = false;
    for (unsigned m = 0; m < p->cfg.commits; ++m) {
        learned |= p->out.taken && p->out.write_target >> m & 1 && p->pc[m] == word;
        high |= (counted & taken) >> m & 1 && p->old_counter[m] == 3;
        low |= (counted & ~taken) >> m & 1 && p->old_counter[m] == 0;
    }
    return STIMULUS_CORNERS(p->out.taken && p->out.slot == p->cfg.fetch_width - 1,
                            counted != p->out.write_counter, taken != p->out.write_target, learned, high,
                            low);
}

static const struct stimulus_block branch_predictor_stimulus = {
    "branch_predictor",
    "branch_predictor",
    CLUSTER_BLOCK_PREDICTOR,
    &stimulus_predictor.in,
    NULL,
    &stimulus_predictor.out,
    start_branch_predictor,
    drive_branch_predictor,
    NULL,
    branch_predictor_corner,
    corners_branch_predictor,
};

#endif
