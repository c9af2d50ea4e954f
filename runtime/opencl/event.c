/* Events, and the commands that do nothing but wait: markers and barriers. */
#include "runtime/opencl/command.h"
#include "runtime/opencl/connection.h"
#include "runtime/opencl/storage.h"

#include <stdlib.h>

static void destroy_event(struct object *o) {
    cl_event e = (cl_event)o;
    for (struct event_callback *c = e->callbacks, *next; c != NULL; c = next) {
        next = c->next;
        free(c);
    }
    objects_unuse(e->queue);
    objects_unuse(e->context);
}

cl_event event_create(cl_context context, cl_command_queue queue, cl_command_type type) {
    cl_event e = objects_create(OBJECT_EVENT, sizeof *e, destroy_event);
    if (e == NULL) return NULL;
    e->context = context;
    e->queue = queue;
    e->type = type;
    e->status = CL_QUEUED;
    e->queued = e->submit = e->start = e->end = connection_now();
    objects_use(context);
    objects_use(queue);
    return e;
}

static void call_back(cl_event event, const struct event_callback *c) {
    objects_call_event(c->function, event, event->status < 0 ? event->status : c->at, c->user_data);
}

void event_set_status(cl_event event, cl_int status) {
    event->status = status;
    for (struct event_callback **at = &event->callbacks; *at != NULL;) {
        struct event_callback *c = *at;
        if (status > c->at) {
            at = &c->next;
            continue;
        }
        call_back(event, c);
        *at = c->next;
        free(c);
    }
    objects_wake();
}

cl_int CL_API_CALL driver_clRetainEvent(cl_event event) {
    DRIVER_LOCKED;
    return objects_retain(event, OBJECT_EVENT, CL_INVALID_EVENT);
}

cl_int CL_API_CALL driver_clReleaseEvent(cl_event event) {
    DRIVER_LOCKED;
    return objects_release(event, OBJECT_EVENT, CL_INVALID_EVENT);
}

cl_int CL_API_CALL driver_clWaitForEvents(cl_uint count, const cl_event *events) {
    DRIVER_LOCKED;
    if (count == 0 || events == NULL) return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++)
        if (!objects_is(events[i], OBJECT_EVENT)) return CL_INVALID_EVENT;
    for (cl_uint i = 1; i < count; i++)
        if (events[i]->context != events[0]->context) return CL_INVALID_CONTEXT;
    cl_int status = CL_SUCCESS;
    for (cl_uint i = 0; i < count; i++) objects_use(events[i]);
    for (cl_uint i = 0; i < count; i++) {
        while (events[i]->status > CL_COMPLETE) objects_wait();
        if (events[i]->status < 0) status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    }
    for (cl_uint i = 0; i < count; i++) objects_unuse(events[i]);
    storage_update_shadows();
    return status;
}

cl_int CL_API_CALL driver_clGetEventInfo(cl_event event, cl_event_info name, size_t room, void *value,
                                         size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(event, OBJECT_EVENT)) return CL_INVALID_EVENT;
    switch (name) {
    case CL_EVENT_COMMAND_QUEUE: QUERY_ANSWER(&q, cl_command_queue, event->queue);
    case CL_EVENT_CONTEXT: QUERY_ANSWER(&q, cl_context, event->context);
    case CL_EVENT_COMMAND_TYPE: QUERY_ANSWER(&q, cl_command_type, event->type);
    case CL_EVENT_COMMAND_EXECUTION_STATUS: QUERY_ANSWER(&q, cl_int, event->status);
    case CL_EVENT_REFERENCE_COUNT: QUERY_ANSWER(&q, cl_uint, event->object.references);
    default: return CL_INVALID_VALUE;
    }
}

