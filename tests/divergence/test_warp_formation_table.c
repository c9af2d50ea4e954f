/* warp_formation_table: hits and replacement, by hand. Whole programs: test_dynamic_warp_formation. */
#include "model/divergence/warp_formation_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static struct warp_formation_table table;

static struct warp_formation_found come(uint32_t pc, uint32_t group, uint64_t mask, uint32_t new_warp) {
    return warp_formation_table_come(&table, pc, group, mask, new_warp);
}

static void threads_join_where_positions_are_free(void **state) {
    (void)state;
    warp_formation_table_init(&table, WARP_FORMATION_WAYS);
    struct warp_formation_found f = come(0x100, 0, 0x3, 7);
    assert_true(!f.hit && !f.joined && f.left == 0x3 && !f.lost);
    f = come(0x100, 0, 0x6, 8); /* position 1 is occupied: a new warp, which the table has from now on */
    assert_true(f.hit && f.warp == 7 && f.joined == 0x4 && f.left == 0x2);
    f = come(0x100, 0, 0x1, 9);
    assert_true(f.hit && f.warp == 8 && f.joined == 0x1 && !f.left);
    assert_false(come(0x100, 1, 0x4, 9).hit);
    warp_formation_table_issue(&table, 0x100, 0, 7); /* not in the table any more: no effect */
    assert_true(come(0x100, 0, 0x4, 10).hit);
    warp_formation_table_issue(&table, 0x100, 0, 8);
    assert_false(come(0x100, 0, 0x8, 11).hit);
    warp_formation_table_clear(&table);
    assert_false(come(0x100, 0, 0x8, 11).hit);
    warp_formation_table_free(&table);
}

static void the_one_used_longest_ago_makes_room(void **state) {
    (void)state;
    warp_formation_table_init(&table, WARP_FORMATION_WAYS); /* one set */
    for (uint32_t n = 1; n <= WARP_FORMATION_WAYS; ++n) assert_false(come(0x100 * n, 0, 0x1, n).lost);
    assert_true(come(0x100, 0, 0x2, 9).hit); /* now 0x200 was used longest ago */
    assert_true(come(0x900, 0, 0x1, 9).lost);
    assert_true(come(0x100, 0, 0x4, 10).hit);
    assert_false(come(0x200, 0, 0x4, 10).hit);
    warp_formation_table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_join_where_positions_are_free),
        cmocka_unit_test(the_one_used_longest_ago_makes_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
