/* Entry points that an OpenCL 1.2 device need not have and this one lacks: shared objects of
 * graphics interfaces, and functions of later versions. Each reports this once, and refuses as the
 * standard demands. */
#include "runtime/opencl/dispatch.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void unsupported_say(const char *what) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static const char *said[100];
    static size_t count;
    pthread_mutex_lock(&mutex);
    bool known = count == sizeof said / sizeof said[0];
    for (size_t i = 0; i < count; i++) known |= strcmp(said[i], what) == 0;
    if (!known) {
        said[count++] = what;
        fprintf(stderr, "lockstep OpenCL driver: not supported by this device (OpenCL 1.2): %s\n", what);
    }
    pthread_mutex_unlock(&mutex);
}

static void *refuse_object(const char *function, cl_int *errcode_ret) {
    unsupported_say(function + strlen("driver_"));
    if (errcode_ret != NULL) *errcode_ret = CL_INVALID_OPERATION;
    return NULL;
}

cl_mem CL_API_CALL driver_clCreateFromGLBuffer(cl_context c, cl_mem_flags flags, cl_GLuint name,
                                               cl_int *errcode_ret) {
    (void)c, (void)flags, (void)name;
    return refuse_object(__func__, errcode_ret);
}

cl_mem CL_API_CALL driver_clCreateFromGLTexture(cl_context c, cl_mem_flags flags, cl_GLenum target,
                                                cl_GLint level, cl_GLuint texture, cl_int *errcode_ret) {
    (void)c, (void)flags, (void)target, (void)level, (void)texture;
    return refuse_object(__func__, errcode_ret);
}

cl_mem CL_API_CALL driver_clCreateFromGLTexture2D(cl_context c, cl_mem_flags flags, cl_GLenum target,
                                                  cl_GLint level, cl_GLuint texture, cl_int *errcode_ret) {
    (void)c, (void)flags, (void)target, (void)level, (void)texture;
    return refuse_object(__func__, errcode_ret);
}

cl_mem CL_API_CALL driver_clCreateFromGLTexture3D(cl_context c, cl_mem_flags flags, cl_GLenum target,
                                                  cl_GLint level, cl_GLuint texture, cl_int *errcode_ret) {
    (void)c, (void)flags, (void)target, (void)level, (void)texture;
    return refuse_object(__func__, errcode_ret);
}

cl_mem CL_API_CALL driver_clCreateFromGLRenderbuffer(cl_context c, cl_mem_flags flags, cl_GLuint name,
                                                     cl_int *errcode_ret) {
    (void)c, (void)flags, (void)name;
    return refuse_object(__func__, errcode_ret);
}

cl_event CL_API_CALL driver_clCreateEventFromGLsyncKHR(cl_context c, cl_GLsync sync, cl_int *errcode_ret) {
    (void)c, (void)sync;
    return refuse_object(__func__, errcode_ret);
}

cl_mem CL_API_CALL driver_clCreateFromEGLImageKHR(cl_context c, CLeglDisplayKHR display, CLeglImageKHR image,
                                                  cl_mem_flags flags,
                                                  const cl_egl_image_properties_khr *properties,
                                                  cl_int *errcode_ret) {
    (void)c, (void)display, (void)image, (void)flags, (void)properties;
    return refuse_object(__func__, errcode_ret);
}

cl_event CL_API_CALL driver_clCreateEventFromEGLSyncKHR(cl_context c, CLeglSyncKHR sync,
                                                        CLeglDisplayKHR display, cl_int *errcode_ret) {
    (void)c, (void)sync, (void)display;
    return refuse_object(__func__, errcode_ret);
}

cl_mem CL_API_CALL driver_clCreatePipe(cl_context c, cl_mem_flags flags, cl_uint packet_size,
                                       cl_uint max_packets, const cl_pipe_properties *properties,
                                       cl_int *errcode_ret) {
    (void)c, (void)flags, (void)packet_size, (void)max_packets, (void)properties;
    return refuse_object(__func__, errcode_ret);
}

void *CL_API_CALL driver_clSVMAlloc(cl_context c, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
    (void)c, (void)flags, (void)size, (void)alignment;
    return refuse_object(__func__, NULL);
}

void CL_API_CALL driver_clSVMFree(cl_context c, void *pointer) {
    (void)c, (void)pointer; /* clSVMAlloc never returns a pointer */
}

cl_kernel CL_API_CALL driver_clCloneKernel(cl_kernel kernel, cl_int *errcode_ret) {
    (void)kernel;
    return refuse_object(__func__, errcode_ret);
}

cl_program CL_API_CALL driver_clCreateProgramWithIL(cl_context c, const void *il, size_t length,
                                                    cl_int *errcode_ret) {
    (void)c, (void)il, (void)length;
    return refuse_object(__func__, errcode_ret);
}
