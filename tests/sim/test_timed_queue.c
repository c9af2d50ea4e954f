/* The timed queue, observed through events: thousands of them, notified, brought forward and cancelled at
 * random, occur in the order that a search through all of them determines. The seed is printed;
 * LOCKSTEP_SEED=n repeats a run. */
#include "sim/kernel.h"
#include "sim/timed_queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

enum { MANY = 4096 };

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static const char *name_of(const char *kind, unsigned i) {
    static char text[32];
    snprintf(text, sizeof text, "%s%u", kind, i);
    return text;
}

static sim_time due[MANY];  /* 0: not pending */
static uint64_t made[MANY]; /* sequence */
static uint64_t sequence, fired, wrong;
static struct event *crowd[MANY];
static struct kernel *crowd_kernel;
static uint64_t random_state;

static void random_action(void) {
    uint64_t r = random_state = mix(random_state + 1);
    unsigned i = r % MANY;
    sim_time t = kernel_now(crowd_kernel), delay = 1 + mix(r) % (mix(r + 1) % 4 ? 5000 : 50);
    if (due[i] && due[i] == t) return; /* the event has fired, and its process is about to run */
    if (mix(r + 2) % 3 == 0) {
        event_cancel(crowd[i]);
        due[i] = 0;
        return;
    }
    event_notify_after(crowd[i], delay);
    if (due[i] && due[i] <= t + delay) return;
    due[i] = t + delay;
    made[i] = ++sequence;
}

/* The event notified first among the earliest ones must fire. */
static void crowd_body(void *context) {
    unsigned self = (unsigned)((struct event **)context - crowd), best = self;
    for (unsigned i = 0; i < MANY; i++)
        if (due[i] && (due[i] < due[best] || (due[i] == due[best] && made[i] < made[best]))) best = i;
    wrong += best != self || due[self] != kernel_now(crowd_kernel);
    due[self] = 0;
    fired++;
    bool more = fired < 6000; /* later the queue runs empty */
    for (int i = 0; more && i < 3; i++) random_action();
}

static void test_crowded_timed_queue(void **state) {
    (void)state;
    const char *given = getenv("LOCKSTEP_SEED");
    random_state = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    printf("seed %lu\n", random_state);
    crowd_kernel = kernel_create();
    for (unsigned i = 0; i < MANY; i++) {
        crowd[i] = event_create(crowd_kernel, name_of("event", i));
        struct process *p = process_create(crowd_kernel, name_of("process", i), crowd_body, &crowd[i]);
        process_dont_initialize(p);
        process_sensitive(p, crowd[i]);
    }
    for (int i = 0; i < MANY; i++) random_action();
    struct error e = {0};
    assert_int_equal(kernel_run(crowd_kernel, SIM_TIME_NEVER, &e), KERNEL_STARVED);
    assert_int_equal(wrong, 0);
    assert_true(fired >= 6000);
    for (unsigned i = 0; i < MANY; i++) assert_int_equal(due[i], 0);
    kernel_destroy(crowd_kernel);
}

/* --- the queue alone: few and many entries, near and far, at equal and at different times --- */

static struct notification notification[MANY];

static void add(struct timed_queue *q, unsigned i, sim_time time) {
    timed_queue_push(q, &notification[i], time);
    due[i] = time;
    made[i] = ++sequence;
}

static unsigned first_of(unsigned count) {
    unsigned best = MANY;
    for (unsigned i = 0; i < count; i++)
        if (due[i] && (best == MANY || due[i] < due[best] || (due[i] == due[best] && made[i] < made[best])))
            best = i;
    return best;
}

/* Runs a queue of `count` notifications, each pending or not: pops the first one and enters it and others
 * again, after delays of up to `bits` bits, multiples of `step`; cancels others. */
static void run_queue(unsigned count, unsigned bits, sim_time step, unsigned pops) {
    struct timed_queue q;
    timed_queue_init(&q);
    sim_time now = 1;
    for (unsigned i = 0; i < count; i++) {
        notification[i] = (struct notification){0};
        due[i] = 0;
    }
    for (unsigned n = 0; n < pops; n++) {
        for (unsigned k = 0; k < 3 || (n < 10 && k < count); k++) {
            const uint64_t r = random_state = mix(random_state + 1);
            const unsigned i = (unsigned)(r % count), width = (unsigned)(mix(r) % (bits + 1));
            if (due[i] && mix(r + 1) % 4 == 0) {
                timed_queue_remove(&q, &notification[i]);
                due[i] = 0;
            } else if (!due[i]) {
                add(&q, i, now + (mix(r + 2) & ((UINT64_C(1) << width) - 1)) / step * step);
            }
        }
        const unsigned best = first_of(count);
        assert_true(timed_queue_next(&q) == (best == MANY ? SIM_TIME_NEVER : due[best]));
        if (best == MANY) continue;
        struct notification *popped = timed_queue_pop(&q);
        assert_ptr_equal(popped, &notification[best]);
        now = due[best];
        due[best] = 0;
    }
    timed_queue_free(&q);
}

static void test_every_distance(void **state) {
    (void)state;
    static const unsigned counts[] = {1, 3, 30, 200, MANY}, bits[] = {1, 3, 5, 8, 12, 20, 30, 40, 48};
    for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++)
        for (unsigned b = 0; b < sizeof bits / sizeof *bits; b++)
            for (sim_time step = 1; step <= 1000; step *= 1000)
                run_queue(counts[c], bits[b], step, counts[c] == MANY ? 2000 : 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crowded_timed_queue),
        cmocka_unit_test(test_every_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
