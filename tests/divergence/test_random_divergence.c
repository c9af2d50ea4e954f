/* Random programs on re-convergence stacks: every thread takes the path that it would take alone, all exit,
 * and after each commit every entry agrees with the definition. */
#include "model/divergence/re_convergence_stack.h"
#include "tests/divergence/random_program.h"

#include <string.h>

static struct re_convergence_stack stack;

#define MOST 400 /* entries */

/* A stack as the specification words it, every entry a list of threads. */
struct plain {
    unsigned depth;
    struct plain_entry {
        uint32_t pc, rpc;
        bool in[64], call;
    } e[MOST];
};

static bool plain_meet(const struct plain_entry *a, const struct plain_entry *b) {
    for (unsigned t = 0; t < 64; ++t)
        if (a->in[t] && b->in[t]) return true;
    return false;
}

static bool plain_empty(const struct plain_entry *e) {
    for (unsigned t = 0; t < 64; ++t)
        if (e->in[t]) return false;
    return true;
}

static void plain_push(struct plain *s, uint32_t pc, uint32_t rpc, uint64_t mask, bool call) {
    struct plain_entry *e = &s->e[s->depth++];
    assert_true(s->depth < MOST);
    *e = (struct plain_entry){.pc = pc, .rpc = rpc, .call = call};
    for (unsigned t = 0; t < 64; ++t) e->in[t] = mask >> t & 1;
}

static void plain_tidy(struct plain *s) {
    while (s->depth && (s->e[s->depth - 1].pc == s->e[s->depth - 1].rpc || plain_empty(&s->e[s->depth - 1])))
        --s->depth;
}

static void plain_exit(struct plain *s, uint64_t mask) {
    for (unsigned n = 0; n < s->depth; ++n)
        for (unsigned t = 0; t < 64; ++t)
            if (mask >> t & 1) s->e[n].in[t] = false;
}

static void plain_commit(struct plain *s, const struct re_convergence_group *g, unsigned count,
                         uint32_t meeting) {
    struct plain_entry *top = &s->e[s->depth - 1];
    if (count == 1 && !g[0].call) top->pc = g[0].pc;
    if (count == 1 && g[0].call) {
        top->pc += 4;
        plain_push(s, g[0].pc, top->pc, (uint64_t)g[0].mask, true);
    }
    if (count > 1) {
        for (unsigned n = s->depth; !meeting && n--;)
            if (s->e[n].call && plain_meet(top, &s->e[n])) meeting = s->e[n].rpc;
        if (!meeting || (top->rpc == meeting && !top->call))
            --s->depth;
        else
            top->pc = meeting;
        for (unsigned n = count; n--;)
            if (g[n].pc != meeting) plain_push(s, g[n].pc, meeting, (uint64_t)g[n].mask, g[n].call);
    }
    plain_tidy(s);
}

/* Returns whether entry n shares a thread with one above it. */
static bool plain_shares(const struct plain *s, unsigned n) {
    for (unsigned m = n + 1; m < s->depth; ++m)
        if (plain_meet(&s->e[n], &s->e[m])) return true;
    return false;
}

static bool plain_ready(const struct plain_entry *e, uint64_t ready) {
    for (unsigned t = 0; t < 64; ++t)
        if (e->in[t] && ready >> t & 1) return true;
    return false;
}

static void plain_barrier(struct plain *s, uint64_t ready) {
    while (s->depth && !plain_ready(&s->e[s->depth - 1], ready)) {
        unsigned n = s->depth - 1;
        while (n && (!plain_ready(&s->e[n - 1], ready) || plain_shares(s, n - 1))) --n;
        if (!n) return;
        const struct plain_entry up = s->e[n - 1];
        memmove(&s->e[n - 1], &s->e[n], (s->depth - n) * sizeof up);
        s->e[s->depth - 1] = up;
        plain_tidy(s);
    }
}

static void assert_same(const struct plain *s, unsigned warp, unsigned warp_size, unsigned calls) {
    unsigned its_calls = 0;
    assert_int_equal(re_convergence_stack_depth(&stack, warp), s->depth);
    for (unsigned n = 0; n < s->depth; ++n) {
        const struct re_convergence_entry e = re_convergence_stack_entry(&stack, warp, n);
        uint64_t mask = 0;
        for (unsigned t = 0; t < 64; ++t) mask |= (uint64_t)s->e[n].in[t] << t;
        assert_true(e.mask == mask && e.pc == s->e[n].pc && e.rpc == s->e[n].rpc && e.call == s->e[n].call);
        its_calls += e.call;
        for (unsigned m = 0; m < n; ++m) { /* entries form a tree: contained in the entry they diverged from,
                                            * or disjoint */
            const uint64_t below = (uint64_t)re_convergence_stack_entry(&stack, warp, m).mask;
            assert_true(!(mask & below) || !(mask & ~below) || !(below & ~mask));
        }
    }
    assert_true(its_calls <= calls && s->depth - its_calls <= 2 * warp_size);
}

