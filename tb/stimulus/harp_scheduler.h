/* Threads that start, execute at few PCs, diverge, reconverge, access memory, wait at barriers of their
 * work-groups and exit, in a pipeline with random latencies. The block is reset if all threads wait for each
 * other. */
#ifndef TB_STIMULUS_HARP_SCHEDULER_H
#define TB_STIMULUS_HARP_SCHEDULER_H

#include "model/divergence/harp_scheduler_cycle.h"
#include "tb/stimulus/stimulus.h"

static struct {
    struct harp_scheduler whole;
    struct harp_scheduler_cycle cycle;
    unsigned threads, lanes, rows, groups;
    uint16_t row[HARP_SCHEDULER_CYCLE_MAX_THREADS]; /* row of each thread; its lane is its number */
    bool lives[HARP_SCHEDULER_CYCLE_MAX_THREADS];   /* modulo the number of lanes */
    uint64_t t;
    bool chosen;       /* chosen and not yet stepped */
    unsigned patience; /* cycles until the next commit */
    unsigned ending;   /* exits: number of 256 threads of an instruction */
    unsigned loads;    /* memory accesses: number of 8 instructions */
    uint32_t base;     /* lowest PC of instructions */
    unsigned pcs;      /* number of PCs */
    unsigned fast;     /* immediate answers: number of 8 */
    unsigned parting;  /* instructions after which threads may diverge: number of 8 */
    unsigned meeting;  /* instructions among these with a re-convergence point: number of 8 */
    bool slow;         /* slow memory: the Waiting-Lookup is full, and threads complete one by one */
} stimulus_harp;

static inline unsigned stimulus_harp_lane(unsigned thread) {
    return thread % stimulus_harp.lanes;
}

static inline uint32_t stimulus_harp_group(unsigned row) {
    return row % stimulus_harp.groups;
}

static inline uint32_t stimulus_harp_pc(struct seed *s) {
    const uint32_t pc =
        stimulus_harp.base + 4 * seed_below(s, stimulus_harp.pcs) + (seed_below(s, 64) == 0) * 0x80000000u;
    return pc ? pc : 4; /* 0 is no valid PC */
}

/* Chooses the behaviour of instructions for a number of cycles. */
static inline void stimulus_harp_mood(struct seed *s) {
    stimulus_harp.base = 0x8000;
    if (stimulus_rare(s, 2)) { /* PCs for which the addition of 4 carries far */
        const unsigned bit = seed_below(s, 2) ? 5 + seed_below(s, 27) : seed_below(s, 2) ? 31 : 12;
        stimulus_harp.base = (UINT32_C(1) << bit) - 4 * (1 + seed_below(s, 2));
    }
    stimulus_harp.ending = (unsigned[]){1, 8, 64}[seed_below(s, 3)];
    stimulus_harp.loads = (unsigned[]){0, 2, 6}[seed_below(s, 3)];
    stimulus_harp.fast = seed_below(s, 9);
    stimulus_harp.pcs = (unsigned[]){2, 4, 8}[seed_below(s, 3)];
    stimulus_harp.parting = (unsigned[]){4, 4, 7}[seed_below(s, 3)];
    stimulus_harp.meeting = (unsigned[]){7, 7, 1}[seed_below(s, 3)];
    stimulus_harp.slow = seed_below(s, 4) == 0;
    if (!stimulus_harp.slow) return;
    stimulus_harp.ending = 1;
    stimulus_harp.loads = 7;
    stimulus_harp.pcs = 8;
}

/* Chooses rows: of all, or of few, so that threads use the same barriers. */
static inline void stimulus_harp_begin(struct seed *s) {
    const unsigned few = 2 + seed_below(s, 6), each = stimulus_harp.threads / stimulus_harp.lanes + 1;
    const unsigned most = each < few ? few : each,
                   rows = seed_below(s, 2) && most < stimulus_harp.rows ? most : stimulus_harp.rows;
    for (unsigned n = 0; n < stimulus_harp.threads; ++n) {
        const unsigned before = n < stimulus_harp.lanes ? n : n - stimulus_harp.lanes;
        stimulus_harp.row[n] =
            (uint16_t)(n == before ? seed_below(s, rows) : (stimulus_harp.row[before] + 1) % rows);
        stimulus_harp.lives[n] = false;
    }
    stimulus_harp_mood(s);
    stimulus_harp.patience = 48;
    stimulus_harp.chosen = false;
    stimulus_harp.t = 0;
}

