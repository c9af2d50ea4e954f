#include "runtime/session.h"

#include "runtime/launch_watch.h"
#include "runtime/platform.h"
#include "runtime/program_family.h"
#include "runtime/program_process.h"
#include "runtime/protocol.h"
#include "runtime/snapshots.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Timeout for a client that does not read its reply. */
#define MESSAGE_TIMEOUT_SECONDS 10

#define NO_DESCRIPTOR_HINT " (see `ulimit -n`)"

struct connection {
    int fd;
    unsigned client;
    struct protocol_reception request; /* received part of the next request */
};

struct session {
    struct session_options options;
    char compiler[PATH_MAX], driver[PATH_MAX];
    struct platform *platform;
    struct launch_watch watch;
    struct snapshots *snapshots; /* NULL: none are kept */
    struct connection *connections;
    size_t connection_count;
    unsigned clients;                /* number of clients so far */
    int signal_fd;                   /* descriptor of signals that stop a run, while running; −1 else */
    struct program_process *program; /* NULL when serving */
    int current_fd;                  /* descriptor of the connection whose request is being served; −1: none
                                      */
    struct session_result *result;   /* result to be filled; NULL when serving */
    bool abandoned;                  /* the launch in progress was stopped because its client is gone */
};

/* --- launches --- */

static bool readable(int fd) {
    struct pollfd p = {fd, POLLIN, 0};
    return fd >= 0 && poll(&p, 1, 0) > 0;
}

static bool run_launch(void *context, const struct machine_launch *launch, struct machine_result *result,
                       struct error *e) {
    struct session *s = context;
    struct error why = {0};
    bool whole, stopped = false;
    if (s->options.run != NULL) {
        whole = s->options.run(s->options.run_context, launch, result, &why);
    } else {
        launch_watch_begin(&s->watch, s->signal_fd, s->program != NULL ? s->program->fd : -1, s->current_fd);
        whole = machine_run(s->options.machine, launch, result, &why);
        stopped = launch_watch_end(&s->watch);
    }
    s->abandoned = !whole && why.status == EXIT_USER && stopped && !readable(s->signal_fd);
    if (s->abandoned) {
        why = (struct error){0};
        error_set(&why, EXIT_USER, "kernel %s: stopped, because the program ended while it ran",
                  launch->kernel);
    }
    if (whole && s->result != NULL) s->result->launches++;
    if (s->options.on_launch != NULL && !snapshots_repeats(s->snapshots))
        s->options.on_launch(s->options.context, launch, result, &why);
    if (!whole) error_set(e, why.status, "%s", why.message);
    return whole;
}

/* --- connections --- */

static bool add_connection(struct session *s, int fd) {
    struct connection *grown = realloc(s->connections, (s->connection_count + 1) * sizeof *grown);
    if (grown == NULL) {
        close(fd);
        return false;
    }
    struct timeval timeout = {.tv_sec = MESSAGE_TIMEOUT_SECONDS};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    s->connections = grown;
    struct connection *c = &s->connections[s->connection_count++];
    *c = (struct connection){.fd = fd, .client = ++s->clients};
    protocol_reception_init(&c->request);
    return true;
}

static void drop_connection(struct session *s, size_t at) {
    close(s->connections[at].fd);
    protocol_reception_free(&s->connections[at].request);
    snapshots_note_drop(s->snapshots, s->connections[at].client);
    platform_drop_client(s->platform, s->connections[at].client);
    s->connection_count--;
    memmove(&s->connections[at], &s->connections[at + 1],
            (s->connection_count - at) * sizeof *s->connections);
}

static void accept_connection(struct session *s, int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) return;
    struct ucred peer;
    socklen_t size = sizeof peer;
    /* The socket has no place in the file system whose permissions would keep other users out. */
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != geteuid()) {
        close(fd);
        return;
    }
    if (add_connection(s, fd) && s->result != NULL) s->result->used_opencl = true;
}

/* Serves one request, once all of it has arrived. Drops a client that has hung up or sends damaged
 * messages. Returns false with *e if the run is to end. */
