/* Legal transitions; phases with many threads and with few alternate. Sometimes any inputs; a reset follows
 * illegal ones. For some time one warp is preferred: it is chosen often, and its threads may rise to the
 * highest level. */
#ifndef TB_STIMULUS_THREAD_DESCRIPTOR_TABLE_H
#define TB_STIMULUS_THREAD_DESCRIPTOR_TABLE_H

#include "tb/stimulus/stimulus.h"

static struct tdt_room tdt_stimulus_room;
static struct {
    struct thread_descriptor_table table;
    unsigned lanes, favourite;
    bool cyclic, climb; /* climb: threads raise their levels only */
    unsigned rare;      /* one in so many cycles has starts */
    bool calm;          /* few operations but of priorities */
    uint64_t cycles;    /* cycles since the reset */
    tdt_row targets;
} tdt_stimulus;

static inline void reset_thread_descriptor_table(void) {
    struct thread_descriptor_table *t = &tdt_stimulus.table;
    thread_descriptor_table_init(t, t->warps, t->warp_size, t->levels);
    thread_descriptor_table_lanes(t, tdt_stimulus.lanes, tdt_stimulus.cyclic);
    tdt_stimulus.cycles = 0;
}

static inline void start_thread_descriptor_table(struct seed *s, const struct rtl_size *size) {
    (void)s;
    memset(&tdt_stimulus, 0, sizeof tdt_stimulus);
    tdt_stimulus.table.warp = tdt_stimulus_room.warp;
    tdt_stimulus.table.rows = tdt_stimulus_room.row[0];
    tdt_stimulus.table.warps = rtl_size_of(size, "WARPS");
    tdt_stimulus.table.warp_size = rtl_size_of(size, "WARP_SIZE");
    tdt_stimulus.table.levels = rtl_size_of(size, "LEVELS");
    tdt_stimulus.lanes = rtl_size_of(size, "LANES");
    tdt_stimulus.cyclic = rtl_size_of(size, "CYCLIC");
    reset_thread_descriptor_table();
}

static inline unsigned stimulus_tdt_warp(struct seed *s) {
    return tdt_stimulus.climb || seed_below(s, 4) == 0 ? tdt_stimulus.favourite
                                                       : stimulus_one_of(s, tdt_stimulus.table.warps);
}

/* Contexts start in warps of which no thread is in Execution. */
static inline void stimulus_tdt_starts(struct seed *s) {
    struct thread_descriptor_table *t = &tdt_stimulus.table;
    const unsigned rounds = tdt_stimulus.table.warp_size / t->lanes;
    for (unsigned lane = 0; lane < t->lanes; ++lane) {
        const unsigned n = stimulus_tdt_warp(s), round = seed_below(s, rounds);
        const bool idle = !(tdt_live(&t->warp[n]) >> tdt_position(t, lane, round) & 1);
        t->start_context[lane] = n * rounds + round;
        t->start_pc[lane] = stimulus_pc(s);
        if (idle && !t->warp[n].execution && seed_below(s, 2)) t->in.start |= 1u << lane;
    }
}

/* Returns whether a warp has an instruction that has not been executed. */
static inline bool stimulus_tdt_may_execute(unsigned warp) {
    return tdt_stimulus.table.warp[warp].execution && !warp_set_has(tdt_stimulus.table.q.executed, warp);
}

static inline void stimulus_tdt_execute(struct seed *s) {
    static const uint8_t common[] = {THREAD_NONE,  THREAD_NONE,  THREAD_NONE,
                                     THREAD_RAISE, THREAD_RAISE, THREAD_LOWER};
    struct thread_descriptor_table_in *in = &tdt_stimulus.table.in;
    in->execute_warp = stimulus_tdt_warp(s);
    for (unsigned n = 0; n < tdt_stimulus.table.warps && !stimulus_tdt_may_execute(in->execute_warp); ++n)
        in->execute_warp = (in->execute_warp + 1) % tdt_stimulus.table.warps;
    const uint64_t threads = tdt_stimulus.table.warp[in->execute_warp].execution;
    in->execute = stimulus_tdt_may_execute(in->execute_warp);
    in->execute_passed =
        threads & (tdt_stimulus.climb ? ~0ull : stimulus_mask(s, tdt_stimulus.table.warp_size));
    in->execute_jumps = seed_below(s, 3) == 0;
    in->execute_operation = seed_below(s, tdt_stimulus.calm ? 8 : 3) ? common[seed_below(s, sizeof common)]
                                                                     : seed_below(s, THREAD_EXIT + 1);
    if (tdt_stimulus.climb) in->execute_operation = THREAD_RAISE;
    in->execute_by = seed_below(s, 3) ? 1 : seed_below(s, 16);
    for (unsigned k = 0; in->execute && k < tdt_stimulus.table.warp_size; ++k)
        tdt_stimulus.targets[k] = (uint32_t)seed_next(s);
    in->execute_target = tdt_stimulus.targets;
}

