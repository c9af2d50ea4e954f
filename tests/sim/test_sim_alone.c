/* sim/ is independent: it compiles without any other of our files on the include path, and its tests pass,
 * also with the portable coroutines. The example in docs/kernel.md compiles, runs and prints the text shown
 * there. */
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define OPTIONS "-std=gnu11 -O0 -w -D_GNU_SOURCE -I. -I/usr/share/verilator/include/gtkwave"

static char *folder;

static char *shell(const char *command) {
    struct spawned s = spawn(folder, (char *[]){"sh", "-ec", (char *)(uintptr_t)command, NULL});
    if (s.status) fail_msg("'%s' ends with %d:\n%s\n%s", command, s.status, s.out, s.err);
    char *out = strdup(s.out);
    spawn_free(&s);
    return out;
}

/* Compiles a copy of sim/ alone. */
static int build(void **state) {
    (void)state;
    folder = spawn_folder();
    char *command = spawn_text("cp -r %s/sim . && printf '%%s\\n' sim/*.c | xargs -P 2 -n 8 gcc " OPTIONS
                               " -c && ar rcs libsim.a *.o",
                               spawn_source());
    free(shell(command));
    free(command);
    return 0;
}

static int remove_build(void **state) {
    (void)state;
    spawn_remove_folder(folder);
    return 0;
}

/* Tests that need a kernel and nothing else; of tests/, they take their fixture. */
static const char *const own[] = {"thread", "process", "event", "signal", "clock",         "kernel",
                                  "scope",  "mutex",   "queue", "error",  "kernel_random", "timed_queue"};

/* The first two of them, or in the long tests all. */
static void run_own_tests(const char *options) {
    const size_t count = getenv("LOCKSTEP_LONG") ? sizeof own / sizeof *own : 2;
    for (size_t i = 0; i < count; i++) {
        const char *source = spawn_source();
        char *command =
            spawn_text("mkdir -p tests/sim && cp %s/tests/sim/test_%s.c"
                       " %s/tests/sim/kernel_fixture.h tests/sim/ && cp %s/tests/panic.h tests/"
                       " && gcc " OPTIONS " %s tests/sim/test_%s.c libsim.a -lcmocka -lm -o t && ./t 2>&1",
                       source, own[i], source, source, options, own[i]);
        free(shell(command));
        free(command);
    }
}

static void test_sim_alone_passes_its_tests(void **state) {
    (void)state;
    run_own_tests("");
}

/* Returns the text between "```kind" and "```", the first of its kind. */
static char *block(const char *text, const char *kind) {
    char *mark = spawn_text("\n```%s\n", kind);
    const char *begin = strstr(text, mark);
    if (!begin) fail_msg("no block of %s", kind);
    begin += strlen(mark);
    free(mark);
    return strndup(begin, (size_t)(strstr(begin, "\n```") + 1 - begin));
}

static void test_the_example_of_the_documentation(void **state) {
    (void)state;
    char *path = spawn_text("%s/docs/kernel.md", spawn_source()), *document = spawn_read(path);
    if (!document) fail_msg("%s is missing", path);
    char *program = block(document, "c"), *expected = block(document, "text");
    char *file = spawn_text("%s/fifo.c", folder);
    spawn_write(file, program);
    char *out = shell("gcc -std=gnu11 -Wall -Wextra -Werror -I. fifo.c libsim.a -o fifo && ./fifo");
    assert_string_equal(out, expected);
    free(out);
    free(file);
    free(program);
    free(expected);
    free(document);
    free(path);
}

/* The last: it changes the library. */
static void test_portable_coroutines(void **state) {
    (void)state;
    free(shell("gcc " OPTIONS
               " -DCOROUTINE_PORTABLE -c sim/coroutine.c sim/thread.c sim/mutex.c sim/semaphore.c && "
               "ar r libsim.a coroutine.o thread.o mutex.o semaphore.o"));
    run_own_tests("-DCOROUTINE_PORTABLE");
}

int main(void) {
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_sim_alone_passes_its_tests),
        cmocka_unit_test(test_the_example_of_the_documentation),
        cmocka_unit_test(test_portable_coroutines),
    };
    return cmocka_run_group_tests(all, build, remove_build);
}
