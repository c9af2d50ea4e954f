/* What takes effect at the end of a cycle: branches part threads, barriers and exits stop them, barriers
 * open, instructions leave the pipeline (gpu-like.md §3; divergence.md §4, sbr). */
#include "model/sm/sm_parts.h"

#include "sim/error.h"

#include <string.h>

/* --- branches --- */

static bool is_call(const struct arm_instruction *i) {
    return i->destinations & bit_of(14) && i->writes_pc && i->class == ARM_CLASS_BRANCH;
}

/* The threads by where they go: those that fall through first, then by ascending address. */
static unsigned make_groups(const struct sm *s, const struct sm_flight *f,
                            struct re_convergence_group group[ARM_MAX_POSITIONS + 1]) {
    const uint32_t *target = s->warp[f->warp].threads.next_pc;
    uint64_t fall = f->participating & ~f->passed;
    unsigned count = 0;
    for (uint64_t rest = f->passed; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        unsigned n = 0;
        if (target[k] == f->pc + 4) {
            fall |= bit_of(k);
            continue;
        }
        while (n < count && group[n].pc < target[k]) ++n;
        if (n == count || group[n].pc != target[k]) {
            memmove(&group[n + 1], &group[n], (count - n) * sizeof *group);
            group[n] = (struct re_convergence_group){.pc = target[k], .call = is_call(f->i)};
            ++count;
        }
        group[n].mask |= bit_of(k);
    }
    if (!fall) return count;
    memmove(&group[1], &group[0], count * sizeof *group);
    group[0] = (struct re_convergence_group){.pc = f->pc + 4, .mask = fall};
    return count + 1;
}

static bool part(struct sm *s, const struct sm_flight *f) {
    struct re_convergence_group group[ARM_MAX_POSITIONS + 1];
    const struct machine_code *code = s->launch->code;
    const unsigned count = make_groups(s, f, group);
    const uint32_t place = code->meeting ? code->meeting[(f->pc - code->text_base) / 4] : MACHINE_TOGETHER;
    if (count > 1)
        return re_convergence_stack_diverge(&s->stack, f->warp, group, count,
                                            place == MACHINE_TOGETHER ? 0 : place);
    if (group->call) return re_convergence_stack_call(&s->stack, f->warp, group->pc, f->pc + 4);
    re_convergence_stack_jump(&s->stack, f->warp, group->pc);
    return true;
}

static void resolved(struct sm *s, unsigned warp) {
    s->warp[warp].unresolved = false;
    sm_scheduler_of(s, warp)->unresolved &= ~sm_scheduler_bit(s, warp);
    s->changed |= bit_of(warp);
    sm_redirect(s, warp);
}

static void branch(struct sm *s, const struct sm_flight *f) {
    if (!part(s, f)) {
        sm_diagnose(
            s, f->warp, (unsigned)__builtin_ctzll(f->participating), f->pc,
            "calls a function, but %u calls are in flight in its warp, of threads that have parted, too: the "
            "re-convergence stack has no room for one more; raise simt.stack_calls",
            s->config->simt.stack_calls);
        return;
    }
    resolved(s, f->warp);
}

/* --- barriers and exits, one warp a cycle --- */

/* All threads at the top of the stack may wait while others below could run. */
static void leave_top(struct sm *s, unsigned warp) {
    struct sm_warp *w = &s->warp[warp];
    struct sm_scheduler *q = sm_scheduler_of(s, warp);
    if (w->live && !sm_participating(s, warp))
        re_convergence_stack_barrier(&s->stack, warp, w->live & ~w->waiting);
    const bool stands = w->live && !sm_participating(s, warp);
    q->barrier = stands ? q->barrier | sm_scheduler_bit(s, warp) : q->barrier & ~sm_scheduler_bit(s, warp);
}

static void end_warp(struct sm *s, unsigned warp) {
    struct sm_scheduler *q = sm_scheduler_of(s, warp);
    const uint64_t bit = sm_scheduler_bit(s, warp);
    if (s->uniform.on) uniform_released(&s->uniform, warp);
    q->live &= ~bit;
    q->decoded &= ~bit;
    q->decoding &= ~bit;
    q->barrier &= ~bit;
    q->unresolved &= ~bit;
    s->wants_fetch &= ~bit_of(warp);
}

static void arrive(struct sm *s, const struct sm_flight *f) {
    struct sm_warp *w = &s->warp[f->warp];
    const unsigned count = (unsigned)__builtin_popcountll(f->passed);
    re_convergence_stack_advance(&s->stack, f->warp);
    if (count) {
        w->waiting |= f->passed;
        w->barrier_pc = f->pc;
        s->barriers.in.arrive_count = count;
        s->barriers.in.arrive_group = w->group;
        s->barriers.in.arrive_pc = f->pc;
    }
    leave_top(s, f->warp);
    resolved(s, f->warp);
}

static void leave(struct sm *s, const struct sm_flight *f) {
    struct sm_warp *w = &s->warp[f->warp];
    struct sm_group *g = &s->group[w->group];
    const unsigned count = (unsigned)__builtin_popcountll(f->passed);
    if (f->participating & ~f->passed) re_convergence_stack_advance(&s->stack, f->warp);
    w->live &= ~f->passed;
    re_convergence_stack_exit(&s->stack, f->warp, f->passed);
    for (uint64_t rest = f->passed; rest && s->shared->monitor.reserved; rest &= rest - 1)
        exclusive_monitor_clear(&s->shared->monitor,
                                w->threads.first_thread + (unsigned)__builtin_ctzll(rest));
    g->live -= count;
    s->barriers.in.exit_count = count;
    s->barriers.in.exit_group = w->group;
    resolved(s, f->warp);
    if (w->live)
        leave_top(s, f->warp);
    else
        end_warp(s, f->warp);
}