static bool serve_connection(struct session *s, size_t at, struct error *e) {
    struct protocol_message request, reply;
    struct connection *const from = &s->connections[at], c = *from;
    const enum protocol_received got = protocol_receive_part(c.fd, &from->request, &request);
    if (got == PROTOCOL_PART) return true;
    if (got == PROTOCOL_BROKEN) {
        drop_connection(s, at);
        return true;
    }
    s->current_fd = c.fd;
    s->abandoned = false;
    protocol_begin(&reply, PROTOCOL_REPLY);
    struct error why = {0};
    snapshots_note(s->snapshots, c.client, &request);
    bool whole = platform_serve(s->platform, c.client, &request, &reply, &why);
    snapshots_served(s->snapshots, whole, &why);
    /* Under `lockstep run` a program whose launch failed is ended before it can take the
     * reply for an answer. */
    bool replied = (whole || s->program == NULL) && protocol_send(c.fd, &reply);
    protocol_free(&request);
    protocol_free(&reply);
    s->current_fd = -1;
    if (s->result != NULL) s->result->builds_failed = platform_builds_failed(s->platform);
    if (!whole && !s->abandoned) return error_set(e, why.status, "%s", why.message);
    if (!replied) drop_connection(s, at);
    return true;
}

/* --- the loop --- */

static const struct {
    int signal;
    const char *name;
} stops[] = {{SIGINT, "SIGINT (Ctrl-C)"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGQUIT, "SIGQUIT"}};
enum { STOPS = sizeof stops / sizeof stops[0] };

static const char *stop_name(int signal) {
    for (size_t n = 0; n < STOPS; n++)
        if (stops[n].signal == signal) return stops[n].name;
    return "a signal";
}

static bool interrupted(int signal_fd, struct error *e) {
    struct signalfd_siginfo info;
    if (!readable(signal_fd) || read(signal_fd, &info, sizeof info) != sizeof info) return false;
    error_set(e, EXIT_USER, "interrupted by %s; no kernel was running", stop_name((int)info.ssi_signo));
    return true;
}

/* Serves until the program has ended (listener ≥ 0) or the only client has hung up. Returns false with *e
 * if the run is to end before that. */
static bool serve(struct session *s, int listener, struct error *e) {
    bool whole = true, over = false;
    while (whole && !over) {
        size_t count = s->connection_count;
        struct pollfd fds[3 + count];
        fds[0] = (struct pollfd){s->signal_fd, POLLIN, 0};
        fds[1] = (struct pollfd){s->program != NULL ? s->program->fd : -1, POLLIN, 0};
        fds[2] = (struct pollfd){listener, POLLIN, 0};
        for (size_t i = 0; i < count; i++) fds[3 + i] = (struct pollfd){s->connections[i].fd, POLLIN, 0};
        if (poll(fds, 3 + count, -1) < 0) continue;
        if (fds[0].revents && interrupted(s->signal_fd, e)) return false;
        if (fds[1].revents) return true;
        /* Served from the last to the first, because serving may drop a connection. */
        for (size_t i = count; whole && i-- > 0;)
            if (fds[3 + i].revents) whole = serve_connection(s, i, e);
        if (fds[2].revents) accept_connection(s, listener);
        over = listener < 0 && s->connection_count == 0;
    }
    return whole;
}

