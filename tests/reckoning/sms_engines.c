#include "tests/reckoning/sms_engines.h"

#include "model/arm/coprocessor.h"
#include "model/divergence/dynamic_warp_formation.h"
#include "model/divergence/harp_scheduler_cycle.h"
#include "model/divergence/subwarp_packer.h"
#include "model/divergence/warp_formation_table_cycle.h"
#include "model/sm/clocked_blocks.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"
#include "tests/reckoning/sms_issue.h"
#include "tests/reckoning/sms_memory.h"
#include "tests/reckoning/sms_stacks.h"

#define TOLD(input, said, reckoned) reckon(h->told, input, h->cycle, said, reckoned)

static const enum cluster_block blocks[] = {CLUSTER_BLOCK_PACKER, CLUSTER_BLOCK_FORMATION,
                                            CLUSTER_BLOCK_HARP};

void shadow_engines_attach(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n)
        for (unsigned b = 0; b < sizeof blocks / sizeof *blocks; ++b) sm_clocked_model(s, n, blocks[b]);
}

static const void *model_of(const struct sms_shadow *h, unsigned scheduler, enum cluster_block block) {
    return h->s->clocked[scheduler][block].model;
}

static bool has(const struct sms_shadow *h, enum cluster_block block) {
    return model_of(h, 0, block) != NULL;
}

/* Returns the thread in a lane and row of a scheduler. */
static struct sm_thread thread_at(const struct sm *s, unsigned scheduler, unsigned row, unsigned lane) {
    const unsigned n = row * s->positions + lane;
    return (struct sm_thread){n / s->warp_size * s->schedulers + scheduler, n % s->warp_size};
}

/* Returns the threads of a warp that are neither in the pipeline nor at a barrier. */
static uint64_t may_run(const struct shadow_warp *w) {
    return w->live & ~w->waiting & ~w->flying & ~w->chosen;
}

static bool stops(const struct sm_flight *f) {
    const enum sm_effect effect = shadow_effect_of(f->i);
    return effect == SM_BARRIER || effect == SM_EXIT;
}

/* --- lwm: the packer --- */

static void packer(struct sms_shadow *h, unsigned scheduler) {
    const struct sm_front *front = &h->s->front[scheduler];
    const unsigned oldest = front->unit->order[front->unit->collecting % UNIT_RING];
    const struct subwarp_packer *p = model_of(h, scheduler, CLUSTER_BLOCK_PACKER);
    const struct shadow_warp *w = &h->warp[front->selected[oldest].threads.warp];
    const re_convergence_mask left = w->begun ? w->left : shadow_large_runs(h, w);
    for (unsigned r = 0; r < p->cfg.rows; ++r)
        reckon_of(h->told, "packer: threads that are left in row", r, h->cycle, p->in.mask[r],
                  left >> r * p->cfg.lanes & (bit_of(p->cfg.lanes) - 1));
}

/* --- dwf: the table of warps --- */

/* A warp is selected: its threads may run, are at its PC, and A is free. */
static void formation_issues(struct sms_shadow *h, unsigned scheduler,
                             const struct warp_formation_table_in *in) {
    const struct dynamic_warp_formation *d = h->s->front[scheduler].unit->engine;
    const struct warp_formation_warp *w = &d->pool[in->issue_warp];
    shadow_move_front(h, scheduler);
    h->scheduler[scheduler].picked = true;
    TOLD("formation: A is free", true, h->scheduler[scheduler].a < 0);
    TOLD("formation: a warp that is ready", true, w->state == WARP_FORMATION_READY && w->warp.valid);
    for (uint64_t rest = w->warp.valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        const struct sm_thread t = thread_at(h->s, scheduler, w->warp.row[lane], lane);
        struct shadow_warp *x = &h->warp[t.warp];
        TOLD("formation: a thread of it may run", true, may_run(x) >> t.position & 1);
        x->chosen |= bit_of(t.position);
        TOLD("formation: issue_pc", in->issue_pc, x->pc[t.position]);
        TOLD("formation: issue_group", in->issue_group, h->s->warp[t.warp].group);
    }
}

