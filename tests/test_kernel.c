/* The kernel's rules, each with an order worked out by hand. */
#include "sim/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static struct kernel *k;
static struct event *e1, *e2, *e3;
static struct signal *s1;
static char log_text[4096];

static int enter(void **state) {
    (void)state;
    k = kernel_create();
    e1 = event_create(k, "e1");
    e2 = event_create(k, "e2");
    e3 = event_create(k, "e3");
    s1 = signal_create(k, "s1", 4, 5);
    log_text[0] = 0;
    return 0;
}

static int leave(void **state) {
    (void)state;
    kernel_destroy(k);
    return 0;
}

/* A process whose n-th activation is the n-th of its steps; it logs "name@time/delta ". */
struct actor {
    const char *name;
    void (*steps[8])(struct process *p);
    struct process *process;
    unsigned activations;
};

static void act(void *context) {
    struct actor *a = context;
    size_t used = strlen(log_text);
    snprintf(log_text + used, sizeof log_text - used, "%s@%lu/%lu ", a->name, kernel_now(k),
             kernel_delta_count(k));
    void (*step)(struct process *) = a->activations < 8 ? a->steps[a->activations] : NULL;
    a->activations++;
    if (step) step(a->process);
}

static struct process *create(struct actor *a, struct event *sensitive) {
    a->process = process_create(k, a->name, act, a);
    if (sensitive) process_sensitive(a->process, sensitive);
    return a->process;
}

static enum kernel_outcome run(sim_time until) {
    struct error e = {0};
    enum kernel_outcome o = kernel_run(k, until, &e);
    assert_int_equal(e.status, EXIT_SOUND);
    return o;
}

/* --- steps --- */

#define STEP(name, body)                                                                                     \
    static void name(struct process *p) {                                                                    \
        (void)p;                                                                                             \
        body;                                                                                                \
    }
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
STEP(wait_2, process_next_trigger(p, e2))
STEP(wait_1_then_2, process_next_trigger(p, e1); process_next_trigger(p, e2))
STEP(wait_2_then_7, process_next_trigger(p, e2); process_next_trigger_after(p, 7))
STEP(wait_7_then_2, process_next_trigger_after(p, 7); process_next_trigger(p, e2))
STEP(wait_0, process_next_trigger_after(p, 0))
STEP(wait_0_then_2, process_next_trigger_after(p, 0); process_next_trigger(p, e2))
STEP(wait_7, process_next_trigger_after(p, 7))
STEP(wait_at_9, process_next_trigger_at(p, 9))
STEP(wait_1_notify_1, process_next_trigger(p, e1); event_notify(e1))
STEP(timed_plan, event_notify_after(e1, 10); event_notify_after(e2, 20); event_notify_after(e1, 30))
STEP(all_at_10, event_notify_after(e2, 10); event_notify_after(e1, 10))
STEP(pause_then, kernel_pause(k); event_notify_delta(e1); event_notify(e2))

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

