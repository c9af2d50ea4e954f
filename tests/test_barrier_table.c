/* barrier_table: a barrier opens when the last live thread is there, not before; what can go wrong is seen.
 */
#include "model/barrier_table.h"
#include "tests/panic.h"
#include "tests/seed.h"

#include <string.h>

static struct barrier_table table;

static struct barrier_table_out out; /* of the last cycle */

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
    barrier_table_init(&table);
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
    return out.opens && table.q.pc == pc;
}

/* The cycle after the one in which the barrier opened: the threads are released at its end. */
static void release(void) {
    assert_true(barrier_table_active(&table));
    cycle();
    assert_true(out.release);
    assert_false(out.opens);
    assert_int_equal(table.q.waiting, 0);
    assert_false(barrier_table_active(&table));
}

static void the_last_arrival_opens_it(void **state) {
    (void)state;
    start(100); /* not a multiple of a warp */
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
    assert_int_equal(table.q.waiting, 0);
    assert_int_equal(table.opened, 1);
    assert_int_equal(table.opened_without, 0);
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
        const uint32_t pc = 0x8000 + 4 * (n % 100); /* many barriers, one after the other */
        arrive(pc, 40);
        assert_false(opens());
        arrive(pc, 24);
        assert_true(opens_at(pc));
        release();
    }
    assert_int_equal(table.opened, 1000);
}

/* The model is evaluated again when its inputs change within a cycle. */
static void evaluated_twice_is_evaluated_once(void **state) {
    (void)state;
    start(64);
    table.in.arrive_pc = 0x8010;
    table.in.arrive_count = 32;
    barrier_table_eval(&table);
    arrive(0x8010, 32);
    assert_int_equal(table.q.waiting, 32);
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
    arrive(0x8010, 40); /* the rest goes on with its barriers */
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
    assert_false(out.deadlock); /* one may still arrive or exit */
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
    assert_int_equal(table.opened_without, 1); /* nobody of this one has exited */
    barrier_table_init(&table);
    assert_int_equal(table.opened + table.opened_without, 0);
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
        cmocka_unit_test(impossible_steps_are_caught),
        cmocka_unit_test(random_work_groups_agree_with_a_naive_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
