#include "sim/counter.h"
#include "sim/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static void test_registered_once_and_found(void **state) {
    (void)state;
    struct counter_registry *r = counter_registry_create();
    assert_null(counter_find(r, "a", "hits"));
    uint64_t hits = 0, misses = 7;
    char scope[] = "cluster0.l2";
    counter_register(r, scope, "hits", "accesses", "found in the L2", &hits);
    scope[7] = '9'; /* the registry keeps its own copy */
    counter_register(r, "cluster0.l2", "misses", "accesses", "not found in the L2", &misses);
    assert_int_equal(counter_count(r), 2);
    const struct counter *c = counter_at(r, 0);
    assert_string_equal(c->scope, "cluster0.l2");
    assert_string_equal(c->name, "hits");
    assert_string_equal(c->unit, "accesses");
    assert_string_equal(c->description, "found in the L2");
    assert_ptr_equal(counter_find(r, "cluster0.l2", "misses"), counter_at(r, 1));
    assert_null(counter_find(r, "cluster9.l2", "misses"));
    assert_null(counter_find(r, "cluster0.l2", "miss"));
    hits = 41;
    assert_int_equal(*c->value, 41);
    counter_registry_destroy(r);
}

/* Scope and name are two strings: "a" + "bc" is not "ab" + "c". */
static void test_scope_and_name_do_not_run_together(void **state) {
    (void)state;
    struct counter_registry *r = counter_registry_create();
    uint64_t x = 1, y = 2;
    counter_register(r, "a", "bc", "", "", &x);
    counter_register(r, "ab", "c", "", "", &y);
    assert_ptr_equal(counter_find(r, "a", "bc")->value, &x);
    assert_ptr_equal(counter_find(r, "ab", "c")->value, &y);
    counter_registry_destroy(r);
}

static void test_many_keep_order_and_address(void **state) {
    (void)state;
    enum { N = 5000 };
    static uint64_t values[N], now[N], before[N];
    struct counter_registry *r = counter_registry_create();
    const struct counter *first = NULL;
    for (int i = 0; i < N; i++) {
        char scope[32];
        snprintf(scope, sizeof scope, "s%d", i);
        counter_register(r, scope, "n", "events", "events", &values[i]);
        if (i == 0) first = counter_at(r, 0);
    }
    assert_ptr_equal(first, counter_at(r, 0));
    for (int i = 0; i < N; i++) {
        char scope[32];
        snprintf(scope, sizeof scope, "s%d", i);
        assert_string_equal(counter_at(r, i)->scope, scope);
        assert_ptr_equal(counter_find(r, scope, "n"), counter_at(r, i));
        values[i] = 10 * i;
    }
    counter_snapshot(r, before);
    for (int i = 0; i < N; i++) values[i] += i + 1;
    counter_snapshot(r, now);
    for (int i = 0; i < N; i++) assert_int_equal(now[i] - before[i], i + 1);
    counter_registry_destroy(r);
}

static void test_sum_by_scope(void **state) {
    (void)state;
    struct counter_registry *r = counter_registry_create();
    uint64_t value[5] = {1, 10, 100, 1000, 10000}, snapshot[5];
    counter_register(r, "c0.lane0", "misses", "", "", &value[0]);
    counter_register(r, "c0.lane1", "misses", "", "", &value[1]);
    counter_register(r, "c0.lane1", "hits", "", "", &value[2]);
    counter_register(r, "c1.lane0", "misses", "", "", &value[3]);
    counter_register(r, "c0", "misses", "", "", &value[4]);
    counter_snapshot(r, snapshot);
    assert_int_equal(counter_sum(r, snapshot, "", "misses"), 11011);
    assert_int_equal(counter_sum(r, snapshot, "c0", "misses"), 10011);
    assert_int_equal(counter_sum(r, snapshot, "c0.lane", "misses"), 11);
    assert_int_equal(counter_sum(r, snapshot, "c0.lane1", "hits"), 100);
    assert_int_equal(counter_sum(r, snapshot, "c2", "misses"), 0);
    counter_registry_destroy(r);
}

static void test_twice_is_a_panic(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        uint64_t x = 0;
        struct counter_registry *r = counter_registry_create();
        counter_register(r, "a", "b", "", "", &x);
        counter_register(r, "a", "b", "", "", &x);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_INTERNAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registered_once_and_found),
        cmocka_unit_test(test_scope_and_name_do_not_run_together),
        cmocka_unit_test(test_many_keep_order_and_address),
        cmocka_unit_test(test_sum_by_scope),
        cmocka_unit_test(test_twice_is_a_panic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
