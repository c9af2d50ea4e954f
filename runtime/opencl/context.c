/* Contexts and command queues. */
#include "runtime/opencl/command.h"
#include "runtime/opencl/connection.h"
#include "runtime/opencl/objects.h"

#include <stdlib.h>
#include <string.h>

static void destroy_context(struct object *o) {
    free(((cl_context)o)->properties);
}

/* Checks a property list and counts it, with the final 0. */
static cl_int check_properties(const cl_context_properties *properties, size_t *count) {
    *count = 0;
    if (properties == NULL) return CL_SUCCESS;
    for (size_t i = 0; properties[i] != 0; i += 2) {
        if (properties[i] == CL_CONTEXT_PLATFORM) {
            if (!objects_is((cl_platform_id)properties[i + 1], OBJECT_PLATFORM)) return CL_INVALID_PLATFORM;
        } else if (properties[i] != CL_CONTEXT_INTEROP_USER_SYNC) {
            return CL_INVALID_PROPERTY;
        }
        for (size_t k = 0; k < i; k += 2)
            if (properties[k] == properties[i]) return CL_INVALID_PROPERTY;
        *count = i + 2;
    }
    *count += 1;
    return CL_SUCCESS;
}

static cl_context create_context(const cl_context_properties *properties,
                                 void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                 void *user_data, cl_int *errcode_ret) {
    size_t count;
    cl_int status = check_properties(properties, &count);
    if (status != CL_SUCCESS) return objects_fail(errcode_ret, status);
    if (!connection_open()) return objects_fail(errcode_ret, CL_DEVICE_NOT_AVAILABLE);
    cl_context c = objects_create(OBJECT_CONTEXT, sizeof *c, destroy_context);
    if (c == NULL) return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    c->notify = notify;
    c->user_data = user_data;
    if (count > 0) {
        c->properties = malloc(count * sizeof *c->properties);
        if (c->properties == NULL) {
            objects_release(c, OBJECT_CONTEXT, 0);
            return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
        }
        memcpy(c->properties, properties, count * sizeof *c->properties);
        c->property_count = count;
    }
    objects_succeed(errcode_ret);
    return c;
}

cl_context CL_API_CALL driver_clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                              const cl_device_id *devices,
                                              void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                                        void *),
                                              void *user_data, cl_int *errcode_ret) {
    DRIVER_LOCKED;
    if (devices == NULL || num_devices == 0 || (notify == NULL && user_data != NULL))
        return objects_fail(errcode_ret, CL_INVALID_VALUE);
    for (cl_uint i = 0; i < num_devices; i++)
        if (!objects_is(devices[i], OBJECT_DEVICE)) return objects_fail(errcode_ret, CL_INVALID_DEVICE);
    return create_context(properties, notify, user_data, errcode_ret);
}

cl_context CL_API_CALL driver_clCreateContextFromType(const cl_context_properties *properties,
                                                      cl_device_type type,
                                                      void(CL_CALLBACK *notify)(const char *, const void *,
                                                                                size_t, void *),
                                                      void *user_data, cl_int *errcode_ret) {
    cl_uint found = 0;
    if (notify == NULL && user_data != NULL) return objects_fail(errcode_ret, CL_INVALID_VALUE);
    cl_int status = driver_clGetDeviceIDs(&the_platform, type, 0, NULL, &found);
    if (status != CL_SUCCESS) return objects_fail(errcode_ret, status);
    DRIVER_LOCKED;
    return create_context(properties, notify, user_data, errcode_ret);
}

cl_int CL_API_CALL driver_clRetainContext(cl_context context) {
    DRIVER_LOCKED;
    return objects_retain(context, OBJECT_CONTEXT, CL_INVALID_CONTEXT);
}

cl_int CL_API_CALL driver_clReleaseContext(cl_context context) {
    DRIVER_LOCKED;
    return objects_release(context, OBJECT_CONTEXT, CL_INVALID_CONTEXT);
}

cl_int CL_API_CALL driver_clGetContextInfo(cl_context context, cl_context_info name, size_t room, void *value,
                                           size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(context, OBJECT_CONTEXT)) return CL_INVALID_CONTEXT;
    switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT: QUERY_ANSWER(&q, cl_uint, context->object.references);
    case CL_CONTEXT_NUM_DEVICES: QUERY_ANSWER(&q, cl_uint, 1);
    case CL_CONTEXT_DEVICES: QUERY_ANSWER(&q, cl_device_id, &the_device);
    case CL_CONTEXT_PROPERTIES:
        return query_bytes(&q, context->properties, context->property_count * sizeof *context->properties);
    default: return CL_INVALID_VALUE;
    }
}

