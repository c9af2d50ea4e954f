/* Warps that come to few PCs, of two work-groups at most; entries that leave. */
#ifndef TB_STIMULUS_WARP_LOOKUP_H
#define TB_STIMULUS_WARP_LOOKUP_H

#include "model/divergence/warp_lookup_cycle.h"
#include "tb/stimulus/stimulus.h"

static struct warp_lookup stimulus_lookup;
static struct warp_lookup_cycle stimulus_lookup_cycle;
static unsigned stimulus_lookup_groups, stimulus_lookup_rows;

static inline void start_warp_lookup(struct seed *s, const struct rtl_size *size) {
    (void)s;
    stimulus_lookup_groups = rtl_size_of(size, "GROUPS") < 2 ? 1 : 2;
    stimulus_lookup_rows = rtl_size_of(size, "REGISTER_ROWS");
    warp_lookup_init(&stimulus_lookup, rtl_size_of(size, "SLOTS"), rtl_size_of(size, "RENEWS") != 0);
    warp_lookup_cycle_init(&stimulus_lookup_cycle, &stimulus_lookup, rtl_size_of(size, "LANES"));
}

static inline bool drive_warp_lookup(struct seed *s) {
    struct warp_lookup_cycle *c = &stimulus_lookup_cycle;
    const uint32_t all = ~0u >> (32 - c->lanes);
    const bool reset = seed_below(s, 1024) == 0;
    if (reset) warp_lookup_cycle_reset(c);
    const unsigned count = stimulus_lookup.count;
    const unsigned which = count ? seed_below(s, count) : 0;
    c->in.leave = count && seed_below(s, 4) == 0;
    c->in.leave_entry =
        c->in.leave ? stimulus_lookup.entry[which].slot : seed_below(s, stimulus_lookup.cfg.entries);
    c->in.come =
        seed_below(s, 3) ? (uint32_t)(seed_next(s) & (seed_below(s, 2) ? seed_next(s) : ~0ull)) & all : 0;
    c->in.come_pc = 0x100 + 4 * seed_below(s, 3) + (seed_below(s, 8) == 0) * 0x80000000u;
    c->in.come_group = seed_below(s, stimulus_lookup_groups);
    for (unsigned k = 0; k < c->lanes; ++k) c->rows[k] = stimulus_one_of(s, stimulus_lookup_rows);
    if (c->in.leave && stimulus_rare(s, 8)) c->in.come_pc = stimulus_lookup.entry[which].warp.pc;
    warp_lookup_cycle_eval(c);
    return reset;
}

static inline void clock_warp_lookup(void) {
    warp_lookup_cycle_clock(&stimulus_lookup_cycle);
}

static const struct stimulus_corner warp_lookup_corner[] = {
    {"the table is full", NULL},
    {"threads find no room", NULL},
    {"threads join an entry", NULL},
    {"threads come to the entry that leaves in that cycle", NULL},
    {"the thread of the last lane comes", NULL},
    {"the last row", NULL},
    {"a PC with bit 31", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_warp_lookup(void) {
    const struct warp_lookup *l = &stimulus_lookup;
    const struct warp_lookup_cycle *c = &stimulus_lookup_cycle;
    return STIMULUS_CORNERS(
        l->count == l->cfg.entries, c->out.bypass != 0, c->out.joined != 0,
        c->in.leave && c->in.come && c->in.come_pc == c->out.pc, c->in.come >> (c->lanes - 1) & 1,
        c->in.come & 1 && c->rows[0] == stimulus_lookup_rows - 1, c->in.come && c->in.come_pc >> 31);
}

static const struct stimulus_block warp_lookup_stimulus = {
    "warp_lookup",
    "warp_lookup",
    CLUSTER_BLOCK_READY_LOOKUP,
    &stimulus_lookup_cycle.in,
    &stimulus_lookup_cycle.q,
    &stimulus_lookup_cycle.out,
    start_warp_lookup,
    drive_warp_lookup,
    clock_warp_lookup,
    warp_lookup_corner,
    corners_warp_lookup,
};

#endif
