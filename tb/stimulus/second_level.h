/* Warps that enter and leave, in phases that fill and empty the queue. */
#ifndef TB_STIMULUS_SECOND_LEVEL_H
#define TB_STIMULUS_SECOND_LEVEL_H

#include "model/divergence/second_level_cycle.h"
#include "tb/stimulus/stimulus.h"

static struct second_level stimulus_level;
static struct second_level_cycle stimulus_level_cycle;
static unsigned stimulus_level_groups, stimulus_level_rows, stimulus_level_spell;
static bool stimulus_level_fills;

static inline void start_second_level(struct seed *s, const struct rtl_size *size) {
    (void)s;
    stimulus_level_groups = rtl_size_of(size, "GROUPS");
    stimulus_level_rows = rtl_size_of(size, "REGISTER_ROWS");
    stimulus_level_spell = 0;
    second_level_free(&stimulus_level);
    second_level_init(&stimulus_level, rtl_size_of(size, "QUEUE"));
    second_level_cycle_init(&stimulus_level_cycle, &stimulus_level, rtl_size_of(size, "LANES"));
}

static inline bool drive_second_level(struct seed *s) {
    struct second_level_cycle *c = &stimulus_level_cycle;
    const bool reset = seed_below(s, 2048) == 0;
    if (reset) second_level_clear(&stimulus_level);
    if (!stimulus_level_spell--) {
        stimulus_level_spell = seed_below(s, 4 * stimulus_level.cfg.entries + 1);
        stimulus_level_fills = seed_below(s, 2);
    }
    c->in.take = stimulus_level.count && seed_below(s, stimulus_level_fills ? 4 : 2) == 0;
    c->in.put = (stimulus_level.count < stimulus_level.cfg.entries || c->in.take) &&
                seed_below(s, stimulus_level_fills ? 2 : 4) == 0;
    if (stimulus_level.count == stimulus_level.cfg.entries && stimulus_rare(s, 4))
        c->in.take = c->in.put = true;
    c->in.put_pc = stimulus_pc(s);
    c->in.put_group = seed_below(s, stimulus_level_groups);
    c->in.put_mask = (uint32_t)stimulus_mask(s, c->lanes);
    for (unsigned k = 0; k < c->lanes; ++k) c->rows[k] = seed_below(s, stimulus_level_rows);
    second_level_cycle_eval(c);
    return reset;
}

static inline void clock_second_level(void) {
    second_level_cycle_clock(&stimulus_level_cycle);
}

static const struct stimulus_corner second_level_corner[] = {
    {"the queue is full", NULL},
    {"a warp comes and one leaves while the queue is full", NULL},
    {"the queue is empty and a warp comes", NULL},
    {"the oldest is in the last place", "QUEUE>1"},
    {"the thread of the last lane leaves", NULL},
    {"a PC with bit 31", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_second_level(void) {
    const struct second_level *l = &stimulus_level;
    const struct second_level_cycle *c = &stimulus_level_cycle;
    return STIMULUS_CORNERS(c->out.count == l->cfg.entries,
                            c->out.count == l->cfg.entries && c->in.put && c->in.take,
                            !c->out.count && c->in.put, c->out.count && l->first == l->cfg.entries - 1,
                            c->in.take && c->out.mask >> (c->lanes - 1) & 1, c->in.put && c->in.put_pc >> 31);
}

static const struct stimulus_block second_level_stimulus = {
    "second_level",           "second_level",          CLUSTER_BLOCK_SECOND_LEVEL,
    &stimulus_level_cycle.in, &stimulus_level_cycle.q, &stimulus_level_cycle.out,
    start_second_level,       drive_second_level,      clock_second_level,
    second_level_corner,      corners_second_level,
};

#endif
