/* Kernels that are traced from outside. */
#include "sim/kernel.h"
#include "sim/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <fstapi.h>
#include <cmocka.h>

#include "tests/panic.h"
#include "tests/seed.h"
#include "tests/sim/trace_fixture.h"

/* --- a small model, which knows of no trace --- */

struct model {
    struct kernel *kernel;
    struct clock *clock;
    struct event *tick;
    struct signal *bit, *count, *wide, *state;
    unsigned steps;
};

/* At 0, 10, 20, 30 ns: step n = 0, 1, 2, 3. */
static void step(void *context) {
    struct model *m = context;
    const uint64_t words[2] = {m->steps, m->steps};
    signal_write(m->bit, m->steps & 1);
    signal_write(m->count, m->steps * 16);
    signal_write_wide(m->wide, words);
    signal_write(m->state, m->steps % 3);
    if (m->steps == 2) event_notify(m->tick);
    m->steps++;
}

static struct model build(void) {
    struct model m = {.kernel = kernel_create()};
    m.clock = clock_create(m.kernel, "clk", 10 * SIM_NS, 1);
    scope_enter(m.kernel, "top");
    m.bit = signal_create(m.kernel, "bit", 1, 1);
    scope_enter(m.kernel, "unit");
    m.count = signal_create(m.kernel, "count", 8, 0);
    m.wide = signal_create_wide(m.kernel, "wide", 66, NULL);
    m.tick = event_create(m.kernel, "tick");
    scope_leave(m.kernel);
    m.state = signal_create(m.kernel, "state", 2, 0);
    scope_leave(m.kernel);
    return m;
}

static void run(struct model *m, sim_time until) {
    struct error e = {0};
    struct process *p = process_create(m->kernel, "step", step, m);
    process_sensitive(p, clock_posedge(m->clock));
    process_dont_initialize(p);
    kernel_run(m->kernel, until, &e);
}

static void nothing(void *context) {
    (void)context;
}

/* Nothing happens until then. */
static void wake(struct model *m, sim_time at) {
    struct error e = {0};
    struct process *p = process_create(m->kernel, "sleeper", nothing, NULL);
    process_dont_initialize(p);
    process_next_trigger_at(p, at);
    kernel_run(m->kernel, at, &e);
    assert_int_equal(kernel_now(m->kernel), at);
}

static void test_everything(void **state) {
    (void)state;
    static const char *const names[] = {"idle", "wait", "go"};
    struct model m = build();
    struct trace *t = open_trace("all.fst");
    assert_true(trace_attach_enum(t, m.kernel, "top.state", "state", 3, names));
    assert_false(trace_attach_enum(t, m.kernel, "top.state", "state", 3, names));
    assert_false(trace_attach_enum(t, m.kernel, "top.none", "state", 3, names));
    assert_false(trace_attach_enum(t, m.kernel, "clk", "state", 3, names));
    assert_int_equal(trace_attach(t, m.kernel, "none.*", TRACE_HEX), 0);
    assert_int_equal(trace_attach(t, m.kernel, "top.unit", TRACE_HEX), 0); /* a scope is no variable */
    assert_int_equal(trace_attach(t, m.kernel, "top.unit.*", TRACE_DECIMAL), 3);
    assert_int_equal(trace_attach(t, m.kernel, "*", TRACE_HEX), 2);
    run(&m, 33 * SIM_NS);
    close_trace(t);
    char *text = trace_list("all.fst");
    const char *zeros = "0000000000000000000000000000000000000000000000000000000000000000"; /* 64 */
    char expected[4096];
    snprintf(expected, sizeof expected,
             "Lockstep|Thu Jan  1 00:00:00 1970|-12\n"
             "{top enum(state 3 idle wait go 00 01 10) #1 #1 state:2 } "
             "{top {unit count:8 wide:66 tick:1 } } clk:1 {top bit:1 } \n"
             "0 bit=0\n0 clk=1\n0 count=00000000\n0 state=00\n0 wide=00%s\n"
             "5000 clk=0\n"
             "10000 bit=1\n10000 clk=1\n10000 count=00010000\n10000 state=01\n10000 wide=01%.62s01\n"
             "15000 clk=0\n"
             "20000 bit=0\n20000 clk=1\n20000 count=00100000\n20000 state=10\n20000 tick=1\n"
             "20000 wide=10%.62s10\n"
             "25000 clk=0\n"
             "30000 bit=1\n30000 clk=1\n30000 count=00110000\n30000 state=00\n30000 wide=11%.62s11\n",
             zeros, zeros, zeros, zeros);
    assert_string_equal(text, expected);
    free(text);
    kernel_destroy(m.kernel);
}

