#include "model/divergence/harp_scheduler_cycle.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

/* Lays out arrays of `count` warps in `words`. Returns the first unused word. */
static uint32_t *lay_out(struct harp_scheduler_cycle_warps *w, uint32_t *words, unsigned count,
                         unsigned lanes) {
    *w = (struct harp_scheduler_cycle_warps){.pc = words,
                                             .group = words + count,
                                             .mask = words + 2 * count,
                                             .number = words + 3 * count,
                                             .ready = words + 4 * count,
                                             .row = words + 5 * count};
    return words + (5 + lanes) * count;
}

void harp_scheduler_cycle_init(struct harp_scheduler_cycle *c, struct harp_scheduler *h, unsigned lanes) {
    const struct harp_config *cfg = &h->cfg;
    invariant(lanes >= 1 && lanes <= MACHINE_MAX_LANES && cfg->threads <= HARP_SCHEDULER_CYCLE_MAX_THREADS &&
                  cfg->ready_lookup <= HARP_SCHEDULER_CYCLE_MAX_SLOTS &&
                  cfg->waiting_lookup <= HARP_SCHEDULER_CYCLE_MAX_SLOTS &&
                  cfg->sets * cfg->ways <= RE_CONVERGENCE_BARRIERS_CYCLE_MAX,
              "cycles of HARP of %u threads in %u lanes, lookups of %u and %u entries, %u barriers",
              cfg->threads, lanes, cfg->ready_lookup, cfg->waiting_lookup, cfg->sets * cfg->ways);
    memset(c, 0, sizeof *c);
    c->whole = h;
    c->lanes = lanes;
    uint32_t *words = lay_out(&c->first_level, c->words, cfg->first_level, lanes);
    words = lay_out(&c->waiting, words, cfg->threads, lanes);
    lay_out(&c->stages, words, cfg->barrier_stages, lanes);
    h->cycle = c;
    harp_scheduler_clear(h);
}

/* --- state --- */

/* Copies the rows of the threads in `lanes`; rows of other lanes are 0. */
static void show_rows(const struct harp_scheduler_cycle *c, uint32_t *rows, const struct regrouped_warp *w,
                      uint64_t lanes) {
    for (unsigned k = 0; k < c->lanes; ++k) rows[k] = lanes >> k & 1 ? w->row[k] : 0;
}

static void show_warp(const struct harp_scheduler_cycle *c, struct harp_scheduler_cycle_warps *to, unsigned n,
                      const struct regrouped_warp *w, uint64_t lanes) {
    to->pc[n] = w->pc;
    to->group[n] = w->group;
    to->mask[n] = (uint32_t)lanes;
    show_rows(c, &to->row[n * c->lanes], w, lanes);
}

static void show_first_level(struct harp_scheduler_cycle *c) {
    const struct harp_scheduler *h = c->whole;
    memset(c->first_level.pc, 0, h->cfg.first_level * (5 + c->lanes) * sizeof(uint32_t));
    for (unsigned n = 0; n < h->in_first_level; ++n) {
        const struct harp_first_level *f = &h->first_level[h->fl_slot[n]];
        show_warp(c, &c->first_level, n, &f->warp.warp, f->warp.warp.valid);
        c->first_level.number[n] = f->warp.number;
    }
    c->q.fl_issued = h->fl_issued;
    c->q.fl_due = h->fl_due;
    c->q.fl_memory = h->fl_memory;
    c->q.fl_count = h->in_first_level;
    c->q.number = h->number;
}

static void show_slots(struct harp_scheduler_cycle *c) {
    const struct warp_lookup *l = &c->whole->waiting_lookup;
    memset(c->slot_ready, 0, sizeof c->slot_ready);
    memset(c->slot_number, 0, sizeof c->slot_number);
    for (unsigned n = 0; n < l->count; ++n) {
        c->slot_ready[l->entry[n].slot] = (uint32_t)l->entry[n].ready;
        c->slot_number[l->entry[n].slot] = l->entry[n].number;
    }
}

