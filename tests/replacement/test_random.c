/* random: any line, the same ones in every run. */
#include "tests/replacement/replacement_fixture.h"

/* The generator as in Marsaglia's paper, shifted in 64 bits. */
static uint32_t next_of(uint32_t y) {
    const uint64_t mask = UINT32_MAX;
    uint64_t x = y;
    x = (x ^ x * 8192) & mask;
    x ^= x / 131072;
    return (uint32_t)((x ^ x * 32) & mask);
}

/* Step 1 of the seed is 723,471,715, as in the paper; 5 lines in 4 ways: step 4 chooses. */
static void the_generator_chooses(void **state) {
    (void)state;
    uint32_t y = next_of(REPLACEMENT_SEED);
    assert_int_equal(y, 723471715);
    for (int n = 1; n < 4; ++n) y = next_of(y);
    new_set(REPLACEMENT_random, 4);
    assert_go("ABCD", "----");
    assert_int_equal(access_line('E', 0, 0), "ABCD"[y >> 30]);
    cache_free(&cache);
}

static void uses_and_looks_do_not_step_it(void **state) {
    (void)state;
    new_set(REPLACEMENT_random, 4);
    assert_go("ABCD", "----");
    const struct cache_line *victim = cache_victim(&cache, 'E' * LINE_BYTES, 0);
    for (int n = 0; n < 10; ++n) {
        assert_go("ABCD", "    ");
        assert_ptr_equal(cache_victim(&cache, 'E' * LINE_BYTES, 0), victim);
    }
    cache_free(&cache);
}

static void lines_on_their_way_are_passed_over(void **state) {
    (void)state;
    new_set(REPLACEMENT_random, 3);
    assert_int_equal(access_line('A', 0, 100), '-');
    assert_int_equal(access_line('B', 0, 50), '-');
    assert_int_equal(access_line('C', 0, 100), '-');
    assert_int_equal(access_line('D', 49, 99), '!');
    for (int line = 'D'; line < 'M'; ++line)
        assert_int_equal(access_line(line, 50, 50), line == 'D' ? 'B' : line - 1);
    cache_free(&cache);
}

/* Comparison with the generator; and each way is evicted about equally often. */
static void random_runs_agree_with_the_generator(void **state) {
    (void)state;
    struct seed s = seed_start();
    static const unsigned of[] = {1, 2, 3, 4, 8, 24, 64};
    for (unsigned k = 0; k < sizeof of / sizeof *of; ++k) {
        const unsigned ways = of[k];
        int line_of[64] = {0};
        unsigned went[64] = {0}, all = 0;
        uint32_t y = REPLACEMENT_SEED;
        new_set(REPLACEMENT_random, ways);
        for (int n = 0; n < 20000; ++n) {
            const int line = 1000 + (int)seed_below(&s, 2 * ways);
            unsigned way = 0;
            int gone = 0;
            while (way < ways && line_of[way] != line) ++way;
            if (way == ways) {
                for (way = 0; way < ways && line_of[way];) ++way;
                if (way == ways) {
                    way = (unsigned)((double)y / 4294967296.0 * ways);
                    ++went[way];
                    ++all;
                }
                gone = line_of[way] ? line_of[way] : '-';
                line_of[way] = line;
                y = next_of(y);
            }
            assert_int_equal(access_line(line, 0, 0), gone);
        }
        assert_true(all > 8000);
        for (unsigned n = 0; n < ways; ++n) assert_in_range(went[n] * ways, all / 2, all * 2);
        cache_free(&cache);
    }
}

static void its_state_is_the_generator(void **state) {
    (void)state;
    assert_int_equal(replacement_bits(REPLACEMENT_random, 128, 8), 32);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_generator_chooses),
        cmocka_unit_test(uses_and_looks_do_not_step_it),
        cmocka_unit_test(lines_on_their_way_are_passed_over),
        cmocka_unit_test(random_runs_agree_with_the_generator),
        cmocka_unit_test(its_state_is_the_generator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