/* Values before the first change, and a clock that continues without other activity. */
static void test_initial_values_and_the_end(void **state) {
    (void)state;
    struct model m = build();
    struct trace *t = open_trace("quiet.fst");
    trace_scope(t, "bench");
    assert_int_equal(trace_attach(t, m.kernel, "clk", TRACE_HEX), 1);
    assert_int_equal(trace_attach(t, m.kernel, "*bit", TRACE_HEX), 1);
    trace_upscope(t);
    wake(&m, 12 * SIM_NS);
    close_trace(t);
    char *text = trace_list("quiet.fst");
    assert_string_equal(strchr(text, '\n'), "\n{bench clk:1 {top bit:1 } } \n"
                                            "0 bit=1\n0 clk=1\n5000 clk=0\n10000 clk=1\n");
    free(text);
    kernel_destroy(m.kernel);
}

/* The edges of a clock are not written outside of windows. */
static void test_window(void **state) {
    (void)state;
    struct model m = build();
    struct trace *t = open_trace("window.fst");
    assert_int_equal(trace_attach(t, m.kernel, "clk", TRACE_HEX), 1);
    trace_window(t, 12 * SIM_NS, 15 * SIM_NS);
    trace_window(t, 3600 * SIM_S, 3600 * SIM_S + 6 * SIM_NS);
    wake(&m, 7200 * SIM_S);
    close_trace(t);
    char *text = trace_list("window.fst");
    assert_string_equal(strchr(text, '\n'), "\nclk:1 \n12000 clk=1\n15000 clk=0\n"
                                            "3600000000000000 clk=1\n3600000000005000 clk=0\n");
    free(text);
    kernel_destroy(m.kernel);
}

static void test_two_kernels_and_own_variables(void **state) {
    (void)state;
    struct model a = build(), b = build();
    struct trace *t = open_trace("two.fst");
    trace_scope(t, "a");
    assert_int_equal(trace_attach(t, a.kernel, "clk", TRACE_HEX), 1);
    trace_upscope(t);
    trace_scope(t, "b");
    assert_int_equal(trace_attach(t, b.kernel, "clk", TRACE_HEX), 1);
    assert_int_equal(trace_attach(t, b.kernel, "*count", TRACE_HEX), 1);
    trace_upscope(t);
    trace_variable own = trace_declare(t, "own", 4, TRACE_HEX);
    trace_value(t, own, 7 * SIM_NS, 3);
    run(&b, 10 * SIM_NS);
    close_trace(t);
    char *text = trace_list("two.fst");
    assert_non_null(strstr(text, "7000 own=0011\n10000 clk=1\n10000 clk=1\n10000 count=00010000\n"));
    assert_non_null(strstr(text, "\n5000 clk=0\n5000 clk=0\n7000 "));
    free(text);
    kernel_destroy(a.kernel);
    kernel_destroy(b.kernel);
}

/* --- traced or not --- */

enum { NODES = 20, LOG = 100000 };

struct node {
    struct network *network;
    struct signal *signal;
    struct event *event;
    unsigned index;
};

struct network {
    struct kernel *kernel;
    struct node node[NODES];
    struct seed seed;
    unsigned log[LOG], logged;
};

