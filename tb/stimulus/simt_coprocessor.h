/* Work-groups, one after the other: contexts start; then events of a cluster occur at random: answers of
 * fetches, operands and results, duration of rounds, outcomes of threads. Threads exit sooner or later. A
 * work-group in which all threads wait at different barriers is reset. */
#ifndef TB_STIMULUS_SIMT_COPROCESSOR_H
#define TB_STIMULUS_SIMT_COPROCESSOR_H

#include "tb/stimulus/subwarp_dispatcher.h"
#include "tb/twins/coprocessor_models.h"

static struct coprocessor_models simt_models;
static struct {
    struct rtl_size size;
    unsigned starts;   /* cycles in which contexts may still start */
    unsigned patience; /* cycles until the next event */
    unsigned leaving;  /* exits: number of 64 instructions */
    unsigned fast;     /* immediate answers: number of 8 */
    uint32_t base;     /* base of the work-group's code */
    unsigned groups;   /* number of work-groups so far */
    tdt_row targets;
} simt_stimulus;

static struct twin *simt_followed; /* S and A follow its Verilog; NULL: our blocks */

static inline void keep_simt_choice(void *context, struct simt_coprocessor *s) {
    (void)context;
    (void)s;
}

static inline unsigned simt_size(const char *parameter) {
    return rtl_size_of(&simt_stimulus.size, parameter);
}

static inline void reset_simt_coprocessor(void) {
    coprocessor_models_init(
        &simt_models, &(struct coprocessor_sizes){.warps = simt_size("WARPS"),
                                                  .warp_size = simt_size("WARP_SIZE"),
                                                  .lanes = simt_size("LANES"),
                                                  .levels = simt_size("LEVELS"),
                                                  .active_warps = simt_size("ACTIVE"),
                                                  .queue_entries = simt_size("QUEUE_ENTRIES"),
                                                  .collectors = simt_size("COLLECTORS"),
                                                  .scheduler = scheduler_policy_coded(simt_size("SCHEDULER")),
                                                  .pc_policy = simt_size("PC_POLICY"),
                                                  .cyclic = simt_size("CYCLIC")});
    simt_stimulus.starts = 0;
}

static inline void start_simt_coprocessor(struct seed *s, const struct rtl_size *size) {
    (void)s;
    memset(&simt_models, 0, sizeof simt_models);
    memset(&simt_stimulus, 0, sizeof simt_stimulus);
    simt_stimulus.size = *size;
    reset_simt_coprocessor();
}

/* Starts the next idle context of a lane, at one of a few PCs. */
static inline void stimulus_simt_starts(struct seed *s) {
    struct thread_descriptor_table *t = &simt_models.descriptors;
    const unsigned rounds = t->warp_size / t->lanes, last = t->warps * rounds;
    for (unsigned lane = 0; lane < t->lanes; ++lane) {
        const unsigned j = stimulus_rare(s, 8) ? last - 1 - seed_below(s, rounds) : seed_below(s, last),
                       position = tdt_position(t, lane, j % rounds);
        t->start_context[lane] = j;
        t->start_pc[lane] = simt_stimulus.base + 4 * seed_below(s, 4);
        if (seed_below(s, 4) && !(tdt_live(&t->warp[j / rounds]) >> position & 1))
            simt_models.whole.in.start |= 1u << lane;
    }
}

/* Chooses few threads, which exit soon, for half of the work-groups and for the first. */
static inline void stimulus_simt_corner(struct seed *s) {
    if (simt_stimulus.groups++ && !stimulus_rare(s, 2)) return;
    if (stimulus_plain) return;
    simt_stimulus.starts = 1 + seed_below(s, 2);
    simt_stimulus.leaving = 8 + seed_below(s, 24);
    simt_stimulus.base = stimulus_pc(s) | 0xff0;
}

