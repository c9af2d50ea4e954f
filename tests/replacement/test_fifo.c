/* fifo: the oldest line is evicted. */
#include "tests/replacement/replacement_fixture.h"

static void uses_do_not_count(void **state) {
    (void)state;
    new_set(REPLACEMENT_fifo, 4);
    assert_go("ABCDAAAE", "----   A");
    assert_go("BFCDEAG", " B   CD"); /* the pointer is behind D: E is next */
    assert_go("H", "E");
    cache_free(&cache);
}

static void a_dropped_lines_way_waits_for_the_pointer(void **state) {
    (void)state;
    new_set(REPLACEMENT_fifo, 4);
    assert_go("ABCD", "----");
    drop('C');
    assert_go("E", "-"); /* takes the way of C; the pointer stays at A */
    assert_go("FGHI", "ABED");
    drop('F');           /* the pointer is at F */
    assert_go("J", "-"); /* leaves F */
    assert_go("K", "G");
    cache_free(&cache);
}

static void lines_on_their_way_are_passed_over(void **state) {
    (void)state;
    new_set(REPLACEMENT_fifo, 2);
    assert_int_equal(access_line('A', 0, 100), '-');
    assert_int_equal(access_line('B', 0, 50), '-');
    assert_int_equal(access_line('C', 49, 60), '!');
    assert_int_equal(access_line('C', 50, 60), 'B'); /* A, at the pointer, arrives in 100 */
    assert_int_equal(access_line('D', 99, 99), 'C');
    assert_int_equal(access_line('E', 100, 100), 'A');
    cache_free(&cache);
}

/* Against a list, oldest first. */
static void random_runs_agree_with_a_list(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned ways = 1; ways <= 64; ways = ways * 2 + 1) {
        int list[64];
        unsigned count = 0, evictions = 0;
        new_set(REPLACEMENT_fifo, ways);
        for (int n = 0; n < 3000; ++n) {
            const int line = 1 + (int)seed_below(&s, 2 * ways);
            unsigned at = 0;
            while (at < count && list[at] != line) ++at;
            int gone = at < count ? 0 : '-';
            if (at == count && count == ways) {
                gone = list[0];
                memmove(list, list + 1, --count * sizeof *list);
                ++evictions;
            }
            if (gone) list[count++] = line;
            assert_int_equal(access_line(line, 0, 0), gone);
        }
        assert_true(evictions > 500);
        cache_free(&cache);
    }
}

static void its_state_is_a_pointer(void **state) {
    (void)state;
    assert_int_equal(replacement_bits(REPLACEMENT_fifo, 128, 4), 128 * 2);
    assert_int_equal(replacement_bits(REPLACEMENT_fifo, 1, 24), 5);
    assert_int_equal(replacement_bits(REPLACEMENT_fifo, 64, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uses_do_not_count),
        cmocka_unit_test(a_dropped_lines_way_waits_for_the_pointer),
        cmocka_unit_test(lines_on_their_way_are_passed_over),
        cmocka_unit_test(random_runs_agree_with_a_list),
        cmocka_unit_test(its_state_is_a_pointer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
