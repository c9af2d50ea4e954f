/* warp_scheduler: each policy picks at once and only what may run; round robin fairly, greedy-oldest the last
 * or the oldest, two-level among few. */
#include "model/warp_scheduler.h"
#include "tests/panic.h"
#include "tests/seed.h"

static struct warp_scheduler scheduler;

/* One cycle; the warp picked, −1 if none. */
static int cycle(uint64_t ready, bool take) {
    scheduler.in.ready = ready;
    scheduler.in.take = take;
    warp_scheduler_eval(&scheduler);
    const int warp = scheduler.out.valid ? (int)scheduler.out.warp : -1;
    assert_true(scheduler.out.grant == (warp < 0 ? 0 : 1ull << warp));
    warp_scheduler_clock(&scheduler);
    return warp;
}

static void ready_warps_take_turns_from_warp_0(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, SCHEDULER_ROUND_ROBIN, 4, 4);
    const int turns[] = {0, 1, 2, 3, 0, 1, 2, 3, 0};
    for (unsigned n = 0; n < 9; ++n) assert_int_equal(cycle(0xf, true), turns[n]);
}

static void warps_that_are_not_ready_lose_no_cycle(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, SCHEDULER_ROUND_ROBIN, 16, 4);
    assert_int_equal(cycle(0x0120, true), 5);
    assert_int_equal(cycle(0x0120, true), 8);
    assert_int_equal(cycle(0x0120, true), 5); /* round the end */
    assert_int_equal(cycle(0x0001, true), 0);
    assert_int_equal(cycle(0x0001, true), 0); /* the same again, if it is the only one */
    assert_int_equal(cycle(0x0000, true), -1);
    assert_int_equal(cycle(0xffff, true), 1);
}

static void nothing_is_picked_or_forgotten_while_the_front_end_is_full(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, SCHEDULER_ROUND_ROBIN, 4, 4);
    assert_int_equal(cycle(0xf, true), 0);
    for (int n = 0; n < 3; ++n) assert_int_equal(cycle(0xf, false), -1);
    assert_int_equal(scheduler.q.round_robin.last, 0);
    assert_int_equal(cycle(0xf, true), 1);
}

static void state_changes_only_at_the_edge(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, SCHEDULER_ROUND_ROBIN, 4, 4);
    scheduler.in.ready = 0xc;
    scheduler.in.take = true;
    warp_scheduler_eval(&scheduler);
    warp_scheduler_eval(&scheduler);
    assert_int_equal(scheduler.out.warp, 2);
    assert_int_equal(scheduler.q.round_robin.last, 3);
    warp_scheduler_clock(&scheduler);
    assert_int_equal(scheduler.q.round_robin.last, 2);
}

static void one_warp_is_picked_whenever_ready(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, SCHEDULER_ROUND_ROBIN, 1, 4);
    assert_int_equal(cycle(1, true), 0);
    assert_int_equal(cycle(1, true), 0);
    assert_int_equal(cycle(0, true), -1);
    assert_int_equal(cycle(1, false), -1);
    assert_int_equal(cycle(1, true), 0);
}

static void sixty_four_warps_take_turns(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, SCHEDULER_ROUND_ROBIN, 64, 4);
    for (int n = 0; n < 200; ++n) assert_int_equal(cycle(UINT64_MAX, true), n % 64);
    warp_scheduler_init(&scheduler, SCHEDULER_ROUND_ROBIN, 64, 4);
    assert_int_equal(cycle(1ull << 63, true), 63);
    assert_int_equal(cycle(1ull << 63, true), 63);
    assert_int_equal(cycle(1ull << 63 | 1, true), 0);
}

static void init_with(void *warps) {
    warp_scheduler_init(&scheduler, SCHEDULER_ROUND_ROBIN, *(unsigned *)warps, 4);
}
static void sizes_that_cannot_be_are_refused(void **state) {
    (void)state;
    assert_true(panics(init_with, &(unsigned){0}));
    assert_true(panics(init_with, &(unsigned){65}));
    assert_false(panics(init_with, &(unsigned){64}));
}

