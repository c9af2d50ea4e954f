/* Programs: sources and binaries, and building them by the simulator's compiler. */
#include "runtime/opencl/program.h"

#include "runtime/opencl/connection.h"
#include "runtime/opencl/link.h"
#include "runtime/opencl/message.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void free_facts(cl_program p) {
    for (size_t k = 0; k < p->kernel_count; k++) {
        struct kernel_facts *f = &p->kernels[k];
        for (cl_uint i = 0; i < f->argument_count; i++) {
            free(f->arguments[i].name);
            free(f->arguments[i].type);
            free(f->arguments[i].access);
            free(f->arguments[i].qualifiers);
        }
        free(f->arguments);
        free(f->name);
        free(f->attributes);
    }
    free(p->kernels);
    p->kernels = NULL;
    p->kernel_count = 0;
}

/* Returns the program to its state before it was built or loaded. */
static void drop_build(cl_program p) {
    if (p->id != 0) {
        struct protocol_message request, reply;
        protocol_begin(&request, PROTOCOL_RELEASE_PROGRAM);
        protocol_put_u32(&request, p->id);
        connection_request(&request, &reply, NULL);
        protocol_free(&reply);
    }
    free_facts(p);
    free(p->binary);
    p->binary = NULL;
    p->binary_size = 0;
    p->id = 0;
    p->type = CL_PROGRAM_BINARY_TYPE_NONE;
    link_free_units(p);
}

static void destroy_program(struct object *o) {
    cl_program p = (cl_program)o;
    drop_build(p);
    free(p->source);
    free(p->options);
    free(p->log);
    objects_unuse(p->context);
}

static void set_text(char **text, const char *value) {
    free(*text);
    *text = strdup(value);
}

cl_program program_create(cl_context context) {
    cl_program p = objects_create(OBJECT_PROGRAM, sizeof *p, destroy_program);
    if (p == NULL) return NULL;
    p->context = context;
    p->status = CL_BUILD_NONE;
    objects_use(context);
    return p;
}

/* --- what the simulator says about a program --- */

/* Least bytes of a text, an argument and a kernel in a message. */
enum { TEXT_BYTES = 9, ARGUMENT_BYTES = 4 * TEXT_BYTES + 8, KERNEL_BYTES = 2 * TEXT_BYTES + 32 };

static char *get_copy(struct protocol_message *m) {
    char *copy = strdup(protocol_get_text(m));
    if (copy == NULL) m->bad = true;
    return copy;
}

static void get_kernel(struct protocol_message *m, struct kernel_facts *f) {
    f->name = get_copy(m);
    f->attributes = get_copy(m);
    f->local_bytes = protocol_get_u32(m);
    f->stack_bytes = protocol_get_u32(m);
    for (int d = 0; d < 3; d++) f->required_size[d] = protocol_get_u32(m);
    f->registers = protocol_get_u32(m);
    f->max_work_group = protocol_get_u32(m);
    cl_uint count = protocol_get_count(m, ARGUMENT_BYTES);
    f->arguments = m->bad ? NULL : calloc((size_t)count + 1, sizeof *f->arguments);
    if (f->arguments == NULL) m->bad = true;
    while (!m->bad && f->argument_count < count) {
        struct kernel_argument_facts *a = &f->arguments[f->argument_count++];
        a->name = get_copy(m);
        a->type = get_copy(m);
        a->access = get_copy(m);
        a->qualifiers = get_copy(m);
        a->space = protocol_get_u32(m);
        a->size = protocol_get_u32(m);
    }
}

/* Takes the program that a reply describes. Returns false if the reply is damaged or memory is out. */
static bool get_program(struct protocol_message *m, cl_program p) {
    p->id = protocol_get_u32(m);
    set_text(&p->log, protocol_get_text(m));
    const void *image = protocol_get_block(m, &p->binary_size);
    p->type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    p->binary = malloc(p->binary_size + 1);
    if (p->binary != NULL && image != NULL) memcpy(p->binary, image, p->binary_size);
    size_t count = protocol_get_count(m, KERNEL_BYTES);
    p->kernels = m->bad || p->binary == NULL ? NULL : calloc(count + 1, sizeof *p->kernels);
    if (p->kernels == NULL) m->bad = true;
    while (!m->bad && p->kernel_count < count) get_kernel(m, &p->kernels[p->kernel_count++]);
    return !m->bad;
}

