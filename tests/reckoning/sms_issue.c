/* sms_issue: instructions that can issue: scoreboard, warp scheduler, collectors, the front end of barrel
 * issue (gpu-like.md §3). */
#include "model/arm/coprocessor.h"
#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/divergence/thread_block_compaction.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"
#include "tests/reckoning/sms_issue.h"
#include "tests/reckoning/sms_stacks.h"
#include "tests/reckoning/sms_uniform.h"

#define ORDERED (ARM_STATE_NZCV | ARM_STATE_FPSCR_FLAGS | ARM_STATE_FPSCR_MODES)

static unsigned warp_of(const struct sms_shadow *h, unsigned scheduler, unsigned n) {
    return n * h->s->schedulers + scheduler;
}

/* --- a warp's next instruction --- */

/* Returns the first instruction in a warp's buffer, if it was decoded a cycle before; NULL otherwise. */
static const struct arm_instruction *decoded(const struct sms_shadow *h, unsigned warp) {
    const struct sm_warp *w = &h->s->warp[warp];
    if (!h->warp[warp].live || !w->buffered || w->buffer_at > h->cycle) return NULL;
    return machine_code_at(h->s->launch->code, w->buffer_pc);
}

uint64_t shadow_needs(const struct arm_instruction *i) {
    const uint64_t registers = (bit_of(ARM_REGISTERS) - 1) | ORDERED;
    return ((i->reads | i->writes) & registers) | (i->condition == 14 ? 0 : ARM_STATE_NZCV);
}

static bool is_exit(const struct arm_instruction *i) {
    return i->is_coprocessor && coprocessor_decode(i).operation == COPROCESSOR_EXIT;
}

bool shadow_is_memory_barrier(const struct arm_instruction *i) {
    return i->encoding >> 5 == 0xf57ff040u >> 5;
}

static enum sm_unit_kind kind_of(const struct sms_shadow *h, const struct arm_instruction *i) {
    const struct sm *s = h->s;
    const bool divides = i->class == ARM_CLASS_VFP_DIVIDE_SINGLE || i->class == ARM_CLASS_VFP_DIVIDE_DOUBLE;
    if (i->is_load || i->is_store) return SM_LDST;
    if (s->lanes.scalar_unit && s->scalarized && s->scalarized[i - s->launch->code->decoded].scalar)
        return SM_SCALAR;
    return divides && s->config->cluster.sfu_lanes ? SM_SFU : SM_SP;
}

/* Returns whether a copy instruction must precede a partial write to a uniform register. */
static bool copies_first(const struct sms_shadow *h, unsigned warp, const struct arm_instruction *i) {
    const struct sm *s = h->s;
    const struct shadow_warp *w = &h->warp[warp];
    uint32_t pc;
    if (!s->uniform.on) return false;
    const uint64_t tokens = s->config->uniform.storage == UNIFORM_SRF ? s->uniform.rename.valid[warp]
                                                                      : s->uniform.tokens.token[warp];
    const bool full = shadow_runs(h, warp, &pc) == w->live, conditional = i->condition != 14;
    const bool known = !conditional || tokens & ARM_STATE_NZCV;
    const unsigned first = (unsigned)__builtin_ctzll(w->live);
    const bool fails = conditional && known &&
                       !arm_condition_holds(i->condition, arm_get_apsr(&s->warp[warp].threads, first));
    return !(full && known) && !fails &&
           (i->destinations & tokens & ((bit_of(ARM_REGISTERS) - 1) & ~bit_of(15)));
}

/* --- the scoreboard --- */