/* Simulated nanoseconds. Only kernels take simulated time: a transfer ends when it starts. */
cl_int CL_API_CALL driver_clGetEventProfilingInfo(cl_event event, cl_profiling_info name, size_t room,
                                                  void *value, size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(event, OBJECT_EVENT)) return CL_INVALID_EVENT;
    if (event->queue == NULL || !(event->queue->properties & CL_QUEUE_PROFILING_ENABLE) ||
        event->status != CL_COMPLETE)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    switch (name) {
    case CL_PROFILING_COMMAND_QUEUED: QUERY_ANSWER(&q, cl_ulong, event->queued / 1000);
    case CL_PROFILING_COMMAND_SUBMIT: QUERY_ANSWER(&q, cl_ulong, event->submit / 1000);
    case CL_PROFILING_COMMAND_START: QUERY_ANSWER(&q, cl_ulong, event->start / 1000);
    case CL_PROFILING_COMMAND_END: QUERY_ANSWER(&q, cl_ulong, event->end / 1000);
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL driver_clSetEventCallback(cl_event event, cl_int at,
                                             void(CL_CALLBACK *function)(cl_event, cl_int, void *),
                                             void *user_data) {
    DRIVER_LOCKED;
    if (!objects_is(event, OBJECT_EVENT)) return CL_INVALID_EVENT;
    if (function == NULL || (at != CL_SUBMITTED && at != CL_RUNNING && at != CL_COMPLETE))
        return CL_INVALID_VALUE;
    struct event_callback *c = malloc(sizeof *c);
    if (c == NULL) return CL_OUT_OF_HOST_MEMORY;
    *c = (struct event_callback){.at = at, .function = function, .user_data = user_data};
    if (event->status <= at) {
        call_back(event, c);
        free(c);
        return CL_SUCCESS;
    }
    struct event_callback **end = &event->callbacks;
    while (*end != NULL) end = &(*end)->next;
    *end = c;
    return CL_SUCCESS;
}

cl_event CL_API_CALL driver_clCreateUserEvent(cl_context context, cl_int *errcode_ret) {
    DRIVER_LOCKED;
    if (!objects_is(context, OBJECT_CONTEXT)) return objects_fail(errcode_ret, CL_INVALID_CONTEXT);
    cl_event e = event_create(context, NULL, CL_COMMAND_USER);
    if (e == NULL) return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    e->status = CL_SUBMITTED;
    objects_succeed(errcode_ret);
    return e;
}

cl_int CL_API_CALL driver_clSetUserEventStatus(cl_event event, cl_int status) {
    DRIVER_LOCKED;
    if (!objects_is(event, OBJECT_EVENT) || event->type != CL_COMMAND_USER) return CL_INVALID_EVENT;
    if (status > CL_COMPLETE) return CL_INVALID_VALUE;
    if (event->status <= CL_COMPLETE) return CL_INVALID_OPERATION;
    event_set_status(event, status);
    command_progress();
    return CL_SUCCESS;
}

/* --- markers and barriers --- */

static cl_int do_nothing(struct command *c) {
    (void)c;
    return CL_SUCCESS;
}

static cl_int enqueue_wait(cl_command_queue queue, cl_command_type type, cl_uint wait_count,
                           const cl_event *waits, cl_event *event) {
    cl_int status = command_check(queue, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    struct command *c = command_create(sizeof *c, queue, type, wait_count, waits, &status);
    if (c == NULL) return status;
    c->run = do_nothing;
    c->after_earlier |= wait_count == 0;
    c->before_later = type == CL_COMMAND_BARRIER;
    return command_enqueue(c, false, event);
}

cl_int CL_API_CALL driver_clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                                      const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    return enqueue_wait(queue, CL_COMMAND_MARKER, wait_count, waits, event);
}

cl_int CL_API_CALL driver_clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint wait_count,
                                                       const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    return enqueue_wait(queue, CL_COMMAND_BARRIER, wait_count, waits, event);
}

cl_int CL_API_CALL driver_clEnqueueMarker(cl_command_queue queue, cl_event *event) {
    DRIVER_LOCKED;
    if (event == NULL) return CL_INVALID_VALUE;
    return enqueue_wait(queue, CL_COMMAND_MARKER, 0, NULL, event);
}

cl_int CL_API_CALL driver_clEnqueueBarrier(cl_command_queue queue) {
    DRIVER_LOCKED;
    return enqueue_wait(queue, CL_COMMAND_BARRIER, 0, NULL, NULL);
}

cl_int CL_API_CALL driver_clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count,
                                                 const cl_event *events) {
    DRIVER_LOCKED;
    if (!objects_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (count == 0 || events == NULL) return CL_INVALID_VALUE;
    cl_int status = enqueue_wait(queue, CL_COMMAND_BARRIER, count, events, NULL);
    return status == CL_INVALID_EVENT_WAIT_LIST ? CL_INVALID_EVENT : status;
}
