/* barrier_table: a barrier opens when the last live thread arrives, not before; errors are detected. */
#include "model/control/barrier_table.h"
#include "tests/panic.h"
#include "tests/seed.h"

#include <string.h>

static struct barrier_table table;

static struct barrier_table_out out; /* outputs of the latest cycle */

static void cycle(void) {
    barrier_table_eval(&table);
    out = table.out;
    barrier_table_clock(&table);
}

static void begin(unsigned live) {
    table.in.start = true;
    table.in.start_live = live;
    cycle();
}

static void start(unsigned live) {
    barrier_table_init(&table, 1, false);
    begin(live);
}

static void arrive(uint32_t pc, unsigned threads) {
    table.in.arrive_pc = pc;
    table.in.arrive_count = threads;
    cycle();
}

static void leave(unsigned threads) {
    table.in.exit_count = threads;
    cycle();
}

static bool opens(void) {
    return out.opens;
}

static bool opens_at(uint32_t pc) {
    return out.opens && table.q.pc[0] == pc;
}

/* The cycle after the one in which the barrier opened: the threads are released at its end. */
static void release(void) {
    assert_true(barrier_table_active(&table));
    cycle();
    assert_true(out.release);
    assert_false(out.opens);
    assert_int_equal(table.q.waiting[0], 0);
    assert_false(barrier_table_active(&table));
}

static void assert_active(void) {
    assert_true(barrier_table_active(&table));
    barrier_table_init(&table, 1, true);
}

static void each_thing_that_happens_makes_it_active(void **state) {
    (void)state;
    barrier_table_init(&table, 1, true);
    assert_false(barrier_table_active(&table));
    table.in.start = true;
    assert_active();
    table.in.arrive_count = 1;
    assert_active();
    table.in.exit_count = 1;
    assert_active();
    table.in.scalar_arrives = 1;
    assert_active();
    table.in.scalar_exits = 1;
    assert_active();
    table.q.release = 1;
    assert_active();
}

static void the_last_arrival_opens_it(void **state) {
    (void)state;
    start(100); /* not a multiple of a warp's size */
    for (unsigned w = 0; w < 3; ++w) {
        arrive(0x8010, 32);
        assert_false(opens());
        assert_false(out.deadlock);
    }
    arrive(0x8010, 3);
    assert_false(opens()); /* 99 of 100 */
    arrive(0x8010, 1);
    assert_true(opens_at(0x8010));
    assert_false(out.release); /* not before the next cycle */
    assert_false(out.deadlock);
    release();
    cycle();
    assert_false(out.opens || out.release || out.deadlock);
    assert_int_equal(table.q.waiting[0], 0);
    assert_int_equal(table.opened, 1);
    assert_int_equal(table.opened_without, 0);
    assert_int_equal(table.arrived, 100);
}

static void one_thread_opens_it_at_once(void **state) {
    (void)state;
    start(1);
    assert_false(opens());
    arrive(0x8010, 1);
    assert_true(opens_at(0x8010));
}

static void the_same_barrier_and_others_serve_again(void **state) {
    (void)state;
    start(64);
    for (unsigned n = 0; n < 1000; ++n) {
        const uint32_t pc = 0x8000 + 4 * (n % 100); /* many barriers in succession */
        arrive(pc, 40);
        assert_false(opens());
        arrive(pc, 24);
        assert_true(opens_at(pc));
        release();
    }
    assert_int_equal(table.opened, 1000);
    assert_int_equal(table.arrived, 64000);
}

/* The model is evaluated again when its inputs change within a cycle. */
static void evaluated_twice_is_evaluated_once(void **state) {
    (void)state;
    start(64);
    table.in.arrive_pc = 0x8010;
    table.in.arrive_count = 32;
    barrier_table_eval(&table);
    arrive(0x8010, 32);
    assert_int_equal(table.q.waiting[0], 32);
    assert_false(opens());
}

static void exits_open_it_for_those_who_wait(void **state) {
    (void)state;
    start(64);
    arrive(0x8010, 40);
    leave(23);
    assert_false(opens());
    leave(1);
    assert_true(table.q.exited);
    assert_true(opens_at(0x8010));
    assert_false(out.deadlock);
    release();
    assert_int_equal(table.opened_without, 1);
    arrive(0x8010, 40); /* the other threads continue with their barriers */
    assert_true(opens());
    release();
    assert_int_equal(table.opened, 2);
    assert_int_equal(table.opened_without, 2);
}