static inline void start_harp_scheduler(struct seed *s, const struct rtl_size *size) {
    const unsigned most = rtl_size_of(size, "LANES") * rtl_size_of(size, "REGISTER_ROWS"),
                   queue = rtl_size_of(size, "QUEUE");
    const struct harp_config c = {.threads = queue,
                                  .second_level = 512,
                                  .first_level = rtl_size_of(size, "FIRST_LEVEL"),
                                  .ready_lookup = rtl_size_of(size, "READY_SLOTS"),
                                  .waiting_lookup = rtl_size_of(size, "WAITING_SLOTS"),
                                  .sets = rtl_size_of(size, "BARRIER_SETS"),
                                  .ways = rtl_size_of(size, "WAYS"),
                                  .barrier_stages = rtl_size_of(size, "STAGES")};
    if (stimulus_harp.threads) harp_scheduler_free(&stimulus_harp.whole);
    stimulus_harp.threads = queue < most ? queue : most;
    stimulus_harp.lanes = rtl_size_of(size, "LANES");
    stimulus_harp.rows = rtl_size_of(size, "REGISTER_ROWS");
    stimulus_harp.groups = rtl_size_of(size, "GROUPS") < 3 ? rtl_size_of(size, "GROUPS") : 3;
    harp_scheduler_init(&stimulus_harp.whole, &c);
    harp_scheduler_cycle_init(&stimulus_harp.cycle, &stimulus_harp.whole, stimulus_harp.lanes);
    stimulus_harp_begin(s);
}

static inline bool stimulus_harp_soon(struct seed *s) {
    return seed_below(s, 8) < stimulus_harp.fast || seed_below(s, 4) == 0;
}

/* Starts a warp of threads that are not live. Returns false if all are live. */
static inline bool stimulus_harp_starts(struct seed *s) {
    struct harp_scheduler_cycle *c = &stimulus_harp.cycle;
    for (unsigned n = 0; n < stimulus_harp.threads; ++n) {
        const unsigned lane = stimulus_harp_lane(n);
        const uint32_t group = stimulus_harp_group(stimulus_harp.row[n]);
        if (stimulus_harp.lives[n] || c->in.mask >> lane & 1 || (c->in.mask && c->in.group != group) ||
            seed_below(s, 4) == 0)
            continue;
        stimulus_harp.lives[n] = true;
        c->in.mask |= UINT32_C(1) << lane;
        c->in.group = group;
        c->rows[lane] = stimulus_harp.row[n];
    }
    c->in.pc = stimulus_harp_pc(s);
    c->in.start = c->in.mask != 0;
    return c->in.start;
}

/* Makes an issued warp of the First-Level due, or sends it to memory. */
static inline bool stimulus_harp_pipeline(struct seed *s) {
    const struct harp_scheduler *h = &stimulus_harp.whole;
    const uint64_t open = h->fl_issued & ~(h->fl_due | h->fl_memory);
    const unsigned first = h->in_first_level ? seed_below(s, h->in_first_level) : 0;
    for (unsigned n = 0; n < h->in_first_level; ++n) {
        const unsigned at = (first + n) % h->in_first_level;
        const struct harp_first_level *f = &h->first_level[h->fl_slot[at]];
        if (!(open >> at & 1) || !stimulus_harp_soon(s)) continue;
        stimulus_harp.cycle.in.memory = seed_below(s, 8) < stimulus_harp.loads;
        stimulus_harp.cycle.in.due = !stimulus_harp.cycle.in.memory;
        stimulus_harp.cycle.in.number = f->warp.number;
        stimulus_harp.cycle.due = 0;
        return true;
    }
    return false;
}

/* Returns threads of a warp whose access is not complete: one, or some of them. */
static inline uint32_t stimulus_harp_some(struct seed *s, const struct issued_warp *w) {
    const unsigned lanes = stimulus_harp.lanes;
    const uint64_t open = w->warp.valid & ~w->ready;
    if (!stimulus_harp.slow)
        return (uint32_t)(w->warp.valid & (seed_below(s, 2) ? stimulus_mask(s, lanes) : ~0ull));
    const unsigned first = seed_below(s, lanes);
    for (unsigned n = 0; n < lanes; ++n)
        if (open >> (first + n) % lanes & 1) return UINT32_C(1) << (first + n) % lanes;
    return 0;
}

