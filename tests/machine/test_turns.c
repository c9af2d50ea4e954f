/* turns: against looking at every cluster. */
#include "model/machine/turns.h"
#include "tests/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static struct turns turns;

static int set_up(void **state) {
    (void)state;
    turns_init(&turns);
    return 0;
}

static void nobody_has_a_turn(void **state) {
    (void)state;
    unsigned k;
    assert_int_equal(turns_first(&turns, &k), TURNS_NEVER);
    turns_set(&turns, 3, 70);
    assert_int_equal(turns_cycle(&turns, 3), 70);
    assert_int_equal(turns_cycle(&turns, 4), TURNS_NEVER);
    assert_int_equal(turns_limit(&turns, 3), TURNS_NEVER);
    turns_set(&turns, 3, TURNS_NEVER);
    assert_int_equal(turns_first(&turns, &k), TURNS_NEVER);
}

/* In one cycle, the lower cluster goes first: it may run that cycle, a higher one may not. */
static void the_lower_cluster_comes_first(void **state) {
    (void)state;
    unsigned k;
    turns_set(&turns, 9, 100);
    turns_set(&turns, 5, 100);
    assert_int_equal(turns_first(&turns, &k), 100);
    assert_int_equal(k, 5);
    assert_int_equal(turns_limit(&turns, 5), 101); /* 5 before 9 in cycle 100 */
    assert_int_equal(turns_limit(&turns, 9), 100);
    turns_set(&turns, 5, 101);
    assert_int_equal(turns_first(&turns, &k), 100);
    assert_int_equal(k, 9);
    assert_int_equal(turns_limit(&turns, 9), 101);
}

static void as_a_plain_list(void **state) {
    (void)state;
    struct seed seed = seed_start();
    uint64_t cycle[TURNS_MAX];
    for (unsigned n = 0; n < TURNS_MAX; ++n) cycle[n] = TURNS_NEVER;
    for (unsigned step = 0; step < 200000; ++step) {
        const unsigned changed = seed_below(&seed, TURNS_MAX), asked = seed_below(&seed, TURNS_MAX);
        cycle[changed] = seed_below(&seed, 10) ? step / 8 + seed_below(&seed, 6) : TURNS_NEVER;
        turns_set(&turns, changed, cycle[changed]);
        unsigned first = 0, k;
        uint64_t limit = TURNS_NEVER;
        for (unsigned n = 0; n < TURNS_MAX; ++n) {
            if (cycle[n] < cycle[first]) first = n;
            if (n == asked || cycle[n] == TURNS_NEVER) continue;
            const uint64_t other = cycle[n] + (n > asked);
            if (other < limit) limit = other;
        }
        assert_int_equal(turns_first(&turns, &k), cycle[first]);
        if (cycle[first] != TURNS_NEVER) assert_int_equal(k, first);
        assert_int_equal(turns_limit(&turns, asked), limit);
        assert_int_equal(turns_cycle(&turns, asked), cycle[asked]);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, set_up)
    const struct CMUnitTest tests[] = {
        TEST(nobody_has_a_turn),
        TEST(the_lower_cluster_comes_first),
        TEST(as_a_plain_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
