/* The semantics compared with SystemC: the scenarios of tests/systemc/scenarios.cpp, written for this kernel,
 * have the log in tests/golden/systemc_scenarios.txt, which SystemC wrote. If SystemC is installed, the long
 * form also compares the file with SystemC's present output. */
#include "sim/kernel.h"
#include "sim/mutex.h"
#include "sim/semaphore.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* --- a scenario and its log --- */

struct line {
    sim_time time;
    uint64_t delta;
    char text[64];
};

static struct kernel *k;
static struct event *a, *b, *c;
static struct line lines[256];
static unsigned line_count;
static sim_time last_time;
static uint64_t first_delta;

static void say(const char *format, ...) {
    struct line *l = &lines[line_count++];
    assert_true(line_count <= sizeof lines / sizeof *lines);
    if (kernel_now(k) != last_time) first_delta = kernel_delta_count(k);
    last_time = kernel_now(k);
    l->time = last_time;
    l->delta = kernel_delta_count(k) - first_delta;
    va_list list;
    va_start(list, format);
    vsnprintf(l->text, sizeof l->text, format, list);
    va_end(list);
}

static int order(const void *x, const void *y) {
    const struct line *l = x, *r = y;
    if (l->time != r->time) return l->time < r->time ? -1 : 1;
    if (l->delta != r->delta) return l->delta < r->delta ? -1 : 1;
    return strcmp(l->text, r->text);
}

static char *sorted_log(void) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    qsort(lines, line_count, sizeof *lines, order);
    for (unsigned i = 0; i < line_count; i++)
        fprintf(out, "%lu/%lu %s\n", lines[i].time, lines[i].delta, lines[i].text);
    fclose(out);
    return text;
}

static enum kernel_outcome run(sim_time until) {
    struct error e = {0};
    const enum kernel_outcome o = kernel_run(k, until, &e);
    assert_int_equal(e.status, EXIT_SOUND);
    return o;
}

static struct process *driver; /* the thread that drives the scenario */

static void make_driver(process_function *f) {
    driver = process_create_thread(k, "driver", f, NULL, 0);
}

static void make_method(const char *name, struct event *e, process_function *f, void *context) {
    struct process *p = process_create(k, name, f, context);
    process_dont_initialize(p);
    process_sensitive(p, e);
}

static void says(void *context) {
    say("%s", (const char *)context);
}

/* a, b, c, a, … every 10 ps. */
static void notify_next(int i, bool delta) {
    struct event *e = i % 3 == 0 ? a : i % 3 == 1 ? b : c;
    if (delta)
        event_notify_delta(e);
    else
        event_notify(e);
}

static void drive_deltas(void *context) {
    for (int i = 0; i < *(const int *)context; i++) {
        process_wait_after(driver, 10);
        notify_next(i, true);
    }
}

static void make_delta_driver(const int *count) {
    driver = process_create_thread(k, "driver", drive_deltas, (void *)(uintptr_t)count, 0);
}

/* --- the scenarios --- */

static void step(int n) {
    if (n > 1) process_wait_after(driver, 100);
    say("step %d", n);
}

static void drive_overrides(void *context) {
    (void)context;
    step(1), event_notify_after(a, 10), event_notify_after(a, 5);
    step(2), event_notify_after(a, 5), event_notify_after(a, 10);
    step(3), event_notify_after(a, 5), event_notify_delta(a);
    step(4), event_notify_delta(a), event_notify_after(a, 5);
    step(5), event_notify_delta(a), event_notify(a);
    step(6), event_notify_after(a, 5), event_notify(a);
    step(7), event_notify_after(a, 5), event_cancel(a);
    step(8), event_notify_delta(a), event_cancel(a), event_notify_after(a, 7);
    step(9), event_notify(a), event_notify(a);
}

static void overrides(void) {
    make_method("hears", a, says, "a");
    make_driver(drive_overrides);
    run(2000);
}

static void first(void *context) {
    (void)context;
    say("first");
    event_notify_delta(b);
    event_notify(c);
}

static void third(void *context) {
    (void)context;
    say("third");
    event_notify_after(b, 3);
}

