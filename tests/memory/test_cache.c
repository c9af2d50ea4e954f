/* cache: tags, LRU, write-backs; lines on their way are no victims. */
#include "model/memory/cache.h"
#include "model/replacement/replacement_kind.h"
#include "tests/seed.h"

#include <string.h>

static struct cache cache;

static void new_cache(uint32_t sets, uint32_t ways, uint32_t line_bytes) {
    const struct machine_cache_config config = {.size_bytes = sets * ways * line_bytes,
                                                .ways = ways,
                                                .line_bytes = line_bytes,
                                                .replacement = REPLACEMENT_lru};
    cache_init(&cache, &config, 1);
    assert_int_equal(cache.sets, sets);
}

/* Returns the address of the n-th line in a set. */
static uint32_t in_set(uint32_t set, uint32_t n) {
    return (n * cache.sets + set) << cache.line_shift;
}

static void a_line_is_found_by_any_of_its_bytes(void **state) {
    (void)state;
    new_cache(128, 4, 64);
    assert_null(cache_find(&cache, 0x12340));
    struct cache_line *l = cache_fill(&cache, 0x12355, 0, 0);
    assert_ptr_equal(cache_find(&cache, 0x12340), l);
    assert_ptr_equal(cache_find(&cache, 0x1237f), l);
    assert_null(cache_find(&cache, 0x12380));
    assert_null(cache_find(&cache, 0x1233f));
    assert_null(cache_find(&cache, 0x12340 + 128 * 64)); /* same set, other tag */
    assert_int_equal(cache.accesses + cache.misses, 0);  /* counted by the caller */
    cache_free(&cache);
}

static void address_zero_is_not_there_in_an_empty_cache(void **state) {
    (void)state;
    new_cache(2, 2, 32);
    assert_null(cache_find(&cache, 0));
    cache_fill(&cache, 0, 0, 0);
    assert_non_null(cache_find(&cache, 31));
    assert_null(cache_find(&cache, 32));
    cache_free(&cache);
}

static void the_least_recently_used_line_goes(void **state) {
    (void)state;
    new_cache(8, 4, 64);
    for (uint32_t n = 0; n < 4; ++n) cache_fill(&cache, in_set(3, n), 0, 0);
    cache_find(&cache, in_set(3, 0)); /* order of use now 1 2 3 0 */
    cache_find(&cache, in_set(3, 2)); /* 1 3 0 2 */
    cache_fill(&cache, in_set(3, 4), 0, 0);
    assert_null(cache_find(&cache, in_set(3, 1)));
    cache_fill(&cache, in_set(3, 5), 0, 0);
    assert_null(cache_find(&cache, in_set(3, 3)));
    assert_non_null(cache_find(&cache, in_set(3, 0)));
    assert_non_null(cache_find(&cache, in_set(3, 2)));
    assert_non_null(cache_find(&cache, in_set(3, 4)));
    assert_non_null(cache_find(&cache, in_set(3, 5)));
    cache_free(&cache);
}

/* A hit by the first guess (the line found last) counts as a use like any other. */
static void finding_the_same_line_again_is_a_use(void **state) {
    (void)state;
    new_cache(8, 2, 64);
    cache_fill(&cache, in_set(0, 0), 0, 0);
    cache_fill(&cache, in_set(0, 1), 0, 0);
    cache_find(&cache, in_set(0, 0));
    cache_find(&cache, in_set(0, 0));
    cache_fill(&cache, in_set(0, 2), 0, 0);
    assert_non_null(cache_find(&cache, in_set(0, 0)));
    assert_null(cache_find(&cache, in_set(0, 1)));
    cache_free(&cache);
}

static void sets_do_not_disturb_each_other(void **state) {
    (void)state;
    new_cache(8, 2, 64);
    cache_fill(&cache, in_set(1, 0), 0, 0);
    for (uint32_t n = 0; n < 20; ++n) cache_fill(&cache, in_set(2, n), 0, 0);
    assert_non_null(cache_find(&cache, in_set(1, 0)));
    cache_free(&cache);
}

/* The victim can be queried; a query is no use of the line. */
static void the_victim_is_the_line_that_goes(void **state) {
    (void)state;
    new_cache(8, 2, 64);
    assert_int_equal(cache_victim(&cache, in_set(0, 0), 0)->state, 0);
    cache_fill(&cache, in_set(0, 0), 0, 0)->state = 3;
    cache_fill(&cache, in_set(0, 1), 0, 0);
    assert_non_null(cache_peek(&cache, in_set(0, 0)));
    assert_null(cache_peek(&cache, in_set(0, 2)));
    const struct cache_line *v = cache_victim(&cache, in_set(0, 2), 0);
    assert_ptr_equal(v, cache_peek(&cache, in_set(0, 0)));
    assert_int_equal(v->state, 3);
    assert_ptr_equal(cache_fill(&cache, in_set(0, 2), 0, 0), v);
    assert_int_equal(v->state, 1);
    cache_free(&cache);
}

