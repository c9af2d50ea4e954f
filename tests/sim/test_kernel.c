/* The scheduler: pausing, stopping, limits, reports, going on without it, misuse. */
#include "tests/sim/kernel_fixture.h"

static bool outcomes[4];
static struct process *other_process;
static void idle(void *context) {
    (void)context;
}
STEP(delta_1, event_notify_delta(e1))
STEP(wait_2, process_next_trigger(p, e2))
STEP(wait_7, process_next_trigger_after(p, 7))
STEP(pause_then, kernel_pause(k); event_notify_delta(e1); event_notify(e2))
STEP(wait_2_but_advance, process_next_trigger(p, e2); outcomes[0] = kernel_advance(k, 5))
STEP(into_the_past, process_next_trigger_at(p, kernel_now(k) - 1))
STEP(beyond_the_end, event_notify_after(e1, SIM_TIME_NEVER - 1))
STEP(advance_back, kernel_advance(k, kernel_now(k) - 1))
STEP(late_process, process_create(k, "late", idle, NULL))
STEP(nested_run, struct error e = {0}; kernel_run(k, 100, &e))
STEP(meddle, process_next_trigger(other_process, e1))

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
    assert_int_equal(kernel_run(k, 100, &e), KERNEL_DELTA_LIMIT); /* can be continued */
    assert_int_equal(kernel_delta_count(k), 1000);
}

/* With a very low limit, all activity is recorded. */
static void test_low_delta_limit_names_the_loop(void **state) {
    (void)state;
    struct error e = {0};
    process_create(k, "innocent", idle, NULL);
    struct process *p = process_create(k, "late", idle, NULL);
    process_sensitive(p, e2);
    process_sensitive(p, e3);
    struct signal *s = signal_create(k, "s", 1, 0);
    p = process_create(k, "oscillator", toggle, s);
    process_sensitive(p, signal_changed(s));
    process_sensitive(p, e1);
    process_dont_initialize(p);
    kernel_set_delta_limit(k, 1); /* every activation is recorded */
    run(10);
    kernel_set_delta_limit(k, 50);
    event_notify_after(e1, 90);
    event_notify_after(e2, 90);
    assert_int_equal(kernel_run(k, 200, &e), KERNEL_DELTA_LIMIT);
    assert_string_equal(
        e.message, "time stands still at 90 ps after 50 delta cycles; these processes loop: 'oscillator'");
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

/* A process on a clock may advance beyond its own edges, as with process_next_trigger_at(), but not beyond
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

/* Advancing starts a new activation: an earlier trigger request is cancelled. */
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

/* --- reports --- */

static char *waiting(void) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    kernel_report_waiting(k, out);
    fclose(out);
    return text;
}

static void check_waiting(const char *expected) {
    char *text = waiting();
    assert_string_equal(text, expected);
    free(text);
}

static struct process *sleeper;
static void wait_twice(void *context) {
    (void)context;
    struct event *const both[] = {e2, e3};
    process_wait_after(sleeper, 40);
    process_wait_all(sleeper, both, 2, SIM_TIME_NEVER);
}

static struct event *list[2];
STEP(wait_for_either, list[0] = e2; list[1] = e3; process_next_trigger_any(p, list, 2, 500))

