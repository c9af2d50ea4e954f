/* warp_scheduler: round robin picks in the same cycle, only ready warps, and fairly. */
#include "tests/scheduler/scheduler_fixture.h"

static void ready_warps_take_turns_from_warp_0(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, &scheduler_policy_round_robin, 4, 4);
    const int turns[] = {0, 1, 2, 3, 0, 1, 2, 3, 0};
    for (unsigned n = 0; n < 9; ++n) assert_int_equal(cycle(0xf, true), turns[n]);
}

static void warps_that_are_not_ready_lose_no_cycle(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, &scheduler_policy_round_robin, 16, 4);
    assert_int_equal(cycle(0x0120, true), 5);
    assert_int_equal(cycle(0x0120, true), 8);
    assert_int_equal(cycle(0x0120, true), 5); /* round the end */
    assert_int_equal(cycle(0x0001, true), 0);
    assert_int_equal(cycle(0x0001, true), 0); /* picks the same again, if it is the only one */
    assert_int_equal(cycle(0x0000, true), -1);
    assert_int_equal(cycle(0xffff, true), 1);
}

static void nothing_is_picked_or_forgotten_while_the_front_end_is_full(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, &scheduler_policy_round_robin, 4, 4);
    assert_int_equal(cycle(0xf, true), 0);
    for (int n = 0; n < 3; ++n) assert_int_equal(cycle(0xf, false), -1);
    assert_int_equal(scheduler.q.round_robin.last, 0);
    assert_int_equal(cycle(0xf, true), 1);
}

static void state_changes_only_at_the_edge(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, &scheduler_policy_round_robin, 4, 4);
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
    warp_scheduler_init(&scheduler, &scheduler_policy_round_robin, 1, 4);
    assert_int_equal(cycle(1, true), 0);
    assert_int_equal(cycle(1, true), 0);
    assert_int_equal(cycle(0, true), -1);
    assert_int_equal(cycle(1, false), -1);
    assert_int_equal(cycle(1, true), 0);
}

static void as_many_warps_as_there_can_be_take_turns(void **state) {
    (void)state;
    for (int warps = 64; warps <= 128; warps += 64) {
        const warp_set last = warp_bit((unsigned)warps - 1);
        warp_scheduler_init(&scheduler, &scheduler_policy_round_robin, (unsigned)warps, 4);
        for (int n = 0; n < 400; ++n) assert_int_equal(cycle(warp_set_all((unsigned)warps), true), n % warps);
        warp_scheduler_init(&scheduler, &scheduler_policy_round_robin, (unsigned)warps, 4);
        assert_int_equal(cycle(last, true), warps - 1);
        assert_int_equal(cycle(last, true), warps - 1);
        assert_int_equal(cycle(last | 1, true), 0);
        assert_int_equal(cycle(last | 1, true), warps - 1);
    }
}

static void an_edge_before_any_evaluation_changes_nothing(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, &scheduler_policy_round_robin, 4, 4);
    warp_scheduler_clock(&scheduler);
    scheduler.in.ready = 0xf;
    scheduler.in.take = true;
    warp_scheduler_eval(&scheduler);
    assert_int_equal(scheduler.out.grant, 1);
}

static void only_two_levels_move_by_themselves(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, &scheduler_policy_two_level, 4, 2);
    assert_false(warp_scheduler_moves(&scheduler));
    scheduler.d.two_level.active ^= 1;
    assert_true(warp_scheduler_moves(&scheduler));
    scheduler.d = scheduler.q;
    scheduler.d.two_level.entered ^= 1;
    assert_true(warp_scheduler_moves(&scheduler));
    scheduler.cfg.policy = &scheduler_policy_round_robin; /* the same bits, of another policy's state */
    assert_false(warp_scheduler_moves(&scheduler));
}

static void init_with(void *warps) {
    warp_scheduler_init(&scheduler, &scheduler_policy_round_robin, *(unsigned *)warps, 4);
}
static void sizes_that_cannot_be_are_refused(void **state) {
    (void)state;
    assert_true(panics(init_with, &(unsigned){0}));
    assert_true(panics(init_with, &(unsigned){129}));
    assert_false(panics(init_with, &(unsigned){128}));
}

/* Comparison with the definition; and a warp that stays ready waits for at most N − 1 picks of others. */
static void random_runs_agree_with_the_definition_and_are_fair(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned warps = 1; warps <= 128; ++warps) {
        warp_scheduler_init(&scheduler, &scheduler_policy_round_robin, warps, 4);
        unsigned last = warps - 1, waited[128] = {0};
        for (int n = 0; n < 2000; ++n) {
            warp_set ready = 0;
            for (unsigned w = 0; w < warps; ++w) {
                if (waited[w] || seed_below(&s, 3) == 0) ready |= warp_bit(w); /* once ready, until picked */
            }
            const bool take = seed_below(&s, 4) != 0;
            const int expected = naive_pick(warps, last, ready, take), picked = cycle(ready, take);
            assert_int_equal(picked, expected);
            if (picked < 0) continue;
            last = (unsigned)picked;
            for (unsigned w = 0; w < warps; ++w) {
                waited[w] = w == last || !warp_set_has(ready, w) ? 0 : waited[w] + 1;
                assert_true(waited[w] <= warps - 1);
            }
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
        cmocka_unit_test(as_many_warps_as_there_can_be_take_turns),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(only_two_levels_move_by_themselves),
        cmocka_unit_test(an_edge_before_any_evaluation_changes_nothing),
        cmocka_unit_test(random_runs_agree_with_the_definition_and_are_fair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