/* The definition, a warp at a time. */
static int naive_pick(unsigned warps, unsigned last, uint64_t ready, bool take) {
    for (unsigned n = 1; take && n <= warps; ++n)
        if (ready >> (last + n) % warps & 1) return (int)((last + n) % warps);
    return -1;
}

/* Against the definition; and a warp that stays ready waits for at most N − 1 picks of others. */
static void random_runs_agree_with_the_definition_and_are_fair(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned warps = 1; warps <= 64; ++warps) {
        warp_scheduler_init(&scheduler, SCHEDULER_ROUND_ROBIN, warps, 4);
        unsigned last = warps - 1, waited[64] = {0};
        for (int n = 0; n < 2000; ++n) {
            uint64_t ready = 0;
            for (unsigned w = 0; w < warps; ++w) {
                if (waited[w] || seed_below(&s, 3) == 0) ready |= 1ull << w; /* once ready, until picked */
            }
            const bool take = seed_below(&s, 4) != 0;
            const int expected = naive_pick(warps, last, ready, take), picked = cycle(ready, take);
            assert_int_equal(picked, expected);
            if (picked < 0) continue;
            last = (unsigned)picked;
            for (unsigned w = 0; w < warps; ++w) {
                waited[w] = w == last || !(ready >> w & 1) ? 0 : waited[w] + 1;
                assert_true(waited[w] <= warps - 1);
            }
        }
    }
}

/* --- greedy-oldest -----------------------------------------------------------------------------------------
 */

static void the_last_one_goes_on_then_the_oldest(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, SCHEDULER_GREEDY_OLDEST, 16, 4);
    assert_int_equal(cycle(0xffff, true), 0);
    warp_scheduler_init(&scheduler, SCHEDULER_GREEDY_OLDEST, 16, 4);
    assert_int_equal(cycle(0x8120, true), 5);
    assert_int_equal(cycle(0x8121, true), 5); /* although 0 is older */
    assert_int_equal(cycle(0x8120, false), -1);
    assert_int_equal(cycle(0x8120, true), 5);
    assert_int_equal(cycle(0x8100, true), 8); /* the oldest that is ready */
    assert_int_equal(cycle(0x8001, true), 0);
    assert_int_equal(cycle(0x8000, true), 15);
    assert_int_equal(cycle(0xffff, true), 15);
    assert_int_equal(cycle(0x0000, true), -1);
    assert_int_equal(cycle(0xffff, true), 15); /* nobody else has been picked since */
}

/* There is no bound: two old warps that take turns keep a third waiting for ever. */
static void a_young_warp_may_starve(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, SCHEDULER_GREEDY_OLDEST, 3, 1);
    for (int n = 0; n < 100; ++n) {
        assert_int_equal(cycle(5, true), 0);
        assert_int_equal(cycle(6, true), 1);
    }
}

/* --- two-level ---------------------------------------------------------------------------------------------
 */

static int two_level_cycle(uint64_t ready, uint64_t stalled) {
    scheduler.in.stalled = stalled;
    return cycle(ready, true);
}

/* One warp comes in a cycle; what is not in is not picked. */
static void the_active_set_fills_and_takes_turns(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, SCHEDULER_TWO_LEVEL, 8, 2);
    assert_int_equal(two_level_cycle(0xff, 0), -1); /* nobody is in yet */
    assert_int_equal(scheduler.q.two_level.active, 0x01);
    assert_int_equal(two_level_cycle(0xff, 0), 0);
    assert_int_equal(scheduler.q.two_level.active, 0x03);
    assert_int_equal(two_level_cycle(0xff, 0), 1);
    assert_int_equal(two_level_cycle(0xff, 0), 0);
    assert_int_equal(two_level_cycle(0xfc, 0), -1); /* those that are ready are pending */
    assert_int_equal(scheduler.q.two_level.active, 0x03);
}

