/*
 * objects: what the driver's handles point to, their reference counts, and the driver's one lock.
 *
 * Every entry point takes the lock (DRIVER_LOCKED) before it looks at an object. An object lives while the
 * program has references to it or others here use it; only the former are reported as its reference count.
 * The last objects that are gone are remembered, and their use is reported on standard error.
 * Functions of the program (callbacks) are queued while the lock is held and called after it is released.
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
    cl_uint references;      /* the program's */
    cl_uint uses;            /* by other objects */
    uint64_t serial;         /* no other object ever has the same */
    const void *released_at; /* the program's code that released it last; NULL: not released */
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
    cl_context_properties *properties; /* as given, with the final 0; NULL if none were */
    size_t property_count;             /* with the final 0 */
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
    size_t offset, size, rows; /* bytes; bytes of a row (of all, if there is one row); rows */
    cl_map_flags flags;
};

struct destructor {
    struct destructor *next;
    void(CL_CALLBACK *function)(cl_mem, void *);
    void *user_data;
};

/* A 2-D image: its pixels lie in its storage row by row. */
struct image_shape {
    cl_image_format format;
    size_t width, height, row_pitch, element_bytes;
};

struct _cl_mem { /* OBJECT_BUFFER or OBJECT_IMAGE */
    struct object object;
    cl_context context;
    cl_mem parent; /* of a sub-buffer; NULL else */
    cl_mem_flags flags;
    size_t origin, size;      /* bytes; origin in the parent */
    struct image_shape image; /* of an image */
    uint32_t id;              /* the simulator's, of the parent if there is one */
    uint8_t *bytes;           /* the shared memory */
    uint8_t *host_ptr;        /* CL_MEM_USE_HOST_PTR: the program's memory; NULL else */
    bool device_newer; /* the shared memory has been written since host_ptr was last brought up to date */
    cl_uint mapped;    /* mappings of it and of its sub-buffers */
    struct mapping *mappings;
    struct destructor *destructors;
    cl_mem next_shadow; /* list of the objects with host_ptr */
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

/* A compiled source, ready to be linked (link.h): the compiler's object. */
struct program_unit {
    uint8_t *object;
    size_t bytes;
};

struct _cl_program {
    struct object object;
    cl_context context;
    char *source;               /* NULL if made from a binary or linked */
    struct program_unit *units; /* of a compiled object or a library; NULL else */
    size_t unit_count;
    uint32_t id; /* the simulator's; 0: there is none */
    cl_program_binary_type type;
    cl_build_status status;
    char *options, *log;
    uint8_t *binary;
    size_t binary_size;
    struct kernel_facts *kernels;
    size_t kernel_count;
    cl_uint kernel_objects; /* made from it and still alive: it cannot be built again meanwhile */
};

struct argument {
    bool set;
    size_t size;    /* of `value`, or of the __local memory */
    uint8_t *value; /* a copy, for arguments by value and samplers */
    /* A kernel does not keep its memory objects (OpenCL 1.2, clSetKernelArg): what a launch must say of one
     * is noted here, since it may be gone by then. */
    cl_mem memory;   /* NULL: a null pointer */
    uint64_t serial; /* of that object */
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
    cl_int at; /* execution status */
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
    const void *site; /* the program's code that it returns to */
};
void objects_enter(const char *function, const void *return_address);
void objects_leave(const int *unused); /* then calls what has been queued */
#define DRIVER_LOCKED                                                                                        \
    __attribute__((cleanup(objects_leave), unused)) int driver_guard = 0;                                    \
    objects_enter(__func__, __builtin_return_address(0))
const struct objects_call *objects_current_call(void);
/* Waits, the lock released, until some event has changed its status. */
void objects_wait(void);
void objects_wake(void);

/* A call to make when the lock has been released: f(object, status, user_data); object is kept until then. */
void objects_call_event(void(CL_CALLBACK *f)(cl_event, cl_int, void *), cl_event event, cl_int status,
                        void *user_data);
void objects_call_program(void(CL_CALLBACK *f)(cl_program, void *), cl_program program, void *user_data);
/* text is freed afterwards. */
void objects_call_context(void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), char *text,
                          cl_context context, void *user_data);
/* The memory object is no more: its handle is only told. */
void objects_call_destructor(void(CL_CALLBACK *f)(cl_mem, void *), cl_mem memory, void *user_data);

/* --- life --- */

/* A zeroed object with one reference; NULL if memory is out. */
void *objects_create(enum object_kind kind, size_t size, void (*destroy)(struct object *o));
/* Whether a handle, which may be any value, is a live object of this kind. */
bool objects_is(const void *handle, enum object_kind kind);
bool objects_is_memory(const void *handle); /* a buffer or an image */
/* Whether the very object that had this serial number lives: not another one in its place. */
bool objects_is_same(const void *handle, uint64_t serial);
/* "released at host.c:77 (main)" of an object that is gone; false if nothing is known of it (any more). */
bool objects_describe_released(const void *handle, char *text, size_t size);
void objects_use(void *handle);   /* NULL: nothing */
void objects_unuse(void *handle); /* NULL: nothing */
/* The program's retain and release; `invalid` is the code for a handle that is not of this kind. */
cl_int objects_retain(void *handle, enum object_kind kind, cl_int invalid);
cl_int objects_release(void *handle, enum object_kind kind, cl_int invalid);

/* --- answering queries --- */

/* Where the answer to a clGet…Info call goes. */
struct query {
    size_t room;
    void *value;
    size_t *size;
};
cl_int query_bytes(const struct query *q, const void *bytes, size_t size);
cl_int query_text(const struct query *q, const char *text);
#define QUERY_ANSWER(q, type, answer) return query_bytes(q, &(const type){answer}, sizeof(type))

/* Stores a status where the program wants it, if it does; returns NULL for `return objects_fail(…)`. */
void *objects_fail(cl_int *errcode_ret, cl_int code);
void objects_succeed(cl_int *errcode_ret);

#endif