static void drive_three(void *context) {
    (void)context;
    for (int i = 0; i < 3; i++) {
        process_wait_after(driver, 10);
        say("driver");
        event_notify_delta(a);
        process_wait_after(driver, 0);
        say("later");
    }
}

static void deltas(void) {
    make_method("first", a, first, NULL);
    make_method("second", b, says, "second");
    make_method("third", c, third, NULL);
    make_driver(drive_three);
    run(100);
}

static struct signal *x, *y;

static void left(void *context) {
    (void)context;
    signal_write(x, signal_read(y));
    say("left reads %lu", signal_read(y));
}
static void right(void *context) {
    (void)context;
    signal_write(y, signal_read(x));
    say("right reads %lu", signal_read(x));
}
static void says_value(void *context) {
    say("%s is %lu", signal_name(context), signal_read(context));
}

static void drive_race(void *context) {
    (void)context;
    for (int i = 0; i < 3; i++) {
        process_wait_after(driver, 10);
        event_notify(a);
    }
}

static void race(void) {
    x = signal_create(k, "x", 32, 1);
    y = signal_create(k, "y", 32, 2);
    make_method("left", a, left, NULL);
    make_method("right", a, right, NULL);
    make_method("sees_x", signal_changed(x), says_value, x);
    make_method("sees_y", signal_changed(y), says_value, y);
    make_driver(drive_race);
    run(100);
}

static void says_change(void *context) {
    (void)context;
    say("changed to %lu%s", signal_read(x), signal_has_changed(x) ? "" : "?");
}

static void drive_updates(void *context) {
    (void)context;
    process_wait_after(driver, 10);
    signal_write(x, 1);
    say("reads %lu", signal_read(x));
    process_wait_after(driver, 10);
    signal_write(x, 1);
    process_wait_after(driver, 10);
    signal_write(x, 0);
    signal_write(x, 1);
    process_wait_after(driver, 10);
    signal_write(x, 1);
    signal_write(x, 0);
    for (int i = 0; i < 2; i++) {
        process_wait_after(driver, 0);
        say(signal_has_changed(x) ? "event" : "no event");
    }
}

static void updates(void) {
    x = signal_create(k, "s", 1, 0);
    make_method("changed", signal_changed(x), says_change, NULL);
    make_method("posedge", signal_posedge(x), says, "posedge");
    make_method("negedge", signal_negedge(x), says, "negedge");
    make_driver(drive_updates);
    run(100);
}

static struct process *self;
static int activations;

static void asks(void *context) {
    (void)context;
    struct event *const b_c[] = {b, c};
    say("m%d", activations);
    switch (activations++) {
    case 0: process_next_trigger(self, b); break;
    case 1: process_next_trigger_after(self, 7); break;
    case 2:
        process_next_trigger_after(self, 100);
        process_next_trigger(self, c);
        break;
    case 3: process_next_trigger_any(self, &b, 1, 25); break;
    case 4: process_next_trigger_any(self, b_c, 2, SIM_TIME_NEVER); break;
    case 5: process_next_trigger_all(self, b_c, 2, SIM_TIME_NEVER); break;
    case 6: process_next_trigger_after(self, 0); break;
    case 7: process_next_trigger_all(self, b_c, 2, 12); break;
    default: break;
    }
}

static void drive_next_triggers(void *context) {
    (void)context;
    for (int i = 0; i < 40; i++) {
        process_wait_after(driver, 10);
        notify_next(i, false);
        say("driver");
    }
}

static void next_triggers(void) {
    activations = 0;
    self = process_create(k, "m", asks, NULL);
    process_sensitive(self, a);
    make_driver(drive_next_triggers);
    run(500);
}

static const char *timed_out(void) {
    return process_timed_out(self) ? " in time out" : "";
}

static void wait_for_all_sorts(void *context) {
    (void)context;
    struct event *const a_b[] = {a, b}, *const a_b_c[] = {a, b, c, a}, *const a_c[] = {a, c};
    process_wait_event(self, a);
    say("a");
    process_wait_any(self, a_b, 2, SIM_TIME_NEVER);
    say("a or b");
    process_wait_all(self, a_b_c, 4, SIM_TIME_NEVER);
    say("a and b and c");
    process_wait_timeout(self, c, 15);
    say("c at most 15%s", timed_out());
    assert_true(process_wait_timeout(self, c, 200));
    say("c at most 200%s", timed_out());
    process_wait_all(self, a_c, 2, 35);
    say("a and c at most 35%s", timed_out());
    process_wait_any(self, a_c, 2, 5);
    say("a or c at most 5%s", timed_out());
    process_wait_after(self, 0);
    say("delta");
    process_wait_after(self, 42);
    say("42");
}

