#include "runtime/opencl/connection.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* The connection: one for a process, under the driver's lock. */
static struct {
    int fd;
    bool failed;        /* there is no simulator any more; no further attempts */
    bool greeted;       /* the simulator has answered */
    bool forked;        /* this is a child of a process with a connection, whose objects this connection
                           does not know */
    uint32_t status;    /* status of the last answer */
    uint64_t now;       /* time of the machine, ps */
    uint64_t transfers; /* time of all transfers, ps */
    struct protocol_device device;
} line = {.fd = -1};

static void complain(const char *what, const char *why) {
    fprintf(stderr, "lockstep OpenCL driver: %s: %s\n", what, why);
}

/* The server of the socket sees the program's kernels and data, so it must belong to the program's user. */
static bool served_by_us(int fd) {
    struct ucred peer = {0};
    socklen_t size = sizeof peer;
    char why[100];
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid()) return true;
    snprintf(why, sizeof why, "user %u; this program runs as user %u", (unsigned)peer.uid,
             (unsigned)geteuid());
    complain("the simulator that LOCKSTEP_SOCKET names is of another user and is not used", why);
    return false;
}

/* name has the form of LOCKSTEP_SOCKET: @NAME, in the abstract name space of Unix sockets. */
static int connect_to(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    if (name[0] != '@' || length >= sizeof address.sun_path) {
        complain("LOCKSTEP_SOCKET is not the name of a simulator's socket (set by lockstep run; unset it)",
                 name);
        return -1;
    }
    memcpy(address.sun_path + 1, name + 1, length - 1);
    int fd = protocol_above_streams(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    const bool connected = fd >= 0 && connect(fd, (struct sockaddr *)&address, size) == 0;
    if (connected && served_by_us(fd)) return fd;
    if (!connected)
        complain("the simulator that LOCKSTEP_SOCKET names cannot be reached (has lockstep run ended?)",
                 strerror(errno));
    if (fd >= 0) close(fd);
    return -1;
}

/* Runs in a child of the child, so that the program never sees a child process that it did not start. */
static _Noreturn void become_simulator(const char *path, int fd) {
    pid_t pid = _Fork();
    if (pid != 0) _exit(pid < 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(fd, 3);
    fcntl(3, F_SETFD, 0);
    close_range(4, ~0u, 0);
    execl(path, path, "serve", "--socket-fd", "3", (char *)NULL);
    _exit(127);
}

static int start_simulator(void) {
    Dl_info own;
    char path[PATH_MAX];
    int ends[2];
    if (dladdr(&line, &own) == 0 || realpath(own.dli_fname, path) == NULL) {
        complain("the driver's own place cannot be found", "run the program with lockstep run");
        return -1;
    }
    char *slash = strrchr(path, '/');
    if (slash == NULL || (size_t)(slash - path) + sizeof "/lockstep" > sizeof path) return -1;
    strcpy(slash, "/lockstep");
    if (access(path, X_OK) != 0) {
        complain("there is no simulator beside the driver", path);
        return -1;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        complain("socketpair", strerror(errno));
        return -1;
    }
    for (int i = 0; i < 2; i++) ends[i] = protocol_above_streams(ends[i]);
    pid_t pid = _Fork();
    if (pid == 0) become_simulator(path, ends[1]);
    close(ends[1]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) continue;
    return ends[0];
}

static bool greet(void) {
    struct protocol_message request, reply;
    const char *text = "";
    protocol_begin(&request, PROTOCOL_HELLO);
    protocol_put_u32(&request, PROTOCOL_VERSION);
    uint32_t status = connection_request(&request, &reply, &text);
    if (status == PROTOCOL_OK) protocol_get_device(&reply, &line.device);
    const struct protocol_device *d = &line.device;
    bool whole = status == PROTOCOL_OK && !reply.bad && d->compute_units && d->warp_size && d->max_work_group;
    if (status == CONNECTION_LOST)
        complain("the simulator does not answer", "it ended, or speaks another protocol");
    else if (!whole && status == PROTOCOL_OK)
        complain("the simulator's answer", "it describes no device");
    else if (!whole)
        complain("the simulator refuses this driver", text);
    protocol_free(&reply);
    return whole;
}

bool connection_open(void) {
    if (line.fd >= 0) return true;
    if (line.failed) return false;
    const char *name = getenv("LOCKSTEP_SOCKET");
    line.fd = name != NULL ? connect_to(name) : start_simulator();
    if (line.fd >= 0 && greet()) return line.greeted = true;
    if (line.fd >= 0) close(line.fd);
    line.fd = -1;
    line.failed = true;
    return false;
}

const struct protocol_device *connection_device(void) {
    return &line.device;
}

uint64_t connection_time(uint64_t machine_ps) {
    return machine_ps + line.transfers;
}

uint64_t connection_now(void) {
    return connection_time(line.now);
}

uint64_t connection_transfer(uint64_t bytes) {
    const struct protocol_device *d = &line.device;
    line.transfers += d->host_latency_ns * UINT64_C(1000);
    if (d->host_bandwidth_mb != 0) line.transfers += bytes * 1000000 / d->host_bandwidth_mb;
    return connection_now();
}

uint32_t connection_request(struct protocol_message *request, struct protocol_message *reply,
                            const char **text) {
    protocol_begin(reply, PROTOCOL_REPLY);
    uint32_t status = CONNECTION_LOST;
    if (request->bad) { /* the request is not whole; the connection stays usable */
        protocol_free(request);
        return PROTOCOL_NO_MEMORY;
    }
    if (connection_open() && protocol_send(line.fd, request) && protocol_receive(line.fd, reply) &&
        reply->type == PROTOCOL_REPLY) {
        status = protocol_get_u32(reply);
        uint64_t now = protocol_get_u64(reply);
        const char *said = protocol_get_text(reply);
        if (text != NULL) *text = said;
        if (now > line.now) line.now = now;
        if (reply->bad) status = CONNECTION_LOST;
        if (status == PROTOCOL_MALFORMED && line.forked) {
            complain("a process that was forked uses OpenCL objects of its parent, which do not exist in it",
                     "create in the child what the child uses (the call has failed)");
            line.forked = false;
        }
    }
    if (status == CONNECTION_LOST && line.fd >= 0) {
        if (line.greeted && line.status != PROTOCOL_LAUNCH_FAILED) /* otherwise the simulator has ended,
                                                                      after printing the reason */
            complain("the simulator has ended before the program",
                     "it was killed, or has crashed; OpenCL fails from now on (CL_OUT_OF_RESOURCES, -5)");
        close(line.fd);
        line.fd = -1;
        line.failed = true;
    }
    line.status = status;
    protocol_free(request);
    return status;
}

void connection_forked(void) {
    line.forked |= line.fd >= 0;
    if (line.fd >= 0) close(line.fd);
    line.fd = -1;
    line.failed = line.greeted = false;
}