void shadow_scoreboard(struct sms_shadow *h, unsigned scheduler) {
    struct sm *s = h->s;
    struct shadow_scheduler *q = &h->scheduler[scheduler];
    const struct scoreboard *b = &s->scheduler[scheduler].board;
    const uint64_t all = bit_of(b->cfg.registers) - 1;
    reckon(h->told, "issued", h->cycle, b->in.issued, q->issued);
    if (q->issued) reckon(h->told, "warp", h->cycle, b->in.warp, q->warp);
    reckon(h->told, "writes", h->cycle, b->in.writes, q->writes);
    for (unsigned n = 0; n < b->cfg.warps; ++n) {
        const unsigned warp = warp_of(h, scheduler, n);
        struct shadow_warp *w = &h->warp[warp];
        const uint64_t was = w->pending | (q->issued && q->warp == n ? q->writes : 0);
        const struct arm_instruction *i = decoded(h, warp);
        reckon_of(h->told, "release of warp", warp, h->cycle, b->in.release[n], was & ~h->pending[warp]);
        reckon_of(h->told, "unread of warp", warp, h->cycle, b->in.unread[n], h->unread[warp] & all);
        reckon_of(h->told, "needs of warp", warp, h->cycle, b->in.needs[n], i ? shadow_needs(i) : 0);
        reckon_of(h->told, "destinations of warp", warp, h->cycle, b->in.destinations[n],
                  i ? i->destinations & all : 0);
        w->pending = h->pending[warp];
    }
    q->issued = false;
    q->writes = 0;
}

/* --- the scheduler --- */

/* Returns whether a unit of the kind has a collector that was free at the end of the last cycle and has not
 * been taken since. */
static bool has_room(const struct sms_shadow *h, enum sm_unit_kind kind) {
    const struct sm *s = h->s;
    for (unsigned n = 0; n < s->units; ++n) {
        unsigned taken = h->taken[n];
        if (s->unit[n].kind != kind) continue;
        for (unsigned k = 0; k < h->flying_count; ++k) {
            const struct sm_flight *f = &s->flight[h->flying[k]];
            taken += f->unit == n && f->issue == h->cycle;
        }
        if (taken < s->unit[n].collectors) return true;
    }
    return false;
}

static bool is_clear(const struct sms_shadow *h, unsigned warp, const struct arm_instruction *i) {
    return !(shadow_needs(i) & h->pending[warp]) && !(i->destinations & h->unread[warp]);
}

static bool is_drained(const struct sms_shadow *h, unsigned warp, const struct arm_instruction *i) {
    if (is_exit(i)) return !h->in_flight[warp];
    if (!shadow_is_memory_barrier(i)) return true;
    return !h->loads[warp] && !h->stores[warp] && !h->s->ldst->stores[warp].untaken;
}

/* Returns whether the warp's next instruction may be uniform, or a copy: it does not chain. */
static bool may_be_uniform(const struct sms_shadow *h, unsigned warp, const struct arm_instruction *i) {
    struct uniform_told read = {.to = 0};
    const struct sm *s = h->s;
    const struct shadow_warp *w = &h->warp[warp];
    uint32_t pc;
    if (!s->uniform.on) return false;
    const bool map = s->config->uniform.storage == UNIFORM_SRF;
    const uint64_t tokens = map ? s->uniform.rename.valid[warp] : s->uniform.tokens.token[warp];
    const bool full = shadow_runs(h, warp, &pc) == w->live;
    uniform_told_read(&read, i, warp, full, w->live, &s->warp[warp].threads);
    const bool known = !read.conditional || tokens & ARM_STATE_NZCV;
    return copies_first(h, warp, i) || (full && known && !(read.sources & ~tokens));
}

/* Returns whether the pending registers are chained: their first round has been written, and the same threads
 * participate, in rounds of equal width (lanes.md §2). */
static bool is_chained(const struct sms_shadow *h, unsigned warp, const struct arm_instruction *i) {
    const struct sm *s = h->s;
    const uint64_t blocked = shadow_needs(i) & h->pending[warp];
    uint32_t pc;
    uint64_t active = shadow_runs(h, warp, &pc);
    if (!s->lanes.chaining || i->destinations & h->unread[warp] || blocked >> ARM_REGISTERS) return false;
    for (uint64_t rest = i->condition == 14 ? 0 : active; rest; rest &= rest - 1) {
        const uint32_t apsr = arm_get_apsr(&s->warp[warp].threads, (unsigned)__builtin_ctzll(rest));
        if (!arm_condition_holds(i->condition, apsr)) active &= ~(rest & -rest);
    }
    const bool scalar = s->scalarized && s->scalarized[i - s->launch->code->decoded].scalar;
    for (uint64_t rest = blocked; rest; rest &= rest - 1) {
        const unsigned d = (unsigned)__builtin_ctzll(rest);
        const struct sm_flight *last = NULL; /* latest writer of the register */
        for (unsigned n = 0; n < h->flying_count; ++n) {
            const struct sm_flight *f = &s->flight[h->flying[n]];
            const bool writes = f->warp == warp && f->passed && (f->i->destinations & ~f->saved) >> d & 1;
            if (writes && (!last || f->age > last->age)) last = f;
        }
        if (!last || last->passed != active || last->w_left[d] & 1) return false;
        if (s->width[last->kind] != s->width[kind_of(h, i)]) return false;
        if (scalar != (last->uniform.form == UNIFORM_SCALAR)) return false;
        if (last->uniform.scalars >> d & 1) return false;
    }
    return !may_be_uniform(h, warp, i);
}

