/* End of runs: processes started by a script end with it. A killed simulator is reported; another user's
 * simulator is not used. A program that handles failed builds keeps its exit status. Stopped launches have
 * messages. */
#include "sim/error.h"
#include "tests/fixture.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define KERNEL "kernel void f(global int *a) { "

static void assert_never_says(const char *text, const char *part) {
    if (strstr(text, part)) fail_msg("'%s' is in:\n%s\n", part, text);
}

/* One in the background, one deaf, one that has lost its parent. */
static void test_a_script_ends_with_all_it_started(void **state) {
    (void)state;
    char *program = fixture_host("out_of_bounds");
    char *line =
        spawn_text("sleep 200 & echo $! >a; sh -c 'trap \"\" TERM; sleep 201; sleep 202' & echo $! >b; "
                   "(sleep 203 & echo $! >c); %s far; sleep 204",
                   program);
    struct spawned s = LOCKSTEP("run", "--", "sh", "-c", line);
    assert_status(&s, EXIT_PROGRAM_FAULT);
    spawn_free(&s);
    static const char *const names[] = {"a", "b", "c"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = fixture_path(names[i]), *pid = spawn_read(path);
        assert_non_null(pid);
        /* The process that inherits the child may not have collected it yet. */
        for (int wait = 0; wait < 100 && kill((pid_t)atol(pid), 0) == 0; wait++) {
            char *status = spawn_text("/proc/%ld/environ", atol(pid)), *left = spawn_read(status);
            const bool zombie = !left || !*left;
            free(status);
            free(left);
            if (zombie) break;
            if (wait == 99) fail_msg("process %s lives on", names[i]);
            usleep(20000);
        }
        free(path);
        free(pid);
    }
    free(line);
    free(program);
}

static void test_handled_builds_keep_the_status(void **state) {
    (void)state;
    char *program = fixture_host("syntax_error");
    struct spawned s = LOCKSTEP("run", "--stats", "s.json", "--", program, "--ignore");
    assert_status(&s, EXIT_SOUND);
    assert_says(s.err, "undeclared_name");
    assert_says(s.err, "lockstep: 1 kernel source of ");
    assert_outcome("s.json", "complete");
    spawn_free(&s);
    char *line = spawn_text("%s --ignore; exit 7", program);
    s = LOCKSTEP("run", "--", "sh", "-c", line);
    assert_status(&s, 7);
    spawn_free(&s);
    free(line);
    free(program);
}

static void test_a_killed_simulator_is_told_of(void **state) {
    (void)state;
    char *program = fixture_host("run_source");
    /* cat ends after the program, too, has closed the pipe to which both write. */
    char *line = spawn_text("{ %s run -- %s '" KERNEL
                            "volatile int n = 0; while (!*(volatile global int *)a) ++n; }' & "
                            "while ! grep -q 'kernel runs' out 2>/dev/null; do sleep 0.1; done; sleep 0.3; "
                            "kill -KILL $!; } 2>&1 | "
                            "cat >out",
                            fixture_command, program);
    struct spawned s = spawn(fixture_folder, (char *[]){"bash", "-c", line, NULL});
    char *path = fixture_path("out"), *said = spawn_read(path);
    assert_says(said, "lockstep OpenCL driver: the simulator has ended before the program: it was killed");
    assert_says(said, "CL_OUT_OF_RESOURCES");
    spawn_free(&s);
    free(path);
    free(said);
    free(line);
    free(program);
}

/* A program that LOCKSTEP_SOCKET leads to a socket that another user serves. */
static void test_another_users_simulator_is_not_used(void **state) {
    (void)state;
    if (geteuid() != 0) skip(); /* needs root, to be served by another user */
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "lockstep-test-%ld", (long)getpid());
    const socklen_t size = (socklen_t)(sizeof address.sun_family + 1 + strlen(address.sun_path + 1));
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    const pid_t server = fork();
    if (server == 0) {
        const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        if (setuid(65534) != 0 || bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 4) != 0 ||
            write(ready[1], "", 1) != 1)
            _exit(1);
        for (char byte; read(accept(fd, NULL, NULL), &byte, 1) > 0;)
            continue; /* a byte it should not have seen */
        _exit(0);
    }
    char byte, *program = fixture_host("vector_add");
    assert_int_equal(read(ready[0], &byte, 1), 1);
    char *line = spawn_text("OCL_ICD_VENDORS=%s/liblockstep_opencl.so LOCKSTEP_SOCKET=@%s exec %s",
                            spawn_build(), address.sun_path + 1, program);
    struct spawned s = spawn(fixture_folder, (char *[]){"sh", "-c", line, NULL});
    assert_int_not_equal(s.status, 0);
    assert_says(s.err, "is of another user and is not used: user 65534; this program runs as user 0");
    spawn_free(&s);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    close(ready[0]);
    close(ready[1]);
    free(line);
    free(program);
}

