/* warp_pc_arbiter: the three policies by hand and against dual-mode §4.3 written down naively. */
#include "tests/control/arbiter_fixture.h"
#include "tests/seed.h"

#include <string.h>

/* if (…) { a: 0x100 } else { b: 0x200 } join: 0x300, as in dual-mode Fig. 7: inner statements first. */
static void the_innermost_statement_runs_first(void **state) {
    (void)state;
    thread_descriptor_table_init(&table, 1, 32, 8);
    thread(0, 0x300, 0);
    thread(1, 0x200, 1);
    thread(2, 0x100, 2);
    thread(3, 0x200, 1);
    thread(4, 0x100, 2);
    arbitrate(PC_ICS_FIRST);
    assert_int_equal(arbiter.out.wtid, 1u << 2);
    assert_int_equal(arbiter.out.pc, 0x100);
    assert_int_equal(arbiter.out.participating, 0x14);
    assert_int_equal(arbiter.out.level, 2);
}

static void the_lowest_numbered_thread_of_the_highest_level_gives_the_pc(void **state) {
    (void)state;
    thread_descriptor_table_init(&table, 1, 32, 8);
    thread(7, 0x400, 3);
    thread(9, 0x100, 3);
    thread(11, 0x400, 3);
    arbitrate(PC_ICS_FIRST);
    assert_int_equal(arbiter.out.wtid, 1u << 7);
    assert_int_equal(arbiter.out.participating, 1u << 7 | 1u << 11);
}

static void whoever_stands_at_the_pc_participates_at_any_priority(void **state) {
    (void)state;
    thread_descriptor_table_init(&table, 1, 32, 8);
    thread(0, 0x100, 0);
    thread(1, 0x100, 5);
    thread(2, 0x104, 4);
    arbitrate(PC_ICS_FIRST);
    assert_int_equal(arbiter.out.wtid, 2);
    assert_int_equal(arbiter.out.participating, 3);
    assert_int_equal(arbiter.out.level, 5);
}

static void threads_in_other_states_count_for_nothing(void **state) {
    (void)state;
    for (enum pc_policy policy = PC_ICS_FIRST; policy <= PC_FIRST_READY; ++policy) {
        thread_descriptor_table_init(&table, 1, 32, 8);
        thread(0, 0x100, 7); /* will wait at a barrier */
        thread(1, 0x100, 7); /* will be in execution */
        thread(2, 0x100, 7); /* will have exited */
        thread(3, 0x104, 1);
        thread(4, 0x104, 0);
        tdt_schedule(warp, 7);
        tdt_wait(warp, 1);
        tdt_exit(warp, 4);
        arbitrate(policy);
        assert_int_equal(arbiter.out.wtid, 1u << 3);
        assert_int_equal(arbiter.out.pc, 0x104);
        assert_int_equal(arbiter.out.participating, 0x18);
    }
}

static void with_no_ready_thread_there_is_none(void **state) {
    (void)state;
    thread_descriptor_table_init(&table, 1, 32, 8);
    for (enum pc_policy policy = PC_ICS_FIRST; policy <= PC_FIRST_READY; ++policy) {
        arbitrate(policy);
        assert_int_equal(arbiter.out.wtid, 0);
        assert_int_equal(arbiter.out.participating, 0);
        assert_int_equal(arbiter.out.pc, 0);
        assert_int_equal(arbiter.out.level, 0);
    }
}

/* --- naively --- */

struct choice {
    int thread; /* −1: none */
    uint64_t participating;
};

/* Equation 5 and Fig. 9: a bit for each level and thread; returns the lowest thread of the highest level with
 * a set bit. */
static int naive_ics_first(unsigned warp_size, unsigned levels) {
    for (unsigned n = levels; n-- > 0;)
        for (unsigned k = 0; k < warp_size; ++k) {
            const bool e = warp->execution >> k & 1, r = warp->ready >> k & 1, b = warp->barrier >> k & 1;
            const bool i = !e && !r && !b, p = (warp->level[k] < levels ? warp->level[k] : levels - 1) == n;
            if (!i && !e && r && !b && p) return (int)k;
        }
    return -1;
}

static int naive_min_pc(unsigned warp_size) {
    int best = -1;
    for (unsigned k = 0; k < warp_size; ++k)
        if (warp->ready >> k & 1 && (best < 0 || warp->pc[k] < warp->pc[best])) best = (int)k;
    return best;
}

