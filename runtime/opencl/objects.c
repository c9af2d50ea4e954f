#include "runtime/opencl/objects.h"

#include "runtime/opencl/connection.h"
#include "runtime/opencl/message.h"
#include "runtime/opencl/registry.h"
#include "runtime/opencl/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t status_changed = PTHREAD_COND_INITIALIZER;

struct call {
    struct call *next;
    void(CL_CALLBACK *on_event)(cl_event, cl_int, void *);
    void(CL_CALLBACK *on_program)(cl_program, void *);
    void(CL_CALLBACK *on_destruction)(cl_mem, void *);
    void(CL_CALLBACK *on_error)(const char *, const void *, size_t, void *);
    void *object, *user_data;
    char *text;
    cl_int status;
};
static struct call *calls, **calls_end = &calls;

static struct objects_call current;

/* A ring of destroyed objects. Their memory is freed, and can be reused by other objects, when they leave
 * the ring. */
#define REMEMBERED 1024
static struct object *gone[REMEMBERED];
static size_t gone_count; /* number of destroyed objects */
static uint64_t created;

/* --- the lock --- */

static void before_fork(void) {
    pthread_mutex_lock(&mutex);
}

static void after_fork_in_parent(void) {
    pthread_mutex_unlock(&mutex);
}

static void after_fork_in_child(void) {
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&status_changed, NULL);
    connection_forked();
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void objects_enter(const char *function, const void *return_address) {
    pthread_mutex_lock(&mutex);
    current = (struct objects_call){function + strlen("driver_"), return_address};
}

const struct objects_call *objects_current_call(void) {
    return &current;
}

static void make_call(const struct call *c) {
    if (c->on_event != NULL) c->on_event(c->object, c->status, c->user_data);
    if (c->on_program != NULL) c->on_program(c->object, c->user_data);
    if (c->on_destruction != NULL) c->on_destruction(c->object, c->user_data);
    if (c->on_error != NULL) c->on_error(c->text, NULL, 0, c->user_data);
}

static _Thread_local bool calling; /* this thread is in a function of the program */

/* Makes the queued calls without the lock. */
static void make_calls(void) {
    const bool before = calling;
    calling = true;
    while (calls != NULL) {
        struct call *c = calls;
        calls = c->next;
        if (calls == NULL) calls_end = &calls;
        pthread_mutex_unlock(&mutex);
        make_call(c);
        pthread_mutex_lock(&mutex);
        if (c->on_destruction == NULL) objects_unuse(c->object);
        free(c->text);
        free(c);
    }
    calling = before;
}

/* Callbacks do not interrupt each other: calls that are queued during a callback wait until it has
 * returned. */
void objects_leave(const int *unused) {
    (void)unused;
    if (!calling) make_calls();
    pthread_mutex_unlock(&mutex);
}

/* But the awaited event may depend on a queued call. */
void objects_wait(void) {
    if (calls != NULL)
        make_calls();
    else
        pthread_cond_wait(&status_changed, &mutex);
}

void objects_wake(void) {
    pthread_cond_broadcast(&status_changed);
}

static struct call *queue_call(void *object, void *user_data) {
    struct call *c = calloc(1, sizeof *c);
    if (c == NULL)
        abort(); /* the program waits for this call: continuing without it would hang the program
                  */
    c->object = object;
    c->user_data = user_data;
    *calls_end = c;
    calls_end = &c->next;
    return c;
}

void objects_call_event(void(CL_CALLBACK *f)(cl_event, cl_int, void *), cl_event event, cl_int status,
                        void *user_data) {
    struct call *c = queue_call(event, user_data);
    objects_use(event);
    c->on_event = f;
    c->status = status;
}

void objects_call_program(void(CL_CALLBACK *f)(cl_program, void *), cl_program program, void *user_data) {
    struct call *c = queue_call(program, user_data);
    objects_use(program);
    c->on_program = f;
}

void objects_call_context(void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), char *text,
                          cl_context context, void *user_data) {
    struct call *c = queue_call(context, user_data);
    objects_use(context);
    c->on_error = f;
    c->text = text;
}

void objects_call_destructor(void(CL_CALLBACK *f)(cl_mem, void *), cl_mem memory, void *user_data) {
    queue_call(memory, user_data)->on_destruction = f;
}

/* --- life --- */

void *objects_create(enum object_kind kind, size_t size, void (*destroy)(struct object *o)) {
    struct object *o = calloc(1, size);
    if (o == NULL || !registry_add(o)) {
        free(o);
        return NULL;
    }
    *o = (struct object){
        .dispatch = &dispatch_table, .kind = kind, .references = 1, .serial = ++created, .destroy = destroy};
    return o;
}

