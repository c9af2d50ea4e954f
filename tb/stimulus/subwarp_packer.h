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
    subwarp_packer_eval(p);
    return false;
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
};

#endif