static int naive_first_ready(unsigned warp_size) {
    for (unsigned k = 0; k < warp_size; ++k)
        if (warp->ready >> k & 1) return (int)k;
    return -1;
}

static struct choice naive_choice(enum pc_policy policy) {
    const unsigned size = table.warp_size;
    struct choice c = {policy == PC_ICS_FIRST ? naive_ics_first(size, table.levels)
                       : policy == PC_MIN_PC  ? naive_min_pc(size)
                                              : naive_first_ready(size),
                       0};
    for (unsigned k = 0; c.thread >= 0 && k < size; ++k)
        if (warp->ready >> k & 1 && warp->pc[k] == warp->pc[c.thread]) c.participating |= 1ull << k;
    return c;
}

/* A warp in a random situation: few or many PCs, some threads in each state. */
static void random_warp(struct seed *s, unsigned warp_size, unsigned levels, unsigned pcs) {
    thread_descriptor_table_init(&table, 1, warp_size, levels);
    const unsigned depth = 1 + seed_below(s, 12);
    const uint64_t start = seed_next(s) | seed_next(s) | seed_next(s);
    for (unsigned k = 0; k < warp_size; ++k)
        if (start >> k & 1) thread(k, 0x8000 + 4 * seed_below(s, pcs), seed_below(s, depth));
    const uint64_t busy = seed_below(s, 2) ? warp->ready & seed_next(s) & seed_next(s) : 0;
    const uint64_t left = seed_next(s);
    tdt_schedule(warp, busy);
    tdt_wait(warp, busy & left);
    tdt_exit(warp, busy & ~left & seed_next(s));
    if (seed_below(s, 8) == 0) { /* all live threads wait or run */
        const uint64_t ready = warp->ready;
        tdt_schedule(warp, ready);
    }
}

static void random_warps_agree_with_the_equations(void **state) {
    (void)state;
    struct seed s = seed_start();
    static const unsigned sizes[] = {1, 2, 4, 8, 16, 32, 64};
    unsigned none = 0;
    for (int n = 0; n < 30000; ++n) {
        random_warp(&s, sizes[seed_below(&s, 7)], 1 + seed_below(&s, 16), 1 + seed_below(&s, 5));
        const enum pc_policy policy = seed_below(&s, 3);
        const struct choice expected = naive_choice(policy);
        arbitrate(policy);
        const uint64_t wtid = expected.thread < 0 ? 0 : 1ull << expected.thread;
        assert_true(arbiter.out.wtid == wtid);
        assert_true(arbiter.out.participating == expected.participating);
        if (wtid) {
            const unsigned level = warp->level[expected.thread];
            assert_int_equal(arbiter.out.pc, warp->pc[expected.thread]);
            assert_int_equal(arbiter.out.level, level < table.levels ? level : table.levels - 1);
        }
        none += !wtid;
    }
    assert_true(none > 100);
}

/* Threads lead if one thread of their PC provides it; Min-PC does not report that. */
static void who_leads_gives_the_pc(void **state) {
    (void)state;
    struct seed s = seed_start();
    unsigned leads = 0, follows = 0;
    for (int n = 0; n < 20000; ++n) {
        random_warp(&s, 32, 8, 1 + seed_below(&s, 4));
        const enum pc_policy policy = seed_below(&s, 3);
        arbitrate(policy);
        if (!warp->ready) continue;
        uint64_t threads = 0;
        for (unsigned k = 0; k < 32; ++k)
            threads |=
                (uint64_t)(warp->ready >> k & 1 && warp->pc[k] == warp->pc[__builtin_ctzll(warp->ready)])
                << k;
        const bool given = policy != PC_MIN_PC && (arbiter.out.wtid & threads) != 0;
        assert_true(warp_pc_arbiter_leads(&arbiter, warp, threads) == given);
        leads += given;
        follows += policy != PC_MIN_PC && !given;
    }
    assert_true(leads > 1000 && follows > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_innermost_statement_runs_first),
        cmocka_unit_test(the_lowest_numbered_thread_of_the_highest_level_gives_the_pc),
        cmocka_unit_test(whoever_stands_at_the_pc_participates_at_any_priority),
        cmocka_unit_test(threads_in_other_states_count_for_nothing),
        cmocka_unit_test(with_no_ready_thread_there_is_none),
        cmocka_unit_test(random_warps_agree_with_the_equations),
        cmocka_unit_test(who_leads_gives_the_pc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
