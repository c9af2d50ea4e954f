/* Commits that programs can make: the threads of a warp continue together, call, diverge into groups (with
 * few PCs, some of which are re-convergence points), exit, or move to the top at barriers. */
#ifndef TB_STIMULUS_RE_CONVERGENCE_STACK_H
#define TB_STIMULUS_RE_CONVERGENCE_STACK_H

#include "model/divergence/re_convergence_stack_cycle.h"
#include "tb/stimulus/stimulus.h"

static struct re_convergence_stack stimulus_stack;
static struct re_convergence_stack_cycle stimulus_stack_cycle;
static bool stimulus_stack_ends; /* all threads of the top entry exit in this cycle */

/* Groups of a divergent instruction that follow in later cycles, one each. */
static struct {
    struct re_convergence_group group[RE_CONVERGENCE_STACK_MAX_WARP_SIZE];
    unsigned left, warp;
} stimulus_groups;

static inline void start_re_convergence_stack(struct seed *s, const struct rtl_size *size) {
    (void)s;
    re_convergence_stack_free(&stimulus_stack);
    re_convergence_stack_init(&stimulus_stack, rtl_size_of(size, "WARPS"), rtl_size_of(size, "WARP_SIZE"),
                              rtl_size_of(size, "CALLS"));
    re_convergence_stack_cycle_init(&stimulus_stack_cycle, &stimulus_stack);
    stimulus_groups.left = 0;
}

/* Returns one of few PCs, some of which are RPCs of entries. */
static inline uint32_t stimulus_meeting_pc(struct seed *s, unsigned warp) {
    const unsigned depth = re_convergence_stack_depth(&stimulus_stack, warp);
    const uint32_t rpc = re_convergence_stack_entry(&stimulus_stack, warp, seed_below(s, depth)).rpc;
    switch (seed_below(s, 4)) {
    case 0: return rpc ? rpc : 0x8000;
    case 1: return stimulus_pc(s) | 4;
    default: return 0x8000 + 4 * seed_below(s, 8);
    }
}

static inline bool stimulus_is_taken(const struct re_convergence_group *g, unsigned count, uint32_t pc) {
    for (unsigned n = 0; n < count; ++n)
        if (g[n].pc == pc) return true;
    return false;
}

/* Divides `mask`, which is not 0, into groups at different PCs. */
static inline unsigned stimulus_make_groups(struct seed *s, unsigned warp, uint64_t mask,
                                            struct re_convergence_group *g) {
    const unsigned most = 2 + (seed_below(s, 3) == 0) * seed_below(s, 6);
    unsigned count = 0;
    do {
        uint64_t part = count + 1 == most ? mask : mask & (seed_below(s, 2) ? seed_next(s) : mask & -mask);
        uint32_t pc = stimulus_meeting_pc(s, warp);
        if (!part) part = mask & -mask;
        while (stimulus_is_taken(g, count, pc)) pc = (pc + 4) | 4;
        g[count++] = (struct re_convergence_group){part, pc, false};
        mask &= ~part;
    } while (mask);
    return count;
}

static inline void stimulus_drive_groups(struct seed *s, unsigned warp, uint64_t mask) {
    struct re_convergence_stack_in *in = &stimulus_stack_cycle.in;
    struct re_convergence_group g[RE_CONVERGENCE_STACK_MAX_WARP_SIZE] = {{0}};
    const unsigned count = stimulus_make_groups(s, warp, mask, g);
    const uint32_t rpc = stimulus_stack.warp[warp].top.rpc;
    in->meeting = seed_below(s, 3) == 0          ? 0
                  : seed_below(s, 3) == 0 && rpc ? rpc
                                                 : stimulus_meeting_pc(s, warp);
    if (count >= 2) {
        in->second_mask = (uint64_t)g[count - 1].mask;
        in->second_pc = g[count - 1].pc;
        in->second_call = count == 2 && g[1].pc != in->meeting && seed_below(s, 8) == 0;
        stimulus_groups.left = count - 2;
        stimulus_groups.warp = warp;
        memcpy(stimulus_groups.group, g, stimulus_groups.left * sizeof *g);
    }
    const struct re_convergence_group *first = &g[count >= 2 ? count - 2 : 0];
    in->first_mask = (uint64_t)first->mask;
    in->first_pc = first->pc;
    in->first_call = count == 1 && seed_below(s, 4) == 0;
    if (in->first_call) in->meeting = stimulus_meeting_pc(s, warp);
    if (in->first_call && in->meeting == first->pc) in->meeting += 4;
}

