/* warp_lookup: merging, order of entries, and state of threads; alone and cycle by cycle. */
#include "model/divergence/warp_lookup_cycle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static struct warp_lookup lookup;
static struct warp_lookup_cycle cycle;

/* Inserts a warp with this number. Returns the threads that find no room. */
static uint64_t come(uint32_t pc, uint32_t group, uint64_t lanes, uint16_t row, uint32_t number) {
    struct issued_warp w = {.warp = {.pc = pc, .group = group, .valid = lanes}, .number = number};
    for (unsigned k = 0; k < 4; ++k) w.warp.row[k] = row;
    return warp_lookup_come(&lookup, &w);
}

/* Creates both lookups: without and with ports. */
static void begin(unsigned entries, bool renews, bool ports) {
    warp_lookup_init(&lookup, entries, renews);
    if (ports) warp_lookup_cycle_init(&cycle, &lookup, 4);
}

static void threads_join_the_oldest_with_a_free_lane(void **state) {
    (void)state;
    for (unsigned ports = 0; ports < 2; ++ports) {
        begin(3, false, ports);
        assert_true(come(0x100, 0, 0x3, 0, 1) == 0);
        assert_true(come(0x100, 0, 0x1, 1, 2) == 0); /* lane 0 is occupied: a second entry */
        assert_true(come(0x100, 0, 0x7, 2, 3) == 0); /* lane 0 nowhere, lane 1 the second, lane 2 the first */
        assert_int_equal(lookup.count, 3);
        assert_true(lookup.entry[0].warp.valid == 0x7);
        assert_true(lookup.entry[1].warp.valid == 0x3);
        assert_true(lookup.entry[2].warp.valid == 0x1);
        assert_true(come(0x200, 0, 0x1, 3, 4) == 0x1); /* another PC, no room */
        assert_true(come(0x100, 1, 0x8, 3, 4) == 0x8); /* another work-group */
        assert_true(come(0x100, 0, 0x9, 3, 4) == 0x1); /* lane 3 of the first */
        assert_int_equal(lookup.counted.merged, 3);
        assert_int_equal(lookup.counted.full, 3);
    }
}

static void a_merge_makes_the_youngest_of_a_ready_lookup(void **state) {
    (void)state;
    for (unsigned ports = 0; ports < 2; ++ports) {
        begin(4, true, ports);
        come(0x100, 0, 0x1, 0, 1);
        come(0x200, 0, 0x1, 1, 2);
        come(0x100, 0, 0x2, 1, 3);
        assert_int_equal(lookup.entry[0].warp.pc, 0x200);
        assert_int_equal(lookup.entry[1].warp.pc, 0x100);
        assert_int_equal(warp_lookup_take(&lookup, 0).warp.pc, 0x200);
        assert_int_equal(lookup.count, 1);
    }
}

/* The lookup knows whose thread was issued first, also around the wrap of numbers, and whose access is
 * complete, with and without ports. */
static void what_is_known_of_threads_stays(void **state) {
    (void)state;
    for (unsigned ports = 0; ports < 2; ++ports) {
        begin(4, false, ports);
        come(0x100, 0, 0x2, 5, 70);
        assert_int_equal(lookup.entry[0].number, 70);
        come(0x100, 0, 0x1, 4, UINT32_MAX - 5);
        assert_int_equal(lookup.entry[0].number, UINT32_MAX - 5);
        assert_false(warp_lookup_ready(&lookup, 5, 0));
        assert_true(warp_lookup_ready(&lookup, 5, 1));
        assert_true(lookup.entry[0].ready == 0x2);
        come(0x100, 0, 0x4, 4, 80);
        assert_true(lookup.entry[0].ready == 0x2);
        assert_int_equal(lookup.entry[0].number, UINT32_MAX - 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_join_the_oldest_with_a_free_lane),
        cmocka_unit_test(a_merge_makes_the_youngest_of_a_ready_lookup),
        cmocka_unit_test(what_is_known_of_threads_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