/* Returns the positions of a flight whose threads continue at the PC of position k. */
static uint64_t together_with(const struct sms_shadow *h, const struct sm_flight *f, unsigned k) {
    uint64_t its = 0;
    for (uint64_t rest = f->participating; rest; rest &= rest - 1) {
        const unsigned n = (unsigned)__builtin_ctzll(rest);
        const bool ends = stops(f) && f->passed >> n & 1;
        if (!ends && shadow_next_of(h, f, n) == shadow_next_of(h, f, k)) its |= rest & -rest;
    }
    return its;
}

/* Moves the threads of a completed flight that continue at one PC into a warp. */
static void formation_comes(struct sms_shadow *h, unsigned scheduler,
                            const struct warp_formation_table_in *in) {
    const struct dynamic_warp_formation *d = h->s->front[scheduler].unit->engine;
    const unsigned k = (unsigned)__builtin_ctzll(in->come);
    bool found = false;
    for (unsigned n = 0; n < h->flying_count && !found; ++n) {
        const struct sm_flight *f = &h->s->flight[h->flying[n]];
        struct shadow_flight *x = &h->flight[h->flying[n]];
        if (f->unit != scheduler || !shadow_is_over(f) || x->done & in->come || !(f->participating >> k & 1))
            continue;
        found = together_with(h, f, k) == in->come && shadow_next_of(h, f, k) == in->come_pc &&
                h->s->warp[f->warp].group == in->come_group;
        if (found) x->done |= in->come;
    }
    TOLD("formation: threads come together from a flight", true, found);
    TOLD("formation: new_warp is free", true, d->pool[in->new_warp].state == WARP_FORMATION_FREE);
}

static void formation(struct sms_shadow *h, unsigned scheduler) {
    const struct warp_formation_table_cycle *c = model_of(h, scheduler, CLUSTER_BLOCK_FORMATION);
    if (c->in.issue) formation_issues(h, scheduler, &c->in);
    if (c->in.come) formation_comes(h, scheduler, &c->in);
}

/* Checks that a free A gets a warp if a thread can run. */
static void check_selection(struct sms_shadow *h, unsigned scheduler) {
    const struct shadow_scheduler *x = &h->scheduler[scheduler];
    bool any = x->picked;
    for (unsigned w = scheduler; w < h->s->warps; w += h->s->schedulers) any |= may_run(&h->warp[w]) != 0;
    if (x->a < 0) TOLD("formation: issue", x->picked, any);
}

/* --- HARP --- */

static int numbered(const struct sms_shadow *h, unsigned scheduler, uint32_t number) {
    for (unsigned n = 0; n < h->flying_count; ++n) {
        const struct sm_flight *f = &h->s->flight[h->flying[n]];
        const struct shadow_flight *x = &h->flight[h->flying[n]];
        if (f->unit == scheduler && f->threads.warp == number && x->known && !x->in_memory)
            return h->flying[n];
    }
    return -1;
}

/* Returns the oldest executed barrier or exit that has not had its turn; −1 if none. */
static int next_leaver(const struct sms_shadow *h) {
    int oldest = -1;
    for (unsigned n = 0; n < h->flying_count; ++n) {
        const unsigned k = h->flying[n];
        const struct sm_flight *f = &h->s->flight[k];
        if (!h->flight[k].known || h->flight[k].told || !stops(f) || !shadow_is_over(f)) continue;
        if (oldest < 0 || f->age < h->s->flight[oldest].age) oldest = (int)k;
    }
    return oldest;
}

/* Makes an instruction committable: after all stages, and for a barrier or an exit in its turn. */
static void harp_due(struct sms_shadow *h, unsigned scheduler, uint32_t number) {
    const int k = numbered(h, scheduler, number);
    const bool in_turn = k >= 0 && stops(&h->s->flight[k]);
    const bool due = in_turn ? h->granted < 0 && k == next_leaver(h)
                             : k >= 0 && !h->flight[k].told && shadow_is_over(&h->s->flight[k]);
    TOLD("HARP: due", true, due);
    if (!due) return;
    h->flight[k].told = true;
    if (in_turn) h->granted = k;
}

