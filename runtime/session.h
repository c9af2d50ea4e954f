/*
 * session: one user program running against one simulated machine.
 *
 * The session listens on a Unix socket, starts the program with OCL_ICD_VENDORS naming our driver and
 * LOCKSTEP_SOCKET naming the socket, serves the driver's requests (protocol.h) until the program has ended,
 * and runs each kernel launch on the machine. Programs that fork or open several connections share the
 * machine; one launch runs at a time, in the order in which the requests arrive.
 */
#ifndef RUNTIME_SESSION_H
#define RUNTIME_SESSION_H

#include "model/machine/machine.h"
#include "runtime/image.h"

struct session;

struct session_options {
    struct machine *machine;
    const char *compiler; /* path of lockstep-cc */
    const char *driver;   /* path of liblockstep_opencl.so */
    /* Called after every launch, whole or not (the error is filled if it failed); may be NULL. */
    void (*on_launch)(void *context, const struct machine_launch *launch, const struct machine_result *result,
                      const struct error *e);
    void *context;
};

struct session_result {
    int exit_status;        /* the program's own, if it exited */
    int signal;             /* that killed it, 0 if it exited */
    bool used_opencl;       /* it connected at least once */
    unsigned launches;      /* completed */
    unsigned builds_failed; /* kernel sources that did not compile */
};

struct session *session_create(const struct session_options *o, struct error *e);
void session_destroy(struct session *s);

/* Runs argv (argv[0] looked up on PATH) to its end; SIGINT, SIGTERM, SIGHUP and SIGQUIT, while it runs, stop
 * the launch in progress, end the program and are reported as an EXIT_USER error whose text says what each
 * warp was doing. A failed launch (EXIT_PROGRAM_FAULT…) ends the program too. With the program ends what it
 * has started, if it has kept its environment. False and *e on such failures, EXIT_NOT_FOUND or
 * EXIT_CANNOT_RUN when argv[0] cannot be started; *r is filled in every case. */
bool session_run(struct session *s, char *const argv[], struct session_result *r, struct error *e);

/* Serves one already connected program on a socket until it hangs up: for a driver that found no simulator
 * and started one of its own (`lockstep serve --socket-fd N`). Takes the socket over. SIGINT, SIGTERM and
 * failed launches end it as they end session_run(); the program is told (CL_OUT_OF_RESOURCES) and goes on
 * without it. */
bool session_serve(struct session *s, int socket_fd, struct error *e);

#endif
