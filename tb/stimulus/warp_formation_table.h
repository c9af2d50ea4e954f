/* Threads that come to few PCs; phases with fewer PCs than a set has ways, and with more, alternate. Issued
 * warps, most of them in the table. */
#ifndef TB_STIMULUS_WARP_FORMATION_TABLE_H
#define TB_STIMULUS_WARP_FORMATION_TABLE_H

#include "model/divergence/warp_formation_table_cycle.h"
#include "tb/stimulus/stimulus.h"

static struct warp_formation_table stimulus_formation;
static struct warp_formation_table_cycle stimulus_formation_cycle;
static unsigned stimulus_formation_positions, stimulus_formation_pool, stimulus_formation_groups;

static inline void start_warp_formation_table(struct seed *s, const struct rtl_size *size) {
    (void)s;
    stimulus_formation_positions = rtl_size_of(size, "WARP_SIZE");
    stimulus_formation_pool = rtl_size_of(size, "POOL");
    stimulus_formation_groups = rtl_size_of(size, "GROUPS");
    warp_formation_table_free(&stimulus_formation);
    warp_formation_table_init(&stimulus_formation, rtl_size_of(size, "SETS") * WARP_FORMATION_WAYS);
    warp_formation_table_cycle_init(&stimulus_formation_cycle, &stimulus_formation);
}

/* Six PCs of each of two sets; seldom another, of which one bit differs. */
static inline uint32_t stimulus_formation_pc(struct seed *s) {
    const unsigned sets = stimulus_formation.cfg.sets;
    const uint32_t pc = 0x8000 + 4 * (seed_below(s, 2) + sets * seed_below(s, 6));
    return seed_below(s, 8) ? pc : pc ^ 1u << (2 + seed_below(s, 30));
}

static inline void stimulus_formation_issue(struct seed *s, struct warp_formation_table_in *in) {
    const unsigned ways = stimulus_formation.cfg.sets * WARP_FORMATION_WAYS;
    const uint32_t near = stimulus_formation_pc(s) / 4 % stimulus_formation.cfg.sets * WARP_FORMATION_WAYS;
    const struct warp_formation_entry *e = &stimulus_formation.entry[(near + seed_below(s, 4)) % ways];
    in->issue = seed_below(s, 3) == 0;
    in->issue_pc = seed_below(s, 8) ? e->pc : stimulus_formation_pc(s);
    in->issue_group = seed_below(s, 8) ? e->group : seed_below(s, stimulus_formation_groups);
    in->issue_warp = seed_below(s, 8) ? e->warp : seed_below(s, stimulus_formation_pool);
}

static inline bool drive_warp_formation_table(struct seed *s) {
    struct warp_formation_table_in *in = &stimulus_formation_cycle.in;
    const bool reset = seed_below(s, 2048) == 0;
    if (reset) warp_formation_table_clear(&stimulus_formation);
    stimulus_formation_issue(s, in);
    in->come = seed_below(s, 4) ? stimulus_mask(s, stimulus_formation_positions) : 0;
    in->come_pc = stimulus_formation_pc(s);
    if (!in->come_pc) in->come_pc = 4;
    in->come_group = seed_below(s, 4) ? 0 : seed_below(s, stimulus_formation_groups);
    in->new_warp = stimulus_one_of(s, stimulus_formation_pool);
    if (in->issue && in->issue_pc && stimulus_rare(s, 8)) {
        in->come_pc = in->issue_pc;
        in->come_group = in->issue_group;
    }
    warp_formation_table_cycle_eval(&stimulus_formation_cycle);
    return reset;
}

static inline void clock_warp_formation_table(void) {
    warp_formation_table_cycle_clock(&stimulus_formation_cycle);
}

static const struct stimulus_corner warp_formation_table_corner[] = {
    {"the last position joins", NULL},
    {"a warp makes room for another", NULL},
    {"some threads join, some are left", "WARP_SIZE>1"},
    {"the warp that threads join is issued in that cycle", NULL},
    {"a PC with bit 31", NULL},
    {"the last warp of the pool", "POOL<1000"},
    {NULL, NULL},
};

static inline uint64_t corners_warp_formation_table(void) {
    const struct warp_formation_table_cycle *c = &stimulus_formation_cycle;
    const unsigned last = stimulus_formation_positions - 1;
    return STIMULUS_CORNERS(
        c->out.joined >> last & 1, c->out.lost, c->out.joined && c->out.left,
        c->in.issue && c->in.come && c->in.issue_pc == c->in.come_pc && c->in.issue_group == c->in.come_group,
        c->in.come && c->in.come_pc >> 31, c->in.come && c->in.new_warp == stimulus_formation_pool - 1);
}

static const struct stimulus_block warp_formation_table_stimulus = {
    "warp_formation_table",
    "warp_formation_table",
    CLUSTER_BLOCK_FORMATION,
    &stimulus_formation_cycle.in,
    NULL,
    &stimulus_formation_cycle.out,
    start_warp_formation_table,
    drive_warp_formation_table,
    clock_warp_formation_table,
    warp_formation_table_corner,
    corners_warp_formation_table,
};

#endif
