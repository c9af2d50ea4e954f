/*
 * session: one user program that runs against one simulated machine.
 *
 * The session listens on a Unix socket and starts the program with OCL_ICD_VENDORS naming the driver and
 * LOCKSTEP_SOCKET naming the socket. It serves the driver's requests (protocol.h) until the program has
 * ended, and runs each kernel launch on the machine. Programs that fork or open several connections share
 * the machine. One launch runs at a time, in the order in which the requests arrive.
 */
#ifndef RUNTIME_SESSION_H
#define RUNTIME_SESSION_H

#include "model/machine/machine.h"
#include "runtime/image.h"

struct session;

struct session_options {
    struct machine *machine;
    const char *compiler;       /* path of lockstep-cc */
    const char *driver;         /* path of liblockstep_opencl.so */
    bool reports_uninitialised; /* prints the compiler's warnings of variables without a value */
    bool marks_unwritten;       /* code marks such variables (compiler/ir/unwritten.h) */
    /* Called after every launch, also after a failed one, with its error; may be NULL. */
    void (*on_launch)(void *context, const struct machine_launch *launch, const struct machine_result *result,
                      const struct error *e);
    void *context;
    /* Runs a launch as machine_run() does; NULL: that. */
    bool (*run)(void *context, const struct machine_launch *launch, struct machine_result *result,
                struct error *e);
    void *run_context;
};

struct session_result {
    int exit_status;        /* status with which the program exited */
    int signal;             /* signal that killed the program; 0: it exited */
    bool used_opencl;       /* the program connected at least once */
    unsigned launches;      /* number of completed launches */
    unsigned builds_failed; /* number of kernel sources that did not compile */
};

struct session *session_create(const struct session_options *o, struct error *e);
void session_destroy(struct session *s);

/* Keeps copies of the process during session_run(), from which it can be repeated. */
struct snapshots;
void session_keep_snapshots(struct session *s, struct snapshots *snapshots);

/* Runs argv (argv[0] looked up on PATH) to its end. SIGINT, SIGTERM, SIGHUP and SIGQUIT stop the launch in
 * progress, end the program and are reported as an EXIT_USER error whose text has the state of each warp. A
 * failed launch (EXIT_PROGRAM_FAULT…) also ends the program. Processes that the program has started end
 * with it, if they have kept its environment. Returns false with *e on such failures; EXIT_NOT_FOUND or
 * EXIT_CANNOT_RUN if argv[0] cannot be started. *r is filled in every case. */
bool session_run(struct session *s, char *const argv[], struct session_result *r, struct error *e);

/* Serves one connected program on a socket until it hangs up, for a driver that has started its own
 * simulator (`lockstep serve --socket-fd N`). Takes ownership of the socket. SIGINT, SIGTERM and
 * failed launches end it as they end session_run(); the program gets CL_OUT_OF_RESOURCES and continues
 * without it. */
bool session_serve(struct session *s, int socket_fd, struct error *e);

#endif
