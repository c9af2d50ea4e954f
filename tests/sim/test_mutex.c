/* Mutexes and semaphores: owners, order, and refused operations. */
#include "sim/mutex.h"
#include "sim/semaphore.h"
#include "tests/sim/kernel_fixture.h"

static struct mutex *mutex;
static struct semaphore *semaphore;

struct taker {
    struct process *process;
    const char *name;
    sim_time comes, stays;
};

static void take_mutex(void *context) {
    struct taker *t = context;
    process_wait_after(t->process, t->comes);
    mutex_lock(mutex, t->process);
    log_activation(t->name);
    process_wait_after(t->process, t->stays);
    assert_true(mutex_unlock(mutex, t->process));
    assert_false(mutex_unlock(mutex, t->process));
}

static void take_semaphore(void *context) {
    struct taker *t = context;
    process_wait_after(t->process, t->comes);
    semaphore_wait(semaphore, t->process);
    log_activation(t->name);
    process_wait_after(t->process, t->stays);
    semaphore_post(semaphore);
}

static void create_takers(struct taker *t, unsigned count, process_function *f) {
    for (unsigned i = 0; i < count; i++) t[i].process = process_create_thread(k, t[i].name, f, &t[i], 0);
}

static void test_a_mutex_goes_to_who_asked_first(void **state) {
    (void)state;
    struct taker t[] = {
        {NULL, "a", 3, 10}, {NULL, "b", 2, 10}, {NULL, "c", 1, 10}, {NULL, "d", 12, 10}, {NULL, "e", 60, 5}};
    mutex = mutex_create(k, "m");
    create_takers(t, 5, take_mutex);
    run(1000);
    assert_string_equal(log_text, "c@1/1 b@11/4 a@21/6 d@31/7 e@60/9 ");
    assert_null(mutex_owner(mutex));
}

static void test_a_semaphore_lets_so_many_in(void **state) {
    (void)state;
    struct taker t[] = {
        {NULL, "a", 1, 10}, {NULL, "b", 2, 30}, {NULL, "c", 3, 10}, {NULL, "d", 4, 10}, {NULL, "e", 80, 5}};
    semaphore = semaphore_create(k, "s", 2);
    create_takers(t, 5, take_semaphore);
    run(1000);
    assert_string_equal(log_text, "a@1/1 b@2/2 c@11/5 d@21/6 e@80/9 ");
    assert_int_equal(semaphore_count(semaphore), 2);
    assert_true(semaphore_try_wait(semaphore));
    assert_true(semaphore_try_wait(semaphore));
    assert_false(semaphore_try_wait(semaphore));
}

STEP(try_to_lock, assert_true(mutex_try_lock(mutex, p)); assert_false(mutex_try_lock(mutex, p));
     assert_ptr_equal(mutex_owner(mutex), p))

static void test_a_method_tries(void **state) {
    (void)state;
    mutex = mutex_create(k, "m");
    struct actor a = {"a", {try_to_lock}, NULL, 0};
    create(&a, NULL);
    run(1);
    assert_int_equal(a.activations, 1);
}

static void lock_twice(void *context) {
    struct taker *t = context;
    mutex_lock(mutex, t->process);
    mutex_lock(mutex, t->process);
}
static void run_lock_twice(void *context) {
    (void)context;
    struct taker t = {.name = "t"};
    create_takers(&t, 1, lock_twice);
    run(1);
}

static void test_misuse(void **state) {
    (void)state;
    mutex = mutex_create(k, "m");
    assert_true(panics(run_lock_twice, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_mutex_goes_to_who_asked_first),
        TEST(test_a_semaphore_lets_so_many_in),
        TEST(test_a_method_tries),
        TEST(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
