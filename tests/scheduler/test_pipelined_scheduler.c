/* pipelined_scheduler: round robin, with a cycle between the choice and the grant. */
#include "tests/scheduler/scheduler_fixture.h"

static void begin_with(unsigned warps) {
    warp_scheduler_init(&scheduler, &scheduler_policy_pipelined, warps, warps);
}

/* Chosen in one cycle, granted in the next; meanwhile the next in turn is chosen, so a warp is granted in
 * each cycle. */
static void a_grant_follows_its_choice_by_a_cycle(void **state) {
    (void)state;
    begin_with(8);
    assert_int_equal(cycle(0x0b, true), -1); /* 0 is chosen */
    assert_int_equal(cycle(0x0b, true), 0);  /* 1 is chosen */
    assert_int_equal(cycle(0x0a, true), 1);  /* 3 */
    assert_int_equal(cycle(0x08, true), 3);  /* none: 3 is not ready any more after its grant */
    assert_int_equal(cycle(0x00, true), -1);
    assert_int_equal(cycle(0x01, true), -1); /* 0, after 3 */
    assert_int_equal(cycle(0x01, true), 0);
}

/* A warp that stays ready is alone: chosen, granted, chosen, granted. */
static void a_lone_warp_is_granted_every_second_cycle(void **state) {
    (void)state;
    begin_with(4);
    for (int n = 0; n < 10; ++n) assert_int_equal(cycle(0x4, true), n % 2 ? 2 : -1);
}

/* The front end takes nothing for three cycles: the choice stays, though another becomes ready before it. */
static void a_choice_waits_for_the_front_end(void **state) {
    (void)state;
    begin_with(8);
    assert_int_equal(cycle(0x20, false), -1); /* 5 is chosen */
    assert_int_equal(cycle(0x21, false), -1);
    assert_int_equal(cycle(0x61, false), -1);
    assert_int_equal(cycle(0x61, true), 5); /* 6 is chosen */
    assert_int_equal(cycle(0x41, true), 6);
    assert_int_equal(cycle(0x01, true), 0);
}

/* A chosen warp that is not ready any more is dropped; the next is chosen in the same cycle. */
static void a_choice_that_is_not_ready_is_dropped(void **state) {
    (void)state;
    begin_with(8);
    assert_int_equal(cycle(0x06, true), -1); /* 1 is chosen */
    assert_int_equal(cycle(0x04, true), -1); /* 1 is gone: 2 is chosen */
    assert_int_equal(cycle(0x06, true), 2);  /* 1 is chosen, after a wrap */
    assert_int_equal(cycle(0x00, false), -1);
    assert_int_equal(cycle(0x02, true), -1);
    assert_int_equal(cycle(0x02, true), 1);
}

/* With the inputs of the last cycle it moves until a choice waits that is not taken, or none can be made. */
static void it_moves_while_choices_change(void **state) {
    (void)state;
    begin_with(4);
    scheduler.in = (struct warp_scheduler_in){.ready = 0x5};
    warp_scheduler_eval(&scheduler);
    assert_true(warp_scheduler_moves(&scheduler)); /* 0 is chosen */
    warp_scheduler_clock(&scheduler);
    warp_scheduler_eval(&scheduler);
    assert_false(warp_scheduler_moves(&scheduler)); /* the choice waits */
    scheduler.in.take = true;
    warp_scheduler_eval(&scheduler);
    assert_true(warp_scheduler_moves(&scheduler)); /* 0 is granted, 2 chosen */
    warp_scheduler_clock(&scheduler);
    scheduler.in.ready = 0;
    warp_scheduler_eval(&scheduler);
    assert_true(warp_scheduler_moves(&scheduler)); /* 2 is dropped */
    warp_scheduler_clock(&scheduler);
    warp_scheduler_eval(&scheduler);
    assert_false(warp_scheduler_moves(&scheduler));
}

/* The definition, a warp at a time. */
static void random_choices_agree_with_the_definition(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned warps = 1; warps <= 128; warps += 1 + warps % 3) {
        unsigned last = warps - 1;
        bool pending = false;
        begin_with(warps);
        for (int n = 0; n < 1000; ++n) {
            const unsigned one_of = 1 + seed_below(&s, 4);
            const bool take = seed_below(&s, 3) != 0;
            warp_set ready = 0;
            for (unsigned w = 0; w < warps; ++w) ready |= (warp_set)(seed_below(&s, one_of) == 0) << w;
            const bool still = pending && warp_set_has(ready, last);
            assert_int_equal(cycle(ready, take), still && take ? (int)last : -1);
            if (still && !take) continue;
            const int next = naive_pick(warps, last, pending ? ready & ~warp_bit(last) : ready, true);
            pending = next >= 0;
            if (pending) last = (unsigned)next;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grant_follows_its_choice_by_a_cycle),
        cmocka_unit_test(a_lone_warp_is_granted_every_second_cycle),
        cmocka_unit_test(a_choice_waits_for_the_front_end),
        cmocka_unit_test(a_choice_that_is_not_ready_is_dropped),
        cmocka_unit_test(it_moves_while_choices_change),
        cmocka_unit_test(random_choices_agree_with_the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
