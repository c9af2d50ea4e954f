/* Who may issue: scoreboard, warp scheduler, collectors, the front end of barrel issue (gpu-like.md §3). */
#include "model/arm/coprocessor.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"
#include "tests/reckoning/sms_issue.h"

#define ORDERED (ARM_STATE_NZCV | ARM_STATE_FPSCR_FLAGS | ARM_STATE_FPSCR_MODES)

static unsigned warp_of(const struct sms_shadow *h, unsigned scheduler, unsigned n) {
    return n * h->s->schedulers + scheduler;
}

/* --- a warp's next instruction --- */

/* It is in the buffer, and was decoded a cycle before; NULL: it is not. */
static const struct arm_instruction *decoded(const struct sms_shadow *h, unsigned warp) {
    const struct sm_warp *w = &h->s->warp[warp];
    if (!h->warp[warp].live || !w->buffered || w->buffer_at > h->cycle) return NULL;
    return machine_code_at(h->s->launch->code, w->buffer_pc);
}

/* What must be neither written nor read, whatever the instruction does with it. */
static uint64_t needs_of(const struct arm_instruction *i) {
    const uint64_t registers = (bit_of(ARM_REGISTERS) - 1) | ORDERED;
    return ((i->reads | i->writes) & registers) | (i->condition == 14 ? 0 : ARM_STATE_NZCV);
}

static bool is_exit(const struct arm_instruction *i) {
    return i->is_coprocessor && coprocessor_decode(i).operation == COPROCESSOR_EXIT;
}

static bool is_memory_barrier(const struct arm_instruction *i) {
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

/* A partial write to a register with one value must wait for a copy instruction. */
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
        reckon_of(h->told, "needs of warp", warp, h->cycle, b->in.needs[n], i ? needs_of(i) : 0);
        reckon_of(h->told, "destinations of warp", warp, h->cycle, b->in.destinations[n],
                  i ? i->destinations & all : 0);
        w->pending = h->pending[warp];
    }
    q->issued = false;
    q->writes = 0;
}

/* --- the scheduler --- */

/* Has a unit of the kind a collector that was free at the end of the last cycle, and that nobody has taken
 * since? */
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
    return !(needs_of(i) & h->pending[warp]) && !(i->destinations & h->unread[warp]);
}

static bool is_drained(const struct sms_shadow *h, unsigned warp, const struct arm_instruction *i) {
    if (is_exit(i)) return !h->in_flight[warp];
    if (!is_memory_barrier(i)) return true;
    return !h->loads[warp] && !h->stores[warp] && !h->s->ldst->stores[warp].untaken;
}

/* Nothing stops a warp's next instruction, but for units that have no room. */
static bool is_free(const struct sms_shadow *h, unsigned warp) {
    const struct sm *s = h->s;
    const struct arm_instruction *i = decoded(h, warp);
    uint32_t pc;
    if (!i || h->warp[warp].unresolved || !shadow_runs(h, warp, &pc)) return false;
    const bool clear = s->lanes.chaining
                           ? s->scheduler[warp % s->schedulers].clear >> warp / s->schedulers & 1
                           : is_clear(h, warp, i);
    return clear && is_drained(h, warp, i);
}

static bool can_issue(const struct sms_shadow *h, unsigned warp) {
    const struct arm_instruction *i = decoded(h, warp);
    if (!is_free(h, warp) || h->s->lanes.reading) return false;
    return has_room(h, copies_first(h, warp, i) ? SM_SP : kind_of(h, i));
}

/* Barrel issue: has a warp an instruction somewhere between S and C? */
static bool is_busy(const struct sms_shadow *h, unsigned scheduler, unsigned warp) {
    const struct sm_front *f = &h->s->front[scheduler];
    for (unsigned n = 0; n < SM_STAGES; ++n)
        if (f->stage[n] != SM_NO_ITEM && f->item[f->stage[n]].warp == warp) return true;
    for (unsigned n = 0; n < f->queued; ++n)
        if (f->item[(f->queue + n) % SM_ITEMS].warp == warp) return true;
    return h->in_flight[warp] != 0;
}

/* Warps wait for memory, or all their threads at a barrier, or have ended. */
static bool is_stalled(const struct sms_shadow *h, unsigned warp) {
    uint32_t pc;
    return !h->warp[warp].live || h->loads[warp] || !shadow_runs(h, warp, &pc);
}

void shadow_scheduler(struct sms_shadow *h, unsigned scheduler) {
    struct sm *s = h->s;
    const struct warp_scheduler *p = &s->scheduler[scheduler].policy;
    const bool large = s->config->simt.divergence == DIVERGENCE_LWM;
    reckoned_bits ready = 0, stalled = 0;
    uint32_t pc;
    h->scheduler[scheduler].called = h->cycle;
    for (unsigned n = 0; n < p->cfg.warps; ++n) {
        const unsigned warp = warp_of(h, scheduler, n);
        const bool is =
            s->barrel ? !is_busy(h, scheduler, warp) && shadow_runs(h, warp, &pc) : can_issue(h, warp);
        ready |= (reckoned_bits)is << n;
        stalled |= (reckoned_bits)is_stalled(h, warp) << n;
    }
    reckon(h->told, "take", h->cycle, p->in.take, true);
    if (large) return;
    if (!s->lanes.apart) reckon(h->told, "ready", h->cycle, p->in.ready, ready);
    reckon(h->told, "stalled", h->cycle, p->in.stalled, stalled);
    if (!s->barrel || !p->out.valid) return;
    struct shadow_warp *w = &h->warp[warp_of(h, scheduler, p->out.warp)];
    w->chosen = shadow_runs(h, warp_of(h, scheduler, p->out.warp), &w->chosen_pc);
}

/* All schedulers have had their cycle. */
void shadow_called(struct sms_shadow *h) {
    const struct sm *s = h->s;
    if (s->barrel || s->renaming != SM_NO_FLIGHT) return;
    for (unsigned n = 0; n < s->schedulers; ++n)
        reckon_of(h->told, "cycle of scheduler", n, h->cycle, h->scheduler[n].called, h->cycle);
}
