/* Requests in bursts, to few rows of all banks or of few. Distances are short or long; each of them delays a
 * command now and then. Includes resets, after which the distances differ. */
#ifndef TB_STIMULUS_DRAM_SCHEDULER_H
#define TB_STIMULUS_DRAM_SCHEDULER_H

#include "model/control/dram_scheduler.h"
#include "tb/stimulus/stimulus.h"

static struct dram_scheduler stimulus_dram;
static unsigned stimulus_dram_tags, stimulus_dram_banks, stimulus_dram_rate;

static inline unsigned stimulus_distance(struct seed *s, unsigned least) {
    static const unsigned most[] = {3, 12, 65};
    if (stimulus_rare(s, 4)) return 64;
    return least + seed_below(s, most[seed_below(s, 3)] - least);
}

static inline void stimulus_distances(struct seed *s) {
    const struct dram_scheduler *d = &stimulus_dram;
    struct dram_scheduler_config config = {
        .policy = d->cfg.policy, .queue = d->cfg.queue, .banks = d->cfg.banks};
    config.rcd = stimulus_distance(s, 1); /* statements: an initialiser has no order */
    config.rp = stimulus_distance(s, 1);
    config.cl = stimulus_distance(s, 1);
    config.ras = stimulus_distance(s, 1);
    config.rrd = stimulus_distance(s, 1);
    config.rc = stimulus_distance(s, 1);
    config.ccd = stimulus_distance(s, 1);
    config.wl = stimulus_distance(s, 0);
    config.cdlr = stimulus_distance(s, 0);
    config.wr = stimulus_distance(s, 0);
    config.burst_cycles = stimulus_distance(s, 1);
    dram_scheduler_init(&stimulus_dram, &config);
}

static inline void start_dram_scheduler(struct seed *s, const struct rtl_size *size) {
    const unsigned bits = rtl_size_of(size, "TAG_BITS");
    stimulus_dram_tags = bits < 32 ? 1u << bits : UINT32_MAX;
    stimulus_dram.cfg.policy = rtl_size_of(size, "POLICY");
    stimulus_dram.cfg.queue = rtl_size_of(size, "QUEUE");
    stimulus_dram.cfg.banks = rtl_size_of(size, "BANKS");
    stimulus_dram_banks = stimulus_dram_rate = 1;
    stimulus_distances(s);
}

static inline bool drive_dram_scheduler(struct seed *s) {
    struct dram_scheduler *d = &stimulus_dram;
    const bool reset = seed_below(s, 1024) == 0;
    if (reset) stimulus_distances(s);
    if (seed_below(s, 128) == 0) {
        stimulus_dram_rate = 1 + seed_below(s, 40);
        stimulus_dram_banks = 1 + seed_below(s, d->cfg.banks);
    }
    d->in.valid = seed_below(s, stimulus_dram_rate) == 0;
    d->in.write = seed_below(s, 3) == 0;
    d->in.bank = stimulus_one_of(s, stimulus_dram_banks);
    if (stimulus_rare(s, 1024)) stimulus_dram_rate = 1, stimulus_dram_banks = d->cfg.banks;
    d->in.row = seed_below(s, 3) << seed_below(s, 23);
    if (seed_below(s, 2)) d->in.row = seed_below(s, 2);
    d->in.bursts = 1 + seed_below(s, seed_below(s, 4) ? 2 : 63);
    d->in.tag = seed_below(s, stimulus_dram_tags);
    dram_scheduler_eval(d);
    return reset;
}

static inline void clock_dram_scheduler(void) {
    dram_scheduler_clock(&stimulus_dram);
}

static const struct stimulus_corner dram_scheduler_corner[] = {
    {"the queue is full", NULL},
    {"a request comes when the queue is full", NULL},
    {"the last bank gets a command", NULL},
    {"all banks are busy", "BANKS>1"},
    {"a row with the highest bit", NULL},
    {"64 or more cycles of distance", NULL},
    {"a request is done in the cycle in which another comes", "QUEUE>1"},
    {NULL, NULL},
};

static inline uint64_t corners_dram_scheduler(void) {
    const struct dram_scheduler *d = &stimulus_dram;
    return STIMULUS_CORNERS(d->q.count == d->cfg.queue, d->in.valid && !d->out.ready,
                            d->out.command && d->out.bank == d->cfg.banks - 1,
                            d->q.busy == stimulus_all(d->cfg.banks), d->in.valid && d->in.row >> 23 & 1,
                            (d->in.rc | d->in.ras | d->in.rcd | d->in.rp | d->in.wr | d->in.cdlr) >> 6 & 1,
                            d->out.done && d->in.valid && d->out.ready);
}

static const struct stimulus_block dram_scheduler_stimulus = {
    "dram_scheduler",     "dram_scheduler",      CHANNEL_BLOCK_DRAM,     &stimulus_dram.in,
    &stimulus_dram.q,     &stimulus_dram.out,    start_dram_scheduler,   drive_dram_scheduler,
    clock_dram_scheduler, dram_scheduler_corner, corners_dram_scheduler,
};

#endif
