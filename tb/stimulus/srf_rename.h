/* Any instructions of any warps. Two phases alternate: in one, many values become uniform, so that the
 * registers run out; in the other, many are overwritten. */
#ifndef TB_STIMULUS_SRF_RENAME_H
#define TB_STIMULUS_SRF_RENAME_H

#include "tb/stimulus/stimulus.h"

static struct srf_rename stimulus_srf;
static bool stimulus_much_is_uniform;

static inline void start_srf_rename(struct seed *s, const struct rtl_size *size) {
    stimulus_much_is_uniform = seed_below(s, 2);
    srf_rename_init(&stimulus_srf, rtl_size_of(size, "WARPS"), rtl_size_of(size, "REGISTERS"),
                    rtl_size_of(size, "PHYSICAL"));
}

/* One or two registers, seldom others. */
static inline uint64_t stimulus_few(struct seed *s, unsigned registers) {
    const uint64_t one = 1ull << seed_below(s, registers);
    switch (seed_below(s, 8)) {
    case 0: return stimulus_mask(s, registers);
    case 1: return 0;
    case 2:
    case 3:
    case 4: return one | 1ull << seed_below(s, registers);
    default: return one;
    }
}

static inline bool drive_srf_rename(struct seed *s) {
    struct srf_rename *r = &stimulus_srf;
    const unsigned warps = r->cfg.warps, registers = r->cfg.registers, rows = registers - TOKEN_STATES;
    const bool reset = seed_below(s, 4096) == 0;
    if (seed_below(s, 512) == 0) stimulus_much_is_uniform = !stimulus_much_is_uniform;
    if (reset) srf_rename_reset(r);
    r->in = (struct srf_rename_in){
        .start = seed_below(s, 64) == 0,
        .start_warps = stimulus_warps(s, warps),
        .read_warp = seed_below(s, warps),
        .read_sources = stimulus_few(s, registers),
        .read_destinations = stimulus_few(s, rows),
        .read_full = seed_below(s, 4) != 0,
        .read_conditional = seed_below(s, 3) == 0,
        .read_fails = seed_below(s, 2),
        .read_row0 = seed_below(s, rows),
        .read_row1 = seed_below(s, rows),
        .read_row2 = seed_below(s, rows),
        .write_warp = stimulus_one_of(s, warps),
        .write_destinations = stimulus_few(s, registers),
        .write_full = seed_below(s, 8) != 0,
        .write_uniform = seed_below(s, 8) < (stimulus_much_is_uniform ? 7 : 1),
        .write_broadcast = seed_below(s, 2) ? stimulus_mask(s, registers) : 0,
        .release = seed_below(s, stimulus_much_is_uniform ? 256 : 32) == 0,
        .release_warp = seed_below(s, warps),
    };
    if (stimulus_rare(s, 32)) r->in.release_warp = r->in.write_warp;
    if (stimulus_rare(s, 32)) r->in.write_destinations |= UINT64_C(1) << (registers - 1);
    srf_rename_eval(r);
    srf_rename_write_map(r);
    return reset;
}

static inline void clock_srf_rename(void) {
    srf_rename_clock(&stimulus_srf);
}

static const struct stimulus_corner srf_rename_corner[] = {
    {"the last warp writes", NULL},
    {"a warp of 64 or above writes", "WARPS>64"},
    {"registers run out", "PHYSICAL<2000"},
    {"two registers are mapped at once", "PHYSICAL>2"},
    {"the last scalar register is taken", "PHYSICAL<2000"},
    {"a warp ends in the cycle in which it writes", NULL},
    {"the last register is written", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_srf_rename(void) {
    const struct srf_rename *r = &stimulus_srf;
    const unsigned last = r->cfg.warps - 1;
    return STIMULUS_CORNERS(
        r->in.write_destinations && r->in.write_warp == last,
        r->in.write_destinations && r->in.write_warp >= 64, r->out.refused,
        r->out.mapped && (r->d.wanted & (r->d.wanted - 1)),
        r->out.mapped && (r->out.target0 == r->cfg.physical - 1 || r->out.target1 == r->cfg.physical - 1),
        r->in.release && r->in.release_warp == r->in.write_warp && r->in.write_destinations,
        r->in.write_destinations >> (r->cfg.registers - 1) & 1);
}

static const struct stimulus_block srf_rename_stimulus = {
    "srf_rename",     "srf_rename",      CLUSTER_BLOCK_RENAME, &stimulus_srf.in,
    &stimulus_srf.q,  &stimulus_srf.out, start_srf_rename,     drive_srf_rename,
    clock_srf_rename, srf_rename_corner, corners_srf_rename,
};

#endif
