/* Messages between driver and simulator (runtime/protocol.h) that are changed in transit, in either
 * direction. This test forwards messages between a program of tests/hosts and `lockstep serve` and changes
 * one of them: its bytes, type, descriptor or length; or repeats it, or sends noise in its place. Neither
 * side crashes or hangs, and each ends with a documented status. `make test` runs a few cases,
 * LOCKSTEP_LONG=1 (`make test-long`) 10,000 (docs/test-long.md). The protocol is hidden in the shared
 * libraries, as in the driver.
 *
 * Links: $(B)/obj/runtime/protocol.o */
#include "runtime/protocol.h"
#include "tests/attacks/attack.h"
#include "tests/fixture.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_MESSAGES = 24, PATIENCE_MS = 5000 };

/* --- the two ends --- */

struct line {
    int program_fd, simulator_fd;
    struct spawned program, simulator;
};

static int listen_somewhere(char name[64]) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t length = sizeof address;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(sa_family_t)), 0);
    assert_int_equal(listen(fd, 4), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    snprintf(name, 64, "@%.*s", (int)(length - sizeof(sa_family_t) - 1), address.sun_path + 1);
    return fd;
}

static int start_simulator(struct spawned *s, const char *mode) {
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    fcntl(ends[1], F_SETFD, 0);
    char *fd = spawn_text("%d", ends[1]);
    *s = spawn_start(fixture_folder, false,
                     (char *[]){fixture_command, "serve", "--mode", (char *)mode, "--socket-fd", fd, NULL});
    free(fd);
    close(ends[1]);
    return ends[0];
}

/* Returns −1 if the program does not connect. */
static int start_program(struct spawned *s, const char *name) {
    char address[64], *program = fixture_host(name),
                      *driver = spawn_text("%s/liblockstep_opencl.so", spawn_build());
    const int listener = listen_somewhere(address);
    setenv("LOCKSTEP_SOCKET", address, 1);
    setenv("OCL_ICD_VENDORS", driver, 1);
    *s = spawn_start(fixture_folder, false, (char *[]){program, NULL});
    unsetenv("LOCKSTEP_SOCKET");
    unsetenv("OCL_ICD_VENDORS");
    struct pollfd p = {listener, POLLIN, 0};
    const int fd = poll(&p, 1, 60000) > 0 ? accept4(listener, NULL, NULL, SOCK_CLOEXEC) : -1;
    close(listener);
    free(program);
    free(driver);
    return fd;
}

/* --- the change --- */

static const char *const changes[] = {"bytes",      "bytes", "bytes", "zeros", "type",
                                      "descriptor", "twice", "noise", "short", "length"};

static void change_bytes(struct seed *s, struct protocol_message *m) {
    char *bytes = (char *)m->data;
    if (m->size == 0) return;
    attack_mutate(s, &bytes, &m->size);
    m->data = (uint8_t *)bytes;
    m->capacity = m->size;
}

static void change_descriptor(struct seed *s, struct protocol_message *m) {
    static const char *const files[] = {"/dev/null", "/dev/zero", "/", "/etc/passwd"};
    if (m->fd >= 0) close(m->fd);
    m->fd = seed_below(s, 2) ? -1 : open(files[seed_below(s, 4)], O_RDONLY | O_CLOEXEC);
}

/* Sends other bytes instead: noise, or a header (runtime/protocol.c) with a wrong length. */
static void send_raw(struct seed *s, int fd, const char *change, const struct protocol_message *m) {
    struct {
        uint32_t magic, type;
        uint64_t size_bytes;
    } header = {0x504b534c, m->type, m->size};
    char noise[100];
    for (unsigned i = 0; i < sizeof noise; i++) noise[i] = (char)seed_next(s);
    if (!strcmp(change, "noise")) {
        send(fd, noise, sizeof noise, MSG_NOSIGNAL);
        return;
    }
    if (!strcmp(change, "length")) header.size_bytes = seed_next(s) >> seed_below(s, 64);
    send(fd, &header, 1 + seed_below(s, sizeof header), MSG_NOSIGNAL);
}

