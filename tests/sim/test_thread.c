/* Threads: separate stacks, waiting, ending. test_kernel_scenarios.c (compared with SystemC) and
 * test_kernel_random.c test what threads wait for. */
#include "tests/sim/kernel_fixture.h"

#include <math.h>
#include <signal.h>

/* A thread that logs and waits by a list of steps. */
struct walker {
    struct process *process;
    void (*body)(struct walker *w);
    const char *name;
    struct walker *other;
    struct event *event;
    uint64_t result;
    unsigned rounds;
};

static void walk(void *context) {
    struct walker *w = context;
    w->body(w);
}

static struct process *create_thread(struct walker *w, size_t stack_bytes) {
    w->process = process_create_thread(k, w->name, walk, w, stack_bytes);
    return w->process;
}

/* --- switching --- */

static void wait_two_times(struct walker *w) {
    log_activation(w->name);
    process_wait_after(w->process, 5);
    log_activation(w->name);
    process_wait_event(w->process, e1);
    log_activation(w->name);
}

static void test_threads_and_methods_stand_in_one_order(void **state) {
    (void)state;
    struct walker t = {.body = wait_two_times, .name = "t"}, u = {.body = wait_two_times, .name = "u"};
    struct actor m = {.name = "m"};
    create_thread(&t, 0);
    create(&m, e1);
    create_thread(&u, 0);
    event_notify_after(e1, 9);
    assert_int_equal(run(100), KERNEL_STARVED);
    assert_string_equal(log_text, "t@0/0 m@0/0 u@0/0 t@5/1 u@5/1 m@9/2 t@9/2 u@9/2 ");
    assert_true(process_ended(t.process));
    assert_int_equal(kernel_event_count(k), 8);
    assert_string_equal(process_name(u.process), "u");
}

/* All state of a function survives a wait, in registers or not. */
static void compute(struct walker *w) {
    double x = 1.5, y = (double)w->rounds;
    uint64_t n[8] = {1, 2, 3, 4, 5, 6, 7, 8}, sum = 0;
    for (unsigned i = 0; i < 100; i++) {
        x = x * 1.25 + y;
        for (int j = 0; j < 8; j++) sum += n[j] *= 3 + i;
        process_wait_after(w->process, 1 + (w->rounds + i) % 3);
        x = sqrt(x) + 1;
        sum ^= (uint64_t)(x * 1e6);
    }
    w->result = sum;
}

static uint64_t computed(unsigned rounds) {
    double x = 1.5, y = (double)rounds;
    uint64_t n[8] = {1, 2, 3, 4, 5, 6, 7, 8}, sum = 0;
    for (unsigned i = 0; i < 100; i++) {
        x = x * 1.25 + y;
        for (int j = 0; j < 8; j++) sum += n[j] *= 3 + i;
        x = sqrt(x) + 1;
        sum ^= (uint64_t)(x * 1e6);
    }
    return sum;
}

static void test_what_a_thread_holds_is_kept(void **state) {
    (void)state;
    enum { MANY = 300 };
    static struct walker walkers[MANY];
    char names[MANY][8];
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "t%u", i);
        walkers[i] = (struct walker){.body = compute, .name = names[i], .rounds = i};
        create_thread(&walkers[i], 0);
    }
    assert_int_equal(run(SIM_TIME_NEVER), KERNEL_STARVED);
    for (unsigned i = 0; i < MANY; i++) assert_int_equal(walkers[i].result, computed(i));
}

/* A thread wakes itself: immediate notifications are not heard, later ones are. */
static void wake_self(struct walker *w) {
    event_notify_delta(e1);
    process_wait_event(w->process, e1);
    log_activation(w->name);
    event_notify(e1);
    assert_true(process_wait_timeout(w->process, e1, 7) == false);
    log_activation(w->name);
    assert_true(process_timed_out(w->process));
    assert_ptr_equal(process_running(k), w->process);
}

static void test_a_thread_that_wakes_itself(void **state) {
    (void)state;
    struct walker t = {.body = wake_self, .name = "t"};
    create_thread(&t, 0);
    run(100);
    assert_string_equal(log_text, "t@0/1 t@7/2 ");
    assert_null(process_running(k));
}

static void hear_clock(struct walker *w) {
    for (;;) {
        process_wait(w->process);
        log_activation(w->name);
        if (kernel_now(k) == 20) process_wait_after(w->process, 25);
        if (kernel_now(k) == 60) return;
    }
}

