/* Instructions that land with few lines or many, none, scalars or both. Their last results come in the same
 * cycle, soon or late, several in one cycle. Sometimes a reset. */
#ifndef TB_STIMULUS_WRITEBACK_ARBITER_H
#define TB_STIMULUS_WRITEBACK_ARBITER_H

#include "model/control/writeback_arbiter.h"
#include "tb/stimulus/stimulus.h"

static struct writeback_arbiter stimulus_writeback;
static unsigned stimulus_writeback_lines; /* lines of a vTPO */
static unsigned stimulus_result_odds;     /* results come once in so many cycles */

static inline void start_writeback_arbiter(struct seed *s, const struct rtl_size *size) {
    (void)s;
    stimulus_writeback_lines = rtl_size_of(size, "VTPO_LINES");
    stimulus_result_odds = 2;
    writeback_arbiter_init(&stimulus_writeback, rtl_size_of(size, "WARPS"), rtl_size_of(size, "WRITE_PORTS"));
}

/* A warp of which no instruction has landed: its number; as many as there are: there is none. */
static inline unsigned stimulus_not_landed(struct seed *s) {
    const struct writeback_arbiter *a = &stimulus_writeback;
    const unsigned warps = a->cfg.warps, from = stimulus_one_of(s, warps);
    for (unsigned n = 0; n < warps; ++n)
        if (!warp_set_has(a->now.landed, (from + n) % warps)) return (from + n) % warps;
    return warps;
}

static inline unsigned stimulus_writes(struct seed *s, unsigned most) {
    switch (seed_below(s, 8)) {
    case 0: return 0;
    case 1: return seed_below(s, most + 1);
    case 2: return most - seed_below(s, 2);
    default: return 1 + seed_below(s, 3);
    }
}

static inline bool drive_writeback_arbiter(struct seed *s) {
    struct writeback_arbiter *a = &stimulus_writeback;
    const bool reset = seed_below(s, 512) == 0;
    if (reset) writeback_arbiter_init(a, a->cfg.warps, a->cfg.write_ports);
    if (seed_below(s, 64) == 0) stimulus_result_odds = 1 + seed_below(s, 12);
    if (stimulus_rare(s, 2048)) stimulus_result_odds = 1 << 20; /* no result until all warps have landed */
    const unsigned warp = stimulus_not_landed(s);
    a->in.land = warp < a->cfg.warps && seed_below(s, 3) != 0;
    a->in.warp = a->in.land ? warp : seed_below(s, a->cfg.warps);
    a->in.lines = stimulus_writes(s, ARM_REGISTERS * stimulus_writeback_lines);
    a->in.scalars = seed_below(s, 2) ? 0 : stimulus_writes(s, ARM_REGISTERS);
    a->in.result = seed_below(s, stimulus_result_odds) ? 0 : stimulus_warps(s, a->cfg.warps);
    if (a->in.land && seed_below(s, 4) == 0) a->in.result |= warp_bit(warp);
    if (stimulus_rare(s, 64)) a->in.lines = ARM_REGISTERS * stimulus_writeback_lines;
    writeback_arbiter_eval(a);
    return reset;
}

static inline void clock_writeback_arbiter(void) {
    writeback_arbiter_clock(&stimulus_writeback);
}

static const struct stimulus_corner writeback_arbiter_corner[] = {
    {"the last warp lands", NULL},
    {"a warp of 64 or above lands", "WARPS>64"},
    {"all warps have landed", NULL},
    {"an instruction lands with its last result", NULL},
    {"an instruction that writes nothing", NULL},
    {"an instruction that writes all registers", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_writeback_arbiter(void) {
    const struct writeback_arbiter *a = &stimulus_writeback;
    return STIMULUS_CORNERS(a->in.land && a->in.warp == a->cfg.warps - 1, a->in.land && a->in.warp >= 64,
                            a->now.landed == stimulus_all_warps(a->cfg.warps),
                            a->in.land && a->in.result >> a->in.warp & 1,
                            a->in.land && !a->in.lines && !a->in.scalars,
                            a->in.land && a->in.lines == ARM_REGISTERS * stimulus_writeback_lines);
}

static const struct stimulus_block writeback_arbiter_stimulus = {
    "writeback_arbiter",     "writeback_arbiter",      CLUSTER_BLOCK_WRITEBACK,   &stimulus_writeback.in,
    &stimulus_writeback.q,   &stimulus_writeback.out,  start_writeback_arbiter,   drive_writeback_arbiter,
    clock_writeback_arbiter, writeback_arbiter_corner, corners_writeback_arbiter,
};

#endif
