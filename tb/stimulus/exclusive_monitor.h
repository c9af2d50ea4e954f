/* Requests of threads of the bank and of others, to few granules and to any. Stores touch several granules or
 * none. Tickets are in order, near those of the bank's threads, or any. */
#ifndef TB_STIMULUS_EXCLUSIVE_MONITOR_H
#define TB_STIMULUS_EXCLUSIVE_MONITOR_H

#include "model/control/exclusive_monitor.h"
#include "tb/stimulus/stimulus.h"

static struct exclusive_bank stimulus_bank;
static unsigned stimulus_bank_threads;
static uint32_t stimulus_bank_around, stimulus_bank_tickets;

static inline void start_exclusive_monitor(struct seed *s, const struct rtl_size *size) {
    stimulus_bank_threads = rtl_size_of(size, "THREADS");
    stimulus_bank_around = (uint32_t)seed_next(s);
    stimulus_bank_tickets = stimulus_plain || seed_below(s, 2) ? 0 : UINT32_MAX - 64;
    exclusive_bank_reset(&stimulus_bank);
}

/* Returns a granule: one of a few neighbours; that of a thread of the bank, or one that differs from it in a
 * bit; or any. */
static inline uint32_t stimulus_granule(struct seed *s) {
    const uint32_t reserved = stimulus_bank.granule[seed_below(s, stimulus_bank_threads)];
    uint32_t granule = stimulus_bank_around + seed_below(s, 6);
    if (stimulus_rare(s, 64)) return 0x1fffffff;
    switch (seed_below(s, 8)) {
    case 0: granule = (uint32_t)seed_next(s); break;
    case 1:
    case 2: granule = reserved; break;
    case 3: granule = reserved ^ 1u << seed_below(s, 29); break;
    default: break;
    }
    return granule & 0x1fffffff;
}

static inline uint32_t stimulus_ticket(struct seed *s) {
    switch (seed_below(s, 8)) {
    case 0: return (uint32_t)seed_next(s);
    case 1:
    case 2: return stimulus_bank.ticket[seed_below(s, stimulus_bank_threads)] + seed_below(s, 3) - 1;
    default: return ++stimulus_bank_tickets;
    }
}

static inline bool drive_exclusive_monitor(struct seed *s) {
    struct exclusive_bank *b = &stimulus_bank;
    const bool reset = seed_below(s, 512) == 0;
    if (reset) exclusive_bank_reset(b);
    if (reset && stimulus_rare(s, 4)) stimulus_bank_tickets = UINT32_MAX - seed_below(s, 64);
    const unsigned thread = stimulus_one_of(s, stimulus_bank_threads);
    if (seed_below(s, 64) == 0) stimulus_bank_around = (uint32_t)seed_next(s);
    const unsigned what = seed_below(s, 16);
    b->in = (struct exclusive_monitor_in){
        .reserve = what < 5,
        .wait = what == 5,
        .spend = what == 6 || what == 7 || what == 8,
        .clear = what == 9 && seed_below(s, 2),
        .drop = what == 9 && seed_below(s, 2),
        .store = what >= 10 && what < 15,
        .older = seed_below(s, 8) == 0,
        .ticket = stimulus_ticket(s),
        .own = seed_below(s, 4) != 0,
        .thread = thread,
        .first = stimulus_granule(s),
    };
    b->in.last = b->in.first;
    if (b->in.store && seed_below(s, 2)) b->in.last = (b->in.first + seed_below(s, 3)) & 0x1fffffff;
    if (seed_below(s, 16) == 0) b->in.last = stimulus_granule(s);
    if (seed_below(s, 32) == 0) { /* two granules in one cycle */
        b->in.store = true;
        b->in.reserve |= seed_below(s, 2) != 0;
        b->in.spend |= seed_below(s, 2) != 0;
    }
    exclusive_bank_eval(b);
    return reset;
}

static inline void clock_exclusive_monitor(void) {
    exclusive_bank_clock(&stimulus_bank);
}

/* Returns whether requests from before and after a wrap-around of the tickets are present. */
static inline bool stimulus_tickets_wrap(void) {
    bool low = false, high = false;
    for (uint64_t rest = stimulus_bank.q.asks; rest; rest &= rest - 1) {
        const uint32_t ticket = stimulus_bank.ticket[__builtin_ctzll(rest)];
        low |= ticket < 64;
        high |= ticket > UINT32_MAX - 64;
    }
    return low && high;
}

static const struct stimulus_corner exclusive_monitor_corner[] = {
    {"the last context stores", NULL},
    {"all contexts hold reservations", NULL},
    {"all contexts request", NULL},
    {"a store takes a reservation of another", "THREADS>1"},
    {"a store and a reservation in one cycle", NULL},
    {"tickets on both sides of 2^32", "THREADS>1"},
    {"the highest granule", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_exclusive_monitor(void) {
    const struct exclusive_bank *b = &stimulus_bank;
    const unsigned last = stimulus_bank_threads - 1;
    return STIMULUS_CORNERS(b->in.spend && b->out.may && b->in.thread == last,
                            b->q.holds == stimulus_all(stimulus_bank_threads),
                            b->q.asks == stimulus_all(stimulus_bank_threads),
                            b->in.store && (b->q.holds & ~b->d.holds & ~(UINT64_C(1) << b->in.thread)),
                            b->in.store && b->in.reserve, stimulus_tickets_wrap(),
                            (b->in.reserve || b->in.store) && b->in.last == 0x1fffffff);
}

static const struct stimulus_block exclusive_monitor_stimulus = {
    "exclusive_monitor",     "exclusive_monitor",      CLUSTER_BLOCK_MONITOR,     &stimulus_bank.in,
    &stimulus_bank.q,        &stimulus_bank.out,       start_exclusive_monitor,   drive_exclusive_monitor,
    clock_exclusive_monitor, exclusive_monitor_corner, corners_exclusive_monitor,
};

#endif