static void node_run(void *context) {
    struct node *n = context;
    struct network *w = n->network;
    if (w->logged == LOG) return;
    w->log[w->logged++] = n->index;
    struct node *other = &w->node[seed_below(&w->seed, NODES)];
    switch (seed_below(&w->seed, 5)) {
    case 0: signal_write(other->signal, seed_next(&w->seed)); break;
    case 1: signal_write(n->signal, signal_read(n->signal) + 1); break;
    case 2: event_notify_after(other->event, 1 + seed_below(&w->seed, 50)); break;
    case 3: event_notify_delta(other->event); break;
    default: event_notify(other->event);
    }
    event_notify_after(n->event, 1 + seed_below(&w->seed, 20));
}

static void run_network(struct network *w, uint64_t seed, bool traced) {
    struct error e = {0};
    *w = (struct network){.kernel = kernel_create(), .seed = {seed}};
    struct clock *clock = clock_create(w->kernel, "clk", 100, 3);
    for (unsigned i = 0; i < NODES; i++) {
        struct node *n = &w->node[i];
        char name[16];
        snprintf(name, sizeof name, "node%u", i);
        scope_enter(w->kernel, name);
        *n = (struct node){w, signal_create(w->kernel, "signal", 1 + 3 * i, 0),
                           event_create(w->kernel, "event"), i};
        scope_leave(w->kernel);
    }
    for (unsigned i = 0; i < NODES; i++) {
        char name[16];
        snprintf(name, sizeof name, "p%u", i);
        struct process *p = process_create(w->kernel, name, node_run, &w->node[i]);
        process_sensitive(p, w->node[i].event);
        if (i % 3) process_sensitive(p, signal_changed(w->node[(i + 1) % NODES].signal));
        if (i == 5) process_sensitive(p, clock_posedge(clock));
    }
    struct trace *t = NULL;
    if (traced) {
        t = open_trace("network.fst");
        assert_int_equal(trace_attach(t, w->kernel, "*", TRACE_HEX), 2 * NODES + 1);
    }
    kernel_run(w->kernel, 20000, &e);
    if (traced) {
        assert_true(trace_changes(t) > 10000);
        close_trace(t);
    }
}

static void test_nobody_notices(void **state) {
    (void)state;
    struct seed seed = seed_start();
    static struct network plain, traced;
    for (unsigned i = 0; i < 5; i++) {
        const uint64_t s = seed_next(&seed);
        run_network(&plain, s, false);
        run_network(&traced, s, true);
        assert_true(plain.logged > 10000);
        assert_int_equal(plain.logged, traced.logged);
        assert_memory_equal(plain.log, traced.log, sizeof plain.log);
        assert_int_equal(kernel_delta_count(plain.kernel), kernel_delta_count(traced.kernel));
        assert_int_equal(kernel_event_count(plain.kernel), kernel_event_count(traced.kernel));
        assert_int_equal(kernel_now(plain.kernel), kernel_now(traced.kernel));
        for (unsigned n = 0; n < NODES; n++)
            assert_int_equal(signal_read(plain.node[n].signal), signal_read(traced.node[n].signal));
        kernel_destroy(plain.kernel);
        kernel_destroy(traced.kernel);
    }
}

static void attach_strings(void *context) {
    struct model m = build();
    trace_attach(open_trace("panic.fst"), m.kernel, context, TRACE_STRING);
}
static void attach_late(void *context) {
    struct model m = build();
    run(&m, 1);
    trace_attach(open_trace("panic.fst"), m.kernel, context, TRACE_HEX);
}
static void value_without_name(void *context) {
    static const char *const names[] = {"idle", "wait"};
    struct model m = build();
    trace_attach_enum(open_trace("panic.fst"), m.kernel, context, "state", 2, names);
    run(&m, 20 * SIM_NS);
}

static void test_misuse_is_a_panic(void **state) {
    (void)state;
    assert_true(panics(attach_strings, "*"));
    assert_true(panics(attach_late, "*tick"));
    assert_true(panics(value_without_name, "top.state"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything),     cmocka_unit_test(test_initial_values_and_the_end),
        cmocka_unit_test(test_window),         cmocka_unit_test(test_two_kernels_and_own_variables),
        cmocka_unit_test(test_nobody_notices), cmocka_unit_test(test_misuse_is_a_panic),
    };
    return cmocka_run_group_tests(tests, trace_enter, trace_leave);
}
