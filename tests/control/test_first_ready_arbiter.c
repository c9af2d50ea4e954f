/* first_ready_arbiter: the lowest-numbered Ready thread, whatever its PC and level. */
#include "tests/control/arbiter_fixture.h"

static void the_lowest_number_wins(void **state) {
    (void)state;
    divergent_warp();
    arbitrate(PC_FIRST_READY);
    assert_int_equal(arbiter.out.wtid, 1u << 3);
    assert_int_equal(arbiter.out.pc, 0x300);
    assert_int_equal(arbiter.out.participating, 1u << 3);
    assert_int_equal(arbiter.out.level, 1);
}

static void who_is_not_ready_is_passed_over(void **state) {
    (void)state;
    divergent_warp();
    tdt_schedule(warp, 1u << 3);
    arbitrate(PC_FIRST_READY);
    assert_int_equal(arbiter.out.wtid, 1u << 4);
    assert_int_equal(arbiter.out.participating, 1u << 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_number_wins),
        cmocka_unit_test(who_is_not_ready_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
