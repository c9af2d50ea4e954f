/* issue_select cycle by cycle: which instructions issue, and in which units (superscalar.md §4). That the
 * cores do the same in whole programs: test_rtl_shared.c. */
#include "model/control/issue_select.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { WINDOW = 8, WIDTH = 3, INTEGERS = 2, VFPS = 2 };
enum { I0, I1, V0, V1, LS }; /* units */
#define ALL_FREE 0x1f

static struct issue_select s;
static const unsigned no_pair[1][2];

/* A window with ready integer and VFP instructions, loads and stores, and all units free. */
static void window(unsigned first, unsigned integer, unsigned vfp, unsigned load, unsigned store) {
    issue_select_init(&s, &(struct issue_select_config){WINDOW, WIDTH, INTEGERS, VFPS});
    s.in = (struct issue_select_in){
        .first = first, .integer = integer, .vfp = vfp, .load = load, .store = store, .free = ALL_FREE};
}

/* Asserts that these issue: pairs of slot and unit. */
static void assert_issue(unsigned count, const unsigned pair[][2]) {
    issue_select_eval(&s);
    assert_int_equal(s.out.issue, (1u << count) - 1);
    for (unsigned n = 0; n < WIDTH; ++n) {
        assert_int_equal(s.out.slot[n], n < count ? pair[n][0] : 0);
        assert_int_equal(s.out.unit[n], n < count ? pair[n][1] : 0);
    }
}
#define ASSERT_ISSUE(...)                                                                                    \
    do {                                                                                                     \
        static const unsigned pairs[][2] = {__VA_ARGS__};                                                    \
        assert_issue(sizeof pairs / sizeof *pairs, pairs);                                                   \
    } while (0)

/* From slot 5 on: 5, 6, 7, 0, 1 and so on. */
static void the_oldest_issue_first(void **state) {
    (void)state;
    window(5, 1 << 1 | 1 << 6, 1 << 0 | 1 << 3, 0, 0);
    ASSERT_ISSUE({6, I1}, {0, V1}, {1, I0});
    window(0, 1 << 1 | 1 << 6, 1 << 0 | 1 << 3, 0, 0);
    ASSERT_ISSUE({0, V1}, {1, I1}, {3, V0});
    window(7, 0, 0, 0, 1 << 7);
    ASSERT_ISSUE({7, LS});
    window(3, 0, 0, 0, 0);
    assert_issue(0, no_pair);
}

/* Two integer units: the third addition waits, what is younger does not. */
static void one_without_a_unit_holds_nobody_up(void **state) {
    (void)state;
    window(0, 0x07, 1 << 4, 0, 0);
    ASSERT_ISSUE({0, I1}, {1, I0}, {4, V1});
    window(0, 0x07, 1 << 4, 0, 0);
    s.in.free = 1 << I0 | 1 << V0;
    ASSERT_ISSUE({0, I0}, {4, V0});
    window(0, 0x07, 0, 0, 0x18);
    s.in.free = 1 << LS;
    ASSERT_ISSUE({3, LS});
    window(0, 0xff, 0, 0, 0);
    s.in.free = 0;
    assert_issue(0, no_pair);
}

/* A multiplication needs the first unit; an addition takes it only if it is the last that is free. */
static void some_need_the_first_unit(void **state) {
    (void)state;
    window(0, 0x3, 0, 0, 0);
    s.in.needs_first = 0x2;
    ASSERT_ISSUE({0, I1}, {1, I0});
    window(0, 0x7, 0, 0, 0);
    s.in.needs_first = 0x3; /* the second multiplication waits, the addition does not */
    ASSERT_ISSUE({0, I0}, {2, I1});
    window(0, 0x3, 0xc, 0, 0);
    s.in.needs_first = 0x5;
    s.in.free = ALL_FREE & ~(1u << I0 | 1u << V0);
    ASSERT_ISSUE({1, I1}, {3, V1});
}

/* One load or store a cycle. Loads stay behind a store that has not been chosen before the cycle. */
static void loads_wait_for_older_stores(void **state) {
    (void)state;
    window(6, 0, 0, 1 << 7 | 1 << 1, 0);
    s.in.unknown = 1 << 0; /* between them */
    ASSERT_ISSUE({7, LS});
    window(6, 0, 0, 1 << 1, 0);
    s.in.unknown = 1 << 0;
    assert_issue(0, no_pair);
    window(6, 0, 0, 1 << 1, 0);
    s.in.unknown = 1 << 2; /* younger */
    ASSERT_ISSUE({1, LS});
    window(6, 1 << 3, 0, 1 << 1, 1 << 2);
    s.in.unknown = 1 << 0 | 1 << 2; /* a younger store goes first */
    ASSERT_ISSUE({2, LS}, {3, I1});
    window(6, 0, 0, 1 << 1, 1 << 0);
    s.in.unknown = 1 << 0;
    ASSERT_ISSUE({0, LS});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_issue_first),
        cmocka_unit_test(one_without_a_unit_holds_nobody_up),
        cmocka_unit_test(some_need_the_first_unit),
        cmocka_unit_test(loads_wait_for_older_stores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