/* Sends a changed message. Returns false if no further message makes sense. */
static bool send_changed(struct seed *s, int fd, const char *change, struct protocol_message *m) {
    if (!strcmp(change, "noise") || !strcmp(change, "short") || !strcmp(change, "length")) {
        send_raw(s, fd, change, m);
        return false;
    }
    if (!strcmp(change, "bytes")) change_bytes(s, m);
    if (!strcmp(change, "zeros") && m->size > 0) memset(m->data, 0, m->size);
    if (!strcmp(change, "type")) m->type = seed_below(s, 2) ? seed_below(s, 12) : (uint32_t)seed_next(s);
    if (!strcmp(change, "descriptor")) change_descriptor(s, m);
    if (!strcmp(change, "twice")) protocol_send(fd, m);
    return protocol_send(fd, m);
}

/* --- the conversation --- */

static bool receive(int fd, struct protocol_message *m) {
    struct pollfd p = {fd, POLLIN, 0};
    protocol_begin(m, 0);
    return poll(&p, 1, PATIENCE_MS) > 0 && protocol_receive(fd, m);
}

/* Forwards messages until one side is silent or closed, or the change has broken the connection. Message
 * `number` is changed: even numbers are requests, odd ones replies. Returns whether it was reached. */
static bool converse(struct line *l, struct seed *s, unsigned number, const char *change) {
    bool going = l->program_fd >= 0, changed = false;
    for (unsigned n = 0; going; n++) {
        const bool request = n % 2 == 0;
        const int from = request ? l->program_fd : l->simulator_fd,
                  to = request ? l->simulator_fd : l->program_fd;
        struct protocol_message m;
        going = receive(from, &m);
        if (going && n == number) {
            changed = true;
            going = send_changed(s, to, change, &m);
        } else if (going) {
            going = protocol_send(to, &m);
        }
        protocol_free(&m);
    }
    return changed;
}

struct tally {
    unsigned unchanged, programs[3], simulators[3]; /* numbers of sound ends, of ends with a documented
                                                     * status, of other ends */
};

static void judge(const struct attack *a, const char *who, const struct spawned *s, unsigned tally[3],
                  bool known) {
    if (s->status >= 126 || !known)
        attack_fail(a, "%s: exit status %d\n%s\n%s\n", who, s->status, s->out, s->err);
    tally[s->status != 0]++;
}

static void try(const struct attack *a, struct tally *t) {
    static const char *const programs[] = {"any_machine", "read_write_copy", "local_argument",
                                           "printf",      "linking",         "two_programs_kernels"};
    struct seed s = attack_seed(a);
    const char *name = programs[seed_below(&s, sizeof programs / sizeof *programs)];
    const char *change = changes[seed_below(&s, sizeof changes / sizeof *changes)];
    const unsigned number = seed_below(&s, MOST_MESSAGES);
    struct line l;
    l.simulator_fd = start_simulator(&l.simulator, seed_below(&s, 2) ? "simt" : "mimd");
    l.program_fd = start_program(&l.program, name);
    t->unchanged += !converse(&l, &s, number, change);
    if (l.program_fd >= 0) close(l.program_fd);
    close(l.simulator_fd);
    spawn_finish(&l.program);
    spawn_finish(&l.simulator);
    const int status = l.simulator.status;
    judge(a, "the program", &l.program, t->programs, true);
    judge(a, "the simulator", &l.simulator, t->simulators, status == 0 || status == 120 || status == 125);
    spawn_free(&l.program);
    spawn_free(&l.simulator);
}

static void changed_messages(void **state) {
    (void)state;
    struct attack a = attack_start("changed_messages", 40, 10000);
    struct tally t = {0};
    spawn_limit_seconds = 100;
    while (attack_next(&a)) try(&a, &t);
    attack_end(
        &a, "%u changed, %u conversations ended before; programs: %u sound, %u failed; simulators: %u, %u",
        a.count - t.unchanged, t.unchanged, t.programs[0], t.programs[1], t.simulators[0], t.simulators[1]);
    assert_true(a.count < 10 || t.unchanged < a.count);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {TEST(changed_messages)};
    return attack_run(argc, argv, tests);
}
