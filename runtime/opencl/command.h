/*
 * command: what a program has put into a command queue.
 *
 * A command runs as soon as it is enqueued unless something it must wait for is still open: a user event that
 * is not set yet, or a command that waits for one. Such commands are kept in order and run, in whichever
 * thread makes it possible, when the last event they wait for is complete. Called under the driver's lock.
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
    size_t bytes;       /* that it moves, for its time; 0: it is no transfer */
    bool after_earlier; /* runs when nothing earlier in its queue is open */
    bool before_later;  /* nothing later in its queue runs before it */
    /* Does the work; a status below 0 is a failure. May set the event's start and end. */
    cl_int (*run)(struct command *c);
    void (*release)(struct command *c); /* what the structure around this one holds; may be NULL */
};

/* A wait list as programs give it: the first error of the standard, or CL_SUCCESS. */
cl_int command_check(cl_command_queue queue, cl_uint wait_count, const cl_event *waits);

/* A new command at the head of a zeroed structure of `size` bytes. The arguments have been checked. NULL and
 * *status if memory is out. */
void *command_create(size_t size, cl_command_queue queue, cl_command_type type, cl_uint wait_count,
                     const cl_event *waits, cl_int *status);

/* Enqueues the command, which belongs to the queue from now on. `event` (may be NULL) gets its event. Returns
 * the failure of a command that has run, or CL_SUCCESS; a blocking one has run. */
cl_int command_enqueue(void *command, bool blocking, cl_event *event);

void command_finish(cl_command_queue queue); /* until all its commands have run */
void command_progress(void);                 /* runs what an event's new status has made possible */

/* Sets an event's execution status, and queues its callbacks. */
void event_set_status(cl_event event, cl_int status);
cl_event event_create(cl_context context, cl_command_queue queue, cl_command_type type);

#endif
