/*
 * dispatch: the entry points of the OpenCL driver. Entry point clX of the standard is the function
 * driver_clX here; programs reach it through the table with which every object begins (cl_khr_icd). No slot
 * is empty: unsupported functions return an error.
 */
#ifndef RUNTIME_OPENCL_DISPATCH_H
#define RUNTIME_OPENCL_DISPATCH_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_icd.h>

/* Entry points that check their arguments and act as OpenCL 1.2 demands, or refuse as it demands. */
/* A plain list, which the formatter would stack ever deeper. */
/* clang-format off */
#define DISPATCH_SUPPORTED(X)                                                                        \
    X(clGetPlatformIDs) X(clGetPlatformInfo) X(clGetDeviceIDs) X(clGetDeviceInfo) X(clCreateContext) \
    X(clCreateContextFromType) X(clRetainContext) X(clReleaseContext) X(clGetContextInfo)            \
    X(clCreateCommandQueue) X(clCreateCommandQueueWithProperties) X(clRetainCommandQueue)            \
    X(clReleaseCommandQueue) X(clGetCommandQueueInfo) X(clSetCommandQueueProperty) X(clCreateBuffer) \
    X(clRetainMemObject) X(clReleaseMemObject) X(clGetMemObjectInfo) X(clCreateProgramWithSource)    \
    X(clCreateProgramWithBinary) X(clRetainProgram) X(clReleaseProgram) X(clBuildProgram)            \
    X(clUnloadCompiler) X(clGetProgramInfo) X(clGetProgramBuildInfo) X(clCreateKernel)               \
    X(clCreateKernelsInProgram) X(clRetainKernel) X(clReleaseKernel) X(clSetKernelArg)               \
    X(clGetKernelInfo) X(clGetKernelWorkGroupInfo) X(clWaitForEvents) X(clGetEventInfo)              \
    X(clRetainEvent) X(clReleaseEvent) X(clGetEventProfilingInfo) X(clFlush) X(clFinish)             \
    X(clEnqueueReadBuffer) X(clEnqueueWriteBuffer) X(clEnqueueCopyBuffer) X(clEnqueueMapBuffer)      \
    X(clEnqueueUnmapMemObject) X(clEnqueueNDRangeKernel) X(clEnqueueTask) X(clEnqueueMarker)         \
    X(clEnqueueWaitForEvents) X(clEnqueueBarrier) X(clGetExtensionFunctionAddress)                   \
    X(clSetEventCallback) X(clCreateSubBuffer) X(clSetMemObjectDestructorCallback)                   \
    X(clCreateUserEvent) X(clSetUserEventStatus) X(clEnqueueReadBufferRect)                          \
    X(clEnqueueWriteBufferRect) X(clEnqueueCopyBufferRect) X(clRetainDevice) X(clReleaseDevice)      \
    X(clUnloadPlatformCompiler) X(clGetKernelArgInfo) X(clEnqueueFillBuffer)                         \
    X(clEnqueueMigrateMemObjects) X(clEnqueueMarkerWithWaitList) X(clEnqueueBarrierWithWaitList)     \
    X(clGetExtensionFunctionAddressForPlatform) X(clGetSupportedImageFormats) X(clCreateImage2D)     \
    X(clCreateImage3D) X(clCreateImage) X(clCreateImageWithProperties) X(clGetImageInfo)             \
    X(clEnqueueReadImage) X(clEnqueueWriteImage) X(clEnqueueCopyImage) X(clEnqueueFillImage)         \
    X(clEnqueueCopyImageToBuffer) X(clEnqueueCopyBufferToImage) X(clEnqueueMapImage)                 \
    X(clCreateSampler) X(clCreateSamplerWithProperties) X(clRetainSampler) X(clReleaseSampler)       \
    X(clGetSamplerInfo) X(clCreateSubDevices) X(clEnqueueNativeKernel) X(clCompileProgram)           \
    X(clLinkProgram) X(clCreateProgramWithBuiltInKernels) X(clCreateBufferWithProperties)
/* clang-format on */

/* Refused entry points that return an object or a pointer, so each needs a function of its own. */
/* A plain list, which the formatter would stack ever deeper. */
/* clang-format off */
#define DISPATCH_REFUSED_OBJECTS(X)                                                                  \
    X(clCreateFromGLBuffer) X(clCreateFromGLTexture2D) X(clCreateFromGLTexture3D) X(clCreateFromGLTexture)                   \
    X(clCreateFromGLRenderbuffer) X(clCreateEventFromGLsyncKHR) X(clCreateFromEGLImageKHR)           \
    X(clCreateEventFromEGLSyncKHR) X(clCreatePipe) X(clSVMAlloc) X(clSVMFree) X(clCloneKernel)       \
    X(clCreateProgramWithIL)
/* clang-format on */

#define DISPATCH_DECLARE(name) extern __typeof__(*(cl_api_##name)0) driver_##name;
DISPATCH_SUPPORTED(DISPATCH_DECLARE)
DISPATCH_REFUSED_OBJECTS(DISPATCH_DECLARE)
#undef DISPATCH_DECLARE

extern cl_icd_dispatch dispatch_table;

/* Reports once on standard error that `what` (a text that stays valid) is not supported. */
void unsupported_say(const char *what);

#endif
