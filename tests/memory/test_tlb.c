/* tlb: pages of 4 KB, fully associative, LRU. */
#include "model/memory/tlb.h"
#include "model/replacement/replacement_kind.h"
#include "tests/seed.h"

#include <string.h>

/* Accesses a page; a miss is filled in the same cycle. */
static bool use(struct tlb *t, uint32_t address) {
    const bool hit = tlb_access(t, address, 0);
    if (!hit) tlb_fill(t, address);
    return hit;
}

static void a_page_hits_after_its_first_access(void **state) {
    (void)state;
    struct tlb t;
    tlb_init(&t, 32, REPLACEMENT_lru, 1);
    assert_false(use(&t, 0x8004));
    assert_true(use(&t, 0x8000));
    assert_true(use(&t, 0x8fff));
    assert_false(use(&t, 0x9000));
    assert_false(use(&t, 0x7fff));
    assert_true(use(&t, 0x8000));
    assert_int_equal(t.accesses, 6);
    assert_int_equal(t.misses, 3);
    tlb_free(&t);
}

static void page_zero_is_not_there_at_first(void **state) {
    (void)state;
    struct tlb t;
    tlb_init(&t, 4, REPLACEMENT_lru, 1);
    assert_false(use(&t, 0));
    assert_true(use(&t, 0));
    tlb_free(&t);
}

static void the_least_recently_used_page_goes(void **state) {
    (void)state;
    struct tlb t;
    tlb_init(&t, 4, REPLACEMENT_lru, 1);
    for (uint32_t p = 1; p <= 4; ++p) assert_false(use(&t, p << 12));
    assert_true(use(&t, 1 << 12));
    assert_true(use(&t, 1 << 12));
    assert_false(use(&t, 5 << 12)); /* replaces 2 */
    assert_true(use(&t, 3 << 12));
    assert_false(use(&t, 2 << 12)); /* replaces 4 */
    assert_true(use(&t, 1 << 12));
    assert_true(use(&t, 5 << 12));
    assert_false(use(&t, 4 << 12));
    tlb_free(&t);
}

static void one_entry_holds_one_page(void **state) {
    (void)state;
    struct tlb t;
    tlb_init(&t, 1, REPLACEMENT_lru, 1);
    assert_false(use(&t, 0x1000));
    assert_true(use(&t, 0x1000));
    assert_false(use(&t, 0x2000));
    assert_false(use(&t, 0x1000));
    tlb_free(&t);
}

/* Pages at a distance of TLB_GUESSES share a first guess. */
static void pages_far_apart_are_told_from_each_other(void **state) {
    (void)state;
    struct tlb t;
    tlb_init(&t, 4, REPLACEMENT_lru, 1);
    for (uint32_t p = 0; p < 4; ++p) assert_false(use(&t, TLB_GUESSES * p << 12));
    for (uint32_t n = 0; n < 2; ++n)
        for (uint32_t p = 0; p < 4; ++p) assert_true(use(&t, TLB_GUESSES * p << 12));
    assert_int_equal(t.misses, 4);
    tlb_free(&t);
}

/* Three walks, the second of which ends last. Until a walk ends, its page misses and no entry is replaced. */
static void a_walk_brings_its_entry_when_it_ends(void **state) {
    (void)state;
    struct tlb t;
    tlb_init(&t, 2, REPLACEMENT_lru, 1);
    use(&t, 0x1000);
    use(&t, 0x2000);
    tlb_begin_walk(&t, 0x3004, 120);
    tlb_begin_walk(&t, 0x4000, 150);
    tlb_begin_walk(&t, 0x5000, 140);
    assert_false(tlb_access(&t, 0x3000, 119));
    assert_int_equal(tlb_walk_end(&t, 0x3ffc), 120);
    assert_int_equal(tlb_walk_end(&t, 0x6000), TLB_NO_WALK);
    assert_true(tlb_access(&t, 0x1000, 119));
    assert_true(tlb_access(&t, 0x3000, 120)); /* entry in place of 2, used before 1 */
    assert_int_equal(tlb_walk_end(&t, 0x3000), TLB_NO_WALK);
    assert_true(tlb_access(&t, 0x1000, 139));
    assert_false(tlb_access(&t, 0x2000, 139));
    assert_true(tlb_access(&t, 0x5000, 149)); /* entry in place of 3 */
    assert_false(tlb_access(&t, 0x4000, 149));
    assert_true(tlb_access(&t, 0x4000, 200)); /* entry in place of 1 */
    assert_true(tlb_access(&t, 0x5000, 200));
    assert_false(tlb_access(&t, 0x1000, 200));
    assert_int_equal(t.next_end, TLB_NO_WALK);
    tlb_free(&t);
}

