/* session: programs of all kinds are started, served and ended; interruptions; clients that talk nonsense.
 * The protocol is hidden in the shared libraries, as in the driver. Links: $(B)/obj/runtime/protocol.o
 * Needs: $(HOSTS) */
#include "runtime/protocol.h"
#include "runtime/session.h"
#include "tests/seed.h"
#include "tests/spawn.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct machine *machine;
static struct session *session;
static struct error last_launch; /* error of the latest launch reported to on_launch */
static unsigned launches_told;

static void note_launch(void *context, const struct machine_launch *launch,
                        const struct machine_result *result, const struct error *e) {
    (void)context;
    assert_non_null(launch->kernel);
    assert_true(result->end >= result->start);
    last_launch = *e;
    launches_told++;
}

static int set_up(void **state) {
    (void)state;
    struct machine_config c;
    struct error e = {0};
    config_defaults(&machine_config_table, &c);
    machine = machine_create(&c, &e);
    char *compiler = spawn_text("%s/lockstep-cc", spawn_build());
    char *driver = spawn_text("%s/liblockstep_opencl.so", spawn_build());
    const struct session_options o = {
        .machine = machine, .compiler = compiler, .driver = driver, .on_launch = note_launch};
    session = machine != NULL ? session_create(&o, &e) : NULL;
    if (session == NULL) print_error("%s\n", e.message);
    free(compiler);
    free(driver);
    launches_told = 0;
    last_launch = (struct error){0};
    return session == NULL;
}

static int tear_down(void **state) {
    (void)state;
    session_destroy(session);
    machine_destroy(machine);
    return 0;
}

/* Runs a session. Prints the text of a failure, for tests that do not expect it. */
static bool run(char *const argv[], struct session_result *r, struct error *e) {
    const bool whole = session_run(session, argv, r, e);
    if (!whole) print_message("(%s)\n", e->message);
    return whole;
}
#define RUN(r, e, ...) run((char *[]){__VA_ARGS__, NULL}, r, e)

