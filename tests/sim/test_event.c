/* Events: notifications, their override rules and their order. */
#include "tests/sim/kernel_fixture.h"

STEP(now_1, event_notify(e1))
STEP(delta_1, event_notify_delta(e1))
STEP(after_10, event_notify_after(e1, 10))
STEP(mixed, event_notify_delta(e1); event_notify_after(e2, 5); event_notify(e3))
STEP(after_10_then_5, event_notify_after(e1, 10); event_notify_after(e1, 5))
STEP(after_5_then_10, event_notify_after(e1, 5); event_notify_after(e1, 10))
STEP(after_5_then_delta, event_notify_after(e1, 5); event_notify_delta(e1))
STEP(delta_then_after_5, event_notify_delta(e1); event_notify_after(e1, 5))
STEP(delta_then_now, event_notify_delta(e1); event_notify(e1))
STEP(after_5_then_now, event_notify_after(e1, 5); event_notify(e1))
STEP(after_0, event_notify_after(e1, 0))
STEP(cancelled, event_notify_delta(e1); event_cancel(e1); event_notify_after(e2, 5); event_cancel(e2))
STEP(cancelled_and_again, event_notify_delta(e1); event_notify_delta(e2); event_cancel(e1);
     event_notify_delta(e1))
STEP(twice_now, event_notify(e1); event_notify(e1))
STEP(timed_plan, event_notify_after(e1, 10); event_notify_after(e2, 20); event_notify_after(e1, 30))
STEP(all_at_10, event_notify_after(e2, 10); event_notify_after(e1, 10))

/* --- notification --- */

static void test_initialisation_in_order_of_creation(void **state) {
    (void)state;
    struct actor a = {.name = "a"}, b = {.name = "b"}, c = {.name = "c"};
    create(&a, NULL);
    process_dont_initialize(create(&b, NULL));
    create(&c, NULL);
    assert_int_equal(run(100), KERNEL_STARVED);
    assert_string_equal(log_text, "a@0/0 c@0/0 ");
    assert_int_equal(kernel_now(k), 0);
    assert_int_equal(kernel_event_count(k), 2);
    assert_int_equal(kernel_delta_count(k), 1);
}

static void test_immediate_delta_timed(void **state) {
    (void)state;
    struct actor a = {"a", {mixed}, NULL, 0}, x = {.name = "x"}, y = {.name = "y"}, z = {.name = "z"};
    create(&a, NULL);
    process_dont_initialize(create(&x, e1));
    process_dont_initialize(create(&y, e2));
    process_dont_initialize(create(&z, e3));
    assert_int_equal(run(5), KERNEL_STARVED);
    assert_string_equal(log_text, "a@0/0 z@0/0 x@0/1 y@5/2 ");
}

/* The override rules: checks the notification of e1, heard by x alone, after one step. */
static void check_override(void (*step)(struct process *), const char *expected) {
    start_anew();
    struct actor a = {"a", {step}, NULL, 0}, x = {.name = "x"};
    create(&a, NULL);
    process_dont_initialize(create(&x, e1));
    assert_int_equal(run(1000), KERNEL_STARVED);
    assert_string_equal(log_text, expected);
}

static void test_override_rules(void **state) {
    (void)state;
    check_override(now_1, "a@0/0 x@0/0 ");
    check_override(delta_1, "a@0/0 x@0/1 ");
    check_override(after_0, "a@0/0 x@0/1 ");
    check_override(after_10, "a@0/0 x@10/1 ");
    check_override(after_10_then_5, "a@0/0 x@5/1 ");
    check_override(after_5_then_10, "a@0/0 x@5/1 ");
    check_override(after_5_then_delta, "a@0/0 x@0/1 ");
    check_override(delta_then_after_5, "a@0/0 x@0/1 ");
    check_override(delta_then_now, "a@0/0 x@0/0 ");
    check_override(after_5_then_now, "a@0/0 x@0/0 ");
    check_override(cancelled, "a@0/0 ");
    check_override(twice_now, "a@0/0 x@0/0 ");
}

