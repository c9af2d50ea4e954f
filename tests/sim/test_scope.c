/* Names: hierarchy, look-up, and refused names. */
#include "sim/mutex.h"
#include "sim/semaphore.h"
#include "tests/sim/kernel_fixture.h"

static void nothing(void *context) {
    (void)context;
}

static void test_full_names(void **state) {
    (void)state;
    scope_enter(k, "top");
    scope_enter(k, "fifo");
    struct event *not_empty = event_create(k, "not_empty");
    struct signal *level = signal_create(k, "level", 8, 0);
    scope_leave(k);
    struct process *p = process_create(k, "producer", nothing, NULL);
    scope_leave(k);
    struct clock *clock = clock_create(k, "clock", 10, 1);
    scope_enter(k, "top"); /* again */
    mutex_create(k, "m");
    semaphore_create(k, "s", 1);
    scope_leave(k);
    assert_string_equal(event_name(not_empty), "top.fifo.not_empty");
    assert_string_equal(signal_name(level), "top.fifo.level");
    assert_string_equal(process_name(p), "top.producer");
    assert_string_equal(event_name(signal_posedge(level)), "top.fifo.level.posedge");
    assert_string_equal(event_name(clock_negedge(clock)), "clock.negedge");
    assert_ptr_equal(event_find(k, "top.fifo.not_empty"), not_empty);
    assert_ptr_equal(signal_find(k, "top.fifo.level"), level);
    assert_ptr_equal(process_find(k, "top.producer"), p);
    assert_ptr_equal(clock_find(k, "clock"), clock);
    assert_null(event_find(k, "top.fifo.level")); /* exists, but of another kind */
    assert_null(event_find(k, "not_empty"));
    assert_null(object_find(k, "top.fifo.nothing"));
    const struct {
        const char *name;
        enum object_kind kind;
    } all[] = {{"e1", OBJECT_EVENT},
               {"e2", OBJECT_EVENT},
               {"e3", OBJECT_EVENT},
               {"s1", OBJECT_SIGNAL},
               {"top", OBJECT_SCOPE},
               {"top.fifo", OBJECT_SCOPE},
               {"top.fifo.not_empty", OBJECT_EVENT},
               {"top.fifo.level", OBJECT_SIGNAL},
               {"top.producer", OBJECT_PROCESS},
               {"clock", OBJECT_CLOCK},
               {"top.m", OBJECT_MUTEX},
               {"top.s", OBJECT_SEMAPHORE}};
    assert_int_equal(object_count(k), sizeof all / sizeof *all);
    for (size_t i = 0; i < object_count(k); i++) {
        assert_string_equal(object_at(k, i)->name, all[i].name);
        assert_int_equal(object_at(k, i)->kind, all[i].kind);
        assert_ptr_equal(object_find(k, all[i].name), object_at(k, i));
    }
}

static void test_many_names(void **state) {
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 5000; i++) {
            char name[16];
            snprintf(name, sizeof name, "event%u", i);
            if (round)
                assert_string_equal(event_name(event_find(k, name)), name);
            else
                event_create(k, name);
        }
    }
}

static void name_twice(void *context) {
    (void)context;
    event_create(k, "e1");
}
static void name_of_another_kind(void *context) {
    (void)context;
    signal_create(k, "e1", 1, 0);
}
static void scope_like_an_event(void *context) {
    (void)context;
    scope_enter(k, "e1");
}
static void dotted(void *context) {
    (void)context;
    event_create(k, "a.b");
}
static void empty(void *context) {
    (void)context;
    event_create(k, "");
}
static void leave_nothing(void *context) {
    (void)context;
    scope_leave(k);
}

static void test_what_is_refused(void **state) {
    (void)state;
    assert_true(panics(name_twice, NULL));
    assert_true(panics(name_of_another_kind, NULL));
    assert_true(panics(scope_like_an_event, NULL));
    assert_true(panics(dotted, NULL));
    assert_true(panics(empty, NULL));
    assert_true(panics(leave_nothing, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_full_names),
        TEST(test_many_names),
        TEST(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
