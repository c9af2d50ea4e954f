/* greedy_oldest_scheduler: the last one picked, or the oldest. */
#include "tests/scheduler/scheduler_fixture.h"

static void the_last_one_goes_on_then_the_oldest(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, &scheduler_policy_greedy_oldest, 16, 4);
    assert_int_equal(cycle(0xffff, true), 0);
    warp_scheduler_init(&scheduler, &scheduler_policy_greedy_oldest, 16, 4);
    assert_int_equal(cycle(0x8120, true), 5);
    assert_int_equal(cycle(0x8121, true), 5); /* although 0 is older */
    assert_int_equal(cycle(0x8120, false), -1);
    assert_int_equal(cycle(0x8120, true), 5);
    assert_int_equal(cycle(0x8100, true), 8); /* the oldest that is ready */
    assert_int_equal(cycle(0x8001, true), 0);
    assert_int_equal(cycle(0x8000, true), 15);
    assert_int_equal(cycle(0xffff, true), 15);
    assert_int_equal(cycle(0x0000, true), -1);
    assert_int_equal(cycle(0xffff, true), 15); /* no other warp has been picked since */
}

static void of_128_warps_the_last_goes_on(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, &scheduler_policy_greedy_oldest, 128, 4);
    assert_int_equal(cycle(warp_bit(127) | warp_bit(64), true), 64);
    assert_int_equal(cycle(warp_bit(127), true), 127);
    assert_int_equal(cycle(warp_set_all(128), true), 127);
    assert_int_equal(cycle(warp_bit(126) | warp_bit(63), true), 63);
}

/* Waiting has no bound: two old warps that alternate keep a third one waiting for ever. */
static void a_young_warp_may_starve(void **state) {
    (void)state;
    warp_scheduler_init(&scheduler, &scheduler_policy_greedy_oldest, 3, 1);
    for (int n = 0; n < 100; ++n) {
        assert_int_equal(cycle(5, true), 0);
        assert_int_equal(cycle(6, true), 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_one_goes_on_then_the_oldest),
        cmocka_unit_test(of_128_warps_the_last_goes_on),
        cmocka_unit_test(a_young_warp_may_starve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
