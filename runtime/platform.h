/*
 * platform: the simulator's side of the OpenCL platform: it holds the buffers and programs of all connected
 * clients and answers their requests (protocol.h). Knows no processes, sockets or signals: that is the
 * session's.
 */
#ifndef RUNTIME_PLATFORM_H
#define RUNTIME_PLATFORM_H

#include "model/machine/machine.h"
#include "runtime/protocol.h"

struct platform;

struct platform_options {
    struct machine *machine;
    const char *compiler; /* path of lockstep-cc */
    int interrupt_fd;     /* readable when the run is to stop: ends a compilation; −1: none */
    /* Runs a launch, as machine_run(). */
    bool (*run)(void *context, const struct machine_launch *launch, struct machine_result *result,
                struct error *e);
    void *context;
};

struct platform *platform_create(const struct platform_options *o, struct error *e);
void platform_destroy(struct platform *p);

/* Answers one request of a client (any number that is its own): fills *reply. False and *e if a launch failed
 * or compiling could not be done at all: *reply says so, and the run should end. */
bool platform_serve(struct platform *p, unsigned client, struct protocol_message *request,
                    struct protocol_message *reply, struct error *e);

/* Frees what a client has left. */
void platform_drop_client(struct platform *p, unsigned client);

/* Sources that did not compile so far. */
unsigned platform_builds_failed(const struct platform *p);

#endif