/* The override rules: what happens to e1, heard by x alone, after one step. */
static void check_override(void (*step)(struct process *), const char *expected) {
    void *unused = NULL;
    leave(&unused);
    enter(&unused);
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

/* Cancelled and made again: it stands behind what was made meanwhile. */
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

/* All that the sorted array holds is cancelled: the heap's first comes next. */
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

/* --- sensitivity --- */

/* d is statically sensitive to e1 and does `step` first; e1 comes at 5, e2 at 6, e1 at 8. */
static void check_dynamic(void (*step)(struct process *), const char *expected) {
    void *unused = NULL;
    leave(&unused);
    enter(&unused);
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
    run(1); /* a waits for e1 and notifies it: b again, already runnable; a goes on waiting */
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

/* The process in the middle of those waiting changes its mind: it is taken out, the others stay. */
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

/* --- signals --- */

static uint64_t seen[4];
STEP(write_and_read, signal_write(s1, 0x1a); seen[0] = signal_read(s1))
STEP(read_again, seen[1] = signal_read(s1))
STEP(write_same, signal_write(s1, 5))
STEP(write_and_back, signal_write(s1, 6); signal_write(s1, 5))
STEP(write_0, signal_write(s1, 0))
STEP(write_3_twice, signal_write(s1, 3); event_notify_delta(e1); signal_write(s1, 3))

static void test_signal_is_seen_after_update(void **state) {
    (void)state;
    struct actor a = {"a", {write_and_read}, NULL, 0}, b = {"b", {read_again}, NULL, 0}, c = {.name = "c"};
    create(&a, NULL);
    create(&b, NULL);
    process_dont_initialize(create(&c, signal_changed(s1)));
    run(0);
    assert_int_equal(seen[0], 5);
    assert_int_equal(seen[1], 5);
    assert_int_equal(signal_read(s1), 0xa); /* masked to four bits */
    assert_string_equal(log_text, "a@0/0 b@0/0 c@0/1 ");
    assert_int_equal(signal_width(s1), 4);
    assert_string_equal(signal_name(s1), "s1");
}

static void test_signal_events(void **state) {
    (void)state;
    struct actor a = {
        "a", {write_same, write_and_back, write_0, write_0, write_and_read, write_3_twice}, NULL, 0};
    struct actor c = {.name = "c"}, p = {.name = "p"}, n = {.name = "n"}, x = {.name = "x"};
    create(&a, e2);
    process_dont_initialize(create(&c, signal_changed(s1)));
    process_dont_initialize(create(&p, signal_posedge(s1)));
    process_dont_initialize(create(&n, signal_negedge(s1)));
    process_dont_initialize(create(&x, e1));
    run(0);
    const char *const expected[] = {"", "c@2/3 n@2/3 ", "", "c@4/6 p@4/6 ", "x@5/8 c@5/8 "};
    const char *const own[] = {"a@1/1 ", "a@2/2 ", "a@3/4 ", "a@4/5 ", "a@5/7 "};
    for (sim_time t = 1; t <= 5; t++) {
        log_text[0] = 0;
        event_notify_after(e2, 1);
        run(t);
        char both[64];
        snprintf(both, sizeof both, "%s%s", own[t - 1], expected[t - 1]);
        assert_string_equal(log_text, both);
    }
}

static void test_signal_written_before_the_run(void **state) {
    (void)state;
    struct actor a = {"a", {read_again}, NULL, 0}, c = {.name = "c"};
    create(&a, NULL);
    process_dont_initialize(create(&c, signal_changed(s1)));
    signal_write(s1, 9);
    run(0);
    assert_string_equal(log_text, "a@0/0 c@0/1 ");
    assert_int_equal(signal_read(s1), 9);
}

static void test_wide_signal(void **state) {
    (void)state;
    struct signal *wide = signal_create(k, "wide", 64, UINT64_MAX);
    assert_int_equal(signal_read(wide), UINT64_MAX);
    struct signal *bit = signal_create(k, "bit", 1, 6);
    assert_int_equal(signal_read(bit), 0);
}

/* --- clocks --- */

static void test_edges_of_a_rational_period(void **state) {
    (void)state;
    struct clock *c = clock_create(k, "3 GHz", 1000, 3);
    const sim_time edges[] = {0, 333, 666, 1000, 1333, 1666, 2000};
    for (uint64_t n = 0; n < 7; n++) {
        assert_int_equal(clock_edge(c, n), edges[n]);
        assert_int_equal(clock_cycles(c, edges[n]), n);
        if (n) assert_int_equal(clock_cycles(c, edges[n] - 1), n - 1);
    }
    /* 10^15 cycles of 1/3 ns are 333,333,333,333,333,333.3 ps: not a picosecond has been lost */
    assert_int_equal(clock_edge(c, UINT64_C(1000000000000000)), UINT64_C(333333333333333333));
    assert_int_equal(clock_cycles(c, UINT64_C(333333333333333333)), UINT64_C(1000000000000000));
}

static void test_clocked_processes(void **state) {
    (void)state;
    struct clock *c = clock_create(k, "c", 7, 2), *d = clock_create(k, "d", 7, 1);
    struct actor a = {.name = "a"}, b = {.name = "b"}, f = {.name = "f"}, t = {"t", {wait_7}, NULL, 0};
    process_dont_initialize(create(&b, clock_posedge(d))); /* made first, but clock c was made before d */
    process_dont_initialize(create(&a, clock_posedge(c)));
    process_dont_initialize(create(&f, clock_negedge(c)));
    create(&t, NULL);
    assert_int_equal(run(8), KERNEL_REACHED);
    /* c rises at 0, 3.5, 7 and falls at 1.75, 5.25, 8.75; d rises at 0, 7 */
    assert_string_equal(log_text, "t@0/0 a@0/1 b@0/1 f@1/2 a@3/3 f@5/4 a@7/5 b@7/5 t@7/5 f@8/6 ");
    assert_int_equal(kernel_next_time(k), 10);
}

/* Millions of cycles by stepping, against the formula. */
struct counting {
    struct clock *clock;
    uint64_t n, wrong;
};
static void count_edge(void *context) {
    struct counting *c = context;
    c->wrong += kernel_now(k) != clock_edge(c->clock, c->n);
    c->n++;
}
static void test_edges_are_never_accumulated(void **state) {
    (void)state;
    struct counting c = {.clock = clock_create(k, "c", 99991, 701)};
    struct process *p = process_create(k, "p", count_edge, &c);
    process_dont_initialize(p);
    process_sensitive(p, clock_posedge(c.clock));
    run(UINT64_C(99991) * 1000); /* 701,000 periods exactly */
    assert_int_equal(c.n, 701001);
    assert_int_equal(c.wrong, 0);
}

static struct clock *the_clock;
STEP(wait_edge, process_next_trigger(p, clock_posedge(the_clock)))
STEP(wait_at_20, process_next_trigger_at(p, 20))
STEP(wait_at_35, process_next_trigger_at(p, 35))

/* Who waits at the time of an edge waits for the next; a sleeping clock wakes in step. */
static void test_edges_nobody_listens_to_are_skipped(void **state) {
    (void)state;
    the_clock = clock_create(k, "c", 10, 1);
    struct actor a = {"a", {wait_edge, wait_at_20, wait_edge, wait_at_35, wait_edge, wait_2}, NULL, 0};
    create(&a, NULL);
    assert_int_equal(run(1000), KERNEL_STARVED); /* the clock alone is nothing to run */
    assert_string_equal(log_text, "a@0/0 a@0/1 a@20/2 a@30/3 a@35/4 a@40/5 ");
    assert_int_equal(kernel_now(k), 40);
}

/* A clocked process that waits for something else stops its clock. */
static void test_a_sleeping_process_stops_its_clock(void **state) {
    (void)state;
    the_clock = clock_create(k, "c", 10, 1);
    struct actor a = {"a", {NULL, wait_at_35, NULL, wait_2}, NULL, 0};
    create(&a, clock_posedge(the_clock));
    assert_int_equal(run(1000), KERNEL_STARVED);
    assert_string_equal(log_text, "a@0/0 a@0/1 a@35/2 a@40/3 ");
    event_notify_after(e2, 3);
    assert_int_equal(run(55), KERNEL_REACHED);
    assert_string_equal(log_text, "a@0/0 a@0/1 a@35/2 a@40/3 a@43/4 a@50/5 ");
}

/* --- stopping, looping, advancing --- */

static void test_pause_after_the_delta_cycle(void **state) {
    (void)state;
    struct actor a = {"a", {pause_then}, NULL, 0}, x = {.name = "x"}, y = {.name = "y"};
    create(&a, NULL);
    process_dont_initialize(create(&x, e1));
    process_dont_initialize(create(&y, e2));
    assert_int_equal(run(100), KERNEL_PAUSED);
    assert_string_equal(log_text, "a@0/0 y@0/0 ");
    assert_int_equal(kernel_next_time(k), 0); /* x is about to run */
    assert_int_equal(run(100), KERNEL_STARVED);
    assert_string_equal(log_text, "a@0/0 y@0/0 x@0/1 ");
}

static void toggle(void *context) {
    signal_write(context, !signal_read(context));
}
static void idle(void *context) {
    (void)context;
}
static void immediately(void *context) {
    event_notify(context);
}

static void test_delta_limit_names_the_loop(void **state) {
    (void)state;
    struct signal *s = signal_create(k, "s", 1, 0);
    process_create(k, "innocent", idle, NULL);
    process_sensitive(process_create(k, "oscillator", toggle, s), signal_changed(s));
    process_sensitive(process_create(k, "follower", idle, NULL), signal_changed(s));
    kernel_set_delta_limit(k, 500);
    struct error e = {0};
    assert_int_equal(kernel_run(k, 100, &e), KERNEL_DELTA_LIMIT);
    assert_int_equal(e.status, EXIT_PROGRAM_FAULT);
    assert_string_equal(e.message, "time stands still at 0 ps after 500 delta cycles; these processes loop: "
                                   "'oscillator', 'follower'");
    assert_int_equal(kernel_delta_count(k), 500);
    e = (struct error){0};
    assert_int_equal(kernel_run(k, 100, &e), KERNEL_DELTA_LIMIT); /* and on, if one likes */
    assert_int_equal(kernel_delta_count(k), 1000);
}

static void test_immediate_loop_is_caught(void **state) {
    (void)state;
    process_sensitive(process_create(k, "ping", immediately, e1), e2);
    process_sensitive(process_create(k, "pong", immediately, e2), e1);
    kernel_set_delta_limit(k, 500);
    struct error e = {0};
    assert_int_equal(kernel_run(k, 100, &e), KERNEL_DELTA_LIMIT);
    assert_non_null(strstr(e.message, "'ping', 'pong'"));
}

/* Exactly the limit is allowed, one more is not. */
struct countdown {
    struct process *process;
    unsigned left;
};
static void count_down(void *context) {
    struct countdown *c = context;
    if (c->left-- > 1) process_next_trigger_after(c->process, 0);
}
static void test_delta_limit_is_exact(void **state) {
    (void)state;
    struct countdown c = {.left = 100};
    c.process = process_create(k, "c", count_down, &c);
    kernel_set_delta_limit(k, 100);
    assert_int_equal(run(10), KERNEL_STARVED);
    c.left = 101;
    process_next_trigger_at(c.process, 20);
    struct error e = {0};
    assert_int_equal(kernel_run(k, 30, &e), KERNEL_DELTA_LIMIT);
    assert_string_equal(e.message,
                        "time stands still at 20 ps after 100 delta cycles; these processes loop: 'c'");
}

struct traveller {
    struct process *process;
    sim_time times[8];
    bool advanced[8];
    unsigned n;
};
static void travel(void *context) {
    struct traveller *t = context;
    const sim_time steps[] = {5, 5, 20, 30, 30};
    for (; t->n < 5; t->n++) {
        t->times[t->n] = kernel_now(k);
        t->advanced[t->n] = kernel_advance(k, kernel_now(k) + steps[t->n]);
        if (!t->advanced[t->n]) {
            process_next_trigger_after(t->process, steps[t->n]);
            t->n++;
            return;
        }
    }
}

static void test_advance(void **state) {
    (void)state;
    struct traveller t = {0};
    struct actor x = {.name = "x"};
    t.process = process_create(k, "t", travel, &t);
    process_dont_initialize(create(&x, e1));
    event_notify_after(e1, 10);
    assert_int_equal(run(65), KERNEL_REACHED);
    /* at 0 to 5: free; to 10: e1 is at 10, so no; then x has run: to 30 and 60: free; to 90: beyond 65 */
    const sim_time times[] = {0, 5, 10, 30, 60};
    const bool advanced[] = {true, false, true, true, false};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(t.times[i], times[i]);
        assert_int_equal(t.advanced[i], advanced[i]);
    }
    assert_string_equal(log_text, "x@10/2 ");
    assert_int_equal(kernel_event_count(k), 6);
    assert_int_equal(kernel_delta_count(k), 5);
    assert_int_equal(kernel_next_time(k), 90);
}

static bool outcomes[4];
static void try_to_advance(void *context) {
    (void)context;
    signal_write(s1, signal_read(s1) + 1);
    outcomes[0] = kernel_advance(k, 50); /* the signal is to be updated now */
    outcomes[1] = kernel_next_time(k) == kernel_now(k);
}
static void test_advance_waits_for_what_is_pending_now(void **state) {
    (void)state;
    process_create(k, "p", try_to_advance, NULL);
    run(100);
    assert_false(outcomes[0]);
    assert_true(outcomes[1]);
    assert_int_equal(kernel_now(k), 0);
}

/* A process on a clock may run past its own edges, as it would with process_next_trigger_at(), not past
 * another's. */
static struct process *clocked;
static void pass_edges(void *context) {
    (void)context;
    if (kernel_now(k) != 10) return;
    outcomes[0] = kernel_advance(k, 24);
    outcomes[1] = kernel_advance(k, 25);
}
static void test_advance_past_own_edges(void **state) {
    (void)state;
    struct clock *c = clock_create(k, "c", 10, 1), *d = clock_create(k, "d", 25, 1);
    clocked = process_create(k, "clocked", pass_edges, NULL);
    process_sensitive(clocked, clock_posedge(c));
    struct actor a = {.name = "a"};
    process_dont_initialize(create(&a, clock_posedge(d)));
    run(29);
    assert_true(outcomes[0]);
    assert_false(outcomes[1]);
    assert_string_equal(log_text, "a@0/1 a@25/4 "); /* clocked: 0, 0 and 10, 24 */
    run(30);
    assert_int_equal(kernel_event_count(k), 7);
}

STEP(wait_2_but_advance, process_next_trigger(p, e2); outcomes[0] = kernel_advance(k, 5))

/* Going on is a new activation: what was asked for before is forgotten. */
static void test_advance_forgets_an_earlier_trigger(void **state) {
    (void)state;
    struct actor a = {"a", {wait_2_but_advance}, NULL, 0};
    create(&a, e1);
    event_notify_after(e1, 15);
    event_notify_after(e2, 16);
    run(20);
    assert_true(outcomes[0]);
    assert_string_equal(log_text, "a@0/0 a@15/2 ");
}

/* --- misuse --- */

STEP(into_the_past, process_next_trigger_at(p, kernel_now(k) - 1))
STEP(beyond_the_end, event_notify_after(e1, SIM_TIME_NEVER - 1))
STEP(advance_back, kernel_advance(k, kernel_now(k) - 1))
STEP(late_process, process_create(k, "late", idle, NULL))
STEP(nested_run, struct error e = {0}; kernel_run(k, 100, &e))
static struct process *other_process;
STEP(meddle, process_next_trigger(other_process, e1))

static int status_of(void (*step)(struct process *)) {
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        struct actor a = {"a", {wait_7, step}, NULL, 0}, b = {"b", {wait_7}, NULL, 0};
        create(&a, NULL);
        other_process = create(&b, NULL);
        run(50);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

static void test_misuse_is_a_panic(void **state) {
    (void)state;
    assert_int_equal(status_of(wait_7), 0);
    assert_int_equal(status_of(into_the_past), EXIT_INTERNAL);
    assert_int_equal(status_of(beyond_the_end), EXIT_INTERNAL);
    assert_int_equal(status_of(advance_back), EXIT_INTERNAL);
    assert_int_equal(status_of(late_process), EXIT_INTERNAL);
    assert_int_equal(status_of(nested_run), EXIT_INTERNAL);
    assert_int_equal(status_of(meddle), EXIT_INTERNAL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
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
        TEST(test_next_trigger_replaces_static_sensitivity_once),
        TEST(test_own_immediate_notification_is_not_heard),
        TEST(test_waiting_in_order_of_asking),
        TEST(test_waiting_list_loses_its_middle),
        TEST(test_signal_is_seen_after_update),
        TEST(test_signal_events),
        TEST(test_signal_written_before_the_run),
        TEST(test_wide_signal),
        TEST(test_edges_of_a_rational_period),
        TEST(test_clocked_processes),
        TEST(test_edges_are_never_accumulated),
        TEST(test_edges_nobody_listens_to_are_skipped),
        TEST(test_a_sleeping_process_stops_its_clock),
        TEST(test_pause_after_the_delta_cycle),
        TEST(test_delta_limit_names_the_loop),
        TEST(test_immediate_loop_is_caught),
        TEST(test_delta_limit_is_exact),
        TEST(test_advance),
        TEST(test_advance_waits_for_what_is_pending_now),
        TEST(test_advance_past_own_edges),
        TEST(test_advance_forgets_an_earlier_trigger),
        TEST(test_misuse_is_a_panic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
