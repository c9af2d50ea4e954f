/*
 * platform: the simulator's side of the OpenCL platform: holds the buffers and programs of all connected
 * clients and answers their requests (protocol.h). Processes, sockets and signals belong to the session.
 */
#ifndef RUNTIME_PLATFORM_H
#define RUNTIME_PLATFORM_H

#include "model/machine/machine.h"
#include "runtime/buffers.h"
#include "runtime/protocol.h"

struct platform;

struct platform_options {
    struct machine *machine;
    const char *compiler;       /* path of lockstep-cc */
    bool reports_uninitialised; /* prints the compiler's warnings of variables without a value */
    bool marks_unwritten;       /* code marks such variables (compiler/ir/unwritten.h) */
    int interrupt_fd;           /* descriptor that ends a compilation when it becomes readable; −1: none */
    /* Runs a launch as machine_run() does. */
    bool (*run)(void *context, const struct machine_launch *launch, struct machine_result *result,
                struct error *e);
    void *context;
};

struct platform *platform_create(const struct platform_options *o, struct error *e);
void platform_destroy(struct platform *p);

/* Answers one request of a client, a number chosen by the caller, in *reply. Returns false with *e if a
 * launch failed or compiling was impossible: *reply says so, and the run should end. */
bool platform_serve(struct platform *p, unsigned client, struct protocol_message *request,
                    struct protocol_message *reply, struct error *e);

/* Frees all objects of a client. */
void platform_drop_client(struct platform *p, unsigned client);

/* --- for copies of the process (snapshots.h) --- */

/* Visits what programs have written into buffers since the last call. */
void platform_written(struct platform *p, buffers_visit *visit, void *context);
/* Writes bytes into a buffer, as its program has. */
void platform_write(struct platform *p, unsigned client, uint32_t id, uint64_t offset, const void *bytes,
                    uint32_t size);
/* In a copy: gives it buffers of its own, and lets nothing interrupt a compilation. False: the host has no
 * room. */
bool platform_part(struct platform *p);

/* Sources that did not compile so far. */
unsigned platform_builds_failed(const struct platform *p);

#endif