/* Completes accesses of threads in the lookup or waiting outside of it; now and then of others. */
static inline bool stimulus_harp_accesses(struct seed *s) {
    struct harp_scheduler_cycle *c = &stimulus_harp.cycle;
    const struct harp_scheduler *h = &stimulus_harp.whole;
    const unsigned count = h->waiting_lookup.count + h->waits;
    if (!count || !stimulus_harp_soon(s) || (stimulus_harp.slow && seed_below(s, 2))) return false;
    const unsigned n = seed_below(s, count);
    const struct issued_warp *w =
        n < h->waiting_lookup.count ? &h->waiting_lookup.entry[n] : &h->waiting[n - h->waiting_lookup.count];
    const uint64_t others = seed_below(s, 8) ? 0 : stimulus_mask(s, c->lanes);
    c->in.done = stimulus_harp_some(s, w);
    for (unsigned k = 0; k < c->lanes; ++k)
        c->rows[k] = c->in.done >> k & 1 ? w->warp.row[k] : seed_below(s, stimulus_harp.rows);
    c->in.done |= (uint32_t)others;
    return true;
}

static inline bool stimulus_harp_releases(struct seed *s) {
    const struct harp_scheduler *h = &stimulus_harp.whole;
    if (seed_below(s, h->parked.count ? 8 : 64)) return false;
    stimulus_harp.cycle.in.release = true;
    stimulus_harp.cycle.in.group = seed_below(s, stimulus_harp.groups);
    return true;
}

static inline void stimulus_harp_ends(unsigned lane, unsigned row) {
    for (unsigned n = lane; n < stimulus_harp.threads; n += stimulus_harp.lanes)
        if (stimulus_harp.row[n] == row) stimulus_harp.lives[n] = false;
}

/* Chooses the outcome of a committed warp: most threads continue together, some diverge. */
static inline void stimulus_harp_outcome(struct seed *s, const struct regrouped_warp *w) {
    struct harp_scheduler_cycle *c = &stimulus_harp.cycle;
    const uint32_t end = stimulus_harp.base + 4 * stimulus_harp.pcs,
                   falls = w->pc + 4 < end && w->pc + 4 ? w->pc + 4 : stimulus_harp_pc(s);
    uint32_t to[] = {seed_below(s, 2) ? falls : stimulus_harp_pc(s), stimulus_harp_pc(s), stimulus_harp_pc(s),
                     stimulus_harp_pc(s)};
    unsigned ways = seed_below(s, 8) < stimulus_harp.parting ? 1 + seed_below(s, 4) : 1;
    if (w->pc + 4 > w->pc && (w->pc ^ (w->pc + 4)) >> 12 && stimulus_rare(s, 2)) {
        to[0] = w->pc + 4; /* comes first, although the others have a lower PC */
        to[1] = w->pc;
        ways = 2;
    }
    c->in.waits = seed_below(s, 16) == 0;
    c->in.meeting = seed_below(s, 8) < stimulus_harp.meeting ? stimulus_harp_pc(s) : 0;
    for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        c->next[lane] = c->in.waits ? to[0] : to[seed_below(s, ways)];
        if (c->in.waits || seed_below(s, 256) >= stimulus_harp.ending) continue;
        c->next[lane] = 0;
        stimulus_harp_ends(lane, w->row[lane]);
    }
}

static inline void stimulus_harp_cycle(struct seed *s) {
    struct harp_scheduler_cycle *c = &stimulus_harp.cycle;
    if (!stimulus_harp.chosen) {
        c->in.choose = stimulus_harp.chosen = true;
        c->in.issues = seed_below(s, 8) != 0;
        c->now = ++stimulus_harp.t;
        return;
    }
    c->in.step = true;
    stimulus_harp.chosen = false;
    if (c->committed) stimulus_harp_outcome(s, c->committed);
    stimulus_harp.patience = c->committed ? 48 : stimulus_harp.patience - 1;
}

static inline bool drive_harp_scheduler(struct seed *s) {
    struct harp_scheduler_cycle *c = &stimulus_harp.cycle;
    const unsigned seldom =
        stimulus_harp.whole.released
            ? 512
            : 8192; /* average cycles between resets, some of them while a barrier is open */
    const bool reset = !stimulus_harp.patience || seed_below(s, seldom) == 0;
    if (reset) {
        harp_scheduler_clear(&stimulus_harp.whole);
        stimulus_harp_begin(s);
    } else if (seed_below(s, 256) == 0)
        stimulus_harp_mood(s);
    if (!c->q.stepping || !harp_scheduler_pending(&stimulus_harp.whole)) {
        if (!(seed_below(s, 8) == 0 && stimulus_harp_starts(s)) && !stimulus_harp_pipeline(s) &&
            !stimulus_harp_accesses(s) && !stimulus_harp_releases(s))
            stimulus_harp_cycle(s);
    }
    harp_scheduler_cycle_eval(c);
    return reset;
}

