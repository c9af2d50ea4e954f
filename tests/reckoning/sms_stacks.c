#include "tests/reckoning/sms_stacks.h"

#include "model/sm/sm_parts.h"

#include <string.h>

static void push(struct shadow_warp *w, struct shadow_entry e) {
    w->stack[w->depth++] = e;
}

static void pop(struct shadow_warp *w) {
    while (w->depth && (!shadow_top(w)->mask || shadow_top(w)->pc == shadow_top(w)->rpc)) --w->depth;
}

void shadow_stack_start(struct shadow_warp *w, re_convergence_mask threads, uint32_t pc) {
    w->depth = 0;
    push(w, (struct shadow_entry){.mask = threads, .pc = pc});
}

void shadow_stack_advance(struct shadow_warp *w) {
    shadow_top(w)->pc += 4;
    pop(w);
}

/* Returns the return address of the innermost call of the top's threads. */
static uint32_t return_of(struct shadow_warp *w) {
    const re_convergence_mask threads = shadow_top(w)->mask;
    for (unsigned n = w->depth; n--;)
        if (w->stack[n].call && w->stack[n].mask & threads) return w->stack[n].rpc;
    return 0;
}

void shadow_stack_diverge(struct shadow_warp *w, const uint32_t *next, uint32_t fall,
                          re_convergence_mask called, uint32_t meeting) {
    const struct shadow_entry top = *shadow_top(w);
    struct shadow_entry group[RE_CONVERGENCE_STACK_MAX_WARP_SIZE];
    unsigned count = 0;
    for (re_convergence_mask rest = top.mask; rest;) {
        uint32_t least = UINT32_MAX;
        re_convergence_mask its = 0;
        for (re_convergence_mask r = rest; r; r &= r - 1) {
            const uint32_t pc = next[re_convergence_first(r)];
            if (count == 0 && pc == fall) least = fall;
        }
        for (re_convergence_mask r = rest; r && !(count == 0 && least == fall); r &= r - 1)
            if (next[re_convergence_first(r)] < least) least = next[re_convergence_first(r)];
        for (re_convergence_mask r = rest; r; r &= r - 1)
            if (next[re_convergence_first(r)] == least) its |= r & -r;
        group[count++] = (struct shadow_entry){.mask = its, .pc = least, .call = (its & called) != 0};
        rest &= ~its;
    }
    if (count == 1 && group[0].call) {
        shadow_top(w)->pc = fall;
        group[0].rpc = fall;
        push(w, group[0]);
    } else if (count == 1) {
        shadow_top(w)->pc = group[0].pc;
    } else {
        const uint32_t rpc = meeting ? meeting : return_of(w);
        if (!rpc || (top.rpc == rpc && !top.call))
            --w->depth;
        else
            shadow_top(w)->pc = rpc;
        while (count--) {
            group[count].rpc = rpc;
            if (group[count].pc != rpc) push(w, group[count]);
        }
    }
    pop(w);
}

void shadow_stack_stand(struct shadow_warp *w, re_convergence_mask standing) {
    const re_convergence_mask waiting = w->depth ? shadow_top(w)->mask & standing : 0;
    if (waiting && waiting != shadow_top(w)->mask) {
        const struct shadow_entry top = *shadow_top(w);
        const uint32_t rpc = top.rpc ? top.rpc : return_of(w);
        if (!rpc || (top.rpc == rpc && !top.call))
            --w->depth;
        else
            shadow_top(w)->pc = rpc;
        push(w, (struct shadow_entry){.mask = waiting, .pc = top.pc, .rpc = rpc});
        push(w, (struct shadow_entry){.mask = top.mask & ~waiting, .pc = top.pc, .rpc = rpc});
    }
    while (w->depth && !(shadow_top(w)->mask & ~standing)) {
        re_convergence_mask above = shadow_top(w)->mask;
        unsigned n = w->depth - 1;
        while (n-- && (!(w->stack[n].mask & ~standing) || w->stack[n].mask & above))
            above |= w->stack[n].mask;
        if (n == UINT32_MAX) return;
        const struct shadow_entry e = w->stack[n];
        memmove(&w->stack[n], &w->stack[n + 1], (w->depth - n - 1) * sizeof e);
        *shadow_top(w) = e;
        pop(w);
    }
}

void shadow_stack_exit(struct shadow_warp *w, re_convergence_mask threads) {
    for (unsigned n = 0; n < w->depth; ++n) w->stack[n].mask &= ~threads;
    pop(w);
}

