/* build: compilers of all kinds run, and their results are handled; nothing is left of a compiler that is
 * interrupted, or whose simulator is killed. */
#include "compiler/driver/trouble.h"
#include "runtime/build.h"
#include "tests/spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define KERNEL "kernel void f(global int *a) { a[get_global_id(0)] = 1; }\n"

static char *folder;

static int set_up(void **state) {
    (void)state;
    folder = spawn_folder();
    setenv("TMPDIR", folder, 1);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    spawn_remove_folder(folder);
    unsetenv("TMPDIR");
    return 0;
}

/* Writes a program into the folder and returns its path. */
static char *script(const char *name, const char *text) {
    char *path = spawn_text("%s/%s", folder, name), *whole = spawn_text("#!/bin/sh\n%s\n", text);
    spawn_write(path, whole);
    assert_int_equal(chmod(path, 0755), 0);
    free(whole);
    return path;
}

static struct build_request request(const char *compiler, const char *source) {
    return (struct build_request){.compiler = compiler,
                                  .options = "",
                                  .name = "f.cl",
                                  .priority_levels = 8,
                                  .source = source,
                                  .source_bytes = strlen(source),
                                  .interrupt_fd = -1};
}

/* Writing the source to such a compiler would end this process by SIGPIPE, or block for ever. */
static void a_compiler_that_does_not_read_is_judged(void **state) {
    (void)state;
    char *source = calloc(1, (16 << 20) + 1), *compiler = script("cc", "exec <&-; echo no >&2; exit 1");
    memset(source, ' ', 16 << 20);
    struct build_request r = request(compiler, source);
    struct build b;
    struct error e = {0};
    assert_true(build_run(&r, &b, &e));
    assert_false(b.compiled);
    build_release(&b);
    free(compiler);
    r.compiler = compiler = script("cc", "exec <&-; kill -SEGV $$");
    assert_false(build_run(&r, &b, &e));
    assert_int_equal(e.status, EXIT_INTERNAL);
    assert_non_null(strstr(e.message, "f.cl"));
    assert_non_null(strstr(e.message, "signal 11"));
    build_release(&b);
    free(compiler);
    free(source);
}