static char *host(const char *name) {
    return spawn_text("%s/tests/hosts/%s", spawn_build(), name);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- programs without OpenCL --- */

static void exit_status_and_signal_pass_through(void **state) {
    (void)state;
    struct session_result r;
    struct error e = {0};
    assert_true(RUN(&r, &e, "true"));
    assert_int_equal(r.exit_status, 0);
    assert_false(r.used_opencl);
    assert_true(RUN(&r, &e, "sh", "-c", "exit 7"));
    assert_int_equal(r.exit_status, 7);
    assert_int_equal(r.signal, 0);
    assert_true(RUN(&r, &e, "sh", "-c", "kill -SEGV $$"));
    assert_int_equal(r.signal, SIGSEGV);
    assert_int_equal(r.exit_status, 0);
    assert_int_equal(e.status, EXIT_SOUND);
}

static void what_cannot_run_is_told(void **state) {
    (void)state;
    static const struct {
        const char *program;
        enum exit_status status;
        const char *says;
    } rows[] = {{"no-such-program-anywhere", EXIT_NOT_FOUND, "on PATH"},
                {"/no/such/program", EXIT_NOT_FOUND, "not found"},
                {"/etc/passwd", EXIT_CANNOT_RUN, "Permission denied"},
                {"/tmp", EXIT_CANNOT_RUN, "/tmp"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct session_result r;
        struct error e = {0};
        assert_false(RUN(&r, &e, (char *)(uintptr_t)rows[i].program));
        assert_int_equal(e.status, rows[i].status);
        assert_non_null(strstr(e.message, rows[i].says));
        assert_int_equal(r.exit_status, 0);
    }
}

/* A line of /proc/self/status. */
static void keep_status(const char *name, const char *variable) {
    char *line = NULL;
    size_t size = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (getline(&line, &size, f) > 0)
        if (strncmp(line, name, strlen(name)) == 0) {
            line[strcspn(line, "\n")] = '\0';
            setenv(variable, line, 1);
        }
    fclose(f);
    free(line);
}

/* Nothing of ours is inherited but the three standard descriptors, the environment, and which signals are
 * ignored and blocked. */
static void the_program_starts_clean(void **state) {
    (void)state;
    struct session_result r;
    struct error e = {0};
    const int leak = open("/dev/null", O_RDONLY);
    void (*before)(int) = signal(SIGUSR1, SIG_IGN);
    keep_status("SigBlk:", "LOCKSTEP_TEST_BLOCKED");
    keep_status("SigIgn:", "LOCKSTEP_TEST_IGNORED");
    setenv("LOCKSTEP_TEST_VARIABLE", "kept", 1);
    setenv("OCL_ICD_VENDORS", "/elsewhere", 1);
    assert_true(RUN(&r, &e, "sh", "-c",
                    "for n in 3 4 5 6 7 8 9 11 12 13 14 15 16; do [ -e /proc/$$/fd/$n ] && exit 1; done;"
                    " grep -qxF \"$LOCKSTEP_TEST_BLOCKED\" /proc/self/status || exit 2;"
                    " grep -qxF \"$LOCKSTEP_TEST_IGNORED\" /proc/self/status || exit 3;"
                    " [ \"$LOCKSTEP_TEST_VARIABLE\" = kept ] || exit 4;"
                    " case $OCL_ICD_VENDORS in */liblockstep_opencl.so) ;; *) exit 5;; esac;"
                    " [ -n \"$LOCKSTEP_SOCKET\" ] || exit 6"));
    unsetenv("OCL_ICD_VENDORS");
    signal(SIGUSR1, before);
    close(leak);
    assert_int_equal(r.exit_status, 0);
}

/* --- programs with OpenCL --- */

static void launches_are_counted_and_told(void **state) {
    (void)state;
    struct session_result r;
    struct error e = {0};
    char *program = host("vector_add");
    assert_true(RUN(&r, &e, program));
    assert_int_equal(r.exit_status, 0);
    assert_true(r.used_opencl);
    assert_true(r.launches > 0);
    assert_int_equal(r.launches, launches_told);
    assert_int_equal(last_launch.status, EXIT_SOUND);
    free(program);
}

/* Several concurrent and consecutive processes, each with its own objects. */
static void programs_that_fork_are_served(void **state) {
    (void)state;
    struct session_result r;
    struct error e = {0};
    char *program = host("forks"), *line;
    assert_true(RUN(&r, &e, program));
    assert_int_equal(r.exit_status, 0);
    assert_int_equal(r.launches, 4);
    assert_true(asprintf(&line, "%s & %s; s=$?; wait $! && exit $s", program, program) > 0);
    assert_true(RUN(&r, &e, "sh", "-c", line));
    assert_int_equal(r.exit_status, 0);
    assert_int_equal(r.launches, 8);
    free(line);
    free(program);
}

/* The session ends with its program, even if a child of it is still connected. */
static void a_child_left_behind_holds_nothing_up(void **state) {
    (void)state;
    struct session_result r;
    struct error e = {0};
    char *line = spawn_text("%s/tests/hosts/endless & sleep 1; kill -0 $! && exit 3", spawn_build());
    const double start = now();
    assert_true(RUN(&r, &e, "sh", "-c", line));
    assert_int_equal(r.exit_status, 3);
    assert_true(now() - start < 5);
    assert_int_equal(e.status, EXIT_SOUND);
    free(line);
}

static void a_program_killed_in_a_launch_stops_it(void **state) {
    (void)state;
    struct session_result r;
    struct error e = {0};
    char *program = host("endless");
    const double start = now();
    assert_true(RUN(&r, &e, "timeout", "-s", "KILL", "1", program));
    assert_true(now() - start < 5);
    assert_true(r.exit_status == 137 || r.signal == SIGKILL);
    assert_int_equal(r.launches, 0);
    assert_int_equal(launches_told, 1);
    assert_int_equal(last_launch.status, EXIT_USER);
    assert_non_null(strstr(last_launch.message, "the program ended"));
    free(program);
}

static void every_api_mistake_has_its_code(void **state) {
    (void)state;
    static const char *const names[] = {
        "api_errors", "api_errors_programs", "api_errors_commands", "waiting", "linking", "binaries"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct session_result r;
        struct error e = {0};
        char *program = host(names[i]);
        assert_true(RUN(&r, &e, program));
        assert_int_equal(r.exit_status, 0);
        free(program);
    }
}

/* --- interruptions --- */

struct alarm_call {
    unsigned after_ms;
    int signal;
};

static void *raise_later(void *context) {
    const struct alarm_call *a = context;
    usleep(a->after_ms * 1000);
    kill(getpid(), a->signal);
    return NULL;
}

/* Runs argv and sends this process a signal meanwhile. */
static bool run_interrupted(char *const argv[], struct session_result *r, struct error *e, unsigned after_ms,
                            int number) {
    struct alarm_call a = {after_ms, number};
    sigset_t both, before;
    pthread_t thread;
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &both,
                    &before); /* inherited by the new thread; the session blocks only ours */
    pthread_create(&thread, NULL, raise_later, &a);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    const bool whole = session_run(session, argv, r, e);
    pthread_join(thread, NULL);
    return whole;
}

static void ctrl_c_ends_a_program(void **state) {
    (void)state;
    struct session_result r;
    struct error e = {0};
    const double start = now();
    assert_false(run_interrupted((char *[]){"sleep", "60", NULL}, &r, &e, 200, SIGINT));
    assert_int_equal(e.status, EXIT_USER);
    assert_non_null(strstr(e.message, "interrupted by SIGINT"));
    assert_int_equal(r.signal, SIGTERM);
    assert_true(now() - start < 2);
}

static void a_deaf_program_is_killed(void **state) {
    (void)state;
    struct session_result r;
    struct error e = {0};
    const double start = now();
    assert_false(run_interrupted((char *[]){"sh", "-c", "trap '' TERM INT; while :; do :; done", NULL}, &r,
                                 &e, 200, SIGTERM));
    assert_non_null(strstr(e.message, "interrupted by SIGTERM"));
    assert_int_equal(r.signal, SIGKILL);
    assert_true(now() - start < 5);
}

static void ctrl_c_in_a_launch_says_what_it_did(void **state) {
    (void)state;
    struct session_result r;
    struct error e = {0};
    char *program = host("endless");
    const double start = now();
    assert_false(run_interrupted((char *[]){program, NULL}, &r, &e, 1000, SIGINT));
    assert_true(now() - start < 5);
    assert_int_equal(e.status, EXIT_USER);
    assert_non_null(strstr(e.message, "warp"));
    assert_int_equal(launches_told, 1);
    assert_string_equal(last_launch.message, e.message);
    assert_int_equal(r.signal, SIGTERM);
    free(program);
}

/* --- clients that talk nonsense --- */

struct server {
    pthread_t thread;
    int socket_fd;
    bool whole;
    struct error e;
};

static void *serve(void *context) {
    struct server *s = context;
    s->whole = session_serve(session, s->socket_fd, &s->e);
    return NULL;
}

static int start_server(struct server *s) {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    *s = (struct server){.socket_fd = ends[1]};
    assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
    return ends[0];
}

/* Hangs up and waits for the server's end, which must be a sound one. */
static void end_server(struct server *s, int fd) {
    close(fd);
    pthread_join(s->thread, NULL);
    assert_true(s->whole);
    assert_int_equal(s->e.status, EXIT_SOUND);
}

static uint32_t ask(int fd, struct protocol_message *request, struct protocol_message *reply) {
    assert_true(protocol_send(fd, request));
    protocol_free(request);
    assert_true(protocol_receive(fd, reply));
    assert_int_equal(reply->type, PROTOCOL_REPLY);
    const uint32_t status = protocol_get_u32(reply);
    protocol_get_u64(reply);
    protocol_get_text(reply);
    assert_false(reply->bad);
    return status;
}

static void noise_ends_the_connection_only(void **state) {
    (void)state;
    struct server s;
    const int fd = start_server(&s);
    static const char noise[64] = "this is no message of ours";
    assert_int_equal(write(fd, noise, sizeof noise), sizeof noise);
    char byte;
    assert_int_equal(read(fd, &byte, 1) > 0, 0);
    end_server(&s, fd);
}

static void another_version_is_told_so(void **state) {
    (void)state;
    struct server s;
    const int fd = start_server(&s);
    struct protocol_message request, reply;
    protocol_begin(&request, PROTOCOL_HELLO);
    protocol_put_u32(&request, PROTOCOL_VERSION + 1);
    assert_int_equal(ask(fd, &request, &reply), PROTOCOL_VERSION_DIFFERS);
    protocol_free(&reply);
    end_server(&s, fd);
}

/* A buffer is the same memory in both processes, to the byte; a released one does not exist any more. */
static void buffers_come_and_go(void **state) {
    (void)state;
    struct server s;
    const int fd = start_server(&s);
    struct protocol_message request, reply;
    for (unsigned round = 1; round <= 3; round++) {
        protocol_begin(&request, PROTOCOL_CREATE_BUFFER);
        protocol_put_u64(&request, 1000);
        protocol_put_u32(&request, 1);
        protocol_put_u32(&request, 0);
        assert_int_equal(ask(fd, &request, &reply), PROTOCOL_OK);
        assert_int_equal(protocol_get_u32(&reply), round);
        assert_int_equal(lseek(reply.fd, 0, SEEK_END), 1000);
        assert_int_equal(ftruncate(reply.fd, 10), -1); /* sealed */
        assert_int_equal(
            machine_memory(machine)->region[machine_memory(machine)->order[0]].kind != MEMORY_NONE, 1);
        protocol_free(&reply);
    }
    for (int round = 0; round < 2; round++) {
        protocol_begin(&request, PROTOCOL_RELEASE_BUFFER);
        protocol_put_u32(&request, 2);
        protocol_put_text(&request, "");
        assert_int_equal(ask(fd, &request, &reply), round == 0 ? PROTOCOL_OK : PROTOCOL_MALFORMED);
        protocol_free(&reply);
    }
    end_server(&s, fd);
    assert_int_equal(memory_find(machine_memory(machine), MEMORY_BUFFER_BASE, 1),
                     -1); /* the client's buffers have been removed */
}

/* Random requests get an answer, and so does the next request. (Builds are left out, since each starts a
 * process.) */
static void random_requests_are_answered(void **state) {
    (void)state;
    struct seed r = seed_start();
    struct server s;
    const int fd = start_server(&s);
    static const uint32_t types[] = {PROTOCOL_HELLO,
                                     PROTOCOL_RELEASE_BUFFER,
                                     PROTOCOL_LOAD,
                                     PROTOCOL_RELEASE_PROGRAM,
                                     PROTOCOL_LAUNCH,
                                     PROTOCOL_LOCATE,
                                     77,
                                     PROTOCOL_REPLY};
    for (int round = 0; round < 3000; round++) {
        struct protocol_message request, reply;
        protocol_begin(&request, types[seed_below(&r, sizeof types / sizeof types[0])]);
        for (unsigned n = seed_below(&r, 20); n > 0; n--) {
            switch (seed_below(&r, 3)) {
            case 0: protocol_put_u32(&request, seed_below(&r, 4)); break;
            case 1: protocol_put_u64(&request, seed_next(&r) >> seed_below(&r, 64)); break;
            default: protocol_put_text(&request, "\177ELFsum"); break;
            }
        }
        assert_true(ask(fd, &request, &reply) <= PROTOCOL_LAUNCH_FAILED);
        protocol_free(&reply);
    }
    end_server(&s, fd);
}

static void missing_tools_are_named(void **state) {
    (void)state;
    struct error e = {0};
    char *driver = spawn_text("%s/liblockstep_opencl.so", spawn_build());
    const struct session_options o = {.machine = machine, .compiler = "/no/lockstep-cc", .driver = driver};
    assert_null(session_create(&o, &e));
    assert_int_equal(e.status, EXIT_USER);
    assert_non_null(strstr(e.message, "/no/lockstep-cc"));
    free(driver);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(exit_status_and_signal_pass_through),
        TEST(what_cannot_run_is_told),
        TEST(the_program_starts_clean),
        TEST(launches_are_counted_and_told),
        TEST(programs_that_fork_are_served),
        TEST(a_child_left_behind_holds_nothing_up),
        TEST(a_program_killed_in_a_launch_stops_it),
        TEST(every_api_mistake_has_its_code),
        TEST(ctrl_c_ends_a_program),
        TEST(a_deaf_program_is_killed),
        TEST(ctrl_c_in_a_launch_says_what_it_did),
        TEST(noise_ends_the_connection_only),
        TEST(another_version_is_told_so),
        TEST(buffers_come_and_go),
        TEST(random_requests_are_answered),
        TEST(missing_tools_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