static bool is_ignored(int signal) {
    struct sigaction now;
    return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* Routes the signals that stop a run, except ignored ones, to a file descriptor; *before is the mask to
 * restore. */
static bool catch_signals(struct session *s, sigset_t *before, struct error *e) {
    sigset_t caught;
    sigemptyset(&caught);
    for (size_t n = 0; n < STOPS; n++)
        if (!is_ignored(stops[n].signal)) sigaddset(&caught, stops[n].signal);
    pthread_sigmask(SIG_BLOCK, &caught, before);
    s->signal_fd = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
    if (s->signal_fd >= 0) return true;
    error_set(e, EXIT_USER, "no descriptor for signals: %s" NO_DESCRIPTOR_HINT, strerror(errno));
    pthread_sigmask(SIG_SETMASK, before, NULL);
    return false;
}

static void release_signals(struct session *s, const sigset_t *before) {
    struct signalfd_siginfo info;
    while (read(s->signal_fd, &info, sizeof info) > 0)
        continue; /* pending signals have been served and
                     must not end the process */
    close(s->signal_fd);
    s->signal_fd = -1;
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* --- the session --- */

struct session *session_create(const struct session_options *o, struct error *e) {
    struct session *s = calloc(1, sizeof *s);
    if (s == NULL) {
        error_set(e, EXIT_USER, "out of memory");
        return NULL;
    }
    s->options = *o;
    s->signal_fd = -1;
    if (realpath(o->compiler, s->compiler) == NULL)
        error_set(e, EXIT_USER, "the kernel compiler %s: %s (build it with make)", o->compiler,
                  strerror(errno));
    if (realpath(o->driver, s->driver) == NULL)
        error_set(e, EXIT_USER, "the OpenCL driver %s: %s (build it with make)", o->driver, strerror(errno));
    if (e->status == EXIT_SOUND) return s;
    free(s);
    return NULL;
}

void session_keep_snapshots(struct session *s, struct snapshots *snapshots) {
    s->snapshots = snapshots;
}

void session_destroy(struct session *s) {
    free(s);
}

/* Makes the parts that live as long as one run: signals, the platform. */
static bool begin_run(struct session *s, sigset_t *before, struct error *e) {
    if (!catch_signals(s, before, e)) return false;
    struct platform_options o = {.machine = s->options.machine,
                                 .compiler = s->compiler,
                                 .reports_uninitialised = s->options.reports_uninitialised,
                                 .marks_unwritten = s->options.marks_unwritten,
                                 .interrupt_fd = s->signal_fd,
                                 .run = run_launch,
                                 .context = s};
    s->platform = platform_create(&o, e);
    if (s->platform != NULL && launch_watch_open(&s->watch, s->options.machine)) return true;
    if (s->platform != NULL)
        error_set(e, EXIT_USER,
                  "the host has no thread left, or no descriptor (see `ulimit -u` and `ulimit -n`)");
    platform_destroy(s->platform);
    s->platform = NULL;
    release_signals(s, before);
    return false;
}

static void finish(struct session *s, const sigset_t *before) {
    launch_watch_close(&s->watch);
    while (s->connection_count > 0) drop_connection(s, s->connection_count - 1);
    free(s->connections);
    s->connections = NULL;
    platform_destroy(s->platform);
    s->platform = NULL;
    release_signals(s, before);
}

/* Makes a listening socket with a name that the host chooses, and so without a file that could be left
 * over. `setting` names it for the driver. */
static int listen_for_driver(char *setting, size_t size, struct error *e) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t length = sizeof address;
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof(sa_family_t)) == 0 && listen(fd, 64) == 0 &&
        getsockname(fd, (struct sockaddr *)&address, &length) == 0) {
        size_t name_bytes = length - offsetof(struct sockaddr_un, sun_path) - 1;
        snprintf(setting, size, "LOCKSTEP_SOCKET=@%.*s", (int)name_bytes, address.sun_path + 1);
        return fd;
    }
    error_set(e, EXIT_USER, "no socket for the OpenCL driver: %s" NO_DESCRIPTOR_HINT, strerror(errno));
    if (fd >= 0) close(fd);
    return -1;
}

static bool start_and_serve(struct session *s, char *const argv[], const sigset_t *blocked,
                            struct program_process *p, struct error *e) {
    char socket_setting[160], driver_setting[PATH_MAX + 32];
    int listener = listen_for_driver(socket_setting, sizeof socket_setting, e);
    if (listener < 0) return false;
    snprintf(driver_setting, sizeof driver_setting, "OCL_ICD_VENDORS=%s", s->driver);
    char *const settings[] = {socket_setting, driver_setting, NULL};
    bool whole = program_process_start(p, argv, settings, blocked, e);
    if (whole) {
        s->program = p;
        whole = serve(s, listener, e);
        /* Ctrl-C also ends the program, and may have done so first. */
        if (whole && interrupted(s->signal_fd, e)) whole = false;
        if (whole) {
            program_process_wait(p);
        } else {
            program_family_end(socket_setting); /* a script may have started other processes */
            program_process_end(p);
        }
        s->program = NULL;
    }
    close(listener);
    return whole;
}

bool session_run(struct session *s, char *const argv[], struct session_result *r, struct error *e) {
    sigset_t before;
    struct program_process p = {.pid = -1, .fd = -1};
    *r = (struct session_result){0};
    if (!begin_run(s, &before, e)) return false;
    snapshots_begin(s->snapshots, s->platform, &s->watch);
    s->result = r;
    bool whole = start_and_serve(s, argv, &before, &p, e);
    s->result = NULL;
    finish(s, &before);
    if (p.pid > 0 && WIFEXITED(p.status)) r->exit_status = WEXITSTATUS(p.status);
    if (p.pid > 0 && WIFSIGNALED(p.status)) r->signal = WTERMSIG(p.status);
    return whole;
}

bool session_serve(struct session *s, int socket_fd, struct error *e) {
    sigset_t before;
    if (!begin_run(s, &before, e)) {
        close(socket_fd);
        return false;
    }
    bool whole = add_connection(s, socket_fd);
    whole = whole ? serve(s, -1, e) : error_set(e, EXIT_USER, "out of memory");
    finish(s, &before);
    return whole;
}