static void waits(void) {
    static const int count = 40;
    self = process_create_thread(k, "t", wait_for_all_sorts, NULL, 0);
    make_delta_driver(&count);
    run(500);
}

static void stops(void *context) {
    (void)context;
    say("stops");
    kernel_stop(k);
    event_notify(b);
    event_notify_delta(c);
}

static void stop(void) {
    make_method("stops", a, stops, NULL);
    make_method("same", a, says, "same delta cycle");
    make_method("now", b, says, "notified immediately");
    make_method("next", c, says, "next delta cycle");
    event_notify_after(a, 10);
    assert_int_equal(run(100), KERNEL_STOPPED);
    assert_int_equal(run(200), KERNEL_STOPPED); /* for good */
}

static void pauses(void *context) {
    (void)context;
    say("pauses");
    kernel_pause(k);
    event_notify_delta(c);
    event_notify_after(a, 5);
}

static void pause_and_resume(void) {
    make_method("pauses", a, pauses, NULL);
    make_method("next", c, says, "next delta cycle");
    event_notify_after(a, 10);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(run(1000), KERNEL_PAUSED);
        say("paused");
    }
}

static struct mutex *mutex;
static struct semaphore *semaphore;
static struct process *threads[3];

static void share(void *context) {
    struct process *p = *(struct process **)context;
    const int i = (int)((struct process **)context - threads);
    for (int n = 0; n < 2; n++) {
        process_wait_after(p, 1 + (sim_time)i);
        const bool got = mutex_try_lock(mutex, p), gave = mutex_unlock(mutex, p);
        say("t%d %s%s", i, got ? "gets it at once" : "has to wait", gave ? "" : ", not its own");
        mutex_lock(mutex, p);
        assert_ptr_equal(mutex_owner(mutex), p);
        say("t%d has it", i);
        process_wait_after(p, 10);
        assert_true(mutex_unlock(mutex, p));
        say("t%d gave it", i);
    }
}

static void make_threads(int count, process_function *f) {
    for (int i = 0; i < count; i++) {
        const char name[] = {'t', (char)('0' + i), 0};
        threads[i] = process_create_thread(k, name, f, &threads[i], 0);
    }
}

static void mutexes(void) {
    mutex = mutex_create(k, "m");
    make_threads(3, share);
    run(500);
}

static void take_part(void *context) {
    struct process *p = *(struct process **)context;
    const int i = (int)((struct process **)context - threads);
    process_wait_after(p, 1 + (sim_time)i);
    semaphore_wait(semaphore, p);
    say("t%d in, %u left", i, semaphore_count(semaphore));
    process_wait_after(p, 10 * ((sim_time)i + 1));
    semaphore_post(semaphore);
    say("t%d out", i);
}

static void semaphores(void) {
    semaphore = semaphore_create(k, "s", 2);
    make_threads(3, take_part);
    run(500);
}

static struct clock *clock_a, *clock_b;

static void count_edges(void *context) {
    (void)context;
    for (int i = 0; i < 3; i++) {
        process_wait_event(self, clock_posedge(clock_a));
        process_wait_event(self, clock_negedge(clock_b));
        say("a, then b");
    }
}

static struct clock *make_clock(const char *name, const struct clock_shape *shape, char *rises, char *falls) {
    struct clock *clock = clock_create_shaped(k, name, shape);
    make_method(rises, clock_posedge(clock), says, rises);
    make_method(falls, clock_negedge(clock), says, falls);
    return clock;
}

static void clocks(void) {
    clock_a = make_clock("clock_a", &(struct clock_shape){10, 1, 3, 10, 4, false}, "a rises", "a falls");
    clock_b = make_clock("clock_b", &(struct clock_shape){14, 1, 1, 2, 0, true}, "b rises", "b falls");
    make_clock("clock_c", &(struct clock_shape){20, 1, 3, 4, 3, true}, "c rises", "c falls");
    self = process_create_thread(k, "counts", count_edges, NULL, 0);
    run(89);
}