static const char *kind_name(enum object_kind kind) {
    switch (kind) {
    case OBJECT_CONTEXT: return "context";
    case OBJECT_QUEUE: return "command queue";
    case OBJECT_BUFFER: return "buffer";
    case OBJECT_IMAGE: return "image";
    case OBJECT_SAMPLER: return "sampler";
    case OBJECT_PROGRAM: return "program";
    case OBJECT_KERNEL: return "kernel";
    case OBJECT_EVENT: return "event";
    default: return "object";
    }
}

static const struct object *find_gone(const void *handle) {
    for (size_t i = 0; handle != NULL && i < REMEMBERED; i++)
        if (gone[i] == handle) return gone[i];
    return NULL;
}

bool objects_describe_released(const void *handle, char *text, size_t size) {
    const struct object *o = registry_has(handle) ? handle : find_gone(handle);
    char place[200];
    if (o == NULL || o->released_at == NULL) return false;
    site_describe(o->released_at, place, sizeof place);
    snprintf(text, size, "released at %s", place);
    return true;
}

static bool lives(const void *handle) {
    return handle == &the_platform || handle == &the_device || registry_has(handle);
}

/* Reports the use of an object that the program has released, whether it is destroyed or kept by other
 * objects. (A kept object may come from a query, where retaining it is right, or be a callback's.) Other
 * invalid handles are not reported. */
static void report_released(const void *handle) {
    const struct object *o = lives(handle) ? handle : find_gone(handle);
    char released[250];
    if (o == NULL || o->references > 0 || !objects_describe_released(handle, released, sizeof released))
        return;
    if (!lives(handle))
        message_print("the %s %p is no more, %s", kind_name(o->kind), handle, released);
    else if (!calling && strncmp(current.name, "clRetain", 8) != 0 &&
             strncmp(current.name, "clRelease", 9) != 0)
        message_print("the %s %p was %s; only what uses it keeps it", kind_name(o->kind), handle, released);
}

bool objects_is(const void *handle, enum object_kind kind) {
    report_released(handle);
    return lives(handle) && ((const struct object *)handle)->kind == kind;
}

bool objects_is_memory(const void *handle) {
    const struct object *o = handle;
    report_released(handle);
    return lives(handle) && (o->kind == OBJECT_BUFFER || o->kind == OBJECT_IMAGE);
}

bool objects_is_same(const void *handle, uint64_t serial) {
    return registry_has(handle) && ((const struct object *)handle)->serial == serial;
}

static void destroy_if_unused(struct object *o) {
    if (o->references > 0 || o->uses > 0) return;
    struct object **place = &gone[gone_count++ % REMEMBERED];
    o->destroy(o);
    registry_remove(o);
    free(*place);
    *place = o;
}

void objects_use(void *handle) {
    if (handle != NULL) ((struct object *)handle)->uses++;
}

void objects_unuse(void *handle) {
    struct object *o = handle;
    if (o == NULL) return;
    o->uses--;
    destroy_if_unused(o);
}

cl_int objects_retain(void *handle, enum object_kind kind, cl_int invalid) {
    if (!objects_is(handle, kind)) return invalid;
    struct object *o = handle;
    o->references++;
    o->released_at = NULL;
    return CL_SUCCESS;
}

cl_int objects_release(void *handle, enum object_kind kind, cl_int invalid) {
    struct object *o = handle;
    if (!objects_is(handle, kind)) return invalid;
    if (o->references == 0) {
        char released[250];
        if (objects_describe_released(o, released, sizeof released))
            message_print("the %s %p was already %s", kind_name(kind), handle, released);
        return invalid;
    }
    o->references--;
    if (o->references == 0) o->released_at = current.site;
    destroy_if_unused(o);
    return CL_SUCCESS;
}

/* --- answering queries --- */

cl_int query_bytes(const struct query *q, const void *bytes, size_t size) {
    if (q->value != NULL && q->room < size) return CL_INVALID_VALUE;
    if (q->value != NULL && size > 0) memcpy(q->value, bytes, size);
    if (q->size != NULL) *q->size = size;
    return CL_SUCCESS;
}

cl_int query_text(const struct query *q, const char *text) {
    return query_bytes(q, text, strlen(text) + 1);
}

void *objects_fail(cl_int *errcode_ret, cl_int code) {
    if (errcode_ret != NULL) *errcode_ret = code;
    return NULL;
}

void objects_succeed(cl_int *errcode_ret) {
    if (errcode_ret != NULL) *errcode_ret = CL_SUCCESS;
}