void shadow_check_stack(struct sms_shadow *h, unsigned warp) {
    const struct shadow_warp *w = &h->warp[warp];
    const struct re_convergence_stack *stack = &h->s->stack;
    reckon_of(h->told, "entries of the stack of warp", warp, h->cycle,
              re_convergence_stack_depth(stack, warp), w->depth);
    for (unsigned n = 0; n < w->depth && n < re_convergence_stack_depth(stack, warp); ++n) {
        const struct re_convergence_entry e = re_convergence_stack_entry(stack, warp, n);
        reckon_of(h->told, "threads of an entry of the stack of warp", warp, h->cycle, e.mask,
                  w->stack[n].mask);
        reckon_of(h->told, "PC of an entry of the stack of warp", warp, h->cycle, e.pc, w->stack[n].pc);
        reckon_of(h->told, "RPC of an entry of the stack of warp", warp, h->cycle, e.rpc, w->stack[n].rpc);
        reckon_of(h->told, "call of an entry of the stack of warp", warp, h->cycle, e.call, w->stack[n].call);
    }
}

/* --- lwm: a stack of several warps --- */

re_convergence_mask shadow_large_waiting(const struct sms_shadow *h, const struct shadow_warp *w) {
    re_convergence_mask waiting = 0;
    for (unsigned n = 0; n < w->parts; ++n)
        waiting |= (re_convergence_mask)h->warp[w->part[n]].waiting << n * h->s->warp_size;
    return waiting;
}

re_convergence_mask shadow_large_runs(const struct sms_shadow *h, const struct shadow_warp *w) {
    return w->depth ? w->stack[w->depth - 1].mask & ~shadow_large_waiting(h, w) : 0;
}

struct shadow_warp *shadow_large_of(struct sms_shadow *h, const struct sm_flight *f) {
    return &h->warp[f->threads.warp];
}

/* Returns the threads in some positions of a flight. */
static re_convergence_mask threads_of(const struct sms_shadow *h, const struct sm_flight *f,
                                      uint64_t positions) {
    re_convergence_mask threads = 0;
    for (uint64_t rest = positions; rest; rest &= rest - 1) {
        const struct sm_thread t = sm_thread_of(h->s, f, (unsigned)__builtin_ctzll(rest));
        threads |= (re_convergence_mask)1 << (h->warp[t.warp].place * h->s->warp_size + t.position);
    }
    return threads;
}

void shadow_large_begins(struct sms_shadow *h, const struct sm_flight *f) {
    struct shadow_warp *w = shadow_large_of(h, f);
    if (!w->begun) w->begun = w->left = shadow_large_runs(h, w);
    w->left &= ~threads_of(h, f, f->participating);
}

bool shadow_large_executed(struct sms_shadow *h, const struct sm_flight *f) {
    struct shadow_warp *w = shadow_large_of(h, f);
    w->executed |= threads_of(h, f, f->participating);
    w->passed |= threads_of(h, f, f->passed);
    return w->executed == w->begun && !w->left;
}

void shadow_large_diverge(struct sms_shadow *h, const struct sm_flight *f, bool call, uint32_t meeting) {
    struct shadow_warp *w = shadow_large_of(h, f);
    uint32_t next[RE_CONVERGENCE_STACK_MAX_WARP_SIZE];
    for (re_convergence_mask rest = w->begun; rest; rest &= rest - 1) {
        const unsigned k = re_convergence_first(rest);
        next[k] = h->warp[w->part[k / h->s->warp_size]].pc[k % h->s->warp_size];
    }
    shadow_stack_diverge(w, next, f->pc + 4, call ? w->passed : 0, meeting);
    w->begun = w->executed = w->passed = 0;
}

void shadow_large_turn(struct sms_shadow *h, const struct sm_flight *f, bool exits) {
    struct shadow_warp *w = shadow_large_of(h, f);
    const uint64_t all = h->s->warp_size == 64 ? UINT64_MAX : bit_of(h->s->warp_size) - 1;
    if (!exits || w->begun & ~w->passed) shadow_stack_advance(w);
    for (unsigned n = 0; !exits && n < w->parts; ++n)
        h->warp[w->part[n]].waiting |= (uint64_t)(w->passed >> n * h->s->warp_size) & all;
    if (exits) shadow_stack_exit(w, w->passed);
    shadow_stack_stand(w, shadow_large_waiting(h, w));
    w->begun = w->executed = w->passed = 0;
}
