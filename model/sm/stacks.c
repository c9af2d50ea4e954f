#include "model/sm/stacks.h"

#include "model/divergence/re_convergence_stack_cycle.h"

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

/* --- effects --- */

/* Sets the next PCs of a branch's threads. */
static void read_targets(const struct sm *s, const struct sm_stack_commit *c, uint32_t *next) {
    for (unsigned n = 0; n < c->parts; ++n, next += s->warp_size) {
        const uint32_t *target = s->warp[c->part[n]].threads.next_pc;
        const uint64_t passed = in_part(s, n, c->passed);
        for (unsigned k = 0; k < s->warp_size; ++k) next[k] = passed >> k & 1 ? target[k] : c->pc + 4;
    }
}

/* Lets threads wait at a barrier, or exit. */
static void leave(struct sm *s, const struct sm_stack_commit *c) {
    const unsigned group = s->warp[c->part[0]].group, count = count_of(c->passed);
    for (unsigned n = 0; n < c->parts; ++n) {
        const uint64_t passed = in_part(s, n, c->passed);
        if (passed && c->effect == SM_BARRIER) sm_wait(s, c->part[n], passed, c->pc);
        if (passed && c->effect == SM_EXIT) sm_exit_threads(s, c->part[n], passed);
    }
    if (c->effect == SM_EXIT)
        sm_tell_exit(s, group, count);
    else if (count)
        sm_tell_arrival(s, group, count, c->i);
}

/* Notes whether warps wait at a barrier, since no thread at the top can run; ends warps without threads. */
static void stand(struct sm *s, const struct sm_stack_commit *c, re_convergence_mask ready) {
    const bool stands = !(s->stack.warp[c->warp].top.mask & ready);
    for (unsigned n = 0; n < c->parts; ++n) {
        struct sm_scheduler *q = sm_scheduler_of(s, c->part[n]);
        const uint64_t bit = sm_scheduler_bit(s, c->part[n]);
        q->barrier = stands && s->warp[c->part[n]].live ? q->barrier | bit : q->barrier & ~bit;
        if (c->effect == SM_EXIT && !s->warp[c->part[n]].live) sm_end_warp(s, c->part[n]);
    }
}

void sm_stack_commit(struct sm *s, const struct sm_stack_commit *c) {
    const bool leaves = c->effect == SM_BARRIER || c->effect == SM_EXIT;
    uint32_t next[RE_CONVERGENCE_STACK_MAX_WARP_SIZE];
    if (c->effect == SM_NO_EFFECT) {
        re_convergence_stack_advance(&s->stack, c->warp);
        return;
    }
    if (leaves)
        leave(s, c);
    else
        read_targets(s, c, next);
    const re_convergence_mask waiting = sm_stack_waiting(s, c->part, c->parts),
                              ready = sm_stack_live(s, c->part, c->parts) & ~waiting;
    const struct re_convergence_commit x = {.warp = c->warp,
                                            .i = c->i,
                                            .pc = c->pc,
                                            .meeting = machine_meeting(s->launch->code, c->pc),
                                            .participating = c->participating,
                                            .left = leaves ? c->passed : 0,
                                            .exits = c->effect == SM_EXIT && c->passed,
                                            .barrier = waiting,
                                            .ready = ready,
                                            .next = next};
    if (!re_convergence_stack_commit(&s->stack, &x)) {
        const unsigned first = re_convergence_first(c->participating);
        simt_diagnose(&s->simt, c->part[first / s->warp_size], first % s->warp_size, c->pc,
                      RE_CONVERGENCE_STACK_FULL, s->config->simt.stack_calls);
        return;
    }
    for (unsigned n = 0; n < c->parts; ++n) {
        const unsigned warp = c->part[n];
        sm_scheduler_of(s, warp)->unresolved &= ~sm_scheduler_bit(s, warp);
        warp_set_add(&s->changed, warp);
        sm_redirect(s, warp);
    }
    if (leaves) stand(s, c, ready);
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
