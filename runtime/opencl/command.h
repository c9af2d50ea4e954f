/*
 * command: commands of command queues.
 *
 * A command runs as soon as it is enqueued, unless an event of its wait list is still open: a user event
 * that is not set, or the event of a command that waits for one. Such commands are kept in order. They run,
 * in whichever thread makes it possible, when the last event of their wait list is complete. Called under
 * the driver's lock.
 */
#ifndef RUNTIME_OPENCL_COMMAND_H
#define RUNTIME_OPENCL_COMMAND_H

#include "runtime/opencl/objects.h"

struct command {
    struct command *next;
    cl_command_queue queue;
    cl_event event;
    cl_event *waits;
    cl_uint wait_count;
    size_t bytes;       /* bytes of a transfer, for its time; 0: no transfer */
    bool after_earlier; /* runs after all earlier commands of its queue */
    bool before_later;  /* later commands of its queue run after it */
    /* Executes the command; a status below 0 is a failure. May set the event's start and end. */
    cl_int (*run)(struct command *c);
    void (*release)(struct command *c); /* frees the members of the structure around this one; may be NULL
                                         */
};

/* Checks a program's wait list. Returns the first error of the standard, or CL_SUCCESS. */
cl_int command_check(cl_command_queue queue, cl_uint wait_count, const cl_event *waits);

/* Creates a command at the head of a zeroed structure of `size` bytes. The arguments have been checked.
 * Returns NULL with *status if memory is out. */
void *command_create(size_t size, cl_command_queue queue, cl_command_type type, cl_uint wait_count,
                     const cl_event *waits, cl_int *status);

/* Enqueues the command, which then belongs to the queue. `event` (may be NULL) gets its event. Returns the
 * failure of a command that has run, or CL_SUCCESS; a blocking one has run. */
cl_int command_enqueue(void *command, bool blocking, cl_event *event);

void command_finish(cl_command_queue queue); /* waits until all commands of the queue have run */
void command_progress(void);                 /* runs commands that an event's new status has made ready */

/* Sets an event's execution status, and queues its callbacks. */
void event_set_status(cl_event event, cl_int status);
cl_event event_create(cl_context context, cl_command_queue queue, cl_command_type type);

#endif
