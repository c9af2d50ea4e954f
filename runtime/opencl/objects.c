#include "runtime/opencl/objects.h"

#include "runtime/opencl/connection.h"

#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t status_changed = PTHREAD_COND_INITIALIZER;

struct call {
    struct call *next;
    void(CL_CALLBACK *on_event)(cl_event, cl_int, void *);
    void(CL_CALLBACK *on_program)(cl_program, void *);
    void(CL_CALLBACK *on_destruction)(cl_mem, void *);
    void *object, *user_data;
    cl_int status;
};
static struct call *calls, **calls_end = &calls;

/* --- the lock
 * ----------------------------------------------------------------------------------------------- */

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

void objects_enter(void) {
    pthread_mutex_lock(&mutex);
}

static void make_call(const struct call *c) {
    if (c->on_event != NULL) c->on_event(c->object, c->status, c->user_data);
    if (c->on_program != NULL) c->on_program(c->object, c->user_data);
    if (c->on_destruction != NULL) c->on_destruction(c->object, c->user_data);
}

void objects_leave(const int *unused) {
    (void)unused;
    while (calls != NULL) {
        struct call *c = calls;
        calls = c->next;
        if (calls == NULL) calls_end = &calls;
        pthread_mutex_unlock(&mutex);
        make_call(c);
        pthread_mutex_lock(&mutex);
        if (c->on_destruction == NULL) objects_unuse(c->object);
        free(c);
    }
    pthread_mutex_unlock(&mutex);
}

void objects_wait(void) {
    pthread_cond_wait(&status_changed, &mutex);
}

void objects_wake(void) {
    pthread_cond_broadcast(&status_changed);
}

static struct call *queue_call(void *object, void *user_data) {
    struct call *c = calloc(1, sizeof *c);
    if (c == NULL) abort(); /* the program waits for this call: going on without it would hang it */
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

void objects_call_destructor(void(CL_CALLBACK *f)(cl_mem, void *), cl_mem buffer, void *user_data) {
    queue_call(buffer, user_data)->on_destruction = f;
}

/* --- life
 * --------------------------------------------------------------------------------------------------- */

void *objects_create(enum object_kind kind, size_t size, void (*destroy)(struct object *o)) {
    struct object *o = calloc(1, size);
    if (o == NULL) return NULL;
    *o = (struct object){.dispatch = &dispatch_table, .kind = kind, .references = 1, .destroy = destroy};
    return o;
}

bool objects_is(const void *handle, enum object_kind kind) {
    const struct object *o = handle;
    return o != NULL && o->kind == kind;
}

static void destroy_if_unused(struct object *o) {
    if (o->references > 0 || o->uses > 0) return;
    o->destroy(o);
    o->kind = 0; /* so that a stale handle is seen as long as its memory is not used again */
    free(o);
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
    ((struct object *)handle)->references++;
    return CL_SUCCESS;
}

cl_int objects_release(void *handle, enum object_kind kind, cl_int invalid) {
    struct object *o = handle;
    if (!objects_is(handle, kind) || o->references == 0) return invalid;
    o->references--;
    destroy_if_unused(o);
    return CL_SUCCESS;
}

/* --- answering queries
 * -------------------------------------------------------------------------------------- */

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