static void test_who_waits_for_what(void **state) {
    (void)state;
    scope_enter(k, "top");
    struct actor a = {"a", {wait_2}, NULL, 0}, b = {"b", {wait_for_either}, NULL, 0}, c = {.name = "c"},
                 d = {.name = "d"}, e = {.name = "e"};
    create(&a, NULL);
    create(&b, NULL);
    create(&c, e1);
    process_sensitive(c.process, signal_changed(s1));
    create(&d, NULL);
    sleeper = process_create_thread(k, "sleeper", wait_twice, NULL, 0);
    process_dont_initialize(create(&e, signal_changed(s1)));
    scope_leave(k);
    event_notify_after(e1, 30);
    event_notify_after(e2, 60);
    run(30);
    check_waiting("method 'top.a' waits for 'e2', since 0 ps\n"
                  "method 'top.b' waits for 'e2' or 'e3', at most until 500 ps, since 0 ps\n"
                  "method 'top.c' waits for 'e1' or 's1.changed', since 30 ps\n"
                  "method 'top.d' waits for nothing, since 0 ps\n"
                  "thread 'top.sleeper' waits until 40 ps, since 0 ps\n"
                  "method 'top.e' waits for 's1.changed', since 0 ps\n");
    assert_int_equal(run(SIM_TIME_NEVER), KERNEL_STARVED);
    check_waiting("method 'top.a' waits for nothing, since 60 ps\n"
                  "method 'top.b' waits for nothing, since 60 ps\n"
                  "method 'top.c' waits for 'e1' or 's1.changed', since 30 ps\n"
                  "method 'top.d' waits for nothing, since 0 ps\n"
                  "thread 'top.sleeper' waits for 'e3', since 40 ps\n"
                  "method 'top.e' waits for 's1.changed', since 0 ps\n");
    event_notify_delta(e3);
    signal_write(s1, 1);
    run(70);
    char *text = waiting(); /* the thread has ended */
    assert_null(strstr(text, "sleeper"));
    assert_non_null(strstr(text, "method 'top.e' waits for 's1.changed', since 60 ps\n"));
    free(text);
}

STEP(pause_now, kernel_pause(k))

static void test_who_is_about_to_run(void **state) {
    (void)state;
    struct actor a = {"a", {NULL, pause_now}, NULL, 0}, x = {.name = "x"};
    create(&a, e1);
    process_dont_initialize(create(&x, e2));
    event_notify_after(e1, 5);
    run(4);
    event_notify_after(e2, 1);
    run(6); /* x has run at the same time */
    start_anew();
    struct actor b = {"b", {delta_1, pause_now}, NULL, 0}, y = {.name = "y"};
    create(&b, e1);
    process_dont_initialize(create(&y, e2));
    create(&(struct actor){.name = "z"}, e3);
    run(0);
    event_notify_delta(e2);
    kernel_pause(k);
    run(0);
    check_waiting("method 'b' waits for 'e1', since 0 ps\n"
                  "method 'y' waits for 'e2', since 0 ps\n"
                  "method 'z' waits for 'e3', since 0 ps\n");
}

/* A process leaves a group, and a signal gets a second event: the times of the others do not change. */
STEP(leave_at_60, if (kernel_now(k) == 60) process_next_trigger(p, e2))

static void test_report_of_a_dissolved_group(void **state) {
    (void)state;
    struct actor first = {.name = "first"}, second = {"second", {NULL, leave_at_60}, NULL, 0},
                 alone = {.name = "alone"};
    create(&first, e1);
    create(&second, e1);
    create(&alone, signal_changed(s1));
    event_notify_after(e3, 1000); /* time advances */
    run(50);
    signal_write(s1, 1);
    event_notify_after(e1, 10);
    run(100);
    signal_posedge(s1);
    check_waiting("method 'first' waits for 'e1', since 60 ps\n"
                  "method 'second' waits for 'e2', since 60 ps\n"
                  "method 'alone' waits for 's1.changed', since 50 ps\n");
}

/* --- stopping for good --- */

STEP(stop_cycle, kernel_stop(k); event_notify_delta(e1); event_notify(e2))
STEP(stop_at_once, kernel_stop_now(k); event_notify(e2))

static void check_stop(void (*step)(struct process *), const char *expected) {
    start_anew();
    struct actor a = {"a", {step}, NULL, 0}, x = {.name = "x"}, y = {.name = "y"};
    create(&a, NULL);
    process_dont_initialize(create(&x, e1));
    process_dont_initialize(create(&y, e2));
    create(&(struct actor){.name = "z"}, NULL);
    assert_int_equal(run(100), KERNEL_STOPPED);
    kernel_pause(k);
    assert_int_equal(run(200), KERNEL_STOPPED);
    assert_int_equal(kernel_now(k), 0);
    assert_string_equal(log_text, expected);
}