/* The threads of a run, in warps, with the same commits in both stacks. */
struct run {
    struct random_program p;
    unsigned threads, warp_size, warps;
    struct random_thread t[64];
    struct plain plain[16];
    uint64_t ready[16], live[16]; /* for each warp */
};

static void run_commit(struct run *r, unsigned w) {
    const uint32_t pc = re_convergence_stack_pc(&stack, w);
    const uint64_t mask = re_convergence_stack_mask(&stack, w);
    const enum random_operation operation = random_program_at(&r->p, pc);
    const uint32_t meeting = random_program_meeting(&r->p, pc);
    uint32_t next[64];
    uint64_t ended = 0;
    struct re_convergence_group groups[64];
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        struct random_thread *t = &r->t[w * r->warp_size + k];
        assert_int_equal(t->pc, pc);
        next[k] = random_thread_step(t, &r->p);
        if (!next[k]) ended |= 1ull << k;
    }
    const unsigned count = re_convergence_groups(pc, mask & ~ended, next, groups);
    for (unsigned n = 0; n < count; ++n)
        groups[n].call =
            operation == RANDOM_CALL || (operation == RANDOM_CONDITIONAL_CALL && groups[n].pc != pc + 4);
    if (operation == RANDOM_BARRIER) r->ready[w] &= ~mask;
    r->ready[w] &= ~ended;
    r->live[w] &= ~ended;
    plain_exit(&r->plain[w], ended);
    if (ended) re_convergence_stack_exit(&stack, w, ended);
    if (!count)
        plain_tidy(&r->plain[w]);
    else
        plain_commit(&r->plain[w], groups, count, meeting);
    if (count > 1)
        assert_true(re_convergence_stack_diverge(&stack, w, groups, count, meeting));
    else if (count && groups[0].call)
        assert_true(re_convergence_stack_call(&stack, w, groups[0].pc, pc + 4));
    else if (count && groups[0].pc == pc + 4)
        re_convergence_stack_advance(&stack, w);
    else if (count)
        re_convergence_stack_jump(&stack, w, groups[0].pc);
}

/* Runs an instruction of a warp. Returns false if the warp waits or has ended. */
static bool run_warp(struct run *r, unsigned w) {
    if (!re_convergence_stack_mask(&stack, w)) return false;
    re_convergence_stack_barrier(&stack, w, r->ready[w]);
    plain_barrier(&r->plain[w], r->ready[w]);
    assert_same(&r->plain[w], w, r->warp_size, 2);
    if (!(re_convergence_stack_mask(&stack, w) & r->ready[w])) return false;
    run_commit(r, w);
    assert_same(&r->plain[w], w, r->warp_size, 2);
    return true;
}

static void run_begin(struct run *r, struct seed *seed) {
    random_program_make(&r->p, seed, 4 + seed_below(seed, 9), true);
    r->threads = (unsigned[]){4, 12, 16, 40, 64}[seed_below(seed, 5)];
    r->warp_size = (unsigned[]){4, 16, 64}[seed_below(seed, 3)];
    r->warps = (r->threads + r->warp_size - 1) / r->warp_size;
    re_convergence_stack_free(&stack);
    re_convergence_stack_init(&stack, r->warps, r->warp_size, 2);
    for (unsigned k = 0; k < r->threads; ++k) random_thread_begin(&r->t[k], &r->p, k);
    for (unsigned w = 0; w < r->warps; ++w) {
        const unsigned left = r->threads - w * r->warp_size;
        r->live[w] = r->ready[w] = left >= r->warp_size ? ~0ull >> (64 - r->warp_size) : (1ull << left) - 1;
        r->plain[w].depth = 0;
        plain_push(&r->plain[w], r->p.start, 0, r->live[w], false);
        re_convergence_stack_start(&stack, w, r->p.start, r->live[w]);
    }
}

/* Opens the barrier if all live threads wait at one. */
static bool run_barrier(struct run *r) {
    uint32_t pc = 0;
    for (unsigned k = 0; k < r->threads; ++k) {
        assert_true(!r->t[k].pc || !pc || r->t[k].pc == pc);
        if (r->t[k].pc) pc = r->t[k].pc;
    }
    memcpy(r->ready, r->live, sizeof r->ready);
    return pc != 0;
}

static void every_thread_goes_its_own_way(void **state) {
    (void)state;
    static struct run r;
    struct seed seed = seed_start();
    uint64_t divergences = 0, moves = 0;
    for (unsigned n = 0; n < 2000; ++n) {
        run_begin(&r, &seed);
        do {
            bool ran = true;
            while (ran) {
                ran = false;
                for (unsigned w = 0; w < r.warps; ++w) ran |= run_warp(&r, w);
            }
        } while (run_barrier(&r));
        for (unsigned k = 0; k < r.threads; ++k) assert_true(r.t[k].trace == random_thread_path(&r.p, k));
        for (unsigned w = 0; w < r.warps; ++w) assert_int_equal(re_convergence_stack_depth(&stack, w), 0);
        divergences += stack.counted.divergences;
        moves += stack.counted.moves;
    }
    assert_true(divergences > 20000 && moves > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_goes_its_own_way),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    re_convergence_stack_free(&stack);
    return failed;
}