/* Chooses between the phases: contexts start, or a work-group runs. */
static inline void stimulus_simt_mode(struct seed *s) {
    struct simt_coprocessor *w = &simt_models.whole;
    const struct subwarp_dispatcher_state *lanes = &simt_models.dispatcher.q;
    const unsigned live = simt_models.descriptors.q.live;
    w->in.simt = w->q.simt ? live || lanes->active || lanes->wait : live && !simt_stimulus.starts;
    if (w->in.simt) return;
    if (!live && !simt_stimulus.starts) {
        simt_stimulus.starts = 1 + seed_below(s, 2 * w->blocks.descriptors->warps);
        simt_stimulus.base = stimulus_pc(s);
        simt_stimulus.leaving = 1 + seed_below(s, 16);
        stimulus_simt_corner(s);
        simt_stimulus.fast = seed_below(s, 9);
        simt_stimulus.patience = 4096;
    }
    if (!simt_stimulus.starts) return;
    --simt_stimulus.starts;
    stimulus_simt_starts(s);
}

static inline bool stimulus_soon(struct seed *s) {
    return seed_below(s, 8) < simt_stimulus.fast || seed_below(s, 4) == 0;
}

static inline void stimulus_simt_lanes(struct seed *s) {
    struct simt_coprocessor *w = &simt_models.whole;
    w->in.fetched = stimulus_soon(s);
    w->in.decode_memory = seed_below(s, 4) == 0;
    w->in.collect =
        w->q.queue_count && !w->q.o_valid && w->q.waiting_count < w->cfg.collectors && stimulus_soon(s);
    w->in.collected = (w->q.o_valid || w->in.collect) && stimulus_soon(s);
    w->in.rounds = seed_below(s, 4) ? simt_models.dispatcher.cfg.rounds
                                    : stimulus_some(s, simt_models.dispatcher.cfg.rounds);
    const bool slow = seed_below(s, 256) == 0;
    w->in.beats = seed_below(s, 4) ? 1 : stimulus_some(s, slow ? 63 : 4);
    w->in.occupancy = seed_below(s, 4) ? 1 : stimulus_some(s, slow ? 1023 : 6);
    w->in.hold = seed_below(s, 8) == 0;
}

/* Chooses the outcome of the instruction of the warp in X. Most threads continue together. */
static inline void stimulus_simt_execute(struct seed *s, unsigned warp) {
    static const uint8_t common[] = {THREAD_NONE, THREAD_RAISE, THREAD_LOWER, THREAD_OUTERMOST,
                                     THREAD_BARRIER};
    struct simt_coprocessor *w = &simt_models.whole;
    const unsigned warp_size = simt_models.descriptors.warp_size;
    const uint64_t threads = simt_models.descriptors.warp[warp].execution;
    w->in.execute_passed = seed_below(s, 2) ? threads : threads & stimulus_mask(s, warp_size);
    w->in.execute_jumps = seed_below(s, 3) == 0;
    w->in.execute_operation = seed_below(s, 2) ? THREAD_NONE : common[seed_below(s, sizeof common)];
    if (seed_below(s, 64) < simt_stimulus.leaving) w->in.execute_operation = THREAD_EXIT;
    w->in.execute_by = seed_below(s, 3) ? 1 : seed_below(s, 16);
    for (unsigned k = 0; k < warp_size; ++k)
        simt_stimulus.targets[k] = simt_stimulus.base + 4 * seed_below(s, 8);
    w->in.execute_target = simt_stimulus.targets;
}

/* Commits some warps whose rounds have ended; at most one of them has an operation to execute. */
static inline void stimulus_simt_commits(struct seed *s) {
    const struct thread_descriptor_table *t = &simt_models.descriptors;
    const struct subwarp_dispatcher_state *lanes = &simt_models.dispatcher.q;
    bool operates = false;
    for (unsigned n = 0; n < t->warps; ++n) {
        if (!warp_set_has(t->q.executed, n) || (lanes->active && lanes->warp == n) || !stimulus_soon(s))
            continue;
        const bool its = t->warp[n].operation != THREAD_NONE;
        if (its && operates) continue;
        operates |= its;
        simt_models.whole.in.commit |= warp_bit(n);
    }
}

