/* Entry points that would make something this driver does not have: images, samplers, shared objects of
 * graphics interfaces, pipes, shared virtual memory, separate compilation and linking. */
#include "runtime/opencl/dispatch.h"

static void *refuse_object(cl_int *errcode_ret, cl_int code) {
    if (errcode_ret != NULL) *errcode_ret = code;
    return NULL;
}

cl_mem CL_API_CALL driver_clCreateImage2D(cl_context c, cl_mem_flags flags, const cl_image_format *format,
                                          size_t width, size_t height, size_t pitch, void *host_ptr,
                                          cl_int *errcode_ret) {
    (void)c, (void)flags, (void)format, (void)width, (void)height, (void)pitch, (void)host_ptr;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL driver_clCreateImage3D(cl_context c, cl_mem_flags flags, const cl_image_format *format,
                                          size_t width, size_t height, size_t depth, size_t pitch,
                                          size_t slice, void *host_ptr, cl_int *errcode_ret) {
    (void)c, (void)flags, (void)format, (void)width, (void)height, (void)depth, (void)pitch, (void)slice;
    (void)host_ptr;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL driver_clCreateImage(cl_context c, cl_mem_flags flags, const cl_image_format *format,
                                        const cl_image_desc *description, void *host_ptr,
                                        cl_int *errcode_ret) {
    (void)c, (void)flags, (void)format, (void)description, (void)host_ptr;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL driver_clCreateImageWithProperties(cl_context c, const cl_mem_properties *properties,
                                                      cl_mem_flags flags, const cl_image_format *format,
                                                      const cl_image_desc *description, void *host_ptr,
                                                      cl_int *errcode_ret) {
    (void)c, (void)properties, (void)flags, (void)format, (void)description, (void)host_ptr;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL driver_clCreateBufferWithProperties(cl_context c, const cl_mem_properties *properties,
                                                       cl_mem_flags flags, size_t size, void *host_ptr,
                                                       cl_int *errcode_ret) {
    (void)c, (void)properties, (void)flags, (void)size, (void)host_ptr;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_sampler CL_API_CALL driver_clCreateSampler(cl_context c, cl_bool normalized, cl_addressing_mode addressing,
                                              cl_filter_mode filter, cl_int *errcode_ret) {
    (void)c, (void)normalized, (void)addressing, (void)filter;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_sampler CL_API_CALL driver_clCreateSamplerWithProperties(cl_context c,
                                                            const cl_sampler_properties *properties,
                                                            cl_int *errcode_ret) {
    (void)c, (void)properties;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

void *CL_API_CALL driver_clEnqueueMapImage(cl_command_queue q, cl_mem image, cl_bool blocking,
                                           cl_map_flags flags, const size_t *origin, const size_t *region,
                                           size_t *row_pitch, size_t *slice_pitch, cl_uint num_events,
                                           const cl_event *events, cl_event *event, cl_int *errcode_ret) {
    (void)q, (void)image, (void)blocking, (void)flags, (void)origin, (void)region, (void)row_pitch;
    (void)slice_pitch, (void)num_events, (void)events, (void)event;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL driver_clCreateFromGLBuffer(cl_context c, cl_mem_flags flags, cl_GLuint name,
                                               cl_int *errcode_ret) {
    (void)c, (void)flags, (void)name;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL driver_clCreateFromGLTexture(cl_context c, cl_mem_flags flags, cl_GLenum target,
                                                cl_GLint level, cl_GLuint texture, cl_int *errcode_ret) {
    (void)c, (void)flags, (void)target, (void)level, (void)texture;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL driver_clCreateFromGLTexture2D(cl_context c, cl_mem_flags flags, cl_GLenum target,
                                                  cl_GLint level, cl_GLuint texture, cl_int *errcode_ret) {
    (void)c, (void)flags, (void)target, (void)level, (void)texture;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL driver_clCreateFromGLTexture3D(cl_context c, cl_mem_flags flags, cl_GLenum target,
                                                  cl_GLint level, cl_GLuint texture, cl_int *errcode_ret) {
    (void)c, (void)flags, (void)target, (void)level, (void)texture;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL driver_clCreateFromGLRenderbuffer(cl_context c, cl_mem_flags flags, cl_GLuint name,
                                                     cl_int *errcode_ret) {
    (void)c, (void)flags, (void)name;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_event CL_API_CALL driver_clCreateEventFromGLsyncKHR(cl_context c, cl_GLsync sync, cl_int *errcode_ret) {
    (void)c, (void)sync;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_mem CL_API_CALL driver_clCreateFromEGLImageKHR(cl_context c, CLeglDisplayKHR display, CLeglImageKHR image,
                                                  cl_mem_flags flags,
                                                  const cl_egl_image_properties_khr *properties,
                                                  cl_int *errcode_ret) {
    (void)c, (void)display, (void)image, (void)flags, (void)properties;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_event CL_API_CALL driver_clCreateEventFromEGLSyncKHR(cl_context c, CLeglSyncKHR sync,
                                                        CLeglDisplayKHR display, cl_int *errcode_ret) {
    (void)c, (void)sync, (void)display;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

/* The device has no built-in kernels, so that every name is a wrong one. */
cl_program CL_API_CALL driver_clCreateProgramWithBuiltInKernels(cl_context c, cl_uint num_devices,
                                                                const cl_device_id *devices,
                                                                const char *names, cl_int *errcode_ret) {
    (void)c, (void)num_devices, (void)devices, (void)names;
    return refuse_object(errcode_ret, CL_INVALID_VALUE);
}

cl_program CL_API_CALL driver_clLinkProgram(cl_context c, cl_uint num_devices, const cl_device_id *devices,
                                            const char *options, cl_uint num_programs,
                                            const cl_program *programs,
                                            void(CL_CALLBACK *notify)(cl_program, void *), void *user_data,
                                            cl_int *errcode_ret) {
    (void)c, (void)num_devices, (void)devices, (void)options, (void)num_programs, (void)programs;
    (void)notify, (void)user_data;
    return refuse_object(errcode_ret, CL_LINKER_NOT_AVAILABLE);
}

cl_mem CL_API_CALL driver_clCreatePipe(cl_context c, cl_mem_flags flags, cl_uint packet_size,
                                       cl_uint max_packets, const cl_pipe_properties *properties,
                                       cl_int *errcode_ret) {
    (void)c, (void)flags, (void)packet_size, (void)max_packets, (void)properties;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

void *CL_API_CALL driver_clSVMAlloc(cl_context c, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
    (void)c, (void)flags, (void)size, (void)alignment;
    return NULL;
}

void CL_API_CALL driver_clSVMFree(cl_context c, void *pointer) {
    (void)c, (void)pointer; /* clSVMAlloc never gave one */
}

cl_kernel CL_API_CALL driver_clCloneKernel(cl_kernel kernel, cl_int *errcode_ret) {
    (void)kernel;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}

cl_program CL_API_CALL driver_clCreateProgramWithIL(cl_context c, const void *il, size_t length,
                                                    cl_int *errcode_ret) {
    (void)c, (void)il, (void)length;
    return refuse_object(errcode_ret, CL_INVALID_OPERATION);
}
