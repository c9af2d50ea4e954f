#include "tests/reckoning/sms_scalar.h"

#include "model/arm/coprocessor.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"
#include "tests/reckoning/sms_issue.h"

static enum coprocessor_operation operation_of(const struct arm_instruction *i) {
    return i && i->is_coprocessor ? coprocessor_decode(i).operation : COPROCESSOR_UNDEFINED;
}

static const struct arm_instruction *instruction_of(const struct sms_shadow *h, unsigned slot) {
    return machine_code_at(h->s->launch->code, h->s->scalar->thread[slot].pc);
}

/* Returns the first cycle of the units from t on. */
static uint64_t cycle_of(const struct sms_shadow *h, uint64_t t) {
    const uint64_t divisor = h->s->scalar->divisor;
    return (t + divisor - 1) / divisor * divisor;
}

/* --- F, D --- */

/* Observes fetches. Instructions that hit in the L1I may issue a cycle of the unit after their arrival, as
 * instructions of a fill do. */
static void observe(struct sms_shadow *h, unsigned slot) {
    const struct scalar_units *u = h->s->scalar;
    const struct scalar_thread *is = &u->thread[slot];
    struct shadow_scalar *x = &h->scalar[slot];
    if (!is->live) return;
    if (x->number != is->number) *x = (struct shadow_scalar){.number = is->number};
    if (is->buffered > x->buffered) {
        const unsigned later = x->fetching ? 0 : h->s->config->l1i.latency_cycles;
        x->from = cycle_of(h, h->cycle + later) + u->divisor;
    }
    reckon_of(h->told, "buffered instructions of scalar thread", slot, h->cycle, is->buffered,
              is->buffered > x->buffered ? is->buffered : x->buffered);
    x->buffered = is->buffered;
    x->fetching = is->fetching;
}

/* --- which may issue --- */

static uint64_t ready_at(const struct sms_shadow *h, unsigned slot, unsigned resource) {
    const struct shadow_scalar *x = &h->scalar[slot];
    return x->loads >> resource & 1 ? h->s->scalar->thread[slot].ready[resource] : x->ready[resource];
}

/* Returns whether all that the next instruction reads or writes is ready, except pending loads into registers
 * that it only writes. */
static bool can_issue(const struct sms_shadow *h, unsigned slot) {
    const struct scalar_thread *is = &h->s->scalar->thread[slot];
    const struct shadow_scalar *x = &h->scalar[slot];
    const struct arm_instruction *i = instruction_of(h, slot);
    const enum coprocessor_operation o = operation_of(i);
    if (!is->live || h->group[slot].scalar_waits || x->effect != SM_NO_EFFECT || !x->buffered ||
        x->from > h->cycle)
        return false;
    if (!i) return true;
    uint64_t needs = shadow_needs(i);
    if (o == COPROCESSOR_EXIT) needs &= ARM_STATE_NZCV;
    for (uint64_t rest = needs; rest; rest &= rest - 1) {
        const unsigned r = (unsigned)__builtin_ctzll(rest);
        const bool only_written = i->condition == 14 && !(i->reads >> r & 1) && i->writes >> r & 1;
        if (only_written && x->loads >> r & 1 && o != COPROCESSOR_EXIT) continue;
        if (ready_at(h, slot, r) > h->cycle) return false;
    }
    const uint64_t settled =
        h->s->launch->prefetches ? is->settled : x->settled; /* there loads may read nothing */
    if (o == COPROCESSOR_CYCLES && (is->in_memory || settled > h->cycle)) return false;
    if (o == COPROCESSOR_EXIT && (is->unsent || settled > h->cycle)) return false;
    if (!shadow_is_memory_barrier(i)) return true;
    return !is->in_memory && !h->s->ldst->stores[SM_STORES_OF_SCALARS + slot].untaken;
}

/* --- an instruction issues --- */

static void write_results(struct sms_shadow *h, unsigned slot, const struct arm_instruction *i) {
    struct shadow_scalar *x = &h->scalar[slot];
    const uint64_t at = h->cycle + (h->s->config->core.latency_cycles[i->class] + 2) * h->s->scalar->divisor;
    const uint64_t writes = i->writes & (bit_of(SCALAR_RESOURCES) - 1) & ~bit_of(15);
    uint64_t loads = i->is_load || arm_stores_exclusively(i) ? writes : 0;
    if (i->write_back) loads &= ~bit_of(i->rn);
    x->loads = (x->loads & ~writes) | loads;
    for (uint64_t rest = writes & ~loads; rest; rest &= rest - 1) x->ready[__builtin_ctzll(rest)] = at;
    if (writes & ~loads && at > x->settled) x->settled = at;
}

static void issue(struct sms_shadow *h, unsigned unit, unsigned slot) {
    const struct scalar_units *u = h->s->scalar;
    struct shadow_scalar *x = &h->scalar[slot];
    const struct arm_instruction *i = instruction_of(h, slot);
    if (!i) return;
    const bool passed =
        i->condition == 14 || arm_condition_holds(i->condition, arm_get_apsr(&u->thread[slot].threads, 0));
    const enum sm_effect effect = shadow_effect_of(i);
    if (passed) write_results(h, slot, i);
    x->effect = effect == SM_BRANCH || passed ? effect : SM_NO_EFFECT;
    x->effect_at = effect == SM_BRANCH && i->is_load && passed ? SM_NEVER : h->cycle + 3 * u->divisor;
    x->buffered = x->effect == SM_BRANCH || x->effect == SM_EXIT ? 0 : x->buffered - 1;
    h->scalar_next[unit] = h->cycle + h->s->config->core.occupancy_cycles[i->class] * u->divisor;
}

void shadow_scalar(struct sms_shadow *h, unsigned unit) {
    const struct scalar_units *u = h->s->scalar;
    const struct scalar_scheduler *q = &u->unit[unit].scheduler;
    const bool works = h->cycle % u->divisor == 0 && h->scalar_next[unit] <= h->cycle;
    uint64_t ready = 0;
    for (unsigned slot = unit, n = 0; slot < u->threads; slot += u->units, ++n) {
        observe(h, slot);
        ready |= (uint64_t)(works && can_issue(h, slot)) << n;
    }
    reckon(h->told, "scalar unit: cycle", h->cycle, q->in.cycle, h->cycle % 8);
    reckon(h->told, "scalar unit: ready", h->cycle, q->in.ready, ready);
    if (q->out.valid) issue(h, unit, q->out.thread * u->units + unit);
}

/* --- the end of a cycle --- */

enum sm_effect shadow_scalar_effect(struct sms_shadow *h, unsigned slot) {
    struct shadow_scalar *x = &h->scalar[slot];
    const enum sm_effect effect = x->effect;
    const bool loaded = x->effect_at == SM_NEVER && h->s->scalar->thread[slot].effect == SM_NO_EFFECT;
    if (effect == SM_NO_EFFECT || (x->effect_at > h->cycle && !loaded)) return SM_NO_EFFECT;
    x->effect = SM_NO_EFFECT;
    return effect;
}

void shadow_scalar_released(struct sms_shadow *h, unsigned slot) {
    struct shadow_scalar *x = &h->scalar[slot];
    if (x->from < h->cycle + 1) x->from = h->cycle + 1;
}