static void lines_on_their_way_are_no_victims(void **state) {
    (void)state;
    new_cache(8, 2, 64);
    cache_fill(&cache, in_set(0, 0), 0, 200);
    cache_fill(&cache, in_set(0, 1), 10, 210);
    assert_null(cache_fill(&cache, in_set(0, 2), 20, 220));
    assert_null(cache_fill(&cache, in_set(0, 2), 199, 399));
    assert_non_null(cache_find(&cache, in_set(0, 0))); /* most recently used, but the only one there at 200 */
    struct cache_line *l = cache_fill(&cache, in_set(0, 2), 200, 400);
    assert_non_null(l);
    assert_int_equal(l->present, 400);
    assert_null(cache_find(&cache, in_set(0, 0)));
    assert_non_null(cache_find(&cache, in_set(0, 1)));
    cache_free(&cache);
}

static void an_invalidated_cache_holds_nothing(void **state) {
    (void)state;
    new_cache(8, 2, 64);
    cache_fill(&cache, in_set(0, 0), 0, 0);
    cache_fill(&cache, in_set(7, 1), 0, 0);
    cache_invalidate(&cache);
    assert_null(cache_find(&cache, in_set(7, 1))); /* found last */
    assert_null(cache_find(&cache, in_set(0, 0)));
    cache_fill(&cache, in_set(0, 1), 0, 0);
    cache_fill(&cache, in_set(0, 2), 0, 0);
    cache_fill(&cache, in_set(0, 3), 0, 0);
    assert_null(cache_find(&cache, in_set(0, 1)));
    cache_free(&cache);
}

/* --- against lists in order of use --- */

struct naive_line {
    uint32_t tag;
    uint8_t state;
};
struct naive_set {
    struct naive_line line[16]; /* least recently used first */
    unsigned count;
};

/* Moves a line to the end of its set's list, and returns it. */
static struct naive_line *naive_find(struct naive_set *set, uint32_t tag) {
    for (unsigned n = 0; n < set->count; ++n) {
        if (set->line[n].tag != tag) continue;
        const struct naive_line l = set->line[n];
        memmove(&set->line[n], &set->line[n + 1], (set->count - n - 1) * sizeof l);
        set->line[set->count - 1] = l;
        return &set->line[set->count - 1];
    }
    return NULL;
}

/* Fills a line. Returns the state of the evicted line. */
static uint8_t naive_fill(struct naive_set *set, unsigned ways, struct naive_line l) {
    uint8_t state = 0;
    if (set->count == ways) {
        state = set->line[0].state;
        memmove(&set->line[0], &set->line[1], --set->count * sizeof l);
    }
    set->line[set->count++] = l;
    return state;
}

static void random_runs_agree_with_lists(void **state) {
    (void)state;
    struct seed s = seed_start();
    static const unsigned ways_of[] = {1, 2, 4, 8, 16}, lines_of[] = {32, 64};
    for (int run = 0; run < 40; ++run) {
        const unsigned ways = ways_of[seed_below(&s, 5)], line = lines_of[seed_below(&s, 2)];
        const unsigned sets = 1u << seed_below(&s, 4);
        static struct naive_set naive[8];
        memset(naive, 0, sizeof naive);
        new_cache(sets, ways, line);
        unsigned hits = 0, evictions = 0;
        for (int n = 0; n < 5000; ++n) {
            const uint32_t address = seed_below(&s, sets * ways * line * 2), tag = address / line;
            struct naive_set *set = &naive[tag % sets];
            const uint8_t mark = (uint8_t)(1 + seed_below(&s, 5));
            struct naive_line *expected = naive_find(set, tag);
            struct cache_line *found = cache_find(&cache, address);
            assert_int_equal(!found, !expected);
            if (found) {
                assert_int_equal(found->tag, tag);
                assert_int_equal(found->state, expected->state);
                found->state = expected->state = mark;
                ++hits;
            } else {
                const uint8_t state_of_victim = cache_victim(&cache, address, 0)->state;
                assert_int_equal(naive_fill(set, ways, (struct naive_line){tag, mark}), state_of_victim);
                evictions += state_of_victim != 0;
                cache_fill(&cache, address, 0, 0)->state = mark;
            }
        }
        assert_true(hits > 1000 && evictions > 100);
        cache_free(&cache);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_found_by_any_of_its_bytes),
        cmocka_unit_test(address_zero_is_not_there_in_an_empty_cache),
        cmocka_unit_test(the_least_recently_used_line_goes),
        cmocka_unit_test(finding_the_same_line_again_is_a_use),
        cmocka_unit_test(sets_do_not_disturb_each_other),
        cmocka_unit_test(the_victim_is_the_line_that_goes),
        cmocka_unit_test(lines_on_their_way_are_no_victims),
        cmocka_unit_test(an_invalidated_cache_holds_nothing),
        cmocka_unit_test(random_runs_agree_with_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
