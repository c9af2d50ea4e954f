/* Loads of few lines, so that many merge, or of any lines; uncached accesses and stores to the same lines;
 * cycles without room in the port. Answers arrive for any waiting register; for some time they are rarer than
 * requests, so that registers run out. Includes occasional resets. */
#ifndef TB_STIMULUS_MISS_REGISTERS_H
#define TB_STIMULUS_MISS_REGISTERS_H

#include "model/control/miss_registers.h"
#include "tb/stimulus/stimulus.h"

static struct miss_registers stimulus_misses;
static unsigned stimulus_line_bits, stimulus_request_bits;
static unsigned stimulus_fill_odds; /* mean number of cycles between answers */
static unsigned stimulus_lines;     /* number of lines that most requests use */

static inline void start_miss_registers(struct seed *s, const struct rtl_size *size) {
    (void)s;
    stimulus_line_bits = rtl_size_of(size, "LINE_BITS");
    stimulus_request_bits = rtl_size_of(size, "REQUEST_BITS");
    stimulus_fill_odds = stimulus_lines = 2;
    miss_registers_init(&stimulus_misses, rtl_size_of(size, "MSHRS"), rtl_size_of(size, "MERGES"));
}

static inline uint32_t stimulus_bits(struct seed *s, unsigned bits) {
    return (uint32_t)seed_next(s) & UINT32_MAX >> (32 - bits);
}

/* Returns a line: one of few, such a line with one bit changed, or any. */
static inline uint32_t stimulus_line(struct seed *s) {
    const uint32_t all = UINT32_MAX >> (32 - stimulus_line_bits);
    const uint32_t line = 0x9e3779b9u * seed_below(s, stimulus_lines) & all;
    switch (seed_below(s, 8)) {
    case 0: return stimulus_bits(s, stimulus_line_bits);
    case 1: return line ^ 1u << seed_below(s, stimulus_line_bits);
    default: return line;
    }
}

static inline unsigned stimulus_taken(struct seed *s) {
    uint64_t rest = stimulus_misses.now.taken;
    for (unsigned n = seed_below(s, (unsigned)__builtin_popcountll(rest)); n; --n) rest &= rest - 1;
    return (unsigned)__builtin_ctzll(rest);
}

static inline bool drive_miss_registers(struct seed *s) {
    struct miss_registers *r = &stimulus_misses;
    const bool reset = seed_below(s, 1024) == 0;
    if (reset) miss_registers_init(r, r->cfg.mshrs, r->cfg.merges);
    if (seed_below(s, 128) == 0) {
        stimulus_fill_odds = 1 + seed_below(s, 2 * r->cfg.merges);
        stimulus_lines = 1 + seed_below(s, 2 * r->cfg.mshrs);
    }
    const unsigned kind = seed_below(s, 16);
    r->in = (struct miss_registers_in){
        .load = kind < 10,
        .alone = kind == 10,
        .store = kind == 11,
        .room = seed_below(s, 8) != 0,
        .line = stimulus_line(s),
        .request = stimulus_bits(s, stimulus_request_bits),
        .fill = r->now.taken && seed_below(s, stimulus_fill_odds) == 0,
    };
    if (r->in.fill) r->in.filled = stimulus_taken(s);
    if (r->in.fill && stimulus_rare(s, 8)) r->in.line = r->now.line[r->in.filled];
    miss_registers_eval(r);
    miss_registers_write(r);
    return reset;
}

static inline void clock_miss_registers(void) {
    miss_registers_clock(&stimulus_misses);
}

static const struct stimulus_corner miss_registers_corner[] = {
    {"all registers are taken", NULL},
    {"a load finds all registers taken", NULL},
    {"a load finds its register full of loads", NULL},
    {"an answer frees the register that a load takes in that cycle", NULL},
    {"a load joins the register that is filled in that cycle", "MERGES>1"},
    {"an answer to as many loads as can merge", NULL},
    {"the last register is filled", "MSHRS>1"},
    {"a store closes a register", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_miss_registers(void) {
    const struct miss_registers *r = &stimulus_misses;
    return STIMULUS_CORNERS(r->now.taken == stimulus_all(r->cfg.mshrs), r->out.full, r->out.crowded,
                            r->out.take && r->in.fill && r->out.index == r->in.filled,
                            r->in.load && r->in.fill && r->now.line[r->in.filled] == r->in.line &&
                                r->now.open >> r->in.filled & 1,
                            r->in.fill && r->now.count[r->in.filled] == r->cfg.merges,
                            r->in.fill && r->in.filled == r->cfg.mshrs - 1,
                            (r->in.store || r->in.alone) && (r->now.open & ~r->d.open));
}

static const struct stimulus_block miss_registers_stimulus = {
    "miss_registers",     "miss_registers",      CLUSTER_BLOCK_MISSES,   &stimulus_misses.in,
    &stimulus_misses.q,   &stimulus_misses.out,  start_miss_registers,   drive_miss_registers,
    clock_miss_registers, miss_registers_corner, corners_miss_registers,
};

#endif
