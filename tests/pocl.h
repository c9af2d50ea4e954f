/* pocl: the OpenCL implementation PoCL, as an independent implementation for comparison. Without it
 * (scripts/setup installs it), there is nothing to compare with. Failures end the test. */
#ifndef TESTS_POCL_H
#define TESTS_POCL_H

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <stdbool.h>

struct pocl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

#define POCL_OK(call)                                                                                        \
    do {                                                                                                     \
        const cl_int status_ = (call);                                                                       \
        if (status_ != CL_SUCCESS) fail_msg("%s: %d", #call, status_);                                       \
    } while (0)

/* Returns false if PoCL is not installed. */
bool pocl_start(struct pocl *p);
void pocl_end(struct pocl *p);

/* Builds a source as OpenCL C 1.2. `name` is used in messages. Each further option begins with a blank. */
cl_program pocl_build(const struct pocl *p, const char *name, const char *source, const char *options);

#endif