static void show_waiting(struct harp_scheduler_cycle *c) {
    const struct harp_scheduler *h = c->whole;
    if (!h->waits && !c->waited) return;
    c->waited = h->waits;
    memset(c->waiting.pc, 0, h->cfg.threads * (5 + c->lanes) * sizeof(uint32_t));
    for (unsigned n = 0; n < h->waits; ++n) {
        const struct issued_warp *w = &h->waiting[n];
        show_warp(c, &c->waiting, w->slot, &w->warp, w->warp.valid);
        c->waiting.number[w->slot] = w->number;
        c->waiting.ready[w->slot] = (uint32_t)w->ready;
    }
}

/* Shows the barrier stages. A commit enters the last stage and moves down by one stage in each cycle. */
static void show_stages(struct harp_scheduler_cycle *c) {
    const struct harp_scheduler *h = c->whole;
    memset(c->stages.pc, 0, h->cfg.barrier_stages * (5 + c->lanes) * sizeof(uint32_t));
    memset(c->stage_next, 0, sizeof c->stage_next);
    uint32_t parted = 0;
    for (unsigned n = 0; n < h->in_stages; ++n) {
        const struct harp_stage *s = &h->stage[n];
        const unsigned at = (unsigned)(s->due - h->stepped);
        uint64_t all = 0, left = 0;
        for (unsigned g = 0; g < s->count; ++g) {
            const uint64_t lanes = (uint64_t)s->groups[g].mask;
            all |= lanes;
            if (g >= s->arrived) left |= lanes;
            for (uint64_t rest = lanes; rest; rest &= rest - 1)
                c->stage_next[at * c->lanes + (unsigned)__builtin_ctzll(rest)] = s->groups[g].pc;
        }
        show_warp(c, &c->stages, at, &s->warp, all);
        c->stages.mask[at] = (uint32_t)left;
        parted |= (uint32_t)s->diverged << at;
    }
    c->q.stage_parted = parted;
}

static void show(struct harp_scheduler_cycle *c) {
    const struct harp_scheduler *h = c->whole;
    show_first_level(c);
    show_slots(c);
    show_waiting(c);
    show_stages(c);
    c->q.source = h->chosen.source;
    c->q.at = c->at;
    c->q.fire = h->chosen.barrier >= 0;
    c->q.lookup = h->chosen.lookup && !c->q.fire;
    c->q.forward = h->chosen.forward;
    c->q.released = h->released;
    c->q.unparks = h->unparks;
}

void harp_scheduler_cycle_reset(struct harp_scheduler_cycle *c) {
    const struct harp_scheduler_cycle_warps *f = &c->first_level, *w = &c->waiting, *s = &c->stages;
    c->in = (struct harp_scheduler_in){.rows = c->rows, .next = c->next};
    c->committed = c->issued = NULL;
    c->at = 0;
    c->q = (struct harp_scheduler_state){
        .fl_pc = f->pc,
        .fl_group = f->group,
        .fl_mask = f->mask,
        .fl_row = f->row,
        .fl_number = f->number,
        .slot_ready = c->slot_ready,
        .slot_number = c->slot_number,
        .wait_pc = w->pc,
        .wait_group = w->group,
        .wait_mask = w->mask,
        .wait_row = w->row,
        .wait_ready = w->ready,
        .wait_number = w->number,
        .stage_pc = s->pc,
        .stage_group = s->group,
        .stage_mask = s->mask,
        .stage_row = s->row,
        .stage_next = c->stage_next,
    };
    show(c);
}

/* --- cycles --- */

static void put_out(struct harp_scheduler_cycle *c) {
    const struct harp_scheduler *h = c->whole;
    const int complete = re_convergence_barriers_complete(&h->barriers);
    c->goes_on = c->q.stepping && harp_scheduler_pending(h);
    c->out = (struct harp_scheduler_out){
        .commit_rows = c->commit_rows,
        .issue_rows = c->issue_rows,
        .ready_rows = c->ready_rows,
        .busy = c->goes_on,
        .complete = complete >= 0,
        .barrier = complete >= 0 ? (unsigned)complete : 0,
        .second_count = h->second_level.count,
        .ready_count = h->ready_lookup.count,
        .waiting_count = h->waiting_lookup.count,
        .parked_count = h->parked.count,
    };
    memset(c->commit_rows, 0, sizeof c->commit_rows);
    memset(c->issue_rows, 0, sizeof c->issue_rows);
    memset(c->ready_rows, 0, sizeof c->ready_rows);
}