static void a_work_group_that_ends_opens_nothing(void **state) {
    (void)state;
    start(32);
    leave(32);
    assert_false(opens());
    assert_false(out.deadlock);
    assert_int_equal(table.opened, 0);
}

static void different_barriers_are_a_deadlock_once_all_wait(void **state) {
    (void)state;
    start(64);
    arrive(0x8010, 32);
    arrive(0x8020, 31);
    assert_false(out.deadlock); /* a thread may still arrive or exit */
    arrive(0x8010, 1);
    assert_true(out.deadlock);
    assert_false(opens());
}

static void an_exit_may_complete_a_deadlock(void **state) {
    (void)state;
    start(64);
    arrive(0x8010, 32);
    arrive(0x8020, 31);
    leave(1);
    assert_true(out.deadlock);
    assert_false(opens());
}

static void a_barrier_for_each_thread_is_a_deadlock_too(void **state) {
    (void)state;
    start(74);
    for (unsigned n = 0; n < 74; ++n) {
        assert_false(out.deadlock);
        arrive(0x8000 + 4 * n, 1);
        assert_false(opens());
    }
    assert_true(out.deadlock);
}

static void the_next_work_group_begins_anew_and_counters_go_on(void **state) {
    (void)state;
    start(32);
    leave(1);
    arrive(0x8010, 31);
    release();
    leave(31);
    begin(16);
    arrive(0x8010, 16);
    assert_true(opens());
    release();
    assert_int_equal(table.opened, 2);
    assert_int_equal(table.opened_without, 1); /* no thread of this work-group has exited */
    assert_int_equal(table.arrived, 31 + 16);
    barrier_table_init(&table, 1, false);
    assert_int_equal(table.opened + table.opened_without + table.arrived, 0);
}

/* Arrivals and exits of one cycle together are no more than the threads that run. */
static void arrivals_and_exits_are_one_sum(void **state) {
    (void)state;
    start(32);
    table.in.exit_count = 12;
    arrive(0x8010, 20);
    assert_true(opens());
    assert_int_equal(table.q.live[0], 20);
}

/* Counts are ignored even if the previous work-group could not have had them. */
static void counts_of_a_start_cycle_do_not_matter(void **state) {
    (void)state;
    barrier_table_init(&table, 1, false);
    table.in.arrive_pc = 0x8010;
    table.in.arrive_count = 3;
    table.in.exit_count = 2;
    begin(2);
    assert_false(opens() || out.deadlock);
    assert_int_equal(table.q.live[0], 2);
    assert_int_equal(table.q.waiting[0], 0);
    assert_false(table.q.exited & 1);
    arrive(0x8020, 1);
    assert_false(opens());
    arrive(0x8020, 1);
    assert_true(opens_at(0x8020));
    assert_int_equal(table.opened_without, 0);
}

static void both_some(void *threads) {
    const unsigned *n = threads;
    start(32);
    table.in.exit_count = n[0];
    arrive(0x8010, n[1]);
}

static void another_evaluation_forgets_the_first(void **state) {
    (void)state;
    start(64);
    table.in.arrive_pc = 0x9000;
    table.in.arrive_count = 64;
    barrier_table_eval(&table);
    assert_true(table.out.opens);
    table.in.arrive_count = 0;
    cycle();
    assert_false(out.opens);
    assert_int_equal(table.q.pc[0], 0);
}

static void a_reset_keeps_the_counters(void **state) {
    (void)state;
    start(32);
    leave(1);
    arrive(0x8010, 31);
    table.in.arrive_count = 1; /* ignored in the cycle of the reset */
    barrier_table_reset(&table);
    assert_false(barrier_table_active(&table));
    assert_int_equal(table.opened, 0);
    start(32);
    leave(1);
    arrive(0x8010, 31);
    release();
    barrier_table_reset(&table);
    assert_int_equal(table.opened, 1);
    assert_int_equal(table.opened_without, 1);
    assert_int_equal(table.q.live[0], 0);
}

/* --- several work-groups --- */

static void begin_in(unsigned group, unsigned live, bool scalar) {
    table.in.start = true;
    table.in.start_group = group;
    table.in.start_live = live;
    table.in.start_scalar = scalar;
    cycle();
}