static void harp_memory(struct sms_shadow *h, unsigned scheduler, uint32_t number) {
    const int k = numbered(h, scheduler, number);
    const struct sm_flight *f = k >= 0 ? &h->s->flight[k] : NULL;
    TOLD("HARP: memory", true, f && f->kind == SM_LDST && shadow_accesses_buffers(h, f));
    if (f) h->flight[k].in_memory = true;
}

static void harp_done(struct sms_shadow *h, unsigned scheduler, unsigned lane, unsigned row) {
    const struct sm_thread t = thread_at(h->s, scheduler, row, lane);
    bool found = false;
    for (unsigned n = 0; n < h->flying_count && !found; ++n) {
        const struct sm_flight *f = &h->s->flight[h->flying[n]];
        struct shadow_flight *x = &h->flight[h->flying[n]];
        if (f->unit != scheduler || !x->known || !x->in_memory || !shadow_is_over(f)) continue;
        if (!((f->participating & ~x->done) >> lane & 1)) continue;
        const struct sm_thread its = sm_thread_of(h->s, f, lane);
        found = its.warp == t.warp && its.position == t.position;
        if (found) x->done |= bit_of(lane);
    }
    TOLD("HARP: done", true, found);
}

static void harp_chooses(struct sms_shadow *h, unsigned scheduler, const struct harp_scheduler_cycle *c) {
    struct shadow_harp *x = &h->harp[scheduler];
    shadow_move_front(h, scheduler);
    TOLD("HARP: issues", c->in.issues, h->scheduler[scheduler].a < 0);
    h->scheduler[scheduler].picked = c->out.issue;
    x->chosen = h->cycle;
    x->commits = c->out.commit;
    x->pc = c->out.commit_pc;
    x->mask = c->out.commit_mask;
    for (unsigned lane = 0; lane < c->lanes; ++lane) x->row[lane] = (uint16_t)c->commit_rows[lane];
}

/* Applies the results of the committed warp's instruction. */
static void harp_steps(struct sms_shadow *h, unsigned scheduler, const struct harp_scheduler_cycle *c) {
    struct shadow_harp *x = &h->harp[scheduler];
    const struct arm_instruction *i = machine_code_at(h->s->launch->code, x->pc);
    x->stepped = h->cycle;
    if (!x->commits) return;
    TOLD("HARP: meeting", c->in.meeting, shadow_meeting_of(h->s->launch->code, x->pc));
    TOLD("HARP: waits", c->in.waits,
         i->is_coprocessor && coprocessor_decode(i).operation == COPROCESSOR_BARRIER);
    for (unsigned lane = 0; lane < c->lanes; ++lane) {
        const struct sm_thread t = thread_at(h->s, scheduler, x->row[lane], lane);
        const bool lives = x->mask >> lane & 1 && h->warp[t.warp].live >> t.position & 1;
        reckon_of(h->told, "HARP: next", lane, h->cycle, c->in.next[lane],
                  lives ? h->warp[t.warp].pc[t.position] : 0);
    }
}

static void harp(struct sms_shadow *h, unsigned scheduler) {
    const struct harp_scheduler_cycle *c = model_of(h, scheduler, CLUSTER_BLOCK_HARP);
    if (c->in.due) harp_due(h, scheduler, c->in.number);
    if (c->in.memory) harp_memory(h, scheduler, c->in.number);
    for (uint32_t rest = c->in.done; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        harp_done(h, scheduler, lane, c->in.rows[lane]);
    }
    if (c->in.release) {
        TOLD("HARP: release", h->harp[scheduler].opens >> c->in.group & 1, true);
        h->harp[scheduler].opens &= ~bit_of(c->in.group);
    }
    if (c->in.choose) harp_chooses(h, scheduler, c);
    if (c->in.step) harp_steps(h, scheduler, c);
}

/* --- cycles --- */

