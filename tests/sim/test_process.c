/* Methods: static and dynamic sensitivity, event lists, groups of methods with one event. */
#include "tests/sim/kernel_fixture.h"

STEP(now_1, event_notify(e1))
STEP(delta_1, event_notify_delta(e1))
STEP(wait_2, process_next_trigger(p, e2))
STEP(wait_1_then_2, process_next_trigger(p, e1); process_next_trigger(p, e2))
STEP(wait_2_then_7, process_next_trigger(p, e2); process_next_trigger_after(p, 7))
STEP(wait_7_then_2, process_next_trigger_after(p, 7); process_next_trigger(p, e2))
STEP(wait_0, process_next_trigger_after(p, 0))
STEP(wait_0_then_2, process_next_trigger_after(p, 0); process_next_trigger(p, e2))
STEP(wait_7, process_next_trigger_after(p, 7))
STEP(wait_at_9, process_next_trigger_at(p, 9))
STEP(wait_1_notify_1, process_next_trigger(p, e1); event_notify(e1))

/* --- sensitivity --- */

/* d is statically sensitive to e1 and executes `step` first; e1 occurs at 5, e2 at 6, e1 at 8. */
static void check_dynamic(void (*step)(struct process *), const char *expected) {
    start_anew();
    struct actor d = {"d", {step}, NULL, 0};
    create(&d, e1);
    run(0);
    event_notify_after(e1, 5);
    run(5);
    event_notify_after(e2, 1);
    run(6);
    event_notify_after(e1, 2);
    run(100);
    assert_string_equal(log_text, expected);
}

static void test_next_trigger_replaces_static_sensitivity_once(void **state) {
    (void)state;
    check_dynamic(NULL, "d@0/0 d@5/1 d@8/2 ");
    check_dynamic(wait_2, "d@0/0 d@6/1 d@8/2 ");
    check_dynamic(wait_1_then_2, "d@0/0 d@6/1 d@8/2 ");
    check_dynamic(wait_7_then_2, "d@0/0 d@6/1 d@8/2 ");
    check_dynamic(wait_0_then_2, "d@0/0 d@6/1 d@8/2 ");
    check_dynamic(wait_2_then_7, "d@0/0 d@7/1 d@8/2 ");
    check_dynamic(wait_7, "d@0/0 d@7/1 d@8/2 ");
    check_dynamic(wait_at_9, "d@0/0 d@9/1 ");
    check_dynamic(wait_0, "d@0/0 d@0/1 d@5/2 d@8/3 ");
}

static void test_own_immediate_notification_is_not_heard(void **state) {
    (void)state;
    struct actor a = {"a", {now_1, wait_1_notify_1}, NULL, 0}, b = {"b", {NULL, NULL, delta_1}, NULL, 0};
    create(&a, e1);
    create(&b, e1);
    run(0); /* a notifies e1: b is runnable already, a itself deaf */
    assert_string_equal(log_text, "a@0/0 b@0/0 ");
    event_notify_after(e1, 1);
    run(1); /* a waits for e1 and notifies it: b is already runnable; a keeps waiting */
    assert_string_equal(log_text, "a@0/0 b@0/0 a@1/1 b@1/1 ");
    event_notify_after(e1, 1);
    run(2); /* static b before waiting a */
    assert_string_equal(log_text, "a@0/0 b@0/0 a@1/1 b@1/1 b@2/2 a@2/2 a@2/3 b@2/3 ");
}

static void test_waiting_in_order_of_asking(void **state) {
    (void)state;
    struct actor a = {"a", {wait_2, wait_7_then_2}, NULL, 0}, b = {"b", {wait_2}, NULL, 0},
                 c = {"c", {wait_2}, NULL, 0};
    create(&a, e1);
    create(&b, NULL);
    create(&c, NULL);
    run(0);
    event_notify_after(e2, 1);
    run(1);
    assert_string_equal(log_text, "a@0/0 b@0/0 c@0/0 a@1/1 b@1/1 c@1/1 ");
    event_notify_after(e2, 1); /* only a has asked again */
    run(2);
    assert_string_equal(log_text, "a@0/0 b@0/0 c@0/0 a@1/1 b@1/1 c@1/1 a@2/2 ");
}

/* A process in the middle of the waiting list requests another trigger: it is removed, the others stay. */
static void test_waiting_list_loses_its_middle(void **state) {
    (void)state;
    struct actor a = {"a", {wait_2}, NULL, 0}, b = {"b", {wait_2}, NULL, 0}, c = {"c", {wait_2}, NULL, 0};
    create(&a, NULL);
    create(&b, NULL);
    create(&c, NULL);
    run(0);
    process_next_trigger_at(b.process, 4);
    event_notify_after(e2, 6);
    run(10);
    assert_string_equal(log_text, "a@0/0 b@0/0 c@0/0 b@4/1 a@6/2 c@6/2 ");
}

/* --- event lists --- */

static struct event *pair[3];
static void set_pair(struct event *a, struct event *b, struct event *c) {
    pair[0] = a;
    pair[1] = b;
    pair[2] = c;
}