/* Commits some of the warps that may commit, but only one with an operation; seldom several, which is
 * illegal. */
static inline void stimulus_tdt_commits(struct seed *s) {
    struct thread_descriptor_table *t = &tdt_stimulus.table;
    const warp_set now = t->in.execute ? warp_bit(t->in.execute_warp) : 0;
    bool operation = false;
    for (unsigned n = 0; n < tdt_stimulus.table.warps; ++n) {
        const bool told = warp_set_has(t->q.executed, n), tells = warp_set_has(now, n);
        if (!(told || tells) || seed_below(s, 3)) continue;
        const bool its = tells ? t->in.execute_operation != THREAD_NONE : t->warp[n].operation != THREAD_NONE;
        if (its && operation && seed_below(s, 64)) continue;
        operation |= its;
        t->in.commit |= warp_bit(n);
    }
}

static inline void stimulus_tdt_schedule(struct seed *s) {
    struct thread_descriptor_table *t = &tdt_stimulus.table;
    const struct warp_descriptors *w = &t->warp[t->q.read];
    t->in.schedule_threads = w->ready & stimulus_mask(s, tdt_stimulus.table.warp_size);
    t->in.schedule = t->in.schedule_threads && !w->execution;
    t->in.schedule_pc = stimulus_pc(s);
    t->in.select = seed_below(s, 2);
    t->in.select_warp = stimulus_tdt_warp(s);
}

/* A context of the lane that waits at a barrier, in a warp of which no thread is in Execution; `contexts`:
 * there is none. */
static inline unsigned stimulus_tdt_waiting(unsigned lane, unsigned contexts) {
    const struct thread_descriptor_table *t = &tdt_stimulus.table;
    const unsigned rounds = t->warp_size / t->lanes;
    unsigned j = 0;
    while (j < contexts && (t->warp[j / rounds].execution ||
                            !(t->warp[j / rounds].barrier >> tdt_position(t, lane, j % rounds) & 1)))
        ++j;
    return j;
}

/* Anything, in one of the inputs. */
static inline void stimulus_tdt_mistake(struct seed *s) {
    struct thread_descriptor_table_in *in = &tdt_stimulus.table.in;
    const unsigned n = seed_below(s, tdt_stimulus.table.warps),
                   warp_bits = tdt_stimulus.table.warps > 1
                                   ? 32 - (unsigned)__builtin_clz(tdt_stimulus.table.warps - 1)
                                   : 1;
    switch (seed_below(s, 5)) {
    case 0: { /* starts, also in a warp after the last, unless the number of warps is 2^n */
        struct thread_descriptor_table *t = &tdt_stimulus.table;
        const unsigned lane = (unsigned)seed_below(s, t->lanes), rounds = t->warp_size / t->lanes,
                       contexts = t->warps * rounds;
        in->start |= 1u << lane;
        const unsigned met = stimulus_tdt_waiting(lane, contexts);
        if (met < contexts && seed_below(s, 2))
            t->start_context[lane] = met;
        else if (contexts > 1 && seed_below(s, 2))
            t->start_context[lane] = (contexts + (unsigned)seed_below(s, rounds)) &
                                     ((2u << (31 - __builtin_clz(contexts - 1))) - 1);
        break;
    }
    case 1:
        in->schedule = true;
        in->schedule_threads = stimulus_mask(s, tdt_stimulus.table.warp_size);
        if (seed_below(s, 2))
            in->schedule_threads &= tdt_stimulus.table.warp[tdt_stimulus.table.q.read].ready;
        break;
    case 2:
        if (in->execute && seed_below(s, 2)) { /* all else is legal */
            if (seed_below(s, 2))
                in->execute_operation = THREAD_EXIT + 1 + seed_below(s, 2);
            else
                in->execute_passed = stimulus_mask(s, tdt_stimulus.table.warp_size);
            break;
        }
        in->execute = true;
        in->execute_warp = n;
        in->execute_passed = stimulus_mask(s, tdt_stimulus.table.warp_size);
        if (seed_below(s, 2)) in->execute_passed &= tdt_stimulus.table.warp[n].execution;
        in->execute_operation = seed_below(s, seed_below(s, 2) ? 8 : THREAD_EXIT + 1);
        break;
    case 3: in->commit |= stimulus_warps(s, tdt_stimulus.table.warps); break;
    default:
        in->select = true;
        in->select_warp = (uint32_t)seed_below(s, 1u << warp_bits);
        break;
    }
}