/* Static sensitivity; while it waits for something else, and after its end, its clock costs nothing. */
static void test_a_clocked_thread(void **state) {
    (void)state;
    struct walker t = {.body = hear_clock, .name = "t"};
    struct clock *clock = clock_create(k, "clock", 10, 1);
    process_sensitive(create_thread(&t, 0), clock_posedge(clock));
    assert_int_equal(run(21), KERNEL_REACHED);
    assert_int_equal(kernel_next_time(k), 45);
    assert_int_equal(run(1000), KERNEL_STARVED);
    assert_string_equal(log_text, "t@0/1 t@10/2 t@20/3 t@50/5 t@60/6 ");
    assert_int_equal(kernel_now(k), 60);
}

/* --- stacks --- */

static unsigned use_stack(unsigned bytes) {
    volatile char frame[1024];
    frame[0] = (char)bytes;
    frame[1023] = frame[0];
    return bytes <= sizeof frame ? (unsigned)frame[1023]
                                 : use_stack(bytes - (unsigned)sizeof frame) + (unsigned)frame[0];
}

static void go_deep(struct walker *w) {
    w->result = use_stack(w->rounds);
    process_wait_after(w->process, 5);
    w->result = use_stack(w->rounds);
    w->result = 1;
}

static void test_a_stack_has_its_size(void **state) {
    (void)state;
    struct walker t = {.body = go_deep, .name = "t", .rounds = 900 * 1024},
                  u = {.body = go_deep, .name = "u", .rounds = 48 * 1024};
    create_thread(&t, 1024 * 1024);
    create_thread(&u, 0);
    run(100);
    assert_int_equal(t.result, 1);
    assert_int_equal(u.result, 1);
}

/* An overflow of the stack faults, and does not reach another thread's memory. */
static void overflow(size_t stack_bytes, unsigned used) {
    struct walker below = {.body = go_deep, .name = "below", .rounds = 1024},
                  t = {.body = go_deep, .name = "t", .rounds = used};
    create_thread(&below, stack_bytes);
    create_thread(&t, stack_bytes);
    run(100);
}

static void test_a_stack_that_overflows_is_a_fault(void **state) {
    (void)state;
    for (unsigned used = 32 * 1024; used <= 2048 * 1024; used *= 64) {
        const pid_t child = fork();
        if (child == 0) {
            const int nowhere = open("/dev/null", O_WRONLY);
            dup2(nowhere, STDERR_FILENO);
            signal(SIGSEGV, SIG_DFL);
            overflow(64 * 1024, used);
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        if (used < 64 * 1024)
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        else
            assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
    }
}

/* --- ends --- */

static void end_at_once(struct walker *w) {
    w->result++;
}

static void test_a_thread_runs_once(void **state) {
    (void)state;
    struct walker t = {.body = end_at_once, .name = "t"};
    process_sensitive(create_thread(&t, 0), e1);
    for (sim_time time = 1; time < 5; time++) {
        event_notify_after(e1, 1);
        run(time);
    }
    assert_int_equal(t.result, 1);
    assert_true(process_ended(t.process));
}

static void wait_for_ever(struct walker *w) {
    process_wait(w->process);
    w->result = 1;
}

/* Threads that never ran, that wait, and a kernel that never ran: all is freed. */
static void test_destroyed_while_waiting(void **state) {
    (void)state;
    struct walker t = {.body = wait_for_ever, .name = "t"}, u = {.body = wait_for_ever, .name = "u"};
    create_thread(&t, 0);
    process_dont_initialize(create_thread(&u, 0));
    run(10);
    assert_int_equal(t.result, 0);
    start_anew();
    create_thread(&t, 0);
}

/* --- misuse --- */

static void wait_in_a_method(void *context) {
    (void)context;
    struct actor a = {.name = "a"};
    process_wait(create(&a, NULL));
}

static struct walker waits_for_another;
static void wait_as_another(struct walker *w) {
    process_wait_after(w->other->process, 1);
}
static void run_wrongly(void *context) {
    (void)context;
    static struct walker t = {.body = wait_as_another, .name = "t", .other = &waits_for_another};
    waits_for_another = (struct walker){.body = wait_for_ever, .name = "u"};
    create_thread(&waits_for_another, 0);
    create_thread(&t, 0);
    run(10);
}

static void test_misuse(void **state) {
    (void)state;
    assert_true(panics(wait_in_a_method, NULL));
    assert_true(panics(run_wrongly, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_threads_and_methods_stand_in_one_order),
        TEST(test_what_a_thread_holds_is_kept),
        TEST(test_a_thread_that_wakes_itself),
        TEST(test_a_clocked_thread),
        TEST(test_a_stack_has_its_size),
        TEST(test_a_stack_that_overflows_is_a_fault),
        TEST(test_a_thread_runs_once),
        TEST(test_destroyed_while_waiting),
        TEST(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