/* --- making programs --- */

cl_program CL_API_CALL driver_clCreateProgramWithSource(cl_context context, cl_uint count,
                                                        const char **strings, const size_t *lengths,
                                                        cl_int *errcode_ret) {
    DRIVER_LOCKED;
    if (!objects_is(context, OBJECT_CONTEXT)) return objects_fail(errcode_ret, CL_INVALID_CONTEXT);
    if (count == 0 || strings == NULL) return objects_fail(errcode_ret, CL_INVALID_VALUE);
    size_t total = 0;
    for (cl_uint i = 0; i < count; i++) {
        if (strings[i] == NULL) return objects_fail(errcode_ret, CL_INVALID_VALUE);
        total += lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]);
    }
    cl_program p = program_create(context);
    char *source = malloc(total + 1);
    if (p == NULL || source == NULL) {
        free(source);
        if (p != NULL) objects_release(p, OBJECT_PROGRAM, 0);
        return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    }
    p->source = source;
    for (cl_uint i = 0; i < count; i++) {
        size_t n = lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(strings[i]);
        memcpy(source, strings[i], n);
        source += n;
    }
    *source = 0;
    objects_succeed(errcode_ret);
    return p;
}

/* Refuses a binary. There is no program with a log, so the reason is printed and notified. */
static cl_int refuse_binary(const struct _cl_program *p, const char *why) {
    message_print("the binary is refused: %s", why);
    message_notify(p->context, why);
    return CL_INVALID_BINARY;
}

static cl_int load_binary(cl_program p, const void *binary, size_t size) {
    struct protocol_message request, reply;
    const char *text = "";
    if (link_is_object(binary, size)) {
        cl_int result = link_load(p, binary, size, &text);
        return result == CL_INVALID_BINARY ? refuse_binary(p, text) : result;
    }
    protocol_begin(&request, PROTOCOL_LOAD);
    protocol_put_block(&request, binary, size);
    uint32_t status = connection_request(&request, &reply, &text);
    cl_int result = CL_OUT_OF_RESOURCES;
    if (status == PROTOCOL_OK)
        result = get_program(&reply, p) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    else if (status != CONNECTION_LOST)
        result = refuse_binary(p, text);
    protocol_free(&reply);
    return result;
}

cl_program CL_API_CALL driver_clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                        const cl_device_id *devices, const size_t *lengths,
                                                        const unsigned char **binaries, cl_int *binary_status,
                                                        cl_int *errcode_ret) {
    DRIVER_LOCKED;
    if (!objects_is(context, OBJECT_CONTEXT)) return objects_fail(errcode_ret, CL_INVALID_CONTEXT);
    if (devices == NULL || num_devices == 0 || lengths == NULL || binaries == NULL)
        return objects_fail(errcode_ret, CL_INVALID_VALUE);
    if (num_devices != 1 || !objects_is(devices[0], OBJECT_DEVICE))
        return objects_fail(errcode_ret, CL_INVALID_DEVICE);
    if (lengths[0] == 0 || binaries[0] == NULL) {
        if (binary_status != NULL) *binary_status = CL_INVALID_VALUE;
        return objects_fail(errcode_ret, CL_INVALID_VALUE);
    }
    cl_program p = program_create(context);
    if (p == NULL) return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    cl_int status = load_binary(p, binaries[0], lengths[0]);
    if (binary_status != NULL) *binary_status = status;
    if (status != CL_SUCCESS) {
        objects_release(p, OBJECT_PROGRAM, 0);
        return objects_fail(errcode_ret, status);
    }
    objects_succeed(errcode_ret);
    return p;
}

