/*
 * objects: the objects behind the driver's handles, their reference counts, and the driver's only lock.
 *
 * Every entry point takes the lock (DRIVER_LOCKED) before it accesses an object. An object lives while the
 * program has references to it or other objects use it; only the references are reported as its reference
 * count. The latest destroyed objects are remembered, and their use is reported on standard error.
 *
 * Functions of the program (callbacks) are queued under the lock and called after its release.
 */
#ifndef RUNTIME_OPENCL_OBJECTS_H
#define RUNTIME_OPENCL_OBJECTS_H

#include "runtime/opencl/dispatch.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum object_kind { /* values no stray memory is likely to hold */
                   OBJECT_PLATFORM = 0x4c534b01,
                   OBJECT_DEVICE,
                   OBJECT_CONTEXT,
                   OBJECT_QUEUE,
                   OBJECT_BUFFER,
                   OBJECT_IMAGE,
                   OBJECT_SAMPLER,
                   OBJECT_PROGRAM,
                   OBJECT_KERNEL,
                   OBJECT_EVENT,
};

struct object {
    const cl_icd_dispatch *dispatch; /* first, for the ICD loader */
    enum object_kind kind;
    cl_uint references;      /* references of the program */
    cl_uint uses;            /* uses by other objects */
    uint64_t serial;         /* number that no other object has */
    const void *released_at; /* the program's code that released the object last; NULL: not released */
    void (*destroy)(struct object *o);
};

struct _cl_platform_id {
    struct object object;
};

struct _cl_device_id {
    struct object object;
};

struct _cl_context {
    struct object object;
    cl_context_properties *properties; /* properties as given, with the final 0; NULL if none were given */
    size_t property_count;             /* number of properties, with the final 0 */
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *); /* NULL: none */
    void *user_data;
};

struct _cl_command_queue {
    struct object object;
    cl_context context;
    cl_command_queue_properties properties;
};

struct mapping {
    struct mapping *next;
    void *pointer;
    size_t offset, size, rows; /* offset in bytes; bytes of a row (of all, if there is one row); number of
                                  rows */
    cl_map_flags flags;
};

struct destructor {
    struct destructor *next;
    void(CL_CALLBACK *function)(cl_mem, void *);
    void *user_data;
};

/* Shape of a 2-D image, whose pixels lie in its storage row by row. */
struct image_shape {
    cl_image_format format;
    size_t width, height, row_pitch, element_bytes;
};

struct _cl_mem { /* OBJECT_BUFFER or OBJECT_IMAGE */
    struct object object;
    cl_context context;
    cl_mem parent; /* parent of a sub-buffer; NULL else */
    cl_mem_flags flags;
    size_t origin, size;      /* bytes; offset in the parent, bytes */
    struct image_shape image; /* shape of an image */
    uint32_t id;              /* id in the simulator; the parent's for a sub-buffer */
    uint8_t *bytes;           /* the shared memory */
    uint8_t *host_ptr;        /* CL_MEM_USE_HOST_PTR: the program's memory; NULL else */
    bool device_newer;        /* the shared memory has been written since the last update of host_ptr */
    cl_uint mapped;           /* number of mappings of the object and its sub-buffers */
    struct mapping *mappings;
    struct destructor *destructors;
    cl_mem next_shadow; /* next object with host_ptr */
};

struct _cl_sampler {
    struct object object;
    cl_context context;
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
};

struct kernel_argument_facts {
    char *name, *type, *access, *qualifiers;
    uint32_t space, size; /* enum protocol_space; bytes in the argument block */
};

struct kernel_facts {
    char *name, *attributes;
    uint32_t local_bytes, stack_bytes, required_size[3], registers, max_work_group;
    struct kernel_argument_facts *arguments;
    cl_uint argument_count;
};

/* The compiler's object for a source, ready to be linked (link.h). */
struct program_unit {
    uint8_t *object;
    size_t bytes;
};

struct _cl_program {
    struct object object;
    cl_context context;
    char *source;               /* NULL: created from a binary, or linked */
    struct program_unit *units; /* units of a compiled object or a library; NULL else */
    size_t unit_count;
    uint32_t id; /* id in the simulator; 0: none */
    cl_program_binary_type type;
    cl_build_status status;
    char *options, *log;
    uint8_t *binary;
    size_t binary_size;
    struct kernel_facts *kernels;
    size_t kernel_count;
    cl_uint kernel_objects; /* live kernels of the program, which prevent another build */
};

