/* work_group_dispatcher: the order of work-groups, by hand; events for its twins. */
#include "model/control/work_group_dispatcher.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct work_group_dispatcher groups;

static int start(void **state) {
    (void)state;
    groups = (struct work_group_dispatcher){0};
    work_group_dispatcher_reset(&groups);
    return 0;
}

static void assert_next(uint64_t number, uint32_t x, uint32_t y, uint32_t z) {
    struct work_group g;
    assert_true(work_group_dispatcher_take(&groups, &g));
    assert_int_equal(g.number, number);
    assert_int_equal(g.id[0], x);
    assert_int_equal(g.id[1], y);
    assert_int_equal(g.id[2], z);
}

/* 2 by 1 by 3: the second dimension is passed over each time. */
static void ids_count_as_digits_do(void **state) {
    (void)state;
    struct work_group g;
    work_group_dispatcher_begin(&groups, (const uint32_t[]){2, 1, 3});
    assert_next(0, 0, 0, 0);
    assert_next(1, 1, 0, 0);
    assert_next(2, 0, 0, 1);
    assert_next(3, 1, 0, 1);
    assert_next(4, 0, 0, 2);
    assert_true(groups.q.left);
    assert_next(5, 1, 0, 2);
    assert_false(groups.q.left);
    assert_false(work_group_dispatcher_take(&groups, &g));
}

static void a_launch_begins_anew_with_its_own_counts(void **state) {
    (void)state;
    struct work_group g;
    assert_false(work_group_dispatcher_take(&groups, &g)); /* there was no launch */
    work_group_dispatcher_begin(&groups, (const uint32_t[]){3, 3, 3});
    assert_next(0, 0, 0, 0);
    assert_next(1, 1, 0, 0);
    work_group_dispatcher_begin(&groups, (const uint32_t[]){1, 2, 1});
    assert_next(0, 0, 0, 0);
    assert_next(1, 0, 1, 0);
    assert_false(work_group_dispatcher_take(&groups, &g));
}

/* At the ports: outputs change in the cycle after a work-group is taken, and only then. */
static void a_request_is_seen_in_the_next_cycle(void **state) {
    (void)state;
    groups.in = (struct work_group_dispatcher_in){.begin = true, .count_x = 2, .count_y = 1, .count_z = 1};
    work_group_dispatcher_eval(&groups);
    assert_false(groups.out.valid);
    work_group_dispatcher_clock(&groups);
    groups.in = (struct work_group_dispatcher_in){.take = false};
    for (unsigned n = 0; n < 3; ++n) {
        work_group_dispatcher_eval(&groups);
        assert_true(groups.out.valid);
        assert_int_equal(groups.out.number, 0);
        work_group_dispatcher_clock(&groups);
    }
    groups.in.take = true;
    work_group_dispatcher_eval(&groups);
    assert_int_equal(groups.out.number, 0);
    work_group_dispatcher_clock(&groups);
    work_group_dispatcher_eval(&groups);
    assert_int_equal(groups.out.number, 1);
    assert_int_equal(groups.out.x, 1);
    work_group_dispatcher_clock(&groups);
    work_group_dispatcher_eval(&groups);
    assert_false(groups.out.valid);
    assert_int_equal(groups.out.number, 0);
}

struct told {
    unsigned cycles, resets;
};
/* A driving twin: dispatches number 40. */
static void drive(void *context, enum cluster_block block, uint64_t t) {
    struct told *told = context;
    assert_int_equal(block, CLUSTER_BLOCK_GROUPS);
    assert_int_equal(t, told->cycles++);
    if (groups.in.take) groups.out.number = 40;
}
static void note_reset(void *context) {
    ++((struct told *)context)->resets;
}

/* Twins see a launch as a reset and a request; a refusal is no request. */
static void what_runs_beside_it_is_told_and_heard(void **state) {
    (void)state;
    struct told told = {0};
    struct work_group g;
    const struct cluster_twins twins = {
        .context = &told, .cycle = drive, .reset = note_reset, .end = UINT64_MAX};
    groups.requests.twins = &twins;
    work_group_dispatcher_begin(&groups, (const uint32_t[]){2, 1, 1});
    assert_int_equal(told.resets, 1);
    assert_int_equal(told.cycles, 1);
    assert_next(40, 0, 0, 0);
    assert_next(40, 1, 0, 0);
    assert_int_equal(told.cycles, 3);
    assert_false(work_group_dispatcher_take(&groups, &g));
    assert_int_equal(told.cycles, 3);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup(name, start)
    const struct CMUnitTest tests[] = {
        TEST(ids_count_as_digits_do),
        TEST(a_launch_begins_anew_with_its_own_counts),
        TEST(a_request_is_seen_in_the_next_cycle),
        TEST(what_runs_beside_it_is_told_and_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