STEP(any_of_2_3, set_pair(e2, e3, e2); process_next_trigger_any(p, pair, 3, SIM_TIME_NEVER))
STEP(all_of_2_3, set_pair(e2, e3, e2); process_next_trigger_all(p, pair, 3, SIM_TIME_NEVER))
STEP(all_of_2_3_until_4, set_pair(e2, e3, e2); process_next_trigger_all(p, pair, 2, 4))
STEP(any_of_2_3_at_once, set_pair(e2, e3, e2); process_next_trigger_any(p, pair, 2, 0))
STEP(any_then_static, any_of_2_3(p); process_next_trigger_after(p, 9))

/* d executes `step` at 0; e1 occurs at 1, e2 at 2 and 3, e3 at 5. */
static void check_list(void (*step)(struct process *), const char *expected) {
    start_anew();
    struct actor d = {"d", {step}, NULL, 0};
    create(&d, e1);
    run(0);
    const struct {
        struct event *event;
        sim_time time;
    } plan[] = {{e1, 1}, {e2, 2}, {e2, 3}, {e3, 5}};
    for (int i = 0; i < 4; i++) {
        event_notify_after(plan[i].event, plan[i].time - kernel_now(k));
        run(plan[i].time);
    }
    run(20);
    assert_string_equal(log_text, expected);
}

static void test_event_lists(void **state) {
    (void)state;
    check_list(any_of_2_3, "d@0/0 d@2/1 ");
    check_list(all_of_2_3, "d@0/0 d@5/1 ");
    check_list(all_of_2_3_until_4, "d@0/0 d@4/1 ");
    check_list(any_of_2_3_at_once, "d@0/0 d@0/1 d@1/2 "); /* followed by e1 */
    check_list(any_then_static, "d@0/0 d@9/1 ");
}

static bool timed_out[3];
STEP(note_1, timed_out[0] = process_timed_out(p); any_of_2_3_at_once(p))
STEP(note_2, timed_out[1] = process_timed_out(p))
STEP(note_3, timed_out[2] = process_timed_out(p))

static void test_timed_out_is_of_this_activation(void **state) {
    (void)state;
    struct actor d = {"d", {note_1, note_2, note_3}, NULL, 0};
    create(&d, e1);
    run(0);
    event_notify_after(e1, 5);
    run(5);
    assert_int_equal(d.activations, 3);
    assert_false(timed_out[0]);
    assert_true(timed_out[1]);
    assert_false(timed_out[2]);
}

/* After waking for one event of a list, the others are no longer awaited. */
static void test_the_rest_of_a_list_is_forgotten(void **state) {
    (void)state;
    struct actor d = {"d", {any_of_2_3}, NULL, 0};
    create(&d, NULL);
    run(0);
    event_notify_after(e3, 1);
    run(1);
    event_notify_after(e2, 1);
    event_notify_after(e3, 2);
    run(9);
    assert_string_equal(log_text, "d@0/0 d@1/1 ");
}

static void wait_for_nothing(void *context) {
    process_next_trigger_any(context, pair, 0, SIM_TIME_NEVER);
}
static void wait_beyond_time(void *context) {
    set_pair(e1, e2, e3);
    process_next_trigger_any(context, pair, 2, SIM_TIME_NEVER - 1);
}

static void test_list_misuse(void **state) {
    (void)state;
    struct actor d = {.name = "d"};
    create(&d, e1);
    event_notify_after(e3, 9);
    assert_int_equal(run(5), KERNEL_REACHED);
    assert_true(panics(wait_for_nothing, d.process));
    assert_true(panics(wait_beyond_time, d.process));
}

/* --- groups: methods sensitive to one event and nothing else run as one; no rule may show it --- */

enum { MEMBERS = 4 };
static struct actor members[MEMBERS];

static void create_members(struct event *e) {
    static const char *const names[MEMBERS] = {"a", "b", "c", "d"};
    for (int i = 0; i < MEMBERS; i++) {
        members[i] = (struct actor){.name = names[i]};
        process_dont_initialize(create(&members[i], e));
    }
}

/* e1 at 1, 2 and 3; member b does the step when it first runs. */
static void check_group(void (*step)(struct process *), const char *expected) {
    start_anew();
    create_members(e1);
    struct actor x = {.name = "x"};
    process_dont_initialize(create(&x, e2));
    members[1].steps[0] = step;
    for (sim_time t = 1; t <= 3; t++) {
        event_notify_after(e1, t - kernel_now(k));
        run(t);
    }
    assert_string_equal(log_text, expected);
    assert_int_equal(kernel_event_count(k), strlen(log_text) / 6);
}

STEP(now_2, event_notify(e2))
STEP(delta_1_too, event_notify_delta(e1))
STEP(stop_at_once, kernel_stop_now(k))
STEP(count_activations, assert_int_equal(kernel_event_count(k), 2); assert_int_equal(kernel_next_time(k), 1))
STEP(try_advance, assert_false(kernel_advance(k, 2)))

