/* Threads of few rows that diverge, few RPCs, so that barriers are shared and run out; threads that arrive at
 * these; some exits; barriers fire now and then. */
#ifndef TB_STIMULUS_RE_CONVERGENCE_BARRIERS_H
#define TB_STIMULUS_RE_CONVERGENCE_BARRIERS_H

#include "model/divergence/re_convergence_barriers_cycle.h"
#include "tb/stimulus/stimulus.h"

static struct re_convergence_barriers stimulus_meetings;
static struct re_convergence_barriers_cycle stimulus_meetings_cycle;
static unsigned stimulus_meetings_rows, stimulus_meetings_groups;

static inline void start_re_convergence_barriers(struct seed *s, const struct rtl_size *size) {
    (void)s;
    stimulus_meetings_rows = rtl_size_of(size, "REGISTER_ROWS");
    stimulus_meetings_groups = rtl_size_of(size, "GROUPS");
    re_convergence_barriers_free(&stimulus_meetings);
    re_convergence_barriers_init(&stimulus_meetings, rtl_size_of(size, "BARRIER_SETS"),
                                 rtl_size_of(size, "WAYS"));
    re_convergence_barriers_cycle_init(&stimulus_meetings_cycle, &stimulus_meetings,
                                       rtl_size_of(size, "LANES"));
}

/* Returns one of few RPCs; seldom such an RPC with one bit changed. */
static inline uint32_t stimulus_meetings_pc(struct seed *s) {
    const uint32_t pc = 0x8000 + 4 * seed_below(s, 6);
    return seed_below(s, 16) ? pc : pc ^ 1u << (16 + seed_below(s, 16));
}

/* Chooses rows for a warp: in three of four calls one row for all lanes, else any rows. */
static inline void stimulus_meetings_rows_of(struct seed *s, struct re_convergence_barriers_cycle *c) {
    const uint32_t row = seed_below(s, 4) % stimulus_meetings_rows;
    const bool mixed = seed_below(s, 4) == 0;
    for (unsigned k = 0; k < c->lanes; ++k) c->rows[k] = mixed ? seed_below(s, stimulus_meetings_rows) : row;
}

static inline bool drive_re_convergence_barriers(struct seed *s) {
    struct re_convergence_barriers_cycle *c = &stimulus_meetings_cycle;
    const bool reset = seed_below(s, 2048) == 0;
    if (reset) re_convergence_barriers_clear(&stimulus_meetings);
    stimulus_meetings_rows_of(s, c);
    c->in.fire = seed_below(s, 4) == 0;
    c->in.exit = seed_below(s, 16) ? 0 : (uint32_t)stimulus_mask(s, c->lanes);
    c->in.reserve = seed_below(s, 3) ? 0 : (uint32_t)stimulus_mask(s, c->lanes);
    c->in.rpc = stimulus_meetings_pc(s);
    c->in.group = seed_below(s, 2) ? 0 : seed_below(s, stimulus_meetings_groups);
    c->in.gone = seed_below(s, 4) == 0;
    c->in.gone_barrier = seed_below(s, stimulus_meetings.cfg.sets * stimulus_meetings.cfg.ways);
    c->in.arrive = seed_below(s, 3) ? (uint32_t)stimulus_mask(s, c->lanes) : 0;
    c->in.arrive_pc = seed_below(s, 4) ? stimulus_meetings_pc(s) : c->in.rpc;
    if (c->out.complete && stimulus_rare(s, 8)) c->in.exit = (uint32_t)stimulus_mask(s, c->lanes);
    if (stimulus_rare(s, 32)) {
        c->in.fire = true;
        c->in.reserve = (uint32_t)stimulus_mask(s, c->lanes);
    }
    re_convergence_barriers_cycle_eval(c);
    return reset;
}

static inline void clock_re_convergence_barriers(void) {
    re_convergence_barriers_cycle_clock(&stimulus_meetings_cycle);
}

static const struct stimulus_corner re_convergence_barriers_corner[] = {
    {"the thread of the last lane waits", NULL},
    {"a set has no barrier left", NULL},
    {"a barrier is shared", "WAYS>0"},
    {"the last barrier is complete", NULL},
    {"a barrier fires in the cycle of a reservation", NULL},
    {"a thread that waits for others ends", "LANES>1"},
    {"an RPC with bit 31", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_re_convergence_barriers(void) {
    const struct re_convergence_barriers_cycle *c = &stimulus_meetings_cycle;
    return STIMULUS_CORNERS(c->out.waits >> (c->lanes - 1) & 1, c->out.missed != 0, c->out.shared != 0,
                            c->out.complete &&
                                c->out.barrier == stimulus_meetings.cfg.sets * stimulus_meetings.cfg.ways - 1,
                            c->in.fire && c->out.complete && c->in.reserve, c->in.exit && c->out.complete,
                            c->in.reserve && c->in.rpc >> 31);
}

static const struct stimulus_block re_convergence_barriers_stimulus = {
    "re_convergence_barriers",      "re_convergence_barriers",       CLUSTER_BLOCK_MEETINGS,
    &stimulus_meetings_cycle.in,    &stimulus_meetings_cycle.q,      &stimulus_meetings_cycle.out,
    start_re_convergence_barriers,  drive_re_convergence_barriers,   clock_re_convergence_barriers,
    re_convergence_barriers_corner, corners_re_convergence_barriers,
};

#endif