static void test_stop_is_for_good(void **state) {
    (void)state;
    check_stop(stop_cycle, "a@0/0 z@0/0 y@0/0 ");
    check_stop(stop_at_once, "a@0/0 ");
}

static void test_pause_between_runs(void **state) {
    (void)state;
    struct actor a = {.name = "a"};
    create(&a, e1);
    run(0);
    event_notify_after(e1, 5);
    kernel_pause(k);
    assert_int_equal(run(10), KERNEL_PAUSED);
    assert_string_equal(log_text, "a@0/0 ");
    assert_int_equal(run(10), KERNEL_STARVED);
    assert_string_equal(log_text, "a@0/0 a@5/1 ");
}

/* --- several kernels --- */

struct counter {
    struct process *process;
    struct kernel *inner;
    sim_time period;
    unsigned runs;
};
static void count_runs(void *context) {
    struct counter *c = context;
    struct error e = {0};
    c->runs++;
    if (c->inner)
        kernel_run(c->inner, kernel_now(c->inner) + 10, &e); /* one kernel inside a process of another */
    process_next_trigger_after(c->process, c->period);
}

static void test_two_kernels(void **state) {
    (void)state;
    struct kernel *other = kernel_create();
    struct counter in = {.period = 5}, out = {.inner = other, .period = 100};
    in.process = process_create(other, "p", count_runs, &in); /* the same name as the other's */
    out.process = process_create(k, "p", count_runs, &out);
    run(1000);
    assert_int_equal(out.runs, 11);
    assert_int_equal(in.runs, 23);
    assert_int_equal(kernel_now(other), 110);
    kernel_destroy(other);
}

static struct process *stranger;
static void mix_kernels(void *context) {
    (void)context;
    struct kernel *other = kernel_create();
    process_next_trigger(stranger, event_create(other, "e"));
}
static void test_kernels_are_not_mixed(void **state) {
    (void)state;
    struct actor a = {.name = "a"};
    stranger = create(&a, NULL);
    run(1);
    assert_true(panics(mix_kernels, NULL));
}

/* The limit names the members of a group, and the one listener of a signal. */
static void test_delta_limit_names_who_runs_directly(void **state) {
    (void)state;
    struct signal *s = signal_create(k, "s", 1, 0);
    process_sensitive(process_create(k, "alone", toggle, s), signal_changed(s));
    kernel_set_delta_limit(k, 1000);
    struct error e = {0};
    assert_int_equal(kernel_run(k, 100, &e), KERNEL_DELTA_LIMIT);
    assert_string_equal(e.message,
                        "time stands still at 0 ps after 1000 delta cycles; these processes loop: 'alone'");
    assert_int_equal(kernel_delta_count(k), 1000);
}
/* --- misuse --- */

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

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_pause_after_the_delta_cycle),
        TEST(test_delta_limit_names_the_loop),
        TEST(test_low_delta_limit_names_the_loop),
        TEST(test_immediate_loop_is_caught),
        TEST(test_delta_limit_is_exact),
        TEST(test_advance),
        TEST(test_advance_waits_for_what_is_pending_now),
        TEST(test_advance_past_own_edges),
        TEST(test_advance_forgets_an_earlier_trigger),
        TEST(test_who_waits_for_what),
        TEST(test_who_is_about_to_run),
        TEST(test_report_of_a_dissolved_group),
        TEST(test_stop_is_for_good),
        TEST(test_pause_between_runs),
        TEST(test_two_kernels),
        TEST(test_kernels_are_not_mixed),
        TEST(test_delta_limit_names_who_runs_directly),
        TEST(test_misuse_is_a_panic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
