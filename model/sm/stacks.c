#include "model/sm/stacks.h"

#include "model/divergence/re_convergence_stack_cycle.h"

#include <string.h>

/* --- parts --- */

static re_convergence_mask of_part(const struct sm *s, unsigned n, uint64_t threads) {
    return (re_convergence_mask)threads << n * s->warp_size;
}

static uint64_t in_part(const struct sm *s, unsigned n, re_convergence_mask threads) {
    const uint64_t low = (uint64_t)(threads >> n * s->warp_size);
    return s->warp_size == 64 ? low : low & (bit_of(s->warp_size) - 1);
}

re_convergence_mask sm_stack_live(const struct sm *s, const uint8_t *part, unsigned parts) {
    re_convergence_mask live = 0;
    for (unsigned n = 0; n < parts; ++n) live |= of_part(s, n, s->warp[part[n]].live);
    return live;
}

re_convergence_mask sm_stack_waiting(const struct sm *s, const uint8_t *part, unsigned parts) {
    re_convergence_mask waiting = 0;
    for (unsigned n = 0; n < parts; ++n) waiting |= of_part(s, n, s->warp[part[n]].waiting);
    return waiting;
}

static unsigned count_of(re_convergence_mask threads) {
    return (unsigned)(__builtin_popcountll((uint64_t)threads) +
                      __builtin_popcountll((uint64_t)(threads >> 64)));
}

/* --- branches --- */

static bool is_call(const struct arm_instruction *i) {
    return i->destinations & bit_of(14) && i->writes_pc && i->class == ARM_CLASS_BRANCH;
}

struct groups {
    unsigned count;
    struct re_convergence_group of[RE_CONVERGENCE_STACK_MAX_WARP_SIZE + 1];
};

/* Adds the threads of a part that branch to other addresses, by ascending address. Returns the threads whose
 * target is the next instruction. */
static re_convergence_mask add_part(const struct sm *s, const struct sm_stack_commit *c, unsigned part,
                                    struct groups *g) {
    const uint32_t *target = s->warp[c->part[part]].threads.next_pc;
    re_convergence_mask fall = 0;
    for (uint64_t rest = in_part(s, part, c->passed); rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const re_convergence_mask thread = of_part(s, part, rest & -rest);
        unsigned n = 0;
        if (target[k] == c->pc + 4) {
            fall |= thread;
            continue;
        }
        while (n < g->count && g->of[n].pc < target[k]) ++n;
        if (n == g->count || g->of[n].pc != target[k]) {
            memmove(&g->of[n + 1], &g->of[n], (g->count - n) * sizeof g->of[0]);
            g->of[n] = (struct re_convergence_group){.pc = target[k], .call = is_call(c->i)};
            ++g->count;
        }
        g->of[n].mask |= thread;
    }
    return fall;
}

/* Groups the threads by target: first the threads that fall through, then by ascending address. */
static void make_groups(const struct sm *s, const struct sm_stack_commit *c, struct groups *g) {
    re_convergence_mask fall = c->participating & ~c->passed;
    g->count = 0;
    for (unsigned n = 0; n < c->parts; ++n) fall |= add_part(s, c, n, g);
    if (!fall) return;
    memmove(&g->of[1], &g->of[0], g->count * sizeof g->of[0]);
    g->of[0] = (struct re_convergence_group){.pc = c->pc + 4, .mask = fall};
    ++g->count;
}

/* Returns false if the stack has no room for a call. */
static bool part(struct sm *s, const struct sm_stack_commit *c) {
    struct groups g;
    make_groups(s, c, &g);
    if (g.count > 1)
        return re_convergence_stack_diverge(&s->stack, c->warp, g.of, g.count,
                                            machine_meeting(s->launch->code, c->pc));
    if (g.of[0].call) return re_convergence_stack_call(&s->stack, c->warp, g.of[0].pc, c->pc + 4);
    re_convergence_stack_jump(&s->stack, c->warp, g.of[0].pc);
    return true;
}

static void resolved(struct sm *s, const struct sm_stack_commit *c) {
    for (unsigned n = 0; n < c->parts; ++n) {
        const unsigned warp = c->part[n];
        sm_scheduler_of(s, warp)->unresolved &= ~sm_scheduler_bit(s, warp);
        warp_set_add(&s->changed, warp);
        sm_redirect(s, warp);
    }
}

static void branch(struct sm *s, const struct sm_stack_commit *c) {
    if (!part(s, c)) {
        const unsigned first = re_convergence_first(c->participating);
        simt_diagnose(&s->simt, c->part[first / s->warp_size], first % s->warp_size, c->pc,
                      RE_CONVERGENCE_STACK_FULL, s->config->simt.stack_calls);
        return;
    }
    resolved(s, c);
}

/* --- barriers and exits --- */