bool shadow_engine_starts(struct sms_shadow *h, enum cluster_block block, unsigned scheduler, uint64_t t) {
    const struct harp_scheduler_cycle *c = block == CLUSTER_BLOCK_HARP ? model_of(h, scheduler, block) : NULL;
    if (!c || !c->in.start) return false;
    reckon(h->told, "HARP: pc of a warp that begins", t, c->in.pc, h->s->launch->thunk);
    for (uint32_t rest = c->in.mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const struct sm_thread x = thread_at(h->s, scheduler, c->in.rows[lane], lane);
        const uint64_t bit = bit_of(x.position);
        reckon(h->told, "HARP: group of a warp that begins", t, c->in.group, h->s->warp[x.warp].group);
        reckon(h->told, "HARP: a thread begins once", t, (h->starting[x.warp] & bit) != 0, false);
        h->starting[x.warp] |= bit;
    }
    return true;
}

void shadow_engine(struct sms_shadow *h, enum cluster_block block, unsigned scheduler) {
    switch (block) {
    case CLUSTER_BLOCK_PACKER: packer(h, scheduler); break;
    case CLUSTER_BLOCK_FORMATION: formation(h, scheduler); break;
    case CLUSTER_BLOCK_HARP: harp(h, scheduler); break;
    default: break;
    }
}

void shadow_engine_started(struct sms_shadow *h, unsigned warp) {
    if (has(h, CLUSTER_BLOCK_HARP))
        reckon_of(h->told, "HARP: threads that begin, of warp", warp, h->cycle, h->starting[warp],
                  h->warp[warp].live);
    h->starting[warp] = 0;
}

void shadow_engines_called(struct sms_shadow *h) {
    for (unsigned n = 0; has(h, CLUSTER_BLOCK_FORMATION) && n < h->s->schedulers; ++n) check_selection(h, n);
    if (has(h, CLUSTER_BLOCK_HARP) && h->granted < 0)
        TOLD("HARP: due, of a barrier or an exit", false, next_leaver(h) >= 0);
}

/* Checks that an instruction that has passed all stages has been reported. */
static void check_flight(struct sms_shadow *h, unsigned k) {
    const struct sm_flight *f = &h->s->flight[k];
    struct shadow_flight *x = &h->flight[k];
    const bool memory = f->kind == SM_LDST && f->x_round && shadow_accesses_buffers(h, f);
    x->joins = x->over ? f->participating & ~(stops(f) ? f->passed : 0) : 0;
    if (!has(h, CLUSTER_BLOCK_HARP)) return;
    reckon_of(h->told, "HARP: memory of flight", k, h->cycle, x->in_memory, memory);
    if (!shadow_is_over(f) || stops(f)) return;
    if (x->in_memory)
        reckon_of(h->told, "HARP: done, of flight", k, h->cycle, x->done, f->participating);
    else
        reckon_of(h->told, "HARP: due, of flight", k, h->cycle, x->told, true);
}

void shadow_engines_after(struct sms_shadow *h, uint64_t released) {
    for (unsigned n = 0; n < h->flying_count; ++n) check_flight(h, h->flying[n]);
    if (!has(h, CLUSTER_BLOCK_HARP)) return;
    for (unsigned n = 0; n < h->s->schedulers; ++n) h->harp[n].opens = released;
    if (h->granted < 0) return;
    const struct sm_flight *f = &h->s->flight[h->granted];
    const struct sm_thread t = sm_thread_of(h->s, f, (unsigned)__builtin_ctzll(f->passed));
    const struct shadow_warp *w = &h->warp[t.warp];
    if (!((w->live & ~w->waiting) >> t.position & 1)) h->granted = -1; /* the flight has had its turn */
}

void shadow_engines_before(struct sms_shadow *h) {
    for (unsigned n = 0; has(h, CLUSTER_BLOCK_FORMATION) && n < h->flying_count; ++n) {
        struct shadow_flight *x = &h->flight[h->flying[n]];
        reckon_of(h->told, "formation: threads that come, of flight", h->flying[n], h->cycle, x->done,
                  x->joins);
        x->joins = x->done = 0;
    }
    for (unsigned n = 0; has(h, CLUSTER_BLOCK_HARP) && h->cycle != SM_NEVER && n < h->s->schedulers; ++n) {
        TOLD("HARP: groups to be released", h->harp[n].opens, 0);
        TOLD("HARP: choose", h->harp[n].chosen, h->cycle);
        TOLD("HARP: step", h->harp[n].stepped, h->cycle);
    }
}