static void wait_statically(void *context) {
    (void)context;
    say("begins");
    for (;;) {
        process_wait(self);
        say("a or b");
        process_wait_event(self, c);
        say("c");
    }
}

static struct process *late;

static void begin_late(void *context) {
    (void)context;
    say("late");
    process_wait(late);
    say("late again");
}

static void notify_own(void *context) {
    (void)context;
    say("own");
    event_notify(b);
}

static void statics(void) {
    static const int count = 20;
    self = process_create_thread(k, "t", wait_statically, NULL, 0);
    process_sensitive(self, a);
    process_sensitive(self, b);
    late = process_create_thread(k, "u", begin_late, NULL, 0);
    process_sensitive(late, b);
    process_dont_initialize(late);
    make_method("own", a, notify_own, NULL);
    process_sensitive(process_find(k, "own"), b);
    make_delta_driver(&count);
    run(300);
    assert_true(process_ended(late));
}

/* --- comparison --- */

static const struct scenario {
    const char *name;
    void (*run)(void);
} scenarios[] = {
    {"overrides", overrides}, {"deltas", deltas},   {"race", race},
    {"updates", updates},     {"waits", waits},     {"next_triggers", next_triggers},
    {"stop", stop},           {"mutexes", mutexes}, {"pause", pause_and_resume},
    {"clocks", clocks},       {"statics", statics}, {"semaphores", semaphores},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

/* Returns the text after "== name" in the golden file. */
static char *golden(const char *name) {
    char *path = spawn_text("%s/tests/golden/systemc_scenarios.txt", spawn_source()), *all = spawn_read(path);
    if (!all) fail_msg("%s is missing", path);
    char *title = spawn_text("== %s\n", name), *begin = strstr(all, title);
    if (!begin) fail_msg("%s says nothing of '%s'", path, name);
    begin += strlen(title);
    const char *end = strstr(begin, "== ");
    char *text = strndup(begin, end ? (size_t)(end - begin) : strlen(begin));
    free(path);
    free(all);
    free(title);
    return text;
}

static void test_scenarios(void **state) {
    (void)state;
    for (int i = 0; i < SCENARIOS; i++) {
        k = kernel_create();
        a = event_create(k, "a");
        b = event_create(k, "b");
        c = event_create(k, "c");
        line_count = 0;
        last_time = SIM_TIME_NEVER;
        scenarios[i].run();
        char *log = sorted_log(), *expected = golden(scenarios[i].name);
        if (strcmp(log, expected) != 0)
            fail_msg("%s differs:\n%s-- SystemC --\n%s", scenarios[i].name, log, expected);
        assert_true(line_count > 2);
        free(log);
        free(expected);
        kernel_destroy(k);
    }
}

static void test_golden_is_what_systemc_says(void **state) {
    (void)state;
    if (!getenv("LOCKSTEP_LONG") || access("/usr/include/systemc.h", R_OK) != 0) {
        puts("only in the long tests, and where SystemC is installed");
        skip();
    }
    char *folder = spawn_folder(), *program = spawn_text("%s/scenarios", folder);
    char *source = spawn_text("%s/tests/systemc/scenarios.cpp", spawn_source());
    struct spawned built = spawn(folder, (char *[]){"g++", "-std=c++17", "-Wno-deprecated-declarations",
                                                    source, "-o", program, "-lsystemc", NULL});
    assert_int_equal(built.status, 0);
    spawn_free(&built);
    for (int i = 0; i < SCENARIOS; i++) {
        struct spawned said = spawn(folder, (char *[]){program, (char *)(uintptr_t)scenarios[i].name, NULL});
        char *expected = golden(scenarios[i].name);
        assert_int_equal(said.status, 0);
        assert_string_equal(said.out, expected);
        spawn_free(&said);
        free(expected);
    }
    free(source);
    free(program);
    spawn_remove_folder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenarios),
        cmocka_unit_test(test_golden_is_what_systemc_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
