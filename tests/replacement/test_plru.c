/* plru: a tree of bits that point away from what was used last. */
#include "tests/replacement/replacement_fixture.h"

static void the_tree_points_away(void **state) {
    (void)state;
    new_set(REPLACEMENT_plru, 4);
    assert_go("ABCD", "----"); /* root: A or B; of these A; of C and D C */
    assert_go("AE", " C");     /* root: C or D; of these C. LRU would take B */
    assert_go("F", "B");       /* root: A or B, of these B, as A was used */
    assert_go("G", "D");
    assert_go("AH", " E");
    cache_free(&cache);
}

static void three_ways_are_three_of_four(void **state) {
    (void)state;
    new_set(REPLACEMENT_plru, 3);
    assert_go("ABC", "---"); /* root: A or B */
    assert_go("D", "A");     /* root: C, which alone may go there */
    assert_go("EF", "CB");
    cache_free(&cache);
}

static void lines_on_their_way_stay(void **state) {
    (void)state;
    new_set(REPLACEMENT_plru, 4);
    for (int line = 'A'; line <= 'D'; ++line)
        assert_int_equal(access_line(line, 0, line == 'C' ? 40 : 100), '-');
    assert_int_equal(access_line('E', 39, 90), '!');
    assert_int_equal(access_line('E', 40, 90), 'C'); /* the root points to A or B, neither of which may be
                                                      * evicted */
    assert_int_equal(access_line('F', 99, 99), 'E');
    assert_int_equal(access_line('F', 100, 100), 0);
    assert_int_equal(access_line('G', 100, 100), 'A');
    cache_free(&cache);
}

/* --- compared with the order of use: of two halves that may both be evicted, the one with the older last use
 * is --- */

#define MAX_WAYS 1024
static uint64_t last[MAX_WAYS]; /* use of each way; 0: never */

static uint64_t latest(unsigned first, unsigned end) {
    uint64_t t = 0;
    for (unsigned n = first; n < end; ++n) t = last[n] > t ? last[n] : t;
    return t;
}

static unsigned expected(unsigned ways, unsigned first, unsigned size) {
    if (size == 1) return first;
    const unsigned middle = first + size / 2;
    if (middle >= ways) return expected(ways, first, size / 2);
    const unsigned end = first + size < ways ? first + size : ways;
    return latest(middle, end) < latest(first, middle) ? expected(ways, middle, size / 2)
                                                       : expected(ways, first, size / 2);
}

static unsigned whole(unsigned ways) {
    unsigned size = 1;
    while (size < ways) size *= 2;
    return size;
}

static void random_runs_agree_with_the_order_of_use(void **state) {
    (void)state;
    struct seed s = seed_start();
    static const unsigned of[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 63, 64};
    for (unsigned k = 0; k < sizeof of / sizeof *of; ++k) {
        const unsigned ways = of[k];
        int line_of[64] = {0};
        unsigned evictions = 0;
        memset(last, 0, sizeof last);
        new_set(REPLACEMENT_plru, ways);
        for (uint64_t t = 1; t <= 3000; ++t) {
            const int line = 1000 + (int)seed_below(&s, ways + ways / 2 + 1);
            unsigned way = 0;
            int gone = 0;
            while (way < ways && line_of[way] != line) ++way;
            if (way == ways) {
                for (way = 0; way < ways && line_of[way];) ++way;
                if (way == ways) way = expected(ways, 0, whole(ways));
                gone = line_of[way] ? line_of[way] : '-';
                evictions += line_of[way] != 0;
                line_of[way] = line;
            }
            last[way] = t;
            assert_int_equal(access_line(line, 0, 0), gone);
        }
        assert_true(evictions > 300);
        cache_free(&cache);
    }
}

/* A TLB is one set. */
static void random_tlbs_agree_with_the_order_of_use(void **state) {
    (void)state;
    struct seed s = seed_start();
    static const unsigned of[] = {1, 5, 32, 100, 1024};
    for (unsigned k = 0; k < sizeof of / sizeof *of; ++k) {
        const unsigned entries = of[k];
        static uint32_t page_of[MAX_WAYS];
        unsigned used = 0;
        struct tlb tlb;
        memset(last, 0, sizeof last);
        tlb_init(&tlb, entries, REPLACEMENT_plru, 1);
        for (uint64_t t = 1; t <= 6000; ++t) {
            const uint32_t page = seed_below(&s, entries + entries / 4 + 1);
            unsigned at = 0;
            while (at < used && page_of[at] != page) ++at;
            assert_int_equal(tlb_access(&tlb, page << TLB_PAGE_SHIFT, 0), at < used);
            if (at == used) {
                if (used == entries)
                    at = expected(entries, 0, whole(entries));
                else
                    ++used;
                page_of[at] = page;
                tlb_fill(&tlb, page << TLB_PAGE_SHIFT);
            }
            last[at] = t;
        }
        assert_int_equal(used, entries);
        tlb_free(&tlb);
    }
}

static void its_state_is_a_bit_a_node(void **state) {
    (void)state;
    assert_int_equal(replacement_bits(REPLACEMENT_plru, 128, 8), 128 * 7);
    assert_int_equal(replacement_bits(REPLACEMENT_plru, 1, 24), 23);
    assert_int_equal(replacement_bits(REPLACEMENT_lru, 128, 8), 128 * 8 * 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_points_away),
        cmocka_unit_test(three_ways_are_three_of_four),
        cmocka_unit_test(lines_on_their_way_stay),
        cmocka_unit_test(random_runs_agree_with_the_order_of_use),
        cmocka_unit_test(random_tlbs_agree_with_the_order_of_use),
        cmocka_unit_test(its_state_is_a_bit_a_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
