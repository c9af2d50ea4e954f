/* barrier_table: a barrier opens when the last live thread is there, not before; what can go wrong is seen.
 */
#include "model/barrier_table.h"
#include "tests/panic.h"
#include "tests/seed.h"

#include <string.h>

static struct barrier_table table;

static void start(unsigned live) {
    barrier_table_init(&table);
    barrier_table_start(&table, live);
}

static bool opens_at(uint32_t pc) {
    uint32_t at = ~pc;
    return barrier_table_opens(&table, &at) && at == pc;
}

static bool opens(void) {
    uint32_t at;
    return barrier_table_opens(&table, &at);
}

static void the_last_arrival_opens_it(void **state) {
    (void)state;
    start(100); /* not a multiple of a warp */
    for (unsigned w = 0; w < 3; ++w) {
        barrier_table_arrive(&table, 0x8010, 32);
        assert_false(opens());
        assert_false(barrier_table_deadlock(&table));
    }
    barrier_table_arrive(&table, 0x8010, 3);
    assert_false(opens()); /* 99 of 100 */
    barrier_table_arrive(&table, 0x8010, 1);
    assert_true(opens_at(0x8010));
    assert_false(barrier_table_deadlock(&table));
    barrier_table_release(&table);
    assert_false(opens());
    assert_int_equal(table.waiting, 0);
    assert_int_equal(table.opened, 1);
    assert_int_equal(table.opened_without, 0);
}

static void one_thread_opens_it_at_once(void **state) {
    (void)state;
    start(1);
    assert_false(opens());
    barrier_table_arrive(&table, 0x8010, 1);
    assert_true(opens_at(0x8010));
}

static void the_same_barrier_and_others_serve_again(void **state) {
    (void)state;
    start(64);
    for (unsigned n = 0; n < 1000; ++n) {
        const uint32_t pc = 0x8000 + 4 * (n % 100); /* more barriers than there are entries */
        barrier_table_arrive(&table, pc, 40);
        assert_false(opens());
        barrier_table_arrive(&table, pc, 24);
        assert_true(opens_at(pc));
        barrier_table_release(&table);
    }
    assert_int_equal(table.opened, 1000);
}

static void exits_open_it_for_those_who_wait(void **state) {
    (void)state;
    start(64);
    barrier_table_arrive(&table, 0x8010, 40);
    barrier_table_exit(&table, 23);
    assert_false(opens());
    barrier_table_exit(&table, 1);
    assert_int_equal(table.exited, 24);
    assert_true(opens_at(0x8010));
    assert_false(barrier_table_deadlock(&table));
    barrier_table_release(&table);
    assert_int_equal(table.opened_without, 1);
    barrier_table_arrive(&table, 0x8010, 40); /* the rest goes on with its barriers */
    assert_true(opens());
    barrier_table_release(&table);
    assert_int_equal(table.opened, 2);
    assert_int_equal(table.opened_without, 2);
}

static void a_work_group_that_ends_opens_nothing(void **state) {
    (void)state;
    start(32);
    barrier_table_exit(&table, 32);
    assert_false(opens());
    assert_false(barrier_table_deadlock(&table));
    assert_int_equal(table.opened, 0);
}

static void different_barriers_are_a_deadlock_once_all_wait(void **state) {
    (void)state;
    start(64);
    barrier_table_arrive(&table, 0x8010, 32);
    barrier_table_arrive(&table, 0x8020, 31);
    assert_false(barrier_table_deadlock(&table)); /* one may still arrive or exit */
    barrier_table_arrive(&table, 0x8010, 1);
    assert_true(barrier_table_deadlock(&table));
    assert_false(opens());
}

static void an_exit_may_complete_a_deadlock(void **state) {
    (void)state;
    start(64);
    barrier_table_arrive(&table, 0x8010, 32);
    barrier_table_arrive(&table, 0x8020, 31);
    barrier_table_exit(&table, 1);
    assert_true(barrier_table_deadlock(&table));
    assert_false(opens());
}

static void more_barriers_than_entries_are_a_deadlock_too(void **state) {
    (void)state;
    start(BARRIER_TABLE_ENTRIES + 10);
    for (unsigned n = 0; n < BARRIER_TABLE_ENTRIES + 10; ++n) {
        assert_false(barrier_table_deadlock(&table));
        barrier_table_arrive(&table, 0x8000 + 4 * n, 1);
        assert_false(opens());
    }
    assert_true(barrier_table_deadlock(&table));
}

static void the_next_work_group_begins_anew_and_counters_go_on(void **state) {
    (void)state;
    start(32);
    barrier_table_exit(&table, 1);
    barrier_table_arrive(&table, 0x8010, 31);
    barrier_table_release(&table);
    barrier_table_exit(&table, 31);
    barrier_table_start(&table, 16);
    barrier_table_arrive(&table, 0x8010, 16);
    assert_true(opens());
    barrier_table_release(&table);
    assert_int_equal(table.opened, 2);
    assert_int_equal(table.opened_without, 1); /* nobody of this one has exited */
    barrier_table_init(&table);
    assert_int_equal(table.opened + table.opened_without, 0);
}

static void release_closed(void *context) {
    (void)context;
    barrier_table_release(&table);
}
static void arrive(void *threads) {
    barrier_table_arrive(&table, 0x8010, *(unsigned *)threads);
}
static void leave(void *threads) {
    barrier_table_exit(&table, *(unsigned *)threads);
}
static void begin(void *threads) {
    barrier_table_start(&table, *(unsigned *)threads);
}

static void impossible_steps_are_caught(void **state) {
    (void)state;
    start(32);
    assert_true(panics(release_closed, NULL));
    assert_true(panics(begin, &(unsigned){8}));
    assert_true(panics(arrive, &(unsigned){33}));
    barrier_table_arrive(&table, 0x8010, 31);
    assert_true(panics(release_closed, NULL));
    assert_true(panics(arrive, &(unsigned){2}));
    assert_true(panics(leave, &(unsigned){2})); /* threads that wait cannot exit */
    assert_false(panics(leave, &(unsigned){1}));
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
                barrier_table_exit(&table, 1);
            else
                barrier_table_arrive(&table, at[k], 1);
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
            assert_int_equal(barrier_table_deadlock(&table), live && waiting == live && same < live);
            if (live && waiting == live && same < live) {
                ++deadlocks;
                break;
            }
            if (!live || same < live) continue;
            barrier_table_release(&table);
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
        cmocka_unit_test(exits_open_it_for_those_who_wait),
        cmocka_unit_test(a_work_group_that_ends_opens_nothing),
        cmocka_unit_test(different_barriers_are_a_deadlock_once_all_wait),
        cmocka_unit_test(an_exit_may_complete_a_deadlock),
        cmocka_unit_test(more_barriers_than_entries_are_a_deadlock_too),
        cmocka_unit_test(the_next_work_group_begins_anew_and_counters_go_on),
        cmocka_unit_test(impossible_steps_are_caught),
        cmocka_unit_test(random_work_groups_agree_with_a_naive_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