static inline bool drive_thread_descriptor_table(struct seed *s) {
    const bool reset = tdt_stimulus.table.out.illegal || seed_below(s, 4096) == 0;
    if (reset) reset_thread_descriptor_table();
    if (tdt_stimulus.cycles++ % 2048 == 0) {
        tdt_stimulus.favourite = seed_below(s, tdt_stimulus.table.warps);
        tdt_stimulus.climb = seed_below(s, 8) == 0;
        tdt_stimulus.rare = 1u << seed_below(s, 6);
        tdt_stimulus.calm = seed_below(s, 2);
    }
    if (seed_below(s, tdt_stimulus.table.q.live ? tdt_stimulus.rare : 2) == 0) stimulus_tdt_starts(s);
    stimulus_tdt_schedule(s);
    stimulus_tdt_execute(s);
    stimulus_tdt_commits(s);
    tdt_stimulus.table.in.release = seed_below(s, 16) == 0;
    if (seed_below(s, tdt_stimulus.climb ? 4096 : 256) == 0) stimulus_tdt_mistake(s);
    thread_descriptor_table_eval(&tdt_stimulus.table);
    return reset;
}

static inline void clock_thread_descriptor_table(void) {
    if (!tdt_stimulus.table.out.illegal) thread_descriptor_table_clock(&tdt_stimulus.table);
}

static const struct stimulus_corner thread_descriptor_table_corner[] = {
    {"a thread of the last warp executes", NULL},
    {"a thread of warp 64 or above executes", "WARPS>64"},
    {"the last thread of a warp passes", NULL},
    {"PC + 4 carries into bit 12", NULL},
    {"PC + 4 carries into bit 31", NULL},
    {"a PC with bit 31", NULL},
    {"the highest level", "LEVELS>1"},
    {"threads exit", "WARPS>0"},
    {"the last live thread exits", NULL},
    {"two warps commit in a cycle", "WARPS>1"},
    {"an input that is illegal", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_thread_descriptor_table(void) {
    const struct thread_descriptor_table *t = &tdt_stimulus.table;
    const unsigned last = t->warp_size - 1;
    return STIMULUS_CORNERS(
        t->in.execute && t->in.execute_warp == t->warps - 1, t->in.execute && t->in.execute_warp >= 64,
        t->in.execute && t->in.execute_passed >> last & 1,
        t->in.schedule && (t->in.schedule_pc & 0xfff) >= 0xffc,
        t->in.schedule && t->in.schedule_pc < 0x80000000 && t->in.schedule_pc >= 0x7ffffffc,
        t->in.schedule && t->in.schedule_pc >> 31, t->out.priority[t->levels - 1] != 0,
        t->out.exit_count != 0, t->out.exit_count && t->out.exit_count == t->q.live,
        t->in.commit & (t->in.commit - 1), t->out.illegal);
}

static const struct stimulus_block thread_descriptor_table_stimulus = {
    "thread_descriptor_table",      "thread_descriptor_table",       CLUSTER_BLOCK_DESCRIPTORS,
    &tdt_stimulus.table.in,         &tdt_stimulus.table.q,           &tdt_stimulus.table.out,
    start_thread_descriptor_table,  drive_thread_descriptor_table,   clock_thread_descriptor_table,
    thread_descriptor_table_corner, corners_thread_descriptor_table,
};

#endif