/* Returns whether a warp's next instruction can issue, apart from room in its unit. */
static bool is_free(const struct sms_shadow *h, unsigned warp) {
    const struct arm_instruction *i = decoded(h, warp);
    uint32_t pc;
    if (!i || h->warp[warp].unresolved || !shadow_runs(h, warp, &pc)) return false;
    return (is_clear(h, warp, i) || is_chained(h, warp, i)) && is_drained(h, warp, i);
}

static enum sm_unit_kind next_kind(const struct sms_shadow *h, unsigned warp) {
    const struct arm_instruction *i = decoded(h, warp);
    return copies_first(h, warp, i) ? SM_SP : kind_of(h, i);
}

/* Returns the lane groups whose instruction register is occupied, since operands are still to be read. */
static uint32_t reading(const struct sms_shadow *h) {
    uint32_t groups = 0;
    for (unsigned n = 0; n < h->flying_count; ++n) {
        const struct sm_flight *f = &h->s->flight[h->flying[n]];
        if (f->o_round < f->reads) groups |= 1u << f->lane_group;
    }
    return h->s->lanes.in_turn ? groups : 0;
}

static bool can_issue(const struct sms_shadow *h, unsigned warp) {
    return is_free(h, warp) && !reading(h) && has_room(h, next_kind(h, warp));
}

/* --- lane groups --- */

void shadow_lanes(struct sms_shadow *h) {
    const struct sm *s = h->s;
    const struct lane_scheduler_in *in = &s->lanes.scheduler.in;
    reckoned_bits free[SM_UNIT_KINDS] = {0};
    uint32_t room[SM_UNIT_KINDS] = {0};
    for (unsigned w = 0; w < s->warps; ++w)
        if (is_free(h, w)) free[next_kind(h, w)] |= (reckoned_bits)1 << w;
    for (unsigned n = 0; n < s->units;
         ++n) /* issues at most one instruction in a cycle, so no other collector has been taken */
        room[s->unit[n].kind] |= (uint32_t)(h->taken[n] < s->unit[n].collectors) << s->unit[n].group;
    reckon(h->told, "lanes: sp", h->cycle, in->sp, free[SM_SP]);
    reckon(h->told, "lanes: sfu", h->cycle, in->sfu, free[SM_SFU]);
    reckon(h->told, "lanes: ldst", h->cycle, in->ldst, free[SM_LDST]);
    reckon(h->told, "lanes: sp_room", h->cycle, in->sp_room, room[SM_SP]);
    reckon(h->told, "lanes: sfu_room", h->cycle, in->sfu_room, room[SM_SFU]);
    reckon(h->told, "lanes: ldst_room", h->cycle, in->ldst_room, room[SM_LDST]);
    reckon(h->told, "lanes: registers", h->cycle, in->registers,
           ~reading(h) & (uint32_t)(bit_of(s->lanes.groups) - 1));
}

/* --- warp schedulers --- */

/* Returns the engine's number of a warp. */
static unsigned number_of(const struct sm_selected *x) {
    return x->threads.regrouped ? x->threads.warp : x->flight->warp;
}

/* Returns the number of a warp's instructions between S and C, with barrel issue. */
static unsigned paths(const struct sms_shadow *h, unsigned scheduler, unsigned warp) {
    const struct sm_front *f = &h->s->front[scheduler];
    const struct unit *u = f->unit;
    unsigned count = 0;
    for (unsigned n = 0; n < h->flying_count; ++n) {
        const struct sm_flight *x = &h->s->flight[h->flying[n]];
        count += (x->threads.regrouped ? x->threads.warp : x->warp) == warp;
    }
    for (uint32_t n = u->collecting; n != u->selected; ++n)
        count += number_of(&f->selected[unit_nth(u, n) - u->flight]) == warp;
    return count;
}