static inline void clock_harp_scheduler(void) {
    harp_scheduler_cycle_clock(&stimulus_harp.cycle);
}

/* Returns whether committed or arriving threads continue at PC + 4, which differs from PC in bit `bit`. */
static inline bool stimulus_harp_carries(unsigned bit) {
    const struct harp_scheduler_cycle *c = &stimulus_harp.cycle;
    const struct regrouped_warp *w = c->committed;
    if (!c->in.step || !w || !((w->pc ^ (w->pc + 4)) >> bit & 1)) return false;
    bool falls = false;
    for (uint64_t rest = w->valid; rest; rest &= rest - 1)
        falls |= c->next[__builtin_ctzll(rest)] == w->pc + 4;
    return falls;
}

/* Returns whether threads diverge at a PC whose PC + 4 carries into bit 12: some fall through, others have a
 * lower target. */
static inline bool stimulus_harp_parts_at_carry(void) {
    const struct harp_scheduler_cycle *c = &stimulus_harp.cycle;
    const struct regrouped_warp *w = c->committed;
    bool lower = false;
    for (uint64_t rest = stimulus_harp_carries(12) ? w->valid : 0; rest; rest &= rest - 1) {
        const uint32_t next = c->next[__builtin_ctzll(rest)];
        lower |= next && next < w->pc + 4;
    }
    return lower;
}

/* Returns whether threads diverge, none falls through, and all targets have bit 31. */
static inline bool stimulus_harp_parts_high(void) {
    const struct harp_scheduler_cycle *c = &stimulus_harp.cycle;
    const struct regrouped_warp *w = c->committed;
    uint32_t all = 0x80000000u, lowest = UINT32_MAX, highest = 0;
    for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
        const uint32_t next = c->next[__builtin_ctzll(rest)];
        all &= next;
        lowest = next < lowest ? next : lowest;
        highest = next > highest ? next : highest;
    }
    return all && lowest != highest;
}

static const struct stimulus_corner harp_scheduler_corner[] = {
    {"PC + 4 carries into bit 12 and threads fall through", NULL},
    {"PC + 4 carries into bit 31 and threads fall through", NULL},
    {"PC + 4 carries into bit 12 and a part of the threads falls through", "LANES>1"},
    {"threads part and the lowest PC has bit 31", "LANES>1"},
    {"the thread of the last lane is committed", NULL},
    {"the First-Level is full", NULL},
    {"the Waiting-Lookup is full", NULL},
    {"a warp waits since the Waiting-Lookup was full", "QUEUE>2"},
    {"the Ready-Lookup is full", "QUEUE>2"},
    {"a barrier is complete", "LANES>1"},
    {"a work-group barrier opens for parked warps", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_harp_scheduler(void) {
    const struct harp_scheduler *h = &stimulus_harp.whole;
    const struct harp_scheduler_cycle *c = &stimulus_harp.cycle;
    const unsigned lanes = c->lanes;
    return STIMULUS_CORNERS(
        stimulus_harp_carries(12), stimulus_harp_carries(31), stimulus_harp_parts_at_carry(),
        c->in.step && c->committed && stimulus_harp_parts_high(),
        c->out.commit && c->out.commit_mask >> (lanes - 1) & 1, h->in_first_level == h->cfg.first_level,
        h->waiting_lookup.count == h->cfg.waiting_lookup, h->waits != 0,
        h->ready_lookup.count == h->cfg.ready_lookup, c->out.complete, c->in.release && h->parked.count);
}

static const struct stimulus_block harp_scheduler_stimulus = {
    "harp_scheduler",       "harp_scheduler",         CLUSTER_BLOCK_HARP,     &stimulus_harp.cycle.in,
    &stimulus_harp.cycle.q, &stimulus_harp.cycle.out, start_harp_scheduler,   drive_harp_scheduler,
    clock_harp_scheduler,   harp_scheduler_corner,    corners_harp_scheduler,
};

#endif