/* --- command queues --- */

static void destroy_queue(struct object *o) {
    objects_unuse(((cl_command_queue)o)->context);
}

static cl_command_queue create_queue(cl_context context, cl_device_id device,
                                     cl_command_queue_properties properties, cl_int *errcode_ret) {
    const cl_command_queue_properties known =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    const cl_command_queue_properties later = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    if (!objects_is(context, OBJECT_CONTEXT)) return objects_fail(errcode_ret, CL_INVALID_CONTEXT);
    if (!objects_is(device, OBJECT_DEVICE)) return objects_fail(errcode_ret, CL_INVALID_DEVICE);
    if (properties & ~(known | later)) return objects_fail(errcode_ret, CL_INVALID_VALUE);
    if (properties & later) return objects_fail(errcode_ret, CL_INVALID_QUEUE_PROPERTIES);
    cl_command_queue q = objects_create(OBJECT_QUEUE, sizeof *q, destroy_queue);
    if (q == NULL) return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    q->context = context;
    q->properties = properties;
    objects_use(context);
    objects_succeed(errcode_ret);
    return q;
}

cl_command_queue CL_API_CALL driver_clCreateCommandQueue(cl_context context, cl_device_id device,
                                                         cl_command_queue_properties properties,
                                                         cl_int *errcode_ret) {
    DRIVER_LOCKED;
    return create_queue(context, device, properties, errcode_ret);
}

cl_command_queue CL_API_CALL driver_clCreateCommandQueueWithProperties(cl_context context,
                                                                       cl_device_id device,
                                                                       const cl_queue_properties *properties,
                                                                       cl_int *errcode_ret) {
    DRIVER_LOCKED;
    cl_command_queue_properties asked = 0;
    for (size_t i = 0; properties != NULL && properties[i] != 0; i += 2) {
        if (properties[i] != CL_QUEUE_PROPERTIES) return objects_fail(errcode_ret, CL_INVALID_VALUE);
        asked = properties[i + 1];
    }
    return create_queue(context, device, asked, errcode_ret);
}

cl_int CL_API_CALL driver_clRetainCommandQueue(cl_command_queue queue) {
    DRIVER_LOCKED;
    return objects_retain(queue, OBJECT_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

cl_int CL_API_CALL driver_clReleaseCommandQueue(cl_command_queue queue) {
    DRIVER_LOCKED;
    return objects_release(queue, OBJECT_QUEUE, CL_INVALID_COMMAND_QUEUE);
}

cl_int CL_API_CALL driver_clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info name,
                                                size_t room, void *value, size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    switch (name) {
    case CL_QUEUE_CONTEXT: QUERY_ANSWER(&q, cl_context, queue->context);
    case CL_QUEUE_DEVICE: QUERY_ANSWER(&q, cl_device_id, &the_device);
    case CL_QUEUE_REFERENCE_COUNT: QUERY_ANSWER(&q, cl_uint, queue->object.references);
    case CL_QUEUE_PROPERTIES: QUERY_ANSWER(&q, cl_command_queue_properties, queue->properties);
    default: return CL_INVALID_VALUE;
    }
}

/* A function of OpenCL 1.0. Only properties that change nothing later can be set. */
cl_int CL_API_CALL driver_clSetCommandQueueProperty(cl_command_queue queue,
                                                    cl_command_queue_properties properties, cl_bool enable,
                                                    cl_command_queue_properties *old) {
    DRIVER_LOCKED;
    if (!objects_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (properties &
        ~(cl_command_queue_properties)(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE))
        return CL_INVALID_VALUE;
    if (old != NULL) *old = queue->properties;
    if (enable)
        queue->properties |= properties;
    else
        queue->properties &= ~properties;
    return CL_SUCCESS;
}

cl_int CL_API_CALL driver_clFlush(cl_command_queue queue) {
    DRIVER_LOCKED;
    return objects_is(queue, OBJECT_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

cl_int CL_API_CALL driver_clFinish(cl_command_queue queue) {
    DRIVER_LOCKED;
    if (!objects_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    command_finish(queue);
    return CL_SUCCESS;
}