/* Returns whether a warp can be selected besides its flights: none of them is in A (dpe). */
static bool path_can_run(const struct sms_shadow *h, unsigned scheduler, unsigned warp) {
    const int a = h->scheduler[scheduler].a;
    const bool arbitrates = a >= 0 && h->s->front[scheduler].unit->flight[a].warp == warp;
    uint32_t pc;
    return !arbitrates && paths(h, scheduler, warp) < 2 && shadow_runs_besides(h, warp, &pc);
}

/* Returns whether a warp waits for memory, has all threads at a barrier, or has ended. */
static bool is_stalled(const struct sms_shadow *h, unsigned warp) {
    uint32_t pc;
    return !h->warp[warp].live || h->loads[warp] || !shadow_runs(h, warp, &pc);
}

/* Returns whether a large warp can run: the threads of several warps of the register file share the stack of
 * the first. */
static bool large_can_run(const struct sms_shadow *h, unsigned scheduler, unsigned warp) {
    const struct shadow_warp *w = &h->warp[warp];
    return w->parts && !paths(h, scheduler, warp) && shadow_large_runs(h, w);
}

/* Returns whether a compacted warp can run: it is ready, and all its threads may run. */
static bool compacted_can_run(const struct sms_shadow *h, unsigned scheduler, unsigned n) {
    const struct sm *s = h->s;
    const struct thread_block_compaction *c = s->front[scheduler].unit->engine;
    const struct compaction_warp *w = &c->warp[n];
    if (n >= c->cfg.rows || w->state != COMPACTION_READY) return false;
    for (uint64_t rest = w->warp.valid; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest), warp = warp_of(h, scheduler, w->warp.row[k]);
        const struct shadow_warp *x = &h->warp[warp];
        reckon_of(h->told, "may a thread run, that of warp", warp, h->cycle, true,
                  (x->live & ~x->waiting & ~x->flying) >> k & 1);
        reckon_of(h->told, "PC of a thread of warp", warp, h->cycle, w->warp.pc, x->pc[k]);
    }
    return true;
}

static bool is_ready(const struct sms_shadow *h, unsigned scheduler, unsigned n) {
    const enum divergence_kind d = h->s->config->simt.divergence;
    const unsigned warp = warp_of(h, scheduler, n);
    uint32_t pc;
    if (!h->s->barrel) return can_issue(h, warp);
    if (d == DIVERGENCE_lwm) return large_can_run(h, scheduler, warp);
    if (d == DIVERGENCE_tbc) return compacted_can_run(h, scheduler, n);
    if (h->pairs) return path_can_run(h, scheduler, warp);
    return !paths(h, scheduler, warp) && shadow_runs(h, warp, &pc);
}

void shadow_scheduler(struct sms_shadow *h, unsigned scheduler) {
    struct sm *s = h->s;
    const struct warp_scheduler *p = &s->scheduler[scheduler].policy;
    reckoned_bits ready = 0, stalled = 0;
    h->scheduler[scheduler].called = h->cycle;
    for (unsigned n = 0; n < p->cfg.warps; ++n) {
        ready |= (reckoned_bits)is_ready(h, scheduler, n) << n;
        stalled |= (reckoned_bits)is_stalled(h, warp_of(h, scheduler, n)) << n;
    }
    if (s->lanes.apart) ready = s->lanes.scheduler.out.eligible;
    reckon(h->told, "take", h->cycle, p->in.take, true);
    reckon(h->told, "ready", h->cycle, p->in.ready, ready);
    if (!h->large) /* no policy uses the input with large warps */
        reckon(h->told, "stalled", h->cycle, p->in.stalled, stalled);
    if (p->out.valid && !s->barrel) shadow_read_tokens(h, warp_of(h, scheduler, p->out.warp));
}

/* Returns whether the oldest entry of the queue moves into a collector and leaves the queue; with lwm only
 * after its last sub-warp. */
