/* second_level: a queue in a ring, alone and cycle by cycle. */
#include "model/divergence/second_level_cycle.h"
#include "tests/panic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static struct second_level level;
static struct second_level_cycle cycle;

static void put(uint32_t pc) {
    const struct regrouped_warp w = {.pc = pc, .group = pc & 3, .valid = 0x5, .row = {7, 8, 9}};
    second_level_put(&level, &w);
}

static void expect(uint32_t pc) {
    struct regrouped_warp w;
    assert_true(second_level_take(&level, &w));
    assert_int_equal(w.pc, pc);
    assert_int_equal(w.group, pc & 3);
    assert_true(w.valid == 0x5 && w.row[0] == 7 && w.row[2] == 9);
}

static void the_oldest_leaves_first(void **state) {
    (void)state;
    for (unsigned ports = 0; ports < 2; ++ports) {
        struct regrouped_warp w;
        second_level_init(&level, 3);
        if (ports) second_level_cycle_init(&cycle, &level, 4);
        assert_false(second_level_take(&level, &w));
        put(1);
        put(2);
        put(3);
        expect(1);
        put(4); /* takes the place of the first */
        assert_int_equal(second_level_at(&level, 2)->pc, 4);
        expect(2);
        expect(3);
        expect(4);
        assert_int_equal(level.count, 0);
        put(5);
        second_level_clear(&level);
        assert_false(second_level_take(&level, &w));
        second_level_free(&level);
    }
}

static void put_one(void *unused) {
    (void)unused;
    put(9);
}

static void one_too_many_panics(void **state) {
    (void)state;
    second_level_init(&level, 1);
    put(1);
    assert_true(panics(put_one, NULL));
    second_level_free(&level);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_leaves_first),
        cmocka_unit_test(one_too_many_panics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
