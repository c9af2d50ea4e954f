/* min_pc_arbiter: the smallest PC, as an unsigned number; the first of several threads with this PC leads. */
#include "tests/control/arbiter_fixture.h"

static void the_smallest_pc_wins(void **state) {
    (void)state;
    divergent_warp();
    arbitrate(PC_MIN_PC);
    assert_int_equal(arbiter.out.wtid, 1u << 5);
    assert_int_equal(arbiter.out.pc, 0xfc);
    assert_int_equal(arbiter.out.participating, 0x60);
    assert_int_equal(arbiter.out.level, 2); /* level of the thread */
}

static void pcs_are_unsigned(void **state) {
    (void)state;
    thread_descriptor_table_init(&table, 1, 4, 1);
    thread(0, 0x80000000, 0);
    thread(3, 0x7ffffffc, 0);
    arbitrate(PC_MIN_PC);
    assert_int_equal(arbiter.out.wtid, 1u << 3);
    assert_int_equal(arbiter.out.participating, 1u << 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_pc_wins),
        cmocka_unit_test(pcs_are_unsigned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