static bool is_collected(const struct sms_shadow *h, unsigned scheduler) {
    const struct sm *s = h->s;
    if (h->taken[scheduler] >= s->unit[scheduler].collectors) return false;
    for (unsigned n = 0; h->large && n < h->flying_count; ++n) {
        const struct sm_flight *f = &s->flight[h->flying[n]];
        if (f->unit == scheduler && f->o_from == h->cycle) return !h->warp[f->threads.warp].left;
    }
    return true;
}

/* The last cycle of A: the threads of its flight are chosen. */
static void choose(struct sms_shadow *h, unsigned scheduler, int a) {
    struct shadow_choice *c = &h->scheduler[scheduler].choice[a];
    c->warp = h->s->front[scheduler].unit->flight[a].warp;
    c->threads = h->pairs ? shadow_runs_besides(h, c->warp, &c->pc) : shadow_runs(h, c->warp, &c->pc);
}

void shadow_move_front(struct sms_shadow *h, unsigned scheduler) {
    const struct sm *s = h->s;
    const struct unit *is = s->front[scheduler].unit;
    struct shadow_scheduler *x = &h->scheduler[scheduler];
    if (x->moved == h->cycle) return;
    x->moved = h->cycle;
    x->picked = false;
    if (x->queue && is_collected(h, scheduler)) --x->queue;
    x->queue += x->d;
    x->d = false;
    if (x->f >= 0 && is->flight[x->f].fetched <= h->cycle && x->queue < s->config->simt.queue_entries) {
        x->d = true;
        x->f = -1;
    }
    if (x->a >= 0 && x->f < 0 && is->flight[x->a].s + s->config->simt.arbitrate_cycles <= h->cycle) {
        choose(h, scheduler, x->a);
        x->f = x->a;
        x->a = -1;
    }
}

/* Checks a front end. A block that picks has a cycle if A is free. */
static void check_front(struct sms_shadow *h, unsigned scheduler) {
    const struct sm *s = h->s;
    const struct unit *is = s->front[scheduler].unit;
    struct shadow_scheduler *x = &h->scheduler[scheduler];
    const bool called = x->called == h->cycle;
    shadow_move_front(h, scheduler);
    if (divergence_engines[s->config->simt.divergence]->picks)
        reckon_of(h->told, "cycle of scheduler", scheduler, h->cycle, called, x->a < 0);
    if (x->picked || (called && s->scheduler[scheduler].policy.out.valid))
        x->a = is->order[(is->selected - 1) % UNIT_RING];
    reckon_of(h->told, "dispatch queue of scheduler", scheduler, h->cycle, is->decoded - is->collecting,
              x->queue);
    reckon_of(h->told, "D of scheduler", scheduler, h->cycle, is->decoded != is->left, x->d);
    reckon_of(h->told, "F of scheduler", scheduler, h->cycle, is->left != is->arbitrated, x->f >= 0);
    reckon_of(h->told, "A of scheduler", scheduler, h->cycle, is->arbitrated != is->selected, x->a >= 0);
}

/* F and D: instructions may issue two cycles after a hit of the L1I, and in the second cycle after the one at
 * whose end a miss is answered. */
static void check_decode(struct sms_shadow *h, unsigned warp) {
    const struct sm *s = h->s;
    const struct sm_warp *is = &s->warp[warp];
    struct shadow_warp *w = &h->warp[warp];
    const bool waits = w->unresolved || warp_set_has(h->begun, warp) || warp_set_has(s->wants_fetch, warp);
    if (w->live && is->buffered && !w->buffered)
        reckon_of(h->told, "first cycle in which a warp may issue, of warp", warp, h->cycle, is->buffer_at,
                  h->cycle + (w->fetching ? 1 : s->config->l1i.latency_cycles + 1));
    w->buffered = w->live && is->buffered;
    w->fetching = w->live && !is->buffered && !waits;
}

/* All schedulers have had their cycle. */
void shadow_called(struct sms_shadow *h) {
    const struct sm *s = h->s;
    for (unsigned w = 0; w < s->warps && !s->barrel; ++w) check_decode(h, w);
    for (unsigned n = 0; n < s->schedulers; ++n) {
        if (s->barrel)
            check_front(h, n);
        else if (h->renaming < 0 && s->renaming == SM_NO_FLIGHT)
            reckon_of(h->told, "cycle of scheduler", n, h->cycle, h->scheduler[n].called, h->cycle);
    }
    if (s->barrel) shadow_read_next(h);
}