/* Lets the results of the last beat of an instruction be ready at once. */
static inline void stimulus_simt_last_beat(struct seed *s) {
    struct simt_coprocessor *w = &simt_models.whole;
    const struct thread_descriptor_table *t = &simt_models.descriptors;
    const unsigned warp = w->out.warp;
    const bool operates = (w->out.first ? w->in.execute_operation : t->warp[warp].operation) != THREAD_NONE;
    if (!w->out.last || w->in.hold || !stimulus_soon(s)) return;
    for (warp_set rest = w->in.commit; rest && operates; rest &= rest - 1)
        if (t->warp[warp_set_first(rest)].operation != THREAD_NONE) return;
    w->in.commit |= warp_bit(warp);
}

static inline bool drive_simt_coprocessor(struct seed *s) {
    struct simt_coprocessor *w = &simt_models.whole;
    const bool stands = simt_models.descriptors.q.live && !simt_stimulus.patience--;
    const bool reset = stands || w->out.deadlock || seed_below(s, 4096) == 0;
    if (reset) reset_simt_coprocessor();
    if (reset && simt_followed) twin_reset(simt_followed);
    w->policy = (struct simt_coprocessor_policy){simt_followed ? twin_choose : NULL, simt_followed};
    w->in = (struct simt_coprocessor_in){.start_context = simt_models.descriptors.start_context,
                                         .start_pc = simt_models.descriptors.start_pc,
                                         .execute_target = simt_stimulus.targets};
    stimulus_simt_mode(s);
    stimulus_simt_lanes(s);
    stimulus_simt_commits(s);
    simt_coprocessor_eval(w);
    if (simt_followed) w->policy.choose = keep_simt_choice;
    if (w->out.first) stimulus_simt_execute(s, w->out.warp);
    stimulus_simt_last_beat(s);
    if (w->out.valid) simt_coprocessor_eval(w);
    if (w->in.commit) simt_stimulus.patience = 4096;
    return reset;
}

static inline void clock_simt_coprocessor(void) {
    simt_coprocessor_clock(&simt_models.whole);
}

static const struct stimulus_corner simt_coprocessor_corner[] = {
    {"done: the last thread exits", NULL},
    {"the last exit opens a barrier", "WARPS>1"},
    {"a barrier opens", NULL},
    {"the last warp is selected", NULL},
    {"a warp of 64 or above is selected", "WARPS>64"},
    {"the last thread is fetched", NULL},
    {"a PC with bit 31 is fetched", NULL},
    {"PC + 4 carries into bit 12", NULL},
    {"the dispatch queue is full", NULL},
    {"all collectors wait for the lanes", NULL},
    {"two warps commit in a cycle", "WARPS>1"},
    {"threads wait at different barriers, all of them", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_simt_coprocessor(void) {
    const struct simt_coprocessor *w = &simt_models.whole;
    const struct thread_descriptor_table *t = &simt_models.descriptors;
    const unsigned last = t->warp_size - 1;
    return STIMULUS_CORNERS(
        w->out.done && w->out.exit_count, w->out.opens && w->out.exit_count, w->out.opens,
        w->out.select && w->out.select_warp == t->warps - 1, w->out.select && w->out.select_warp >= 64,
        w->out.fetch && w->out.fetch_threads >> last & 1, w->out.fetch && w->out.fetch_pc >> 31,
        w->out.fetch && (w->out.fetch_pc & 0xfff) == 0xffc, w->q.queue_count == w->cfg.queue_entries,
        w->q.waiting_count == w->cfg.collectors, w->in.commit & (w->in.commit - 1), w->out.deadlock);
}

static const struct stimulus_block simt_coprocessor_stimulus = {
    "simt_coprocessor",     "simt_coprocessor",      CLUSTER_BLOCK_COPROCESSOR, &simt_models.whole.in,
    &simt_models.whole.q,   &simt_models.whole.out,  start_simt_coprocessor,    drive_simt_coprocessor,
    clock_simt_coprocessor, simt_coprocessor_corner, corners_simt_coprocessor,
};

#endif
