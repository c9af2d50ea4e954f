#include "tests/pocl.h"

#include "tests/seed.h"

#include <stdio.h>
#include <string.h>

/* PoCL and its LLVM do not free all memory when a program ends. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void) {
    return "leak:libpocl\nleak:libLLVM\n";
}

static bool find_device(cl_device_id *device) {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    char name[64] = "";
    setenv("OCL_ICD_VENDORS", "/etc/OpenCL/vendors", 1);
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS) return false;
    for (cl_uint i = 0; i < count; i++) {
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (strcmp(name, "Portable Computing Language") != 0) continue;
        return clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, device, NULL) == CL_SUCCESS;
    }
    return false;
}

bool pocl_start(struct pocl *p) {
    cl_int status;
    *p = (struct pocl){0};
    if (!find_device(&p->device)) return false;
    p->context = clCreateContext(NULL, 1, &p->device, NULL, NULL, &status);
    POCL_OK(status);
    p->queue = clCreateCommandQueue(p->context, p->device, 0, &status);
    POCL_OK(status);
    return true;
}

void pocl_end(struct pocl *p) {
    if (p->queue) clReleaseCommandQueue(p->queue);
    if (p->context) clReleaseContext(p->context);
    *p = (struct pocl){0};
}

cl_program pocl_build(const struct pocl *p, const char *name, const char *source, const char *options) {
    char log[4096] = "", all[256];
    cl_int status;
    cl_program program = clCreateProgramWithSource(p->context, 1, &source, NULL, &status);
    POCL_OK(status);
    snprintf(all, sizeof all, "-cl-std=CL1.2 -w%s", options);
    if (clBuildProgram(program, 1, &p->device, all, NULL, NULL) != CL_SUCCESS) {
        clGetProgramBuildInfo(program, p->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fail_msg("%s: PoCL does not build it:\n%s", name, log);
    }
    return program;
}