struct argument {
    bool set;
    size_t size;    /* bytes of `value`, or of the __local memory */
    uint8_t *value; /* a copy, for arguments by value and samplers */
    /* A kernel does not keep its memory objects (OpenCL 1.2, clSetKernelArg). Facts for a later launch are
     * copied here, because the object may be destroyed by then. */
    cl_mem memory;   /* NULL: a null pointer */
    uint64_t serial; /* serial number of that object */
    uint32_t id;
    size_t origin;
    struct image_shape image;
};

struct _cl_kernel {
    struct object object;
    cl_program program;
    const struct kernel_facts *facts;
    struct argument *arguments;
};

struct event_callback {
    struct event_callback *next;
    cl_int at; /* execution status that triggers the callback */
    void(CL_CALLBACK *function)(cl_event, cl_int, void *);
    void *user_data;
};

struct _cl_event {
    struct object object;
    cl_context context;
    cl_command_queue queue; /* NULL: a user event */
    cl_command_type type;
    cl_int status;
    uint64_t queued, submit, start, end; /* simulated time, ps */
    struct event_callback *callbacks;
};

extern struct _cl_platform_id the_platform;
extern struct _cl_device_id the_device;

/* --- the lock --- */

struct objects_call { /* an entry point in progress */
    const char *name; /* "clFinish" */
    const void *site; /* address in the program's code to which it returns */
};
void objects_enter(const char *function, const void *return_address);
void objects_leave(const int *unused); /* releases the lock and makes the queued calls */
#define DRIVER_LOCKED                                                                                        \
    __attribute__((cleanup(objects_leave), unused)) int driver_guard = 0;                                    \
    objects_enter(__func__, __builtin_return_address(0))
const struct objects_call *objects_current_call(void);
/* Waits without the lock until an event has changed its status. */
void objects_wait(void);
void objects_wake(void);

/* Queues a call to be made without the lock: f(object, status, user_data). The object is kept until then. */
void objects_call_event(void(CL_CALLBACK *f)(cl_event, cl_int, void *), cl_event event, cl_int status,
                        void *user_data);
void objects_call_program(void(CL_CALLBACK *f)(cl_program, void *), cl_program program, void *user_data);
/* text is freed afterwards. */
void objects_call_context(void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), char *text,
                          cl_context context, void *user_data);
/* Queues a call about a destroyed memory object, with its handle. */
void objects_call_destructor(void(CL_CALLBACK *f)(cl_mem, void *), cl_mem memory, void *user_data);

/* --- life --- */

/* Creates a zeroed object with one reference. Returns NULL if memory is out. */
void *objects_create(enum object_kind kind, size_t size, void (*destroy)(struct object *o));
/* Returns whether a handle, which may be any value, is a live object of this kind. */
bool objects_is(const void *handle, enum object_kind kind);
bool objects_is_memory(const void *handle); /* also true for images */
/* Returns whether the object with this serial number lives, not another one at its address. */
bool objects_is_same(const void *handle, uint64_t serial);
/* Writes "released at host.c:77 (main)" for a destroyed object. Returns false if it is not known. */
bool objects_describe_released(const void *handle, char *text, size_t size);
void objects_use(void *handle);   /* NULL: no effect */
void objects_unuse(void *handle); /* NULL: no effect */
/* Retain and release for the program; `invalid` is the code for a handle that is not of this kind. */
cl_int objects_retain(void *handle, enum object_kind kind, cl_int invalid);
cl_int objects_release(void *handle, enum object_kind kind, cl_int invalid);

/* --- answering queries --- */

/* Destination of the answer to a clGet…Info call. */
struct query {
    size_t room;
    void *value;
    size_t *size;
};
cl_int query_bytes(const struct query *q, const void *bytes, size_t size);
cl_int query_text(const struct query *q, const char *text);
#define QUERY_ANSWER(q, type, answer) return query_bytes(q, &(const type){answer}, sizeof(type))

/* Stores a status if the program wants it. Returns NULL for `return objects_fail(…)`. */
void *objects_fail(cl_int *errcode_ret, cl_int code);
void objects_succeed(cl_int *errcode_ret);

#endif
