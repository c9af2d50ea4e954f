/* two_level_scheduler: round robin among the active set. */
#include "tests/scheduler/scheduler_fixture.h"

static int two_level_cycle(warp_set ready, warp_set stalled) {
    scheduler.in.stalled = stalled;
    return cycle(ready, true);
}

/* One warp enters in each cycle; warps outside the active set are not picked. */
static void the_active_set_fills_and_takes_turns(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, &scheduler_policy_two_level, 8, 2);
    assert_int_equal(two_level_cycle(0xff, 0), -1); /* the active set is empty */
    assert_int_equal(scheduler.q.two_level.active, 0x01);
    assert_int_equal(two_level_cycle(0xff, 0), 0);
    assert_int_equal(scheduler.q.two_level.active, 0x03);
    assert_int_equal(two_level_cycle(0xff, 0), 1);
    assert_int_equal(two_level_cycle(0xff, 0), 0);
    assert_int_equal(two_level_cycle(0xfc, 0), -1); /* the ready warps are pending */
    assert_int_equal(scheduler.q.two_level.active, 0x03);
}

static void who_stalls_makes_room_for_the_next(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, &scheduler_policy_two_level, 8, 2);
    two_level_cycle(0xff, 0);
    two_level_cycle(0xff, 0);
    assert_int_equal(two_level_cycle(0xfe, 0x01), 1); /* 0 waits for memory: 2 enters */
    assert_int_equal(scheduler.q.two_level.active, 0x06);
    assert_int_equal(two_level_cycle(0xfc, 0x03), 2); /* 1 waits, too: 3 enters */
    assert_int_equal(scheduler.q.two_level.active, 0x0c);
    assert_int_equal(two_level_cycle(0x00, 0xff), -1); /* all leave, none can enter */
    assert_int_equal(scheduler.q.two_level.active, 0x00);
    assert_int_equal(two_level_cycle(0x09, 0xf6), -1); /* after 3, 0 is next */
    assert_int_equal(scheduler.q.two_level.active, 0x01);
    assert_int_equal(two_level_cycle(0x09, 0xf6), 0);
    assert_int_equal(scheduler.q.two_level.active, 0x09);
}

/* After an evaluation, the scheduler tells whether the next cycle differs although the inputs do
 * not change. */
static void it_moves_while_its_set_changes(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, &scheduler_policy_two_level, 4,
                        9); /* active limit: at most 4 of 4 warps */
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
    for (unsigned warps = 1; warps <= 128; warps += 1 + warps % 3) {
        const unsigned active_warps = 1 + seed_below(&s, warps);
        bool active[128] = {false};
        unsigned last = warps - 1, entered = last;
        warp_scheduler_init(&scheduler, &scheduler_policy_two_level, warps, active_warps);
        for (int n = 0; n < 1000; ++n) {
            warp_set ready = 0, stalled = 0, among = 0;
            for (unsigned w = 0; w < warps; ++w) {
                ready |= (warp_set)(seed_below(&s, 2) == 0) << w;
                stalled |= (warp_set)(seed_below(&s, 3) == 0) << w;
                if (active[w]) among |= ready & warp_bit(w);
            }
            const int expected = naive_pick(warps, last, among, true);
            assert_int_equal(two_level_cycle(ready, stalled), expected);
            if (expected >= 0) last = (unsigned)expected;
            warp_set pending = 0;
            unsigned staying = 0;
            for (unsigned w = 0; w < warps; ++w) {
                if (!active[w] && !warp_set_has(stalled, w)) pending |= warp_bit(w);
                active[w] &= !warp_set_has(stalled, w);
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
        cmocka_unit_test(the_active_set_fills_and_takes_turns),
        cmocka_unit_test(who_stalls_makes_room_for_the_next),
        cmocka_unit_test(it_moves_while_its_set_changes),
        cmocka_unit_test(random_sets_agree_with_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
