#include "sim/error.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static void test_first_failure_wins(void **state) {
    (void)state;
    struct error e = {0};
    assert_false(error_set(&e, EXIT_USER, "%s:%d: wrong", "file", 3));
    assert_false(error_set(&e, EXIT_PROGRAM_FAULT, "later"));
    assert_int_equal(e.status, EXIT_USER);
    assert_string_equal(e.message, "file:3: wrong");
}

static void test_long_message_is_cut(void **state) {
    (void)state;
    struct error e = {0};
    char text[2 * sizeof e.message];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    error_set(&e, EXIT_USER, "%s", text);
    assert_int_equal(strlen(e.message), sizeof e.message - 1);
}

/* Runs f in a child. Returns its exit status, and its standard error. */
static int in_child(void (*f)(void), char *output, size_t size) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        f();
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    for (ssize_t n; (n = read(ends[0], output + used, size - 1 - used)) > 0;) used += (size_t)n;
    output[used] = 0;
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void say(void *context) {
    fprintf(stderr, "<%s>", (const char *)context);
}
static void panic_again(void *context) {
    (void)context;
    error_panic("hook.c", 2, "again");
}

static char a[] = "a", b[] = "b", c[] = "c";

static void panic_with_hooks(void) {
    error_at_panic(say, a);
    error_at_panic(say, b);
    error_at_panic(say, c);
    error_cancel_at_panic(say, b);
    error_cancel_at_panic(say, b); /* already cancelled: no effect */
    error_panic("file.c", 12, "%d is not %d", 1, 2);
}

static void test_panic_runs_hooks_last_first(void **state) {
    (void)state;
    char text[1024];
    assert_int_equal(in_child(panic_with_hooks, text, sizeof text), EXIT_INTERNAL);
    assert_string_equal(text,
                        "lockstep: internal error at file.c:12: 1 is not 2\n"
                        "This is a mistake in the simulator itself, not in the program it runs.\n<c><a>");
}

static void memory_with_hooks(void) {
    error_at_panic(say, a);
    require_memory(stderr);
    require_memory(NULL);
}

static void test_want_of_memory_is_the_machines(void **state) {
    (void)state;
    char text[1024];
    assert_int_equal(in_child(memory_with_hooks, text, sizeof text), EXIT_USER);
    assert_string_equal(
        text, "lockstep: this computer has no memory left to give (see `ulimit -v` and `free`)\n<a>");
}

static void panic_in_hook(void) {
    error_at_panic(say, a);
    error_at_panic(panic_again, NULL);
    error_panic("file.c", 1, "once");
}

static void test_panic_in_a_hook_ends(void **state) {
    (void)state;
    char text[1024];
    assert_int_equal(in_child(panic_in_hook, text, sizeof text), EXIT_INTERNAL);
    assert_non_null(strstr(text, "file.c:1: once"));
    assert_non_null(strstr(text, "hook.c:2: again"));
    assert_null(strstr(text, "<a>"));
}

static void sixteen_hooks(void) {
    for (int i = 0; i < 16; i++) error_at_panic(say, a);
    for (int i = 0; i < 16; i++) error_cancel_at_panic(say, a);
    for (int i = 0; i < 16; i++) error_at_panic(say, b);
}
static void seventeen_hooks(void) {
    sixteen_hooks();
    error_at_panic(say, c);
}

static void test_sixteen_hooks_fit(void **state) {
    (void)state;
    char text[1024];
    assert_int_equal(in_child(sixteen_hooks, text, sizeof text), 0);
    assert_int_equal(in_child(seventeen_hooks, text, sizeof text), EXIT_INTERNAL);
}

static void broken(void) {
    int n = 3;
    invariant(n == 3, "never said");
    invariant(n == 4, "n is %d", n);
}

static void test_invariant(void **state) {
    (void)state;
    char text[1024];
    assert_int_equal(in_child(broken, text, sizeof text), EXIT_INTERNAL);
    assert_non_null(strstr(text, "tests/sim/test_error.c:"));
    assert_non_null(strstr(text, ": n is 3\n"));
}

static void breaks(void *depth) {
    int *left = depth;
    struct error inner = {0};
    if ((*left)-- > 0) {
        assert_false(error_guard(&inner, breaks, left));
        assert_string_equal(inner.message, "1 is not 2");
    }
    invariant(*left > 100, "%d is not %d", 1, 2);
}

static void holds(void *called) {
    *(bool *)called = true;
}

/* Also in a function that is guarded itself, and again afterwards. */
static void a_guard_turns_a_panic_into_an_error(void **state) {
    (void)state;
    struct error e = {0};
    int depth = 2;
    bool called = false;
    assert_false(error_guard(&e, breaks, &depth));
    assert_int_equal(e.status, EXIT_USER);
    assert_string_equal(e.message, "1 is not 2");
    e.status = EXIT_SOUND;
    assert_true(error_guard(&e, holds, &called));
    assert_true(called);
    assert_int_equal(e.status, EXIT_SOUND);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guard_turns_a_panic_into_an_error),
        cmocka_unit_test(test_first_failure_wins),
        cmocka_unit_test(test_long_message_is_cut),
        cmocka_unit_test(test_panic_runs_hooks_last_first),
        cmocka_unit_test(test_want_of_memory_is_the_machines),
        cmocka_unit_test(test_panic_in_a_hook_ends),
        cmocka_unit_test(test_sixteen_hooks_fit),
        cmocka_unit_test(test_invariant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
