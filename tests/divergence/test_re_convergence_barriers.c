/* re_convergence_barriers: shared, missed and complete barriers, and sets, by hand. Whole programs:
 * test_harp_scheduler, test_random_harp. */
#include "model/divergence/re_convergence_barriers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void barriers_are_shared_missed_and_freed(void **state) {
    (void)state;
    struct re_convergence_barriers b;
    struct regrouped_warp w = {.pc = 0x100, .group = 1, .valid = 0xf, .row = {0, 0, 2, 2}}, other = w;
    re_convergence_barriers_init(&b, 2, 1);
    re_convergence_barriers_reserve(&b, &w, 0x3, 0x300, -1);
    re_convergence_barriers_reserve(&b, &w, 0x7, 0x300, -1); /* lanes 0 and 1 have theirs */
    assert_int_equal(b.counted.reserved, 3);
    assert_int_equal(b.counted.most, 1);
    assert_int_equal(b.counted.shared, 2);
    assert_int_equal(b.used, 1);
    re_convergence_barriers_reserve(&b, &w, 0x8, 0x400, -1);
    assert_int_equal(b.counted.missed, 1);
    const struct regrouped_warp next = {.pc = 0x100, .group = 1, .valid = 0x4, .row = {[2] = 1}};
    re_convergence_barriers_reserve(&b, &next, 0x4, 0x400, -1); /* reserves in the other set */
    assert_int_equal(b.used, 2);
    assert_int_equal(b.counted.most, 2);
    re_convergence_barriers_reserve(&b, &w, 0x8, 0x400, -1); /* free, but of no help here */
    assert_int_equal(b.counted.missed, 2);
    re_convergence_barriers_exit(&b, &next, 0x4);
    assert_int_equal(b.used, 1);
    re_convergence_barriers_reserve(&b, &next, 0x4, 0x400, -1);
    re_convergence_barriers_exit(&b, &next, 0x4);
    assert_int_equal(b.counted.most, 2);
    b.counted.missed = 1;
    other.group = 2;
    re_convergence_barriers_reserve(&b, &other, 0x8, 0x300, -1); /* belongs to another work-group */
    assert_int_equal(b.counted.missed, 2);
    assert_true(re_convergence_barriers_arrive(&b, &w, 0xb, 0x300) == 0x3);
    assert_int_equal(re_convergence_barriers_complete(&b), -1);
    re_convergence_barriers_exit(&b, &w, 0x4);
    assert_int_equal(re_convergence_barriers_complete(&b), 0);
    re_convergence_barriers_reserve(&b, &w, 0x8, 0x300, -1); /* complete: no thread joins */
    assert_int_equal(b.counted.missed, 3);
    const struct regrouped_warp fired = re_convergence_barriers_fire(&b, 0);
    assert_int_equal(fired.pc, 0x300);
    assert_true(fired.valid == 0x3);
    re_convergence_barriers_reserve(&b, &w, 0x8, 0x300, 0); /* freed in this cycle */
    assert_int_equal(b.counted.missed, 4);
    re_convergence_barriers_reserve(&b, &w, 0x8, 0x300, -1);
    assert_int_equal(b.used, 1);
    assert_int_equal(b.counted.completed, 1);
    re_convergence_barriers_exit(&b, &w, 0x8);
    assert_int_equal(b.used, 0);
    re_convergence_barriers_reserve(&b, &w, 0x1, 0x500, -1); /* free for any PC */
    assert_int_equal(b.used, 1);
    assert_int_equal(b.counted.missed, 4);
    re_convergence_barriers_exit(&b, &w, 0x1);
    assert_int_equal(re_convergence_barriers_complete(&b), -1);
    re_convergence_barriers_free(&b);
}

static void who_ends_leaves_all_its_barriers(void **state) {
    (void)state;
    struct re_convergence_barriers b;
    const struct regrouped_warp w = {.pc = 0x100, .valid = 0x3};
    re_convergence_barriers_init(&b, 1, 3);
    for (uint32_t rpc = 0x300; rpc <= 0x500; rpc += 0x100)
        re_convergence_barriers_reserve(&b, &w, 0x3, rpc, -1);
    assert_int_equal(b.used, 3);
    re_convergence_barriers_exit(&b, &w, 0x1);
    for (unsigned n = 0; n < 3; ++n) assert_true(b.barrier[n].warp.valid == 0x2);
    assert_true(re_convergence_barriers_arrive(&b, &w, 0x2, 0x500) == 0x2);
    assert_int_equal(re_convergence_barriers_complete(&b), 2);
    re_convergence_barriers_free(&b);
}

/* A thread's set is its row modulo the sets: threads of other rows do not share its barriers. */
static void rows_have_their_sets(void **state) {
    (void)state;
    struct re_convergence_barriers b;
    const struct regrouped_warp w = {.pc = 0x100, .valid = 0x7, .row = {1, 3, 2}};
    re_convergence_barriers_init(&b, 2, 2);
    re_convergence_barriers_reserve(&b, &w, 0x7, 0x300, -1);
    assert_int_equal(b.used, 2);
    assert_int_equal(b.counted.shared, 1);
    assert_true(b.barrier[0].warp.valid == 0x4); /* the first way of set 0 */
    assert_true(b.barrier[2].warp.valid == 0x3); /* a barrier of set 1 */
    assert_true(re_convergence_barriers_arrive(&b, &w, 0x7, 0x300) == 0x7);
    assert_int_equal(re_convergence_barriers_complete(&b), 0);
    re_convergence_barriers_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_are_shared_missed_and_freed),
        cmocka_unit_test(who_ends_leaves_all_its_barriers),
        cmocka_unit_test(rows_have_their_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