static void random_run(struct seed *s, unsigned entries, unsigned stride) {
    struct tlb t;
    tlb_init(&t, entries, REPLACEMENT_lru, 1);
    uint32_t page[34] = {0}; /* least recently used first */
    unsigned count = 0, misses = 0;
    for (int n = 0; n < 5000; ++n) {
        const uint32_t p = seed_below(s, entries + entries / 4 + 1) * stride;
        unsigned at = 0;
        while (at < count && page[at] != p) ++at;
        const bool expected = at < count;
        if (!expected && count == entries) at = 0; /* evicts the oldest */
        if (at < count) memmove(&page[at], &page[at + 1], (--count - at) * sizeof page[0]);
        page[count++] = p;
        misses += !expected;
        assert_int_equal(use(&t, p << 12 | seed_below(s, 4096)), expected);
    }
    assert_int_equal(t.misses, misses);
    assert_int_equal(t.accesses, 5000);
    assert_true(misses > entries && misses < 5000);
    tlb_free(&t);
}

static void random_runs_agree_with_a_list(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned entries = 1; entries <= 33; entries += 4)
        for (unsigned stride = 1; stride <= 4096; stride *= 8) random_run(&s, entries, stride);
}

/* A TLB that is searched in order: its pages, least recently used first, and walks in the order in which they
 * began. */
struct plain {
    uint32_t page[64], walked[256];
    uint64_t end[256];
    unsigned entries, count, walks;
};

static unsigned plain_find(const uint32_t *pages, unsigned count, uint32_t page) {
    unsigned at = 0;
    while (at < count && pages[at] != page) ++at;
    return at;
}

static void plain_use(struct plain *m, uint32_t page) {
    unsigned at = plain_find(m->page, m->count, page);
    if (at == m->count && m->count == m->entries) at = 0;
    if (at < m->count) memmove(&m->page[at], &m->page[at + 1], (--m->count - at) * sizeof m->page[0]);
    m->page[m->count++] = page;
}

static void plain_end_walks(struct plain *m, uint64_t t) {
    for (;;) {
        unsigned first = 0;
        for (unsigned n = 1; n < m->walks; ++n)
            if (m->end[n] < m->end[first]) first = n;
        if (!m->walks || m->end[first] > t) return;
        plain_use(m, m->walked[first]);
        --m->walks;
        memmove(&m->walked[first], &m->walked[first + 1], (m->walks - first) * sizeof m->walked[0]);
        memmove(&m->end[first], &m->end[first + 1], (m->walks - first) * sizeof m->end[0]);
    }
}

/* Accesses in successive cycles. A miss starts a walk, unless one is in flight for the page. */
static void random_walks(struct seed *s, unsigned entries, unsigned stride, unsigned longest) {
    struct tlb t;
    struct plain m = {.entries = entries};
    unsigned misses = 0;
    tlb_init(&t, entries, REPLACEMENT_lru, 1);
    for (uint64_t cycle = 0; cycle < 3000; ++cycle) {
        const uint32_t page = seed_below(s, 2 * entries + 8) * stride, address = page << 12 | 8;
        plain_end_walks(&m, cycle);
        const bool expected = plain_find(m.page, m.count, page) < m.count;
        if (expected) plain_use(&m, page);
        misses += !expected;
        assert_int_equal(tlb_access(&t, address, cycle), expected);
        assert_int_equal(tlb_holds(&t, address), expected);
        if (expected) continue;
        const unsigned at = plain_find(m.walked, m.walks, page);
        assert_int_equal(tlb_walk_end(&t, address), at < m.walks ? m.end[at] : TLB_NO_WALK);
        if (at < m.walks) continue;
        m.walked[m.walks] = page;
        m.end[m.walks] = cycle + 1 + seed_below(s, longest);
        tlb_begin_walk(&t, address, m.end[m.walks++]);
    }
    assert_int_equal(t.misses, misses);
    assert_int_equal(t.accesses, 3000);
    assert_true(misses > entries);
    tlb_free(&t);
}

static void random_walks_agree_with_a_search(void **state) {
    (void)state;
    struct seed s = seed_start();
    for (unsigned entries = 1; entries <= 64; entries += 7)
        for (unsigned stride = 1; stride <= 4096; stride *= 16)
            for (unsigned longest = 1; longest <= 256; longest *= 4)
                random_walks(&s, entries, stride, longest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_hits_after_its_first_access),
        cmocka_unit_test(page_zero_is_not_there_at_first),
        cmocka_unit_test(the_least_recently_used_page_goes),
        cmocka_unit_test(one_entry_holds_one_page),
        cmocka_unit_test(pages_far_apart_are_told_from_each_other),
        cmocka_unit_test(a_walk_brings_its_entry_when_it_ends),
        cmocka_unit_test(random_runs_agree_with_a_list),
        cmocka_unit_test(random_walks_agree_with_a_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