static void arrive_in(unsigned group, uint32_t pc, unsigned threads) {
    table.in.arrive_group = group;
    arrive(pc, threads);
}

static void leave_in(unsigned group, unsigned threads) {
    table.in.exit_group = group;
    leave(threads);
}

static void work_groups_do_not_influence_each_other(void **state) {
    (void)state;
    barrier_table_init(&table, 8, false);
    for (unsigned g = 0; g < 8; ++g) begin_in(g, 32 + g, false);
    for (unsigned g = 0; g < 8; ++g) {
        arrive_in(g, 0x8010, 32); /* the same barrier in all */
        assert_int_equal(out.opens, g == 0 ? 1 : 0);
        assert_int_equal(out.release, g == 1 ? 1 : 0);
    }
    arrive_in(3, 0x8020, 3);
    assert_int_equal(out.deadlock, 1 << 3); /* deadlock of this work-group only */
    leave_in(7, 7);
    assert_int_equal(out.opens, 1 << 7);
    assert_int_equal(out.deadlock, 1 << 3); /* while it lasts */
    arrive_in(2, 0x8010, 2);
    assert_int_equal(out.release, 1 << 7);
    assert_int_equal(out.exited, 1 << 7);
    assert_int_equal(out.opens, 1 << 2);
    cycle();
    assert_int_equal(out.release, 1 << 2);
    assert_int_equal(table.opened, 3);
    assert_int_equal(table.opened_without, 1);
    assert_int_equal(table.q.waiting[1], 32);
    assert_int_equal(table.q.live[1], 33);
}

static void there_can_be_64_work_groups(void **state) {
    (void)state;
    barrier_table_init(&table, 64, false);
    begin_in(0, 8, false);
    begin_in(63, 9, false);
    arrive_in(63, 0x8010, 8);
    table.in.exit_group = 63;
    table.in.exit_count = 1;
    arrive_in(0, 0x8010, 8);
    assert_true(out.opens == (1ull << 63 | 1));
    cycle();
    assert_true(out.release == (1ull << 63 | 1));
    assert_int_equal(table.q.live[63], 8);
}

static void several_can_open_in_one_cycle(void **state) {
    (void)state;
    barrier_table_init(&table, 2, false);
    begin_in(0, 8, false);
    begin_in(1, 9, false);
    arrive_in(0, 0x8010, 4);
    arrive_in(1, 0x8010, 8);
    table.in.exit_group = 1;
    table.in.exit_count = 1;
    arrive_in(0, 0x8010, 4);
    assert_int_equal(out.opens, 3);
    cycle();
    assert_int_equal(out.release, 3);
    assert_int_equal(out.exited, 2);
    assert_int_equal(table.opened, 2);
}

static void a_slot_serves_again(void **state) {
    (void)state;
    barrier_table_init(&table, 2, true);
    begin_in(0, 8, true);
    begin_in(1, 8, false);
    leave_in(1, 8);
    begin_in(1, 4, false);
    arrive_in(1, 0x8010, 4);
    assert_int_equal(out.opens, 2);
    cycle();
    assert_int_equal(out.exited, 0);
}

/* --- the scalar thread --- */

static void arrive_with(uint32_t pc, unsigned threads) {
    table.in.arrive_scalar = true;
    arrive(pc, threads);
}

static void scalar_arrives(void) {
    table.in.scalar_arrives = 1;
    cycle();
}

static void scalar_exits(void) {
    table.in.scalar_exits = 1;
    cycle();
}

static void start_with_scalar(unsigned live) {
    barrier_table_init(&table, 1, true);
    begin_in(0, live, true);
}

static void a_barrier_that_includes_the_scalar_thread_waits_for_it(void **state) {
    (void)state;
    start_with_scalar(64);
    arrive_with(0x8010, 64);
    for (unsigned n = 0; n < 3; ++n) {
        cycle();
        assert_false(out.opens || out.deadlock);
    }
    scalar_arrives();
    assert_true(out.opens);
    assert_false(out.release_scalar);
    cycle();
    assert_true(out.release && out.release_scalar);
    assert_false(out.opens || out.exited);
    cycle();
    assert_false(out.opens || out.release || out.release_scalar);
    scalar_arrives(); /* first this time */
    assert_false(out.opens);
    arrive_with(0x8010, 63);
    assert_false(out.opens);
    arrive_with(0x8010, 1);
    assert_true(out.opens);
    cycle();
    assert_true(out.release && out.release_scalar);
    assert_int_equal(table.opened, 2);
    assert_int_equal(table.opened_without, 0);
}