/* Makes another entry the top if all threads at the top wait and threads below can run. */
static void leave_top(struct sm *s, const struct sm_stack_commit *c) {
    const re_convergence_mask ready =
        sm_stack_live(s, c->part, c->parts) & ~sm_stack_waiting(s, c->part, c->parts);
    re_convergence_stack_barrier(&s->stack, c->warp, ready);
    const bool stands = !(s->stack.warp[c->warp].top.mask & ready);
    for (unsigned n = 0; n < c->parts; ++n) {
        struct sm_scheduler *q = sm_scheduler_of(s, c->part[n]);
        const uint64_t bit = sm_scheduler_bit(s, c->part[n]);
        q->barrier = stands && s->warp[c->part[n]].live ? q->barrier | bit : q->barrier & ~bit;
    }
}

static void arrive(struct sm *s, const struct sm_stack_commit *c) {
    const unsigned count = count_of(c->passed);
    re_convergence_stack_advance(&s->stack, c->warp);
    for (unsigned n = 0; n < c->parts; ++n) {
        const uint64_t passed = in_part(s, n, c->passed);
        if (passed) sm_wait(s, c->part[n], passed, c->pc);
    }
    if (count) sm_tell_arrival(s, s->warp[c->part[0]].group, count, c->i);
    re_convergence_stack_separate(&s->stack, c->warp, sm_stack_waiting(s, c->part, c->parts));
    leave_top(s, c);
    resolved(s, c);
}

static void leave(struct sm *s, const struct sm_stack_commit *c) {
    if (c->participating & ~c->passed) re_convergence_stack_advance(&s->stack, c->warp);
    for (unsigned n = 0; n < c->parts; ++n) sm_exit_threads(s, c->part[n], in_part(s, n, c->passed));
    re_convergence_stack_exit(&s->stack, c->warp, c->passed);
    sm_tell_exit(s, s->warp[c->part[0]].group, count_of(c->passed));
    resolved(s, c);
    if (sm_stack_live(s, c->part, c->parts)) leave_top(s, c);
    for (unsigned n = 0; n < c->parts; ++n)
        if (!s->warp[c->part[n]].live) sm_end_warp(s, c->part[n]);
}

void sm_stack_commit(struct sm *s, const struct sm_stack_commit *c) {
    switch (c->effect) {
    case SM_BRANCH: branch(s, c); break;
    case SM_BARRIER: arrive(s, c); break;
    case SM_EXIT: leave(s, c); break;
    default: re_convergence_stack_advance(&s->stack, c->warp);
    }
}

/* --- twins --- */

void *sm_stack_clocked(struct sm *s, struct sm_clocked_block *b) {
    if (b->block != CLUSTER_BLOCK_STACK || b->scheduler) return NULL;
    return re_convergence_stack_cycle_create(&s->stack, sm_clocked_cycle, b);
}

/* --- places --- */

const char *const sm_stack_tables[] = {"stack", NULL};

static void visit_threads(const struct sm *s, const uint8_t *part, re_convergence_mask threads,
                          struct thread_place p, thread_place_visitor *visit, void *context) {
    for (; threads; threads &= threads - 1) {
        const unsigned k = re_convergence_first(threads);
        p.thread[p.count++] = (uint16_t)(part[k / s->warp_size] * s->warp_size + k % s->warp_size);
    }
    if (p.count) visit(context, &p);
}

/* Returns the state of the top: ready, in flight, or in memory. */
static enum thread_place_state state_of_top(const struct sm *s, unsigned warp, const uint8_t *part,
                                        unsigned parts) {
    if (!(s->front[warp % s->schedulers].busy & sm_scheduler_bit(s, warp))) return PLACE_READY;
    for (unsigned n = 0; n < parts; ++n)
        if (s->warp[part[n]].loads || s->warp[part[n]].stores) return PLACE_MEMORY;
    return PLACE_FLIGHT;
}

void sm_stack_places(const struct sm *s, unsigned warp, const uint8_t *part, unsigned parts,
                     thread_place_visitor *visit, void *context) {
    const re_convergence_mask waiting = sm_stack_waiting(s, part, parts);
    const unsigned depth = re_convergence_stack_depth(&s->stack, warp);
    re_convergence_mask above = 0;
    struct thread_place p = {.table = "stack", .warp = (int)warp};
    for (unsigned n = depth; n-- > 0;) {
        const struct re_convergence_entry e = re_convergence_stack_entry(&s->stack, warp, n);
        const bool parted = e.mask & above; /* some threads of the entry have not reached it yet */
        p.entry = n;
        p.pc = e.pc;
        p.state = n + 1 == depth ? state_of_top(s, warp, part, parts)
                  : parted       ? PLACE_MEETING
                                 : PLACE_INACTIVE;
        visit_threads(s, part, e.mask & ~above & ~waiting, p, visit, context);
        p.state = PLACE_BARRIER;
        visit_threads(s, part, e.mask & ~above & waiting, p, visit, context);
        above |= e.mask;
    }
}