static void who_stalls_makes_room_for_the_next(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, SCHEDULER_TWO_LEVEL, 8, 2);
    two_level_cycle(0xff, 0);
    two_level_cycle(0xff, 0);
    assert_int_equal(two_level_cycle(0xfe, 0x01), 1); /* 0 waits for memory: 2 comes in */
    assert_int_equal(scheduler.q.two_level.active, 0x06);
    assert_int_equal(two_level_cycle(0xfc, 0x03), 2); /* 1 waits, too: 3 comes in */
    assert_int_equal(scheduler.q.two_level.active, 0x0c);
    assert_int_equal(two_level_cycle(0x00, 0xff), -1); /* all leave, nobody can come in */
    assert_int_equal(scheduler.q.two_level.active, 0x00);
    assert_int_equal(two_level_cycle(0x09, 0xf6), -1); /* after 3 it is 0's turn again */
    assert_int_equal(scheduler.q.two_level.active, 0x01);
    assert_int_equal(two_level_cycle(0x09, 0xf6), 0);
    assert_int_equal(scheduler.q.two_level.active, 0x09);
}

/* After an evaluation it says whether the next cycle differs though the inputs stay. */
static void it_moves_while_its_set_changes(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, SCHEDULER_TWO_LEVEL, 4, 9); /* of 4 warps at most 4 are active */
    assert_int_equal(scheduler.cfg.active_warps, 4);
    for (int n = 0; n < 5; ++n) {
        scheduler.in.ready = scheduler.in.stalled = 0;
        scheduler.in.take = true;
        warp_scheduler_eval(&scheduler);
        assert_int_equal(warp_scheduler_moves(&scheduler), n < 4);
        warp_scheduler_clock(&scheduler);
    }
    assert_int_equal(scheduler.q.two_level.active, 0xf);
}

/* The definition, a warp at a time. */
static void random_sets_agree_with_the_definition(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned warps = 1; warps <= 64; warps += 3) {
        const unsigned active_warps = 1 + seed_below(&s, warps);
        bool active[64] = {false};
        unsigned last = warps - 1, entered = last;
        warp_scheduler_init(&scheduler, SCHEDULER_TWO_LEVEL, warps, active_warps);
        for (int n = 0; n < 1000; ++n) {
            uint64_t ready = 0, stalled = 0, among = 0;
            for (unsigned w = 0; w < warps; ++w) {
                ready |= (uint64_t)(seed_below(&s, 2) == 0) << w;
                stalled |= (uint64_t)(seed_below(&s, 3) == 0) << w;
                if (active[w]) among |= ready & 1ull << w;
            }
            const int expected = naive_pick(warps, last, among, true);
            assert_int_equal(two_level_cycle(ready, stalled), expected);
            if (expected >= 0) last = (unsigned)expected;
            uint64_t pending = 0;
            unsigned staying = 0;
            for (unsigned w = 0; w < warps; ++w) {
                if (!active[w] && !(stalled >> w & 1)) pending |= 1ull << w;
                active[w] &= !(stalled >> w & 1);
                staying += active[w];
            }
            const int in = naive_pick(warps, entered, pending, staying < active_warps);
            if (in < 0) continue;
            active[in] = true;
            entered = (unsigned)in;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ready_warps_take_turns_from_warp_0),
        cmocka_unit_test(warps_that_are_not_ready_lose_no_cycle),
        cmocka_unit_test(nothing_is_picked_or_forgotten_while_the_front_end_is_full),
        cmocka_unit_test(state_changes_only_at_the_edge),
        cmocka_unit_test(one_warp_is_picked_whenever_ready),
        cmocka_unit_test(sixty_four_warps_take_turns),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(random_runs_agree_with_the_definition_and_are_fair),
        cmocka_unit_test(the_last_one_goes_on_then_the_oldest),
        cmocka_unit_test(a_young_warp_may_starve),
        cmocka_unit_test(the_active_set_fills_and_takes_turns),
        cmocka_unit_test(who_stalls_makes_room_for_the_next),
        cmocka_unit_test(it_moves_while_its_set_changes),
        cmocka_unit_test(random_sets_agree_with_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