static unsigned place_of_committed(const struct harp_scheduler *h) {
    switch (h->chosen.source) {
    case HARP_FROM_FIRST_LEVEL: return h->chosen.committed;
    case HARP_FROM_LOOKUP: return h->waiting_lookup.entry[h->chosen.committed].slot;
    case HARP_FROM_SECOND_LEVEL: return h->waiting[h->chosen.committed].slot;
    default: return 0;
    }
}

static void choose(struct harp_scheduler_cycle *c) {
    struct harp_scheduler *h = c->whole;
    for (unsigned n = 0; n < h->in_first_level; ++n)
        invariant(h->first_level[h->fl_slot[n]].due == UINT64_MAX ||
                      h->first_level[h->fl_slot[n]].due <= c->now,
                  "cycles of HARP: an event due in cycle %llu is reported in cycle %llu",
                  (unsigned long long)h->first_level[h->fl_slot[n]].due, (unsigned long long)c->now);
    harp_scheduler_choose(h, c->now, c->in.issues, &c->committed, &c->issued, &c->number);
    c->at = place_of_committed(h);
    if (c->committed) {
        c->out.commit = true;
        c->out.commit_pc = c->committed->pc;
        c->out.commit_group = c->committed->group;
        c->out.commit_mask = (uint32_t)c->committed->valid;
        show_rows(c, c->commit_rows, c->committed, c->committed->valid);
    }
    if (!c->issued) return;
    c->out.issue = true;
    c->out.issue_number = c->number;
    c->out.issue_pc = c->issued->pc;
    c->out.issue_group = c->issued->group;
    c->out.issue_mask = (uint32_t)c->issued->valid;
    show_rows(c, c->issue_rows, c->issued, c->issued->valid);
}

static void begin(struct harp_scheduler_cycle *c) {
    struct regrouped_outcome o = {.meeting = c->in.meeting, .waits = c->in.waits};
    for (unsigned k = 0; k < c->lanes; ++k) o.next[k] = c->next[k];
    harp_scheduler_begin(c->whole, c->now, &o);
}

/* Executes the operation at the inputs. */
static void operate(struct harp_scheduler_cycle *c) {
    struct harp_scheduler *h = c->whole;
    const struct harp_scheduler_in *in = &c->in;
    struct regrouped_warp w = {.pc = in->pc, .group = in->group, .valid = in->mask};
    for (unsigned k = 0; k < c->lanes; ++k) w.row[k] = (uint16_t)c->rows[k];
    if (in->start) harp_scheduler_start(h, &w);
    if (in->due) harp_scheduler_due(h, in->number, c->due);
    if (in->memory) harp_scheduler_to_memory(h, in->number);
    for (uint64_t rest = in->done; rest; rest &= rest - 1)
        harp_scheduler_done(h, w.row[__builtin_ctzll(rest)], (unsigned)__builtin_ctzll(rest));
    if (in->release) harp_scheduler_release(h, in->group);
    if (in->choose) choose(c);
    if (in->step) begin(c);
    if (c->goes_on) harp_scheduler_go_on(h);
}

/* Outputs a warp that has entered the Second-Level: the youngest there. */
static void put_out_ready(struct harp_scheduler_cycle *c) {
    const struct second_level *s = &c->whole->second_level;
    const bool took = c->in.step && c->whole->chosen.forward;
    c->out.ready = s->count + took > c->out.second_count;
    if (!c->out.ready) return;
    const struct regrouped_warp *w = second_level_at(s, s->count - 1);
    c->out.ready_pc = w->pc;
    c->out.ready_group = w->group;
    c->out.ready_mask = (uint32_t)w->valid;
    show_rows(c, c->ready_rows, w, w->valid);
}

void harp_scheduler_cycle_eval(struct harp_scheduler_cycle *c) {
    struct harp_scheduler *h = c->whole;
    put_out(c);
    h->met = 0;
    h->cycle = NULL; /* operations below act on the tables at once */
    operate(c);
    h->cycle = c;
    c->out.met = (uint32_t)h->met;
    put_out_ready(c);
}

void harp_scheduler_cycle_clock(struct harp_scheduler_cycle *c) {
    show(c);
    c->q.stepping = c->in.step || c->goes_on;
    c->in = (struct harp_scheduler_in){.rows = c->rows, .next = c->next};
    memset(c->rows, 0, sizeof c->rows);
    memset(c->next, 0, sizeof c->next);
}

/* --- operations --- */