/* --- messages about stopped launches --- */

static struct spawned run_kernel(const char *mode, const char *max_cycles, const char *source) {
    char *program = fixture_host("run_source");
    struct spawned s = LOCKSTEP("run", "--mode", (char *)mode, "--max-cycles", (char *)max_cycles, "--",
                                program, (char *)source);
    free(program);
    return s;
}

static void test_a_trap_is_called_one(void **state) {
    (void)state;
    static const char *const modes[] = {"simt", "mimd"};
    static const char *const sources[] = {KERNEL "if (!a[get_global_id(0)]) __builtin_trap(); a[0] = 1; }",
                                          KERNEL "__builtin_unreachable(); }"};
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 2; k++) {
            struct spawned s = run_kernel(modes[m], "1000000", sources[k]);
            assert_status(&s, EXIT_PROGRAM_FAULT);
            assert_says(s.err,
                        "runs into a trap: __builtin_trap(), or a place that the kernel says is never");
            assert_never_says(s.err, "not all work-items");
            spawn_free(&s);
        }
    struct spawned s =
        run_kernel("mimd", "1000000",
                   KERNEL "if (a[get_global_id(0)] == 0 && get_local_id(0) > 3) barrier(1); a[0] = 1; }");
    assert_status(&s, EXIT_PROGRAM_FAULT);
    assert_says(s.err, "not all work-items of the work-group come to the same barriers");
    spawn_free(&s);
}

/* Sizes that do not fit 31 bits, nor 32. */
static void test_huge_private_arrays_are_named(void **state) {
    (void)state;
    static const char *const arrays[] = {"int b[536870911];",
                                         "int b[500000000], c[500000000], d[500000000];"};
    for (int n = 0; n < 2; n++) {
        char *source =
            spawn_text(KERNEL "%s for (int i = 0; i < 9999; i += 1 + a[0]) b[i] = a[i & 7]%s; a[0] = "
                              "b[a[1]]%s; }",
                       arrays[n], n ? ", c[i] = d[i] = i" : "", n ? " + c[a[2]] + d[a[3]]" : "");
        struct spawned s = run_kernel("simt", "1000000", source);
        assert_status(&s, 1); /* run_source's own */
        assert_says(s.err, "program1.cl:1: error: the private variables of 'f' take ");
        assert_says(s.err, "of which one that is used here takes 2");
        assert_never_says(s.err, "build it again");
        spawn_free(&s);
        free(source);
    }
}

/* At some of these limits a work-item is in the midst of a printf. */
static void test_a_stopped_printf_is_no_damage(void **state) {
    (void)state;
    unsigned stopped = 0;
    for (unsigned limit = 23000; limit < 24000; limit += 50) {
        char *cycles = spawn_text("%u", limit);
        struct spawned s = run_kernel(
            "simt", cycles, KERNEL "for (int i = 0; i < 1000; i++) printf(\"%d %d\\n\", i, a[0]); }");
        assert_status(&s, EXIT_PROGRAM_FAULT);
        assert_never_says(s.err, "has written over its printf buffer");
        stopped += strstr(s.err, "was stopped while it printed: its last output is missing") != NULL;
        spawn_free(&s);
        free(cycles);
    }
    assert_true(stopped > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_script_ends_with_all_it_started),
        TEST(test_handled_builds_keep_the_status),
        TEST(test_a_killed_simulator_is_told_of),
        TEST(test_another_users_simulator_is_not_used),
        TEST(test_a_trap_is_called_one),
        TEST(test_huge_private_arrays_are_named),
        TEST(test_a_stopped_printf_is_no_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