/* Cancelled and notified again: the event is behind those notified meanwhile. */
static void test_order_of_delta_notifications(void **state) {
    (void)state;
    struct actor a = {"a", {cancelled_and_again}, NULL, 0}, x = {.name = "x"}, y = {.name = "y"};
    create(&a, NULL);
    process_dont_initialize(create(&x, e1));
    process_dont_initialize(create(&y, e2));
    run(0);
    assert_string_equal(log_text, "a@0/0 y@0/1 x@0/1 ");
}

static void test_order_at_one_time(void **state) {
    (void)state;
    struct actor a = {"a", {all_at_10}, NULL, 0}, x = {.name = "x"}, y = {.name = "y"}, w = {.name = "w"};
    create(&a, NULL);
    process_dont_initialize(create(&x, e1));
    process_dont_initialize(create(&y, e2));
    create(&w, e1); /* behind x, and at 10 behind y */
    run(100);
    assert_string_equal(log_text, "a@0/0 w@0/0 y@10/1 x@10/1 w@10/1 ");
}

static void test_time_passes_event_by_event(void **state) {
    (void)state;
    struct actor a = {"a", {timed_plan}, NULL, 0}, x = {.name = "x"}, y = {.name = "y"};
    create(&a, NULL);
    process_dont_initialize(create(&x, e1));
    process_dont_initialize(create(&y, e2));
    assert_int_equal(run(9), KERNEL_REACHED);
    assert_int_equal(kernel_now(k), 9);
    assert_int_equal(kernel_next_time(k), 10);
    assert_string_equal(log_text, "a@0/0 ");
    assert_int_equal(run(10), KERNEL_REACHED); /* up to and including */
    assert_string_equal(log_text, "a@0/0 x@10/1 ");
    event_notify_after(e1, 3); /* between runs: from the present, 10 */
    assert_int_equal(run(SIM_TIME_NEVER), KERNEL_STARVED);
    assert_string_equal(log_text, "a@0/0 x@10/1 x@13/2 y@20/3 ");
    assert_int_equal(kernel_now(k), 20);
    assert_int_equal(kernel_next_time(k), SIM_TIME_NEVER);
}

enum { CROWD = 100 };
static struct event *crowd[CROWD];
static unsigned order[CROWD], ordered;
static void note_order(void *context) {
    order[ordered++] = (unsigned)((struct event **)context - crowd);
}

static void create_crowd(void) {
    ordered = 0;
    for (unsigned i = 0; i < CROWD; i++) {
        char name[2][16];
        snprintf(name[0], sizeof name[0], "event%u", i);
        snprintf(name[1], sizeof name[1], "process%u", i);
        crowd[i] = event_create(k, name[0]);
        struct process *p = process_create(k, name[1], note_order, &crowd[i]);
        process_dont_initialize(p);
        process_sensitive(p, crowd[i]);
    }
}

/* More than the sorted array holds, all at one time: in the order of notification. */
static void test_a_crowd_at_one_time(void **state) {
    (void)state;
    create_crowd();
    for (unsigned i = 0; i < CROWD; i++) event_notify_after(crowd[i * 37 % CROWD], 50);
    assert_int_equal(run(50), KERNEL_STARVED);
    assert_int_equal(ordered, CROWD);
    for (unsigned i = 0; i < CROWD; i++) assert_int_equal(order[i], i * 37 % CROWD);
}

/* All elements of the sorted array are cancelled: the first of the heap is next. */
static void test_the_next_ones_are_cancelled(void **state) {
    (void)state;
    create_crowd();
    for (unsigned i = 0; i < CROWD; i++) event_notify_after(crowd[i], 1 + i);
    for (unsigned i = 0; i < 40; i++) event_cancel(crowd[i]);
    assert_int_equal(kernel_next_time(k), 41);
    assert_int_equal(run(SIM_TIME_NEVER), KERNEL_STARVED);
    assert_int_equal(ordered, 60);
    for (unsigned i = 0; i < 60; i++) assert_int_equal(order[i], 40 + i);
}

