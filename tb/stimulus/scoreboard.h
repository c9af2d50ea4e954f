/* Instructions of any warps, releases of pending and of other registers, next instructions that need few or
 * many registers. */
#ifndef TB_STIMULUS_SCOREBOARD_H
#define TB_STIMULUS_SCOREBOARD_H

#include "model/control/scoreboard.h"
#include "tb/stimulus/stimulus.h"

static struct scoreboard stimulus_scoreboard;

static inline void start_scoreboard(struct seed *s, const struct rtl_size *size) {
    (void)s;
    scoreboard_init(&stimulus_scoreboard, rtl_size_of(size, "WARPS"), rtl_size_of(size, "REGISTERS"));
}

/* Returns one register, or any set. */
static inline uint64_t stimulus_registers(struct seed *s, unsigned registers) {
    return seed_below(s, 4) ? 1ull << seed_below(s, registers) : stimulus_mask(s, registers);
}

static inline bool drive_scoreboard(struct seed *s) {
    struct scoreboard *b = &stimulus_scoreboard;
    const unsigned warps = b->cfg.warps, registers = b->cfg.registers;
    const bool reset = seed_below(s, 512) == 0;
    if (reset) scoreboard_init(b, warps, registers);
    b->in.issued = seed_below(s, 4) != 0;
    b->in.warp = stimulus_one_of(s, warps);
    b->in.writes = stimulus_registers(s, registers);
    for (unsigned w = 0; w < warps; ++w) {
        b->release[w] = seed_below(s, 8) ? 0 : stimulus_mask(s, registers);
        if (seed_below(s, 8) == 0) b->unread[w] = stimulus_registers(s, registers);
        if (seed_below(s, 8) == 0) b->unread[w] = 0;
        if (seed_below(s, 4) == 0) b->needs[w] = stimulus_registers(s, registers);
        if (seed_below(s, 4) == 0) b->destinations[w] = b->needs[w] & stimulus_mask(s, registers);
    }
    if (stimulus_rare(s, 32)) b->in.writes = stimulus_all(registers);
    if (stimulus_rare(s, 32)) /* all warps wait */
        for (unsigned w = 0; w < warps; ++w) b->needs[w] = stimulus_all(registers);
    scoreboard_eval(b);
    return reset;
}

static inline void clock_scoreboard(void) {
    scoreboard_clock(&stimulus_scoreboard);
}

static const struct stimulus_corner scoreboard_corner[] = {
    {"the last warp issues", NULL},
    {"a warp of 64 or above issues", "WARPS>64"},
    {"the last register is written", NULL},
    {"a register is released in the cycle in which it is issued again", NULL},
    {"all registers of a warp are pending", NULL},
    {"no warp is clear", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_scoreboard(void) {
    const struct scoreboard *b = &stimulus_scoreboard;
    const unsigned last = b->cfg.warps - 1;
    return STIMULUS_CORNERS(b->in.issued && b->in.warp == last, b->in.issued && b->in.warp >= 64,
                            b->in.issued && b->in.writes >> (b->cfg.registers - 1) & 1,
                            b->in.issued &&
                                (b->in.writes & b->release[b->in.warp] & b->q.pending[b->in.warp]),
                            b->q.pending[last] == stimulus_all(b->cfg.registers), !b->out.clear);
}

static const struct stimulus_block scoreboard_stimulus = {
    "scoreboard",
    "scoreboard",
    CLUSTER_BLOCK_SCOREBOARD,
    &stimulus_scoreboard.in,
    &stimulus_scoreboard.q,
    &stimulus_scoreboard.out,
    start_scoreboard,
    drive_scoreboard,
    clock_scoreboard,
    scoreboard_corner,
    corners_scoreboard,
};

#endif