/* The oldest of those that wait to arrive or to exit. */
static void leave_one(struct sm *s) {
    unsigned oldest = 0;
    for (unsigned n = 1; n < s->leavers; ++n)
        if (s->flight[s->leaving[n]].age < s->flight[s->leaving[oldest]].age) oldest = n;
    const uint16_t number = s->leaving[oldest];
    s->leaving[oldest] = s->leaving[--s->leavers];
    struct sm_flight *f = &s->flight[number];
    (f->effect == SM_BARRIER ? arrive : leave)(s, f);
    sm_end_flight(s, f);
}

static void release_group(struct sm *s, unsigned group) {
    for (uint64_t rest = s->group[group].warps; rest; rest &= rest - 1) {
        const unsigned warp = (unsigned)__builtin_ctzll(rest);
        struct sm_warp *w = &s->warp[warp];
        if (!w->waiting) continue;
        if (s->barriers.out.exited & bit_of(group)) sm_note_short_barrier(s, warp);
        w->waiting = 0;
        s->changed |= bit_of(warp);
        sm_scheduler_of(s, warp)->barrier &= ~sm_scheduler_bit(s, warp);
        sm_redirect(s, warp);
    }
}

/* Returns the next cycle in which a barrier does something. */
static uint64_t step_barriers(struct sm *s, uint64_t t) {
    struct barrier_table *b = &s->barriers;
    if (!barrier_table_active(b)) return SM_NEVER;
    barrier_table_eval(b);
    for (uint64_t rest = b->out.release; rest; rest &= rest - 1)
        release_group(s, (unsigned)__builtin_ctzll(rest));
    barrier_table_clock(b);
    return t + 1;
}

/* --- the end of a cycle --- */

/* A work-group whose last thread has exited leaves. */
static void end_group(struct sm *s, unsigned group) {
    struct sm_group *g = &s->group[group];
    s->ended = s->now;
    g->used = false;
    for (uint64_t rest = g->warps; rest; rest &= rest - 1) sm_free_warp(s, (unsigned)__builtin_ctzll(rest));
    s->local_left += s->launch->local_bytes;
    --s->groups_used;
    ++s->groups_done;
}

static void free_flight(struct sm *s, uint16_t number) {
    struct sm_flight *f = &s->flight[number];
    struct sm_warp *w = &s->warp[f->warp];
    --w->in_flight;
    if (s->uniform.on) uniform_insert(&s->uniform, f->pc, f->age, &f->uniform);
    if (s->barrel) {
        s->front[f->warp % s->schedulers].busy &= ~sm_scheduler_bit(s, f->warp);
        if (f->effect == SM_NO_EFFECT) re_convergence_stack_advance(&s->stack, f->warp);
    }
    if (f->kind == SM_LDST && f->i->is_load) --w->loads;
    if (f->kind == SM_LDST && f->i->is_store) --w->stores;
    s->changed |= bit_of(f->warp);
    struct sm_group *g = &s->group[w->group];
    if (!w->live && !w->in_flight && g->used && !g->live) {
        end_group(s, w->group);
    } else if (!w->live && !w->in_flight && s->config->lanes.free_on_warp_exit) {
        g->warps &= ~bit_of(f->warp);
        sm_free_warp(s, f->warp);
    }
    f->next = s->flight_free;
    s->flight_free = number;
    --s->flights;
}

void sm_end_flight(struct sm *s, struct sm_flight *f) {
    const uint16_t number = (uint16_t)(f - s->flight);
    if (s->barrel && !f->committed && (f->effect == SM_BARRIER || f->effect == SM_EXIT)) {
        f->committed = true;
        s->leaving[s->leavers++] = number;
        return;
    }
    s->finished[s->finishes++] = number;
    if (f->effect == SM_BRANCH && (s->barrel || (f->kind == SM_LDST && f->passed)))
        s->parting[s->partings++] = number;
}

uint64_t sm_take_effect(struct sm *s, uint64_t t) {
    uint64_t next = SM_NEVER;
    for (unsigned n = 0; n < s->partings; ++n) branch(s, &s->flight[s->parting[n]]);
    s->partings = 0;
    if (s->leavers) leave_one(s);
    if (s->leavers) next = t + 1;
    sm_earlier(&next, step_barriers(s, t));
    if (!s->barrel) s->wants_fetch |= s->starting;
    if (s->starting) next = t + 1;
    s->starting = 0;
    const bool moved = s->finishes || s->given_back || s->changed;
    for (unsigned n = 0; n < s->finishes; ++n) free_flight(s, s->finished[n]);
    s->finishes = 0;
    for (; s->given_back; s->given_back &= s->given_back - 1) {
        struct sm_unit *u = &s->unit[__builtin_ctzll(s->given_back)];
        u->taken = u->collected;
    }
    for (; s->changed; s->changed &= s->changed - 1) sm_refresh(s, (unsigned)__builtin_ctzll(s->changed));
    return moved ? t + 1 : next;
}
