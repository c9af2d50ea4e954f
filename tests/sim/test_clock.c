/* Clocks: exact edges, shapes, and edges without listeners. */
#include "tests/sim/kernel_fixture.h"

static struct clock *the_clock;
STEP(wait_2, process_next_trigger(p, e2))
STEP(wait_7, process_next_trigger_after(p, 7))
STEP(wait_edge, process_next_trigger(p, clock_posedge(the_clock)))
STEP(wait_at_20, process_next_trigger_at(p, 20))
STEP(wait_at_35, process_next_trigger_at(p, 35))

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
    /* 10^15 cycles of 1/3 ns are 333,333,333,333,333,333.3 ps: exact to the picosecond */
    assert_int_equal(clock_edge(c, UINT64_C(1000000000000000)), UINT64_C(333333333333333333));
    assert_int_equal(clock_cycles(c, UINT64_C(333333333333333333)), UINT64_C(1000000000000000));
}

static void test_clocked_processes(void **state) {
    (void)state;
    struct clock *c = clock_create(k, "c", 7, 2), *d = clock_create(k, "d", 7, 1);
    struct actor a = {.name = "a"}, b = {.name = "b"}, f = {.name = "f"}, t = {"t", {wait_7}, NULL, 0};
    process_dont_initialize(create(&b, clock_posedge(d))); /* created first, but clock c was created
                                                            * before d */
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

/* A process that starts to wait at the time of an edge waits for the next; a sleeping clock wakes in step. */
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

/* --- shapes --- */

static void test_shape(void **state) {
    (void)state;
    /* high for 2/7 of 7/2 ps, from 3 ps on: rises at 3, 6.5, 10, falls at 4, 7.5, 11 */
    struct clock *c = clock_create_shaped(k, "c", &(struct clock_shape){7, 2, 2, 7, 3, false});
    const sim_time rises[] = {3, 6, 10, 13}, falls[] = {4, 7, 11, 14};
    for (uint64_t n = 0; n < 4; n++) {
        assert_int_equal(clock_edge(c, n), rises[n]);
        assert_int_equal(clock_fall(c, n), falls[n]);
    }
    assert_int_equal(clock_cycles(c, 2), 0);
    assert_int_equal(clock_cycles(c, 6), 1);
    const bool levels[] = {false, false, false, true, false, false, true, false};
    const sim_time next[] = {3, 3, 3, 4, 6, 6, 7, 10};
    for (sim_time t = 0; t < 8; t++) {
        assert_int_equal(clock_level(c, t), levels[t]);
        assert_int_equal(clock_next_edge(c, t), next[t]);
    }
    assert_string_equal(clock_name(c), "c");
}

static void test_falling_first(void **state) {
    (void)state;
    struct clock *c = clock_create_shaped(k, "c", &(struct clock_shape){10, 1, 1, 5, 4, true});
    struct actor r = {.name = "r"}, f = {.name = "f"};
    process_dont_initialize(create(&r, clock_posedge(c)));
    process_dont_initialize(create(&f, clock_negedge(c)));
    run(25); /* falls at 4, 14, 24; high for 2 ps: rises at 12, 22 */
    assert_string_equal(log_text, "f@4/0 r@12/1 f@14/2 r@22/3 f@24/4 ");
    assert_true(clock_level(c, 3));
    assert_false(clock_level(c, 4));
    assert_true(clock_level(c, 13));
}

static void test_the_last_edge(void **state) {
    (void)state;
    const uint64_t period = UINT64_C(1) << 61; /* edges at 0 to 7 × 2^61 ps, the next would be at 2^64 */
    struct clock *c = clock_create(k, "c", period, 1);
    struct actor a = {.name = "a"};
    process_dont_initialize(create(&a, clock_posedge(c)));
    assert_int_equal(run(SIM_TIME_NEVER), KERNEL_STARVED);
    assert_int_equal(a.activations, 8);
    assert_int_equal(kernel_now(k), 7 * period);
    assert_int_equal(clock_next_edge(c, 7 * period), 7 * period + period / 2);
    assert_int_equal(clock_next_edge(c, 7 * period + period / 2), SIM_TIME_NEVER);
}

static const struct clock_shape wrong[] = {
    {0, 1, 1, 2, 0, false},
    {1, 2, 1, 2, 0, false},
    {10, 0, 1, 2, 0, false},
    {10, 1, 0, 2, 0, false},
    {10, 1, 2, 2, 0, false},
    {UINT64_C(1) << 62, 1, 1, 2, 0, false},
    {10, 1, 1, 2, SIM_TIME_NEVER, false},
};
static void make_wrong(void *context) {
    clock_create_shaped(k, "c", context);
}
static void test_impossible_shapes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_true(panics(make_wrong, (void *)(uintptr_t)&wrong[i]));
}

/* A day of a 3 GHz clock without listeners, and of one whose listener sleeps: 10^14 edges cost nothing. */
static void test_idle_time_costs_nothing(void **state) {
    (void)state;
    clock_create(k, "unheard", 1000, 3);
    the_clock = clock_create(k, "heard", 1000, 3);
    struct actor a = {"a", {wait_2}, NULL, 0};
    create(&a, clock_posedge(the_clock));
    event_notify_after(e2, 86400 * SIM_S);
    run(86400 * SIM_S);
    assert_int_equal(kernel_event_count(k), 2);
    assert_int_equal(kernel_delta_count(k), 2);
    assert_int_equal(kernel_next_time(k), 86400 * SIM_S + 333);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_edges_of_a_rational_period),
        TEST(test_clocked_processes),
        TEST(test_edges_are_never_accumulated),
        TEST(test_edges_nobody_listens_to_are_skipped),
        TEST(test_a_sleeping_process_stops_its_clock),
        TEST(test_shape),
        TEST(test_falling_first),
        TEST(test_the_last_edge),
        TEST(test_impossible_shapes),
        TEST(test_idle_time_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