cl_int CL_API_CALL driver_clRetainProgram(cl_program program) {
    DRIVER_LOCKED;
    return objects_retain(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
}

cl_int CL_API_CALL driver_clReleaseProgram(cl_program program) {
    DRIVER_LOCKED;
    return objects_release(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
}

/* --- building --- */

/* Returns OpenCL's error for the compiler's verdict. */
static cl_int failure(uint32_t status, uint32_t kind) {
    static const cl_int bad_options[] = {CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS,
                                         CL_INVALID_LINKER_OPTIONS};
    static const cl_int refused[] = {CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_PROGRAM_FAILURE,
                                     CL_LINK_PROGRAM_FAILURE};
    return status == PROTOCOL_BAD_OPTIONS ? bad_options[kind] : refused[kind];
}

/* Takes the result of a build. Returns false if the reply is damaged or memory is out. */
static bool get_result(struct protocol_message *reply, cl_program p, uint32_t kind, const char *log) {
    if (kind != PROTOCOL_BUILD_OBJECT) return get_program(reply, p);
    size_t size;
    const void *object = protocol_get_block(reply, &size);
    set_text(&p->log, log);
    p->type = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    return !reply->bad && link_add_unit(p, object, size) && link_save(p);
}

cl_int program_build(cl_program p, const struct program_input *input) {
    struct protocol_message request, reply;
    char directory[PATH_MAX];
    const char *text = "";
    drop_build(p);
    p->status = CL_BUILD_ERROR;
    set_text(&p->options, input->options);
    protocol_begin(&request, PROTOCOL_BUILD);
    protocol_put_u32(&request, input->kind);
    protocol_put_text(&request, input->name != NULL ? input->name : "");
    protocol_put_text(&request, getcwd(directory, sizeof directory) != NULL ? directory : "");
    protocol_put_text(&request, input->options);
    protocol_put_block(&request, input->bytes, input->size);
    uint32_t status = connection_request(&request, &reply, &text);
    cl_int result = CL_OUT_OF_RESOURCES;
    if (status == PROTOCOL_OK) {
        result = get_result(&reply, p, input->kind, text) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    } else if (status != CONNECTION_LOST) {
        set_text(&p->log, text);
        message_notify(p->context, text);
        result = failure(status, input->kind);
    }
    if (result == CL_SUCCESS) p->status = CL_BUILD_SUCCESS;
    protocol_free(&reply);
    return result;
}

cl_int program_check_build(cl_program p, cl_uint num_devices, const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(cl_program, void *), const void *user_data) {
    if (!objects_is(p, OBJECT_PROGRAM)) return CL_INVALID_PROGRAM;
    if ((num_devices == 0) != (devices == NULL) || (notify == NULL && user_data != NULL))
        return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < num_devices; i++)
        if (!objects_is(devices[i], OBJECT_DEVICE)) return CL_INVALID_DEVICE;
    return p->kernel_objects > 0 ? CL_INVALID_OPERATION : CL_SUCCESS;
}

cl_int CL_API_CALL driver_clBuildProgram(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                                         const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                         void *user_data) {
    DRIVER_LOCKED;
    cl_int status = program_check_build(program, num_devices, devices, notify, user_data);
    if (status != CL_SUCCESS) return status;
    /* A binary was checked when it was loaded; a program to be linked has no source to build. */
    if (program->source != NULL)
        status = program_build(program, &(struct program_input){.kind = PROTOCOL_BUILD_PROGRAM,
                                                                .options = options != NULL ? options : "",
                                                                .bytes = program->source,
                                                                .size = strlen(program->source)});
    else if (program->id != 0)
        program->status = CL_BUILD_SUCCESS;
    else
        return CL_INVALID_BINARY;
    if (notify != NULL) objects_call_program(notify, program, user_data);
    return status;
}

/* The device has no built-in kernels, so every name is wrong. */
cl_program CL_API_CALL driver_clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                                const cl_device_id *devices,
                                                                const char *names, cl_int *errcode_ret) {
    DRIVER_LOCKED;
    if (!objects_is(context, OBJECT_CONTEXT)) return objects_fail(errcode_ret, CL_INVALID_CONTEXT);
    if (devices == NULL || num_devices == 0 || names == NULL)
        return objects_fail(errcode_ret, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < num_devices; i++)
        if (!objects_is(devices[i], OBJECT_DEVICE)) return objects_fail(errcode_ret, CL_INVALID_DEVICE);
    return objects_fail(errcode_ret, CL_INVALID_VALUE);
}