static void it_says_whose_mistake_it_was(void **state) {
    (void)state;
    static const struct {
        const char *script;
        enum exit_status status;
        const char *says;
    } rows[] = {
        {"echo 'clang-14 is not installed' >&2; exit 2", EXIT_USER, "clang-14 is not installed"},
        {"echo 'an impossible state' >&2; exit 4", EXIT_INTERNAL, "an impossible state"},
        {"exit 70", EXIT_INTERNAL, "status 70"},
        {"exit 1", EXIT_INTERNAL, "(status 1), without a message"},
        {"exit 3", EXIT_INTERNAL, "(status 3), without a message"},
        {"exit 0", EXIT_INTERNAL, "made no image"},
        {"kill -KILL $$", EXIT_USER, "no memory is left"},
        {"kill -TERM $$", EXIT_USER, "died of signal 15"},
        {"kill -XFSZ $$", EXIT_USER, "died of signal 25"},
        {"kill -BUS $$", EXIT_INTERNAL, "died of signal 7"},
        {"echo 'LLVM ERROR: out of memory' >&2; kill -ABRT $$", EXIT_USER, "no memory is left"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *compiler = script("cc", rows[i].script);
        struct build_request r = request(compiler, KERNEL);
        struct build b;
        struct error e = {0};
        assert_false(build_run(&r, &b, &e));
        assert_int_equal(e.status, rows[i].status);
        if (!strstr(e.message, rows[i].says)) fail_msg("'%s' is not in '%s'", rows[i].says, e.message);
        build_release(&b);
        free(compiler);
    }
    struct build_request r = request("/no/such/compiler", KERNEL);
    struct build b;
    struct error e = {0};
    assert_false(build_run(&r, &b, &e));
    assert_int_equal(e.status, EXIT_USER);
    assert_non_null(strstr(e.message, "cannot be run"));
    build_release(&b);
}

/* A child process of the compiler that is found on PATH. */
#define LINKER "arm-linux-gnueabihf-ld"

/* Compiles with our own compiler, which finds tools only in the folder. */
static bool build_with_tools_of_the_folder(struct error *e, int interrupt_fd) {
    char *compiler = spawn_text("%s/lockstep-cc", spawn_build()), *path = strdup(getenv("PATH"));
    struct build_request r = request(compiler, KERNEL);
    struct build b;
    r.interrupt_fd = interrupt_fd;
    setenv("PATH", folder, 1);
    setenv("LOCKSTEP_CACHE", folder, 1);
    const bool verdict = build_run(&r, &b, e);
    unsetenv("LOCKSTEP_CACHE");
    setenv("PATH", path, 1);
    build_release(&b);
    free(compiler);
    free(path);
    return verdict;
}

static void a_missing_linker_is_no_mistake_of_ours(void **state) {
    (void)state;
    struct error e = {0};
    assert_false(build_with_tools_of_the_folder(&e, -1));
    assert_int_equal(e.status, EXIT_USER);
    assert_non_null(strstr(e.message, LINKER " is not installed"));
}

static void nor_is_a_limit_of_file_sizes(void **state) {
    (void)state;
    struct error e = {0};
    free(script(LINKER, "kill -XFSZ $$"));
    assert_false(build_with_tools_of_the_folder(&e, -1));
    assert_int_equal(e.status, EXIT_USER);
    assert_non_null(strstr(e.message, "ulimit -f"));
}

static void a_linker_that_crashes_is(void **state) {
    (void)state;
    struct error e = {0};
    free(script(LINKER, "kill -SEGV $$"));
    assert_false(build_with_tools_of_the_folder(&e, -1));
    assert_int_equal(e.status, EXIT_INTERNAL);
    assert_non_null(strstr(e.message, LINKER " crashed"));
}

/* No folder for temporary files is needed, so a full one does not matter. */
static void nothing_is_written_but_the_cache(void **state) {
    (void)state;
    char *compiler = spawn_text("%s/lockstep-cc", spawn_build()), *cache = spawn_folder();
    struct build_request r = request(compiler, KERNEL);
    struct build b;
    struct error e = {0};
    setenv("LOCKSTEP_CACHE", cache, 1);
    setenv("TMPDIR", "/no/such/folder", 1);
    assert_true(build_run(&r, &b, &e));
    assert_true(b.compiled);
    assert_memory_equal(b.image, "\177ELF", 4);
    unsetenv("LOCKSTEP_CACHE");
    build_release(&b);
    spawn_remove_folder(cache);
    free(compiler);
}

/* --- interruptions --- */

/* Returns the process id that the fake linker has stored in the folder; 0: not yet. */
static pid_t linker_process(void) {
    char *path = spawn_text("%s/pid", folder), *text = spawn_read(path);
    const pid_t pid = text && strchr(text, '\n') ? (pid_t)atol(text) : 0;
    free(path);
    free(text);
    return pid;
}

static pid_t wait_for_linker(void) {
    for (int i = 0; i < 1000 && !linker_process(); i++) usleep(10000);
    return linker_process();
}

static void make_slow_linker(void) {
    free(script(LINKER, "echo $$ >\"$TMPDIR/pid\"; exec /bin/sleep 300"));
}

static void assert_gone(pid_t pid) {
    assert_true(pid > 0);
    for (int i = 0; i < 300 && kill(pid, 0) == 0; i++) usleep(10000);
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(errno, ESRCH);
}

/* Checks that the folder contains nothing but the test's files. */
static void assert_no_leftovers(void) {
    char *line = spawn_text("ls -A %s | grep -vx -e " LINKER " -e pid", folder);
    struct spawned s = spawn("/", (char *[]){"sh", "-c", line, NULL});
    assert_string_equal(s.out, "");
    spawn_free(&s);
    free(line);
}

static void *interrupt(void *context) {
    const int *fd = context;
    wait_for_linker();
    assert_int_equal(write(*fd, "", 1), 1);
    return NULL;
}

static void an_interrupted_compile_leaves_nothing(void **state) {
    (void)state;
    int ends[2];
    pthread_t thread;
    struct error e = {0};
    make_slow_linker();
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(pthread_create(&thread, NULL, interrupt, &ends[1]), 0);
    assert_false(build_with_tools_of_the_folder(&e, ends[0]));
    pthread_join(thread, NULL);
    assert_int_equal(e.status, EXIT_USER);
    assert_non_null(strstr(e.message, "interrupted while a kernel was being compiled"));
    assert_gone(linker_process());
    assert_no_leftovers();
    close(ends[0]);
    close(ends[1]);
}

static void a_killed_simulator_leaves_no_compiler(void **state) {
    (void)state;
    make_slow_linker();
    const pid_t simulator = fork();
    if (simulator == 0) {
        struct error e = {0};
        _exit(build_with_tools_of_the_folder(&e, -1));
    }
    const pid_t linker = wait_for_linker();
    assert_int_equal(kill(simulator, SIGKILL), 0);
    assert_int_equal(waitpid(simulator, NULL, 0), simulator);
    assert_gone(linker);
    assert_no_leftovers();
}

int main(void) {
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_compiler_that_does_not_read_is_judged),
        TEST(it_says_whose_mistake_it_was),
        TEST(a_missing_linker_is_no_mistake_of_ours),
        TEST(a_linker_that_crashes_is),
        TEST(nor_is_a_limit_of_file_sizes),
        TEST(nothing_is_written_but_the_cache),
        TEST(an_interrupted_compile_leaves_nothing),
        TEST(a_killed_simulator_leaves_no_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
