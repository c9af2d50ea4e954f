#include "runtime/opencl/command.h"

#include "runtime/opencl/connection.h"
#include "runtime/opencl/storage.h"

#include <stdlib.h>
#include <string.h>

static struct command *open_commands; /* commands that have not run, in the order of enqueueing */

cl_int command_check(cl_command_queue queue, cl_uint wait_count, const cl_event *waits) {
    if (!objects_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if ((wait_count == 0) != (waits == NULL)) return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < wait_count; i++)
        if (!objects_is(waits[i], OBJECT_EVENT)) return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < wait_count; i++)
        if (waits[i]->context != queue->context) return CL_INVALID_CONTEXT;
    return CL_SUCCESS;
}

void *command_create(size_t size, cl_command_queue queue, cl_command_type type, cl_uint wait_count,
                     const cl_event *waits, cl_int *status) {
    struct command *c = calloc(1, size);
    cl_event event = event_create(queue->context, queue, type);
    cl_event *copy = wait_count > 0 ? malloc(wait_count * sizeof(cl_event)) : NULL;
    if (c == NULL || event == NULL || (wait_count > 0 && copy == NULL)) {
        if (event != NULL) objects_release(event, OBJECT_EVENT, 0);
        free(copy);
        free(c);
        *status = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    *c = (struct command){.queue = queue, .event = event, .waits = copy, .wait_count = wait_count};
    for (cl_uint i = 0; i < wait_count; i++) {
        copy[i] = waits[i];
        objects_use(waits[i]);
    }
    c->after_earlier = !(queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    objects_use(queue);
    objects_use(event);
    *status = CL_SUCCESS;
    return c;
}

static void free_command(struct command *c) {
    if (c->release != NULL) c->release(c);
    for (cl_uint i = 0; i < c->wait_count; i++) objects_unuse(c->waits[i]);
    objects_unuse(c->event);
    objects_unuse(c->queue);
    free(c->waits);
    free(c);
}

static bool can_run(const struct command *c) {
    for (cl_uint i = 0; i < c->wait_count; i++)
        if (c->waits[i]->status > CL_COMPLETE) return false;
    for (const struct command *earlier = open_commands; earlier != NULL && earlier != c;
         earlier = earlier->next)
        if (earlier->queue == c->queue && (c->after_earlier || earlier->before_later)) return false;
    return true;
}

static cl_int run_command(struct command *c) {
    cl_event event = c->event;
    cl_int status = CL_SUCCESS;
    event->submit = event->start = event->end = connection_now();
    event_set_status(event, CL_SUBMITTED);
    for (cl_uint i = 0; i < c->wait_count; i++)
        if (c->waits[i]->status < 0) status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (status == CL_SUCCESS) {
        event_set_status(event, CL_RUNNING);
        status = c->run(c);
        if (c->bytes != 0 && status == CL_SUCCESS) event->end = connection_transfer(c->bytes);
    }
    event_set_status(event, status < 0 ? status : CL_COMPLETE);
    return status;
}

cl_int command_enqueue(void *command, bool blocking, cl_event *event) {
    struct command *c = command;
    cl_event e = c->event;
    cl_int status = CL_SUCCESS;
    objects_use(e);
    if (can_run(c)) {
        status = run_command(c);
        /* The failure of an event in the wait list is reported by the command's own event only. */
        if (!blocking && status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) status = CL_SUCCESS;
        free_command(c);
        command_progress();
    } else {
        struct command **end = &open_commands;
        while (*end != NULL) end = &(*end)->next;
        *end = c;
        while (blocking && e->status > CL_COMPLETE) objects_wait();
        if (blocking) status = e->status < 0 ? e->status : CL_SUCCESS;
    }
    /* A call that reports a failure returns no event. */
    if (event != NULL && status >= 0)
        *event = e;
    else
        objects_release(e, OBJECT_EVENT, 0);
    objects_unuse(e);
    return status;
}

void command_progress(void) {
    for (struct command **at = &open_commands; *at != NULL;) {
        struct command *c = *at;
        if (!can_run(c)) {
            at = &c->next;
            continue;
        }
        /* The command leaves the list only after it has run: later commands look for it there. */
        run_command(c);
        *at = c->next;
        free_command(c);
        at = &open_commands;
    }
    objects_wake();
}

void command_finish(cl_command_queue queue) {
    objects_use(queue);
    for (bool waiting = true; waiting;) {
        waiting = false;
        for (const struct command *c = open_commands; c != NULL; c = c->next) waiting |= c->queue == queue;
        if (waiting) objects_wait();
    }
    storage_update_shadows();
    objects_unuse(queue);
}
