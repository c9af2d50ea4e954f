/* Any threads, few or many. */
#ifndef TB_STIMULUS_SUBWARP_PACKER_H
#define TB_STIMULUS_SUBWARP_PACKER_H

#include "model/divergence/subwarp_packer.h"
#include "tb/stimulus/stimulus.h"

static struct subwarp_packer stimulus_packer;

static inline void start_subwarp_packer(struct seed *s, const struct rtl_size *size) {
    (void)s;
    subwarp_packer_init(&stimulus_packer, rtl_size_of(size, "LANES"), rtl_size_of(size, "ROWS"));
}

static inline bool drive_subwarp_packer(struct seed *s) {
    struct subwarp_packer *p = &stimulus_packer;
    for (unsigned r = 0; r < p->cfg.rows; ++r) p->mask[r] = (uint32_t)stimulus_mask(s, p->cfg.lanes);
    const uint32_t last = UINT32_C(1) << (p->cfg.lanes - 1);
    const unsigned kind = stimulus_rare(s, 8) ? 1 + (unsigned)seed_below(s, 3) : 0;
    for (unsigned r = 0; kind && r < p->cfg.rows; ++r) {
        if (kind == 1) p->mask[r] |= last;
        if (kind == 2) p->mask[r] = r + 1 < p->cfg.rows ? p->mask[r] & ~last : p->mask[r] | last;
        if (kind == 3) p->mask[r] = 0;
    }
    subwarp_packer_eval(p);
    return false;
}

/* Returns whether the last lane has a thread in the last row, and in all other rows (`all`), or in none. */
static inline bool stimulus_packer_lane(bool all) {
    const struct subwarp_packer *p = &stimulus_packer;
    bool good = p->in.mask[p->cfg.rows - 1] >> (p->cfg.lanes - 1) & 1;
    for (unsigned r = 0; r + 1 < p->cfg.rows; ++r) good &= (p->in.mask[r] >> (p->cfg.lanes - 1) & 1) == all;
    return good;
}

static inline bool stimulus_packer_none(void) {
    uint32_t all = 0;
    for (unsigned r = 0; r < stimulus_packer.cfg.rows; ++r) all |= stimulus_packer.in.mask[r];
    return !all;
}

static const struct stimulus_corner subwarp_packer_corner[] = {
    {"the last row packs a thread", NULL},
    {"the last lane is full", "ROWS>1"},
    {"only the last row has a thread in the last lane", "ROWS>1"},
    {"no thread is left", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_subwarp_packer(void) {
    const struct subwarp_packer *p = &stimulus_packer;
    const unsigned last = p->cfg.rows - 1;
    return STIMULUS_CORNERS(p->out.subwarp[last] != 0, stimulus_packer_lane(true),
                            stimulus_packer_lane(false), stimulus_packer_none());
}

static const struct stimulus_block subwarp_packer_stimulus = {
    "subwarp_packer",
    "subwarp_packer",
    CLUSTER_BLOCK_PACKER,
    &stimulus_packer.in,
    NULL,
    &stimulus_packer.out,
    start_subwarp_packer,
    drive_subwarp_packer,
    NULL,
    subwarp_packer_corner,
    corners_subwarp_packer,
};

#endif