/* --- the end of time --- */

static void notify_too_late(void *context) {
    (void)context;
    event_notify_after(e1, SIM_TIME_NEVER - 1 - kernel_now(k));
    event_notify_after(e2, SIM_TIME_NEVER - kernel_now(k));
}

static void notify_early(void *context) {
    (void)context;
    event_notify(e1);
}

static void test_time_does_not_wrap(void **state) {
    (void)state;
    struct actor x = {.name = "x"};
    process_dont_initialize(create(&x, e1));
    event_notify_after(e3, 2000);
    assert_int_equal(run(1000), KERNEL_REACHED);
    assert_true(panics(notify_too_late, NULL));
    event_notify_after(e1, SIM_TIME_NEVER - 1 - 1000); /* the last possible picosecond */
    assert_int_equal(run(SIM_TIME_NEVER), KERNEL_STARVED);
    assert_string_equal(log_text, "x@18446744073709551614/0 ");
}

static void test_immediate_notification_before_the_run_is_a_panic(void **state) {
    (void)state;
    assert_true(panics(notify_early, NULL));
}

/* Cancelled in the wheel by the thousand, and notified again for the same time: in the
 * order of the latter. */
static void test_cancelled_far_ahead(void **state) {
    (void)state;
    create_crowd();
    for (unsigned round = 0; round < 500; round++) {
        for (unsigned i = 0; i < CROWD; i++) event_cancel(crowd[i]);
        for (unsigned i = 0; i < CROWD; i++) event_notify_after(crowd[(i * 7 + round) % CROWD], 1000000);
    }
    assert_int_equal(kernel_next_time(k), 1000000);
    assert_int_equal(run(SIM_TIME_NEVER), KERNEL_STARVED);
    assert_int_equal(ordered, CROWD);
    for (unsigned i = 0; i < CROWD; i++) assert_int_equal(order[i], (i * 7 + 499) % CROWD);
}

/* An event at every power of two, thus in each level of the wheel; distant events do not hide nearer ones. */
static void test_every_distance(void **state) {
    (void)state;
    create_crowd();
    for (unsigned i = 63; i-- > 0;) event_notify_after(crowd[i], UINT64_C(1) << i);
    for (unsigned i = 63; i < CROWD; i++) event_notify_after(crowd[i], 5);
    for (unsigned i = 0; i < 63; i++) {
        assert_int_equal(kernel_next_time(k), i == 3 ? 5 : UINT64_C(1) << (i < 3 ? i : i - 1));
        run(i == 3 ? 5 : UINT64_C(1) << (i < 3 ? i : i - 1));
    }
    run(UINT64_C(1) << 62);
    assert_int_equal(ordered, CROWD);
    assert_int_equal(order[2], 2);
    assert_int_equal(order[3], 63);
    assert_int_equal(order[CROWD - 1], 62);
}

/* An event between runs, earlier than the ones the queue has already inspected. */
static void test_notified_before_the_next_one(void **state) {
    (void)state;
    create_crowd();
    for (unsigned i = 0; i < 60; i++) event_notify_after(crowd[i], 1000000 + i);
    run(10);
    assert_int_equal(kernel_next_time(k), 1000000);
    for (unsigned i = 60; i < CROWD; i++) event_notify_after(crowd[i], 10 + i);
    run(SIM_TIME_NEVER);
    for (unsigned i = 0; i < CROWD; i++) assert_int_equal(order[i], (i + 60) % CROWD);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_initialisation_in_order_of_creation),
        TEST(test_immediate_delta_timed),
        TEST(test_override_rules),
        TEST(test_order_of_delta_notifications),
        TEST(test_order_at_one_time),
        TEST(test_time_passes_event_by_event),
        TEST(test_a_crowd_at_one_time),
        TEST(test_the_next_ones_are_cancelled),
        TEST(test_time_does_not_wrap),
        TEST(test_immediate_notification_before_the_run_is_a_panic),
        TEST(test_cancelled_far_ahead),
        TEST(test_every_distance),
        TEST(test_notified_before_the_next_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
