#include "sim/error.h"
#include "sim/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

static int element(struct queue *q, uint64_t cycle, uint32_t i) {
    const int *e = queue_at(q, cycle, i);
    return e ? *e : -1;
}

static void push(struct queue *q, uint64_t cycle, int value) {
    queue_push(q, cycle, &value);
}

static void test_pushes_are_seen_the_next_cycle(void **state) {
    (void)state;
    struct queue *q = queue_create("q", 4, sizeof(int));
    push(q, 5, 10);
    push(q, 5, 11);
    assert_int_equal(queue_count(q, 5), 0);
    assert_null(queue_at(q, 5, 0));
    assert_int_equal(queue_occupancy(q), 2);
    push(q, 6, 12);
    assert_int_equal(queue_count(q, 6), 2);
    assert_int_equal(element(q, 6, 0), 10);
    assert_int_equal(element(q, 6, 1), 11);
    assert_int_equal(element(q, 6, 2), -1);
    queue_pop(q, 6);
    assert_int_equal(element(q, 6, 0), 11);
    assert_int_equal(queue_count(q, 1000), 2); /* cycles in between need no call */
    assert_int_equal(element(q, 1000, 1), 12);
    queue_reset(q);
    assert_int_equal(queue_occupancy(q), 0);
    assert_int_equal(queue_space(q, 1000), 4);
    queue_destroy(q);
}

/* Earliest legal push into a full queue: the cycle after the pop. */
static void test_a_freed_place_is_space_the_next_cycle(void **state) {
    (void)state;
    struct queue *q = queue_create("q", 2, sizeof(int));
    push(q, 0, 1);
    push(q, 0, 2);
    assert_int_equal(queue_space(q, 0), 0);
    assert_int_equal(queue_space(q, 1), 0);
    queue_pop(q, 1);
    assert_int_equal(queue_space(q, 1), 0);
    assert_int_equal(queue_space(q, 2), 1);
    queue_destroy(q);
}

/* Through two places one element a cycle passes, through one only every other cycle. */
static void test_rate_by_capacity(void **state) {
    (void)state;
    for (uint32_t capacity = 1; capacity <= 2; capacity++) {
        struct queue *q = queue_create("q", capacity, sizeof(int));
        int passed = 0;
        for (uint64_t cycle = 0; cycle < 100; cycle++) {
            if (queue_count(q, cycle)) queue_pop(q, cycle), passed++;
            if (queue_space(q, cycle)) push(q, cycle, 0);
        }
        assert_int_equal(passed, capacity == 1 ? 50 : 99);
        queue_destroy(q);
    }
}

/* With producer or consumer first, the elements and their cycles are the same; also compared with separate
 * counts. */
static void test_order_of_evaluation_changes_nothing(void **state) {
    (void)state;
    unsigned seed = (unsigned)time(NULL);
    printf("seed %u\n", seed);
    srand(seed);
    for (int round = 0; round < 50; round++) {
        uint32_t capacity = 1 + (uint32_t)rand() % 7;
        struct queue *a = queue_create("a", capacity, sizeof(int)),
                     *b = queue_create("b", capacity, sizeof(int));
        int pushed = 0, popped = 0;
        for (uint64_t cycle = 0; cycle < 300; cycle += 1 + (uint64_t)(rand() % 3 == 0)) {
            int wants = rand() % 4, takes = rand() % 4, at_start = pushed - popped;
            int pushes = wants < (int)capacity - at_start ? wants : (int)capacity - at_start;
            int pops = takes < at_start ? takes : at_start;
            for (int i = 0; i < pushes; i++) push(a, cycle, pushed + i);
            for (int i = 0; i < pops; i++) {
                assert_int_equal(element(a, cycle, 0), popped + i);
                assert_int_equal(element(b, cycle, 0), popped + i);
                queue_pop(a, cycle);
                queue_pop(b, cycle);
            }
            for (int i = 0; i < pushes; i++) push(b, cycle, pushed + i);
            assert_int_equal(queue_space(a, cycle), (int)capacity - at_start - pushes);
            assert_int_equal(queue_space(b, cycle), (int)capacity - at_start - pushes);
            pushed += pushes;
            popped += pops;
            assert_int_equal(queue_occupancy(a), pushed - popped);
        }
        queue_destroy(a);
        queue_destroy(b);
    }
}

static int status_of(void (*misuse)(struct queue *q)) {
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        struct queue *q = queue_create("q", 1, sizeof(int));
        push(q, 7, 1);
        misuse(q);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}
static void use(struct queue *q) {
    queue_pop(q, 8);
}
static void pop_too_early(struct queue *q) {
    queue_pop(q, 7);
}
static void push_too_much(struct queue *q) {
    push(q, 8, 2);
}
static void run_back(struct queue *q) {
    queue_space(q, 6);
}

static void test_misuse_is_a_panic(void **state) {
    (void)state;
    assert_int_equal(status_of(use), 0);
    assert_int_equal(status_of(pop_too_early), EXIT_INTERNAL);
    assert_int_equal(status_of(push_too_much), EXIT_INTERNAL);
    assert_int_equal(status_of(run_back), EXIT_INTERNAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pushes_are_seen_the_next_cycle),
        cmocka_unit_test(test_a_freed_place_is_space_the_next_cycle),
        cmocka_unit_test(test_rate_by_capacity),
        cmocka_unit_test(test_order_of_evaluation_changes_nothing),
        cmocka_unit_test(test_misuse_is_a_panic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
