#include "model/divergence/subwarp_packer.h"

#include "sim/error.h"

#include <string.h>

void subwarp_packer_init(struct subwarp_packer *p, unsigned lanes, unsigned rows) {
    invariant(lanes >= 1 && lanes <= MACHINE_MAX_LANES && rows >= 1 &&
                  lanes * rows <= RE_CONVERGENCE_STACK_MAX_WARP_SIZE,
              "sub-warps of %u lanes, %u rows", lanes, rows);
    memset(p, 0, sizeof *p);
    p->cfg.lanes = lanes;
    p->cfg.rows = rows;
    p->in.mask = p->mask;
    p->out.subwarp = p->subwarp;
    p->out.rest = p->rest;
}

static void to_rows(const struct subwarp_packer *p, re_convergence_mask threads, uint32_t *row) {
    for (unsigned r = 0; r < p->cfg.rows; ++r)
        row[r] = (uint32_t)(threads >> r * p->cfg.lanes) & UINT32_MAX >> (32 - p->cfg.lanes);
}

static re_convergence_mask from_rows(const struct subwarp_packer *p, const uint32_t *row) {
    re_convergence_mask threads = 0;
    for (unsigned r = 0; r < p->cfg.rows; ++r) threads |= (re_convergence_mask)row[r] << r * p->cfg.lanes;
    return threads;
}

void subwarp_packer_ask(struct subwarp_packer *p, re_convergence_mask mask) {
    to_rows(p, mask, p->mask);
}

void subwarp_packer_eval(struct subwarp_packer *p) {
    const re_convergence_mask mask = from_rows(p, p->mask);
    const re_convergence_mask subwarp = subwarp_packer_next(mask, p->cfg.lanes);
    to_rows(p, subwarp, p->subwarp);
    to_rows(p, mask & ~subwarp, p->rest);
}

re_convergence_mask subwarp_packer_said(const struct subwarp_packer *p) {
    return from_rows(p, p->subwarp);
}