static inline void stimulus_drive_commit(struct seed *s, unsigned warp) {
    struct re_convergence_stack_in *in = &stimulus_stack_cycle.in;
    const uint64_t top = re_convergence_stack_mask(&stimulus_stack, warp);
    const uint64_t some = seed_next(s) & seed_next(s);
    in->commit_warp = warp;
    stimulus_stack_ends = false;
    if (!top || seed_below(s, 8) == 0) return;
    in->commit = true;
    in->move = seed_below(s, 8) == 0;
    const uint64_t ready = seed_next(s) & (~0ull >> (64 - stimulus_stack.cfg.warp_size));
    in->ready_mask = seed_below(s, 4) ? ready & ~top : ready;
    if (in->move) return;
    if (seed_below(s, 16) == 0) in->exit_mask = seed_below(s, 2) ? top : top & some;
    stimulus_stack_ends = in->exit_mask == top;
    if (top & ~in->exit_mask && seed_below(s, 32)) stimulus_drive_groups(s, warp, top & ~in->exit_mask);
}

/* Drives the next group of the previous cycle's instruction, if there is one. */
static inline bool stimulus_drive_more(void) {
    struct re_convergence_stack_in *in = &stimulus_stack_cycle.in;
    if (!stimulus_groups.left || !re_convergence_stack_mask(&stimulus_stack, stimulus_groups.warp))
        return false;
    const struct re_convergence_group g = stimulus_groups.group[--stimulus_groups.left];
    in->commit = in->more = true;
    in->commit_warp = stimulus_groups.warp;
    in->first_mask = (uint64_t)g.mask;
    in->first_pc = g.pc;
    return true;
}

static inline bool drive_re_convergence_stack(struct seed *s) {
    struct re_convergence_stack_in *in = &stimulus_stack_cycle.in;
    const unsigned warps = stimulus_stack.cfg.warps;
    const bool reset = seed_below(s, 2048) == 0;
    if (reset) {
        re_convergence_stack_cycle_reset(&stimulus_stack_cycle);
        stimulus_groups.left = 0;
    }
    in->read_warp = seed_below(s, warps);
    if (!stimulus_drive_more()) {
        stimulus_groups.left = 0;
        stimulus_drive_commit(s, stimulus_one_of(s, warps));
    }
    const unsigned w = seed_below(s, warps);
    if (!re_convergence_stack_mask(&stimulus_stack, w) || seed_below(s, 256) == 0) {
        in->start = seed_below(s, 2);
        in->start_warp = w;
        in->start_pc = 0x8000;
        in->start_mask = seed_below(s, 8)
                             ? ~0ull >> (64 - stimulus_stack.cfg.warp_size) & (seed_next(s) | seed_next(s))
                             : 0;
        if (in->start && w == stimulus_groups.warp) stimulus_groups.left = 0;
    }
    re_convergence_stack_cycle_eval(&stimulus_stack_cycle);
    if (stimulus_stack_cycle.out.overflow) stimulus_groups.left = 0;
    return reset;
}

static inline void clock_re_convergence_stack(void) {
    re_convergence_stack_cycle_clock(&stimulus_stack_cycle);
}

static const struct stimulus_corner re_convergence_stack_corner[] = {
    {"the last warp commits", NULL},
    {"a warp of 64 or above commits", "WARPS>64"},
    {"the last thread is in the top entry", NULL},
    {"the calls are full", NULL},
    {"all threads of the top entry exit", NULL},
    {"an entry moves up in the cycle of a start", "WARPS>1"},
    {"a third group of an instruction", "WARP_SIZE>2"},
    {"a PC with bit 31", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_re_convergence_stack(void) {
    const struct re_convergence_stack_cycle *c = &stimulus_stack_cycle;
    const struct re_convergence_stack *k = &stimulus_stack;
    return STIMULUS_CORNERS(
        c->in.commit && c->in.commit_warp == k->cfg.warps - 1, c->in.commit && c->in.commit_warp >= 64,
        c->out.mask >> (k->cfg.warp_size - 1) & 1, c->out.overflow, c->in.exit_mask && stimulus_stack_ends,
        c->out.moves && c->in.start, c->in.more, c->in.commit && (c->in.first_pc | c->in.second_pc) >> 31);
}

static const struct stimulus_block re_convergence_stack_stimulus = {
    "re_convergence_stack",      "re_convergence_stack",       CLUSTER_BLOCK_STACK,
    &stimulus_stack_cycle.in,    &stimulus_stack_cycle.q,      &stimulus_stack_cycle.out,
    start_re_convergence_stack,  drive_re_convergence_stack,   clock_re_convergence_stack,
    re_convergence_stack_corner, corners_re_convergence_stack,
};

#endif