cl_int CL_API_CALL driver_clUnloadCompiler(void) {
    return CL_SUCCESS; /* only a hint: the compiler is a process that ends by itself */
}

cl_int CL_API_CALL driver_clUnloadPlatformCompiler(cl_platform_id platform) {
    return objects_is(platform, OBJECT_PLATFORM) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}

/* --- queries --- */

static cl_int query_binaries(const struct query *q, const struct _cl_program *p) {
    if (q->size != NULL) *q->size = sizeof(unsigned char *);
    if (q->value == NULL) return CL_SUCCESS;
    if (q->room < sizeof(unsigned char *)) return CL_INVALID_VALUE;
    unsigned char *target = *(unsigned char **)q->value;
    if (target != NULL && p->binary != NULL) memcpy(target, p->binary, p->binary_size);
    return CL_SUCCESS;
}

static cl_int query_names(const struct query *q, const struct _cl_program *p) {
    size_t total = 1;
    for (size_t k = 0; k < p->kernel_count; k++) total += strlen(p->kernels[k].name) + 1;
    char *names = calloc(1, total), *end = names;
    if (names == NULL) return CL_OUT_OF_HOST_MEMORY;
    for (size_t k = 0; k < p->kernel_count; k++) {
        if (k > 0) *end++ = ';';
        end = stpcpy(end, p->kernels[k].name);
    }
    cl_int status = query_text(q, names);
    free(names);
    return status;
}

cl_int CL_API_CALL driver_clGetProgramInfo(cl_program program, cl_program_info name, size_t room, void *value,
                                           size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(program, OBJECT_PROGRAM)) return CL_INVALID_PROGRAM;
    bool executable = program->status == CL_BUILD_SUCCESS && program->id != 0;
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT: QUERY_ANSWER(&q, cl_uint, program->object.references);
    case CL_PROGRAM_CONTEXT: QUERY_ANSWER(&q, cl_context, program->context);
    case CL_PROGRAM_NUM_DEVICES: QUERY_ANSWER(&q, cl_uint, 1);
    case CL_PROGRAM_DEVICES: QUERY_ANSWER(&q, cl_device_id, &the_device);
    case CL_PROGRAM_SOURCE: return query_text(&q, program->source != NULL ? program->source : "");
    case CL_PROGRAM_BINARY_SIZES: QUERY_ANSWER(&q, size_t, program->binary_size);
    case CL_PROGRAM_BINARIES: return query_binaries(&q, program);
    case CL_PROGRAM_NUM_KERNELS:
        if (!executable) return CL_INVALID_PROGRAM_EXECUTABLE;
        QUERY_ANSWER(&q, size_t, program->kernel_count);
    case CL_PROGRAM_KERNEL_NAMES:
        return executable ? query_names(&q, program) : CL_INVALID_PROGRAM_EXECUTABLE;
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL driver_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                cl_program_build_info name, size_t room, void *value,
                                                size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(program, OBJECT_PROGRAM)) return CL_INVALID_PROGRAM;
    if (!objects_is(device, OBJECT_DEVICE)) return CL_INVALID_DEVICE;
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS: QUERY_ANSWER(&q, cl_build_status, program->status);
    case CL_PROGRAM_BUILD_OPTIONS: return query_text(&q, program->options != NULL ? program->options : "");
    case CL_PROGRAM_BUILD_LOG: return query_text(&q, program->log != NULL ? program->log : "");
    case CL_PROGRAM_BINARY_TYPE: QUERY_ANSWER(&q, cl_program_binary_type, program->type);
    default: return CL_INVALID_VALUE;
    }
}