static void one_among_simt_threads_does_not(void **state) {
    (void)state;
    start_with_scalar(64);
    arrive(0x8010, 64);
    assert_true(out.opens); /* the scalar thread runs */
    cycle();
    assert_true(out.release);
    assert_false(out.release_scalar);
    scalar_arrives();
    arrive(0x8010, 64);
    assert_true(out.opens); /* waits for another barrier and keeps waiting */
    cycle();
    assert_true(out.release);
    assert_false(out.release_scalar);
    arrive_with(0x8020, 64);
    assert_true(out.opens);
    cycle();
    assert_true(out.release && out.release_scalar);
}

static void scalar_and_last_thread_arrive_in_one_cycle(void **state) {
    (void)state;
    start_with_scalar(32);
    table.in.scalar_arrives = 1;
    arrive_with(0x8010, 32);
    assert_true(out.opens);
    cycle();
    assert_true(out.release && out.release_scalar);
}

/* At one PC, both kinds are still different barriers. */
static void both_kinds_at_one_pc_are_a_deadlock(void **state) {
    (void)state;
    start_with_scalar(64);
    arrive_with(0x8010, 32);
    arrive(0x8010, 32);
    assert_true(out.deadlock);
    scalar_arrives();
    assert_true(out.deadlock);
    assert_false(out.opens);
}

static void a_scalar_thread_that_has_exited_is_not_waited_for(void **state) {
    (void)state;
    start_with_scalar(64);
    arrive_with(0x8010, 64);
    assert_false(out.opens);
    scalar_exits();
    assert_true(out.opens);
    cycle();
    assert_true(out.release && out.exited); /* as for SIMT threads: an error of the kernels */
    assert_false(out.release_scalar);
    assert_int_equal(table.opened_without, 1);
    arrive(0x8020, 64);
    assert_true(out.opens); /* this one is not for it */
    cycle();
    assert_false(out.exited);
    assert_int_equal(table.opened_without, 1);
    leave_in(0, 64);
    begin_in(0, 16, true); /* the next work-group has one again */
    arrive_with(0x8010, 16);
    assert_false(out.opens);
}

static void it_waits_for_nobody_once_all_have_exited(void **state) {
    (void)state;
    start_with_scalar(32);
    scalar_arrives();
    leave(32);
    assert_true(out.opens);
    cycle();
    assert_true(out.release && out.release_scalar && out.exited);
    assert_false(out.opens);
    scalar_arrives();
    assert_true(out.opens);
    cycle();
    scalar_exits();
    assert_false(out.opens);
    begin_in(0, 8, false);
    arrive_with(0x8010, 8);
    assert_true(out.opens); /* a work-group without a scalar thread, which is then not included */
}

static void scalar_of_a_machine_without(void *which) {
    start(32);
    const unsigned n = *(unsigned *)which;
    table.in.scalar_arrives = n == 0;
    table.in.scalar_exits = n == 1;
    table.in.arrive_scalar = n == 2;
    cycle();
}

static void scalar_twice(void *which) {
    const unsigned n = *(unsigned *)which;
    start_with_scalar(32);
    scalar_arrives();
    if (n == 0) scalar_arrives();
    if (n == 1) scalar_exits();
    if (n == 2) begin_in(0, 8, false);
}

static void no_such_group(void *group) {
    barrier_table_init(&table, 4, true);
    begin_in(*(unsigned *)group, 8, true);
}

static void groups(void *count) {
    barrier_table_init(&table, *(unsigned *)count, false);
}

static void arrive_some(void *threads) {
    arrive(0x8010, *(unsigned *)threads);
}
static void leave_some(void *threads) {
    leave(*(unsigned *)threads);
}
static void begin_some(void *threads) {
    begin(*(unsigned *)threads);
}

