/* calendar: the first free cycles in a row, by hand and against a plain array. */
#include "model/memory/calendar.h"
#include "tests/seed.h"

#include <stdbool.h>

#include <string.h>

static struct calendar c;

static void reservations_follow_each_other(void **state) {
    (void)state;
    memset(&c, 0, sizeof c);
    assert_int_equal(calendar_reserve(&c, 100, 4), 100);
    assert_int_equal(calendar_reserve(&c, 100, 4), 104);
    assert_int_equal(calendar_reserve(&c, 102, 1), 108);
    assert_int_equal(calendar_reserve(&c, 200, 64), 200);
    assert_int_equal(calendar_reserve(&c, 199, 2), 264); /* 199 alone is not enough */
    assert_int_equal(calendar_reserve(&c, 199, 1), 199);
}

static void gaps_before_later_reservations_are_used(void **state) {
    (void)state;
    memset(&c, 0, sizeof c);
    assert_int_equal(calendar_reserve(&c, 70, 4), 70);
    assert_int_equal(calendar_reserve(&c, 62, 4), 62);
    assert_int_equal(calendar_reserve(&c, 60, 4), 66);
    assert_int_equal(calendar_reserve(&c, 60, 2), 60);
    assert_int_equal(calendar_reserve(&c, 60, 2), 74);
}

static void what_is_very_old_is_forgotten(void **state) {
    (void)state;
    memset(&c, 0, sizeof c);
    calendar_reserve(&c, 10, 64);
    assert_int_equal(calendar_reserve(&c, 1000000, 1), 1000000);
    assert_true(calendar_reserve(&c, 10, 1) > 1000000 - CALENDAR_CYCLES);
    assert_int_equal(calendar_reserve(&c, 1000000, 1), 1000001);
    assert_int_equal(calendar_reserve(&c, 1000000 - 5000, 1), 1000000 - 5000);
}

#define CYCLES 60000u
static void random_reservations_agree_with_an_array(void **state) {
    (void)state;
    static bool taken[CYCLES + 4096];
    struct seed s = seed_start();
    for (int run = 0; run < 30; ++run) {
        memset(&c, 0, sizeof c);
        memset(taken, 0, sizeof taken);
        const unsigned gap = 1 + seed_below(&s, 40), most = 1 + seed_below(&s, run % 2 ? 64 : 8);
        for (uint64_t now = 0; now < CYCLES - 3000; now += seed_below(&s, gap)) {
            const uint64_t t = now + seed_below(&s, 500);
            const unsigned cycles = run % 3 ? 1 + seed_below(&s, most) : most; /* a bus makes
                                                                                * equal requests */
            uint64_t expected = t;
            for (unsigned n = 0; n < cycles; ++n)
                if (taken[expected + n]) {
                    expected += n + 1;
                    n = -1u;
                }
            if (expected > now + 4000) break; /* more than the calendar can hold */
            assert_int_equal(calendar_reserve(&c, t, cycles), expected);
            memset(&taken[expected], true, cycles);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reservations_follow_each_other),
        cmocka_unit_test(gaps_before_later_reservations_are_used),
        cmocka_unit_test(what_is_very_old_is_forgotten),
        cmocka_unit_test(random_reservations_agree_with_an_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
