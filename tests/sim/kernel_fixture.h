/*
 * kernel_fixture: a kernel with three events and a signal, and actors: processes that log when they run and
 * do a step in each activation.
 */
#ifndef TESTS_SIM_KERNEL_FIXTURE_H
#define TESTS_SIM_KERNEL_FIXTURE_H

#include "sim/kernel.h"
#include "tests/panic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
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

static inline void start_anew(void) {
    leave(NULL);
    enter(NULL);
}

/* Adds "name@time/delta " to the log. */
static inline void log_activation(const char *name) {
    const size_t used = strlen(log_text);
    snprintf(log_text + used, sizeof log_text - used, "%s@%lu/%lu ", name, kernel_now(k),
             kernel_delta_count(k));
}

/* A process whose n-th activation executes the n-th of its steps. */
struct actor {
    const char *name;
    void (*steps[8])(struct process *p);
    struct process *process;
    unsigned activations;
};

static inline void act(void *context) {
    struct actor *a = context;
    log_activation(a->name);
    void (*step)(struct process *) = a->activations < 8 ? a->steps[a->activations] : NULL;
    a->activations++;
    if (step) step(a->process);
}

static inline struct process *create(struct actor *a, struct event *sensitive) {
    a->process = process_create(k, a->name, act, a);
    if (sensitive) process_sensitive(a->process, sensitive);
    return a->process;
}

static inline enum kernel_outcome run(sim_time until) {
    struct error e = {0};
    const enum kernel_outcome o = kernel_run(k, until, &e);
    assert_int_equal(e.status, EXIT_SOUND);
    return o;
}

#define STEP(name, body)                                                                                     \
    static void name(struct process *p) {                                                                    \
        (void)p;                                                                                             \
        body;                                                                                                \
    }

#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)

#endif