static void impossible_steps_are_caught(void **state) {
    (void)state;
    start(32);
    assert_true(panics(begin_some, &(unsigned){8}));
    assert_true(panics(arrive_some, &(unsigned){33}));
    arrive(0x8010, 31);
    assert_true(panics(arrive_some, &(unsigned){2}));
    assert_true(panics(leave_some, &(unsigned){2})); /* threads that wait cannot exit */
    assert_false(panics(leave_some, &(unsigned){1}));
    assert_false(panics(both_some, (unsigned[]){12, 20}));
    assert_true(panics(both_some, (unsigned[]){12, 21})); /* each alone is possible */
    for (unsigned n = 0; n < 3; ++n) {
        assert_true(panics(scalar_of_a_machine_without, &n));
        assert_true(panics(scalar_twice, &n));
    }
    assert_false(panics(no_such_group, &(unsigned){3}));
    assert_true(panics(no_such_group, &(unsigned){4}));
    assert_false(panics(groups, &(unsigned){64}));
    assert_true(panics(groups, &(unsigned){0}));
    assert_true(panics(groups, &(unsigned){65}));
}

/* Random work-groups against a barrier PC a thread. */
static void random_work_groups_agree_with_a_naive_table(void **state) {
    (void)state;
    struct seed s = seed_start();
    unsigned opened = 0, deadlocks = 0;
    for (int group = 0; group < 2000; ++group) {
        enum { RUNS = 0, GONE = 1 };
        uint32_t at[16];
        const unsigned threads = 1 + seed_below(&s, 16), barriers = 1 + (seed_below(&s, 4) == 0);
        memset(at, 0, sizeof at);
        start(threads);
        for (int step = 0; step < 100; ++step) {
            const unsigned k = seed_below(&s, threads);
            if (at[k] != RUNS) continue;
            at[k] = seed_below(&s, 20) ? 0x8000 + 4 * seed_below(&s, barriers) : GONE;
            if (at[k] == GONE)
                leave(1);
            else
                arrive(at[k], 1);
            unsigned live = 0, waiting = 0, same = 0;
            uint32_t pc = 0;
            for (unsigned j = 0; j < threads; ++j) {
                live += at[j] != GONE;
                if (at[j] <= GONE) continue;
                ++waiting;
                if (!pc) pc = at[j];
                same += at[j] == pc;
            }
            assert_int_equal(opens(), live && same == live);
            assert_int_equal(out.deadlock, live && waiting == live && same < live);
            if (live && waiting == live && same < live) {
                ++deadlocks;
                break;
            }
            if (!live || same < live) continue;
            release();
            ++opened;
            for (unsigned j = 0; j < threads; ++j)
                if (at[j] != GONE) at[j] = RUNS;
        }
    }
    assert_true(opened > 1000 && deadlocks > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thing_that_happens_makes_it_active),
        cmocka_unit_test(the_last_arrival_opens_it),
        cmocka_unit_test(one_thread_opens_it_at_once),
        cmocka_unit_test(the_same_barrier_and_others_serve_again),
        cmocka_unit_test(evaluated_twice_is_evaluated_once),
        cmocka_unit_test(exits_open_it_for_those_who_wait),
        cmocka_unit_test(a_work_group_that_ends_opens_nothing),
        cmocka_unit_test(different_barriers_are_a_deadlock_once_all_wait),
        cmocka_unit_test(an_exit_may_complete_a_deadlock),
        cmocka_unit_test(a_barrier_for_each_thread_is_a_deadlock_too),
        cmocka_unit_test(the_next_work_group_begins_anew_and_counters_go_on),
        cmocka_unit_test(arrivals_and_exits_are_one_sum),
        cmocka_unit_test(another_evaluation_forgets_the_first),
        cmocka_unit_test(a_reset_keeps_the_counters),
        cmocka_unit_test(there_can_be_64_work_groups),
        cmocka_unit_test(work_groups_do_not_influence_each_other),
        cmocka_unit_test(several_can_open_in_one_cycle),
        cmocka_unit_test(a_slot_serves_again),
        cmocka_unit_test(a_barrier_that_includes_the_scalar_thread_waits_for_it),
        cmocka_unit_test(one_among_simt_threads_does_not),
        cmocka_unit_test(scalar_and_last_thread_arrive_in_one_cycle),
        cmocka_unit_test(both_kinds_at_one_pc_are_a_deadlock),
        cmocka_unit_test(a_scalar_thread_that_has_exited_is_not_waited_for),
        cmocka_unit_test(it_waits_for_nobody_once_all_have_exited),
        cmocka_unit_test(counts_of_a_start_cycle_do_not_matter),
        cmocka_unit_test(impossible_steps_are_caught),
        cmocka_unit_test(random_work_groups_agree_with_a_naive_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