static void operation(struct harp_scheduler_cycle *c) {
    harp_scheduler_cycle_eval(c);
    if (c->evaluated) c->evaluated(c->context);
    harp_scheduler_cycle_clock(c);
}

void harp_scheduler_cycle_start(struct harp_scheduler_cycle *c, const struct regrouped_warp *w) {
    c->in.start = true;
    c->in.pc = w->pc;
    c->in.group = w->group;
    c->in.mask = (uint32_t)w->valid;
    show_rows(c, c->rows, w, w->valid);
    operation(c);
}

void harp_scheduler_cycle_due(struct harp_scheduler_cycle *c, uint32_t number, uint64_t cycle) {
    c->in.due = true;
    c->in.number = number;
    c->due = cycle;
    operation(c);
}

void harp_scheduler_cycle_to_memory(struct harp_scheduler_cycle *c, uint32_t number) {
    c->in.memory = true;
    c->in.number = number;
    operation(c);
}

void harp_scheduler_cycle_done(struct harp_scheduler_cycle *c, unsigned row, unsigned lane) {
    c->in.done = UINT32_C(1) << lane;
    c->rows[lane] = row;
    operation(c);
}

void harp_scheduler_cycle_release(struct harp_scheduler_cycle *c, uint32_t group) {
    c->in.release = true;
    c->in.group = group;
    operation(c);
}

void harp_scheduler_cycle_choose(struct harp_scheduler_cycle *c, uint64_t cycle, bool issues,
                                 const struct regrouped_warp **committed,
                                 const struct regrouped_warp **issued, uint32_t *number) {
    c->in.choose = true;
    c->in.issues = issues;
    c->now = cycle;
    operation(c);
    *committed = c->committed;
    *issued = c->issued;
    if (c->issued) *number = c->number;
}

void harp_scheduler_cycle_step(struct harp_scheduler_cycle *c, uint64_t cycle,
                               const struct regrouped_outcome *o) {
    c->in.step = true;
    c->now = cycle;
    if (c->committed) {
        c->in.meeting = o->meeting;
        c->in.waits = o->waits;
        for (unsigned k = 0; k < c->lanes; ++k)
            c->next[k] = c->committed->valid >> k & 1 ? regrouped_next(o, k) : 0;
    }
    operation(c);
    while (harp_scheduler_pending(c->whole)) operation(c);
}

/* --- blocks of a unit --- */

/* Defines MODEL_clocked(), which creates the cycle model of a table for comparison with its twins. */
#define BESIDE(model)                                                                                        \
    static void *model##_clocked(struct model *m, unsigned lanes, void (*evaluated)(void *context),          \
                                 void *context) {                                                            \
        struct model##_cycle *c = malloc(sizeof *c);                                                         \
        require_memory(c);                                                                                   \
        model##_cycle_init(c, m, lanes);                                                                     \
        c->evaluated = evaluated;                                                                            \
        c->context = context;                                                                                \
        return c;                                                                                            \
    }

BESIDE(warp_lookup)
BESIDE(re_convergence_barriers)
BESIDE(second_level)

static void *whole_clocked(struct harp_scheduler *h, unsigned lanes, void (*evaluated)(void *context),
                           void *context) {
    struct harp_scheduler_cycle *c = malloc(sizeof *c);
    require_memory(c);
    harp_scheduler_cycle_init(c, h, lanes);
    c->evaluated = evaluated;
    c->context = context;
    return c;
}

void *harp_scheduler_clocked(struct harp_scheduler *h, enum cluster_block b, unsigned lanes,
                             void (*evaluated)(void *context), void *context) {
    switch (b) {
    case CLUSTER_BLOCK_READY_LOOKUP: return warp_lookup_clocked(&h->ready_lookup, lanes, evaluated, context);
    case CLUSTER_BLOCK_MEETINGS:
        return re_convergence_barriers_clocked(&h->barriers, lanes, evaluated, context);
    case CLUSTER_BLOCK_SECOND_LEVEL: return second_level_clocked(&h->second_level, lanes, evaluated, context);
    case CLUSTER_BLOCK_WAITING_LOOKUP:
        return warp_lookup_clocked(&h->waiting_lookup, lanes, evaluated, context);
    case CLUSTER_BLOCK_HARP: return whole_clocked(h, lanes, evaluated, context);
    default: return NULL;
    }
}
