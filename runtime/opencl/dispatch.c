#include "runtime/opencl/objects.h"

#include <string.h>

#define SLOT(name)                   .name = driver_##name,
#define REFUSED(name)                .name = (cl_api_##name)(void (*)(void))refuse_##name,
#define REFUSED_FOREIGN(name)        .name = (void *)(void (*)(void))refuse_##name,
#define REFUSED_FOREIGN_OBJECT(name) .name = (void *)(void (*)(void))refuse_##name,

/* Entry points that return a status. */
/* A plain list, which the formatter would stack ever deeper. */
/* clang-format off */
#define REFUSED_STATUS(X)                                                                            \
    X(clGetGLObjectInfo) X(clGetGLTextureInfo) X(clEnqueueAcquireGLObjects) X(clEnqueueReleaseGLObjects)                  \
    X(clGetGLContextInfoKHR) X(clCreateSubDevicesEXT) X(clRetainDeviceEXT) X(clReleaseDeviceEXT)     \
    X(clEnqueueAcquireEGLObjectsKHR) \
    X(clEnqueueReleaseEGLObjectsKHR) X(clGetPipeInfo) X(clEnqueueSVMFree) X(clEnqueueSVMMemcpy)      \
    X(clEnqueueSVMMemFill) X(clEnqueueSVMMap) X(clEnqueueSVMUnmap) X(clSetKernelArgSVMPointer)       \
    X(clSetKernelExecInfo) X(clGetKernelSubGroupInfoKHR) X(clEnqueueSVMMigrateMem)                   \
    X(clGetDeviceAndHostTimer) X(clGetHostTimer) X(clGetKernelSubGroupInfo)                          \
    X(clSetDefaultDeviceCommandQueue) X(clSetProgramReleaseCallback)                                 \
    X(clSetProgramSpecializationConstant) X(clSetContextDestructorCallback)
/* clang-format on */

/* Sharing with other operating systems: untyped slots in the header. */
/* A plain list, which the formatter would stack ever deeper. */
/* clang-format off */
#define REFUSED_SHARING(X)                                                                           \
    X(clGetDeviceIDsFromD3D10KHR) X(clEnqueueAcquireD3D10ObjectsKHR)                                 \
    X(clEnqueueReleaseD3D10ObjectsKHR) X(clGetDeviceIDsFromD3D11KHR)                                 \
    X(clEnqueueAcquireD3D11ObjectsKHR) X(clEnqueueReleaseD3D11ObjectsKHR)                            \
    X(clGetDeviceIDsFromDX9MediaAdapterKHR) X(clEnqueueAcquireDX9MediaSurfacesKHR)                   \
    X(clEnqueueReleaseDX9MediaSurfacesKHR)
/* clang-format on */
/* A plain list, which the formatter would stack ever deeper. */
/* clang-format off */
#define REFUSED_SHARED_OBJECTS(X)                                                                    \
    X(clCreateFromD3D10BufferKHR) X(clCreateFromD3D10Texture2DKHR) X(clCreateFromD3D10Texture3DKHR)  \
    X(clCreateFromD3D11BufferKHR) X(clCreateFromD3D11Texture2DKHR) X(clCreateFromD3D11Texture3DKHR)  \
    X(clCreateFromDX9MediaSurfaceKHR)
/* clang-format on */

/* Each function prints its name and returns an error, whatever its arguments: under C's calling conventions
 * the caller removes them. */
#define REFUSE(name)                                                                                         \
    static cl_int refuse_##name(void) {                                                                      \
        unsupported_say(#name);                                                                              \
        return CL_INVALID_OPERATION;                                                                         \
    }
#define REFUSE_OBJECT(name)                                                                                  \
    static void *refuse_##name(void) {                                                                       \
        unsupported_say(#name);                                                                              \
        return NULL;                                                                                         \
    }
REFUSED_STATUS(REFUSE)
REFUSED_SHARING(REFUSE)
REFUSED_SHARED_OBJECTS(REFUSE_OBJECT)

/* clang-format off */
cl_icd_dispatch dispatch_table = {
    DISPATCH_SUPPORTED(SLOT)
    DISPATCH_REFUSED_OBJECTS(SLOT)
    REFUSED_STATUS(REFUSED)
    REFUSED_SHARING(REFUSED_FOREIGN)
    REFUSED_SHARED_OBJECTS(REFUSED_FOREIGN_OBJECT)
};
/* clang-format on */

static const struct {
    const char *name;
    void *function;
} extensions[] = {
    {"clIcdGetPlatformIDsKHR", (void *)(void (*)(void))driver_clGetPlatformIDs},
    {"clGetPlatformInfo", (void *)(void (*)(void))driver_clGetPlatformInfo},
};

void *CL_API_CALL driver_clGetExtensionFunctionAddress(const char *name) {
    for (size_t i = 0; name != NULL && i < sizeof extensions / sizeof extensions[0]; i++)
        if (strcmp(name, extensions[i].name) == 0) return extensions[i].function;
    return NULL;
}

void *CL_API_CALL driver_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
    return platform == &the_platform ? driver_clGetExtensionFunctionAddress(name) : NULL;
}

/* The two symbols that an ICD loader looks for in the library. */
__attribute__((visibility("default"))) void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
    return driver_clGetExtensionFunctionAddress(name);
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries,
                                                                                 cl_platform_id *platforms,
                                                                                 cl_uint *num_platforms) {
    return driver_clGetPlatformIDs(num_entries, platforms, num_platforms);
}