static void test_groups_keep_the_rules(void **state) {
    (void)state;
    check_group(NULL, "a@1/0 b@1/0 c@1/0 d@1/0 a@2/1 b@2/1 c@2/1 d@2/1 a@3/2 b@3/2 c@3/2 d@3/2 ");
    check_group(now_2, "a@1/0 b@1/0 c@1/0 d@1/0 x@1/0 a@2/1 b@2/1 c@2/1 d@2/1 a@3/2 b@3/2 c@3/2 d@3/2 ");
    /* c and d are still to run, a has run and runs again, b does not hear its own notification */
    check_group(now_1, "a@1/0 b@1/0 c@1/0 d@1/0 a@1/0 a@2/1 b@2/1 c@2/1 d@2/1 a@3/2 b@3/2 c@3/2 d@3/2 ");
    check_group(delta_1_too,
                "a@1/0 b@1/0 c@1/0 d@1/0 a@1/1 b@1/1 c@1/1 d@1/1 a@2/2 b@2/2 c@2/2 d@2/2 a@3/3 b@3/3 "
                "c@3/3 d@3/3 ");
    check_group(wait_2, "a@1/0 b@1/0 c@1/0 d@1/0 a@2/1 c@2/1 d@2/1 a@3/2 c@3/2 d@3/2 ");
    check_group(stop_at_once, "a@1/0 b@1/0 ");
    check_group(count_activations,
                "a@1/0 b@1/0 c@1/0 d@1/0 a@2/1 b@2/1 c@2/1 d@2/1 a@3/2 b@3/2 c@3/2 d@3/2 ");
    check_group(try_advance, "a@1/0 b@1/0 c@1/0 d@1/0 a@2/1 b@2/1 c@2/1 d@2/1 a@3/2 b@3/2 c@3/2 d@3/2 ");
}

/* A group of one, run without the queue: it continues alone, or waits for another event. */
STEP(advance_2, assert_true(kernel_advance(k, kernel_now(k) + 2)); log_activation("again"))

static void test_a_group_of_one(void **state) {
    (void)state;
    struct actor a = {"a", {NULL, advance_2, now_1, wait_2}, NULL, 0};
    process_dont_initialize(create(&a, e1));
    for (sim_time t = 10; t <= 60; t += 10) {
        event_notify_after(e1, t - kernel_now(k));
        run(t + 5);
    }
    assert_string_equal(log_text, "a@10/0 a@20/1 again@22/2 a@30/3 a@40/4 ");
    assert_int_equal(kernel_event_count(k), 5);
    event_notify_after(e2, 1);
    run(80);
    assert_string_equal(log_text, "a@10/0 a@20/1 again@22/2 a@30/3 a@40/4 a@61/5 ");
}

/* The only method of a signal, which is run directly. */
STEP(toggle_signal, signal_write(s1, signal_read(s1) ^ 1))
STEP(toggle_and_wait, toggle_signal(p); process_next_trigger(p, e2))
STEP(toggle_and_notify_own, toggle_signal(p); event_notify(signal_changed(s1)))
STEP(toggle_and_advance, assert_true(kernel_advance(k, kernel_now(k) + 3)); toggle_signal(p))

static void test_a_direct_listener_keeps_the_rules(void **state) {
    (void)state;
    struct actor a = {"a",
                      {toggle_signal, toggle_signal, toggle_and_advance, toggle_and_notify_own,
                       toggle_and_wait, toggle_signal},
                      NULL,
                      0};
    create(&a, signal_changed(s1));
    run(10);
    /* the 5th activation writes and waits for e2: it does not hear that change */
    assert_string_equal(log_text, "a@0/0 a@0/1 a@0/2 a@3/4 a@3/5 ");
    event_notify_after(e2, 2);
    run(20);
    assert_string_equal(log_text, "a@0/0 a@0/1 a@0/2 a@3/4 a@3/5 a@5/6 a@5/7 ");
    assert_int_equal(kernel_event_count(k), 8);
}

static void trigger_another(void *context) {
    process_next_trigger(context, e2);
}
static void test_a_member_that_is_about_to_run_is_left_alone(void **state) {
    (void)state;
    create_members(e1);
    struct actor x = {"x", {NULL}, NULL, 0};
    create(&x, NULL);
    run(0);
    event_notify_after(e1, 5);
    kernel_pause(k);
    assert_int_equal(run(5), KERNEL_PAUSED);
    trigger_another(members[0].process); /* not triggered yet, which is permitted */
    event_notify_delta(e1);
    assert_int_equal(run(5), KERNEL_STARVED);
    assert_string_equal(log_text, "x@0/0 b@0/1 c@0/1 d@0/1 ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_next_trigger_replaces_static_sensitivity_once),
        TEST(test_own_immediate_notification_is_not_heard),
        TEST(test_waiting_in_order_of_asking),
        TEST(test_waiting_list_loses_its_middle),
        TEST(test_event_lists),
        TEST(test_timed_out_is_of_this_activation),
        TEST(test_the_rest_of_a_list_is_forgotten),
        TEST(test_list_misuse),
        TEST(test_groups_keep_the_rules),
        TEST(test_a_group_of_one),
        TEST(test_a_direct_listener_keeps_the_rules),
        TEST(test_a_member_that_is_about_to_run_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
