/* two_programs_kernels: several kernels of several programs at the same time, arguments that a kernel keeps
 * between launches, clCreateKernelsInProgram, kernels of one name in two programs, all released and created
 * again. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 64 };

static const char FIRST[] =
    "__constant int FACTOR = 3;\n"
    "__kernel void scale(__global int *values) { values[get_global_id(0)] *= FACTOR; }\n"
    "__kernel void shift(__global int *values, int by) { values[get_global_id(0)] += by; }\n"
    "__kernel void both(__global int *values, int by) {\n"
    "    values[get_global_id(0)] = values[get_global_id(0)] * FACTOR + by;\n"
    "}\n";

static const char SECOND[] =
    "__constant int FACTOR = -2;\n"
    "__kernel void scale(__global int *values) { values[get_global_id(0)] *= FACTOR; }\n";

static unsigned check_kernels(const struct host *host, cl_program program) {
    cl_kernel kernels[3];
    cl_uint count = 0;
    unsigned wrong = 0;
    HOST_CHECK(clCreateKernelsInProgram(program, 0, NULL, &count));
    if (count != 3) HOST_FAIL("%u kernels in the first program, expected 3", count);
    HOST_CHECK(clCreateKernelsInProgram(program, 3, kernels, NULL));
    for (cl_uint i = 0; i < count; i++) {
        char name[32] = "";
        cl_uint arguments = 0;
        size_t group_size = 0;
        HOST_CHECK(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
        HOST_CHECK(clGetKernelInfo(kernels[i], CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL));
        HOST_CHECK(clGetKernelWorkGroupInfo(kernels[i], host->device, CL_KERNEL_WORK_GROUP_SIZE,
                                            sizeof group_size, &group_size, NULL));
        wrong += arguments != (strcmp(name, "scale") == 0 ? 1 : 2) || group_size == 0;
        HOST_CHECK(clReleaseKernel(kernels[i]));
    }
    return wrong;
}

static void launch(const struct host *host, cl_kernel kernel) {
    const size_t count = COUNT;
    HOST_CHECK(clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
}

static unsigned run(const struct host *host, int round) {
    cl_int found[COUNT];
    cl_int expected[COUNT];
    cl_program first = host_build(host, FIRST, "");
    cl_program second = host_build(host, SECOND, NULL);
    unsigned wrong = check_kernels(host, first);
    cl_kernel scale = HOST_CREATE(clCreateKernel, first, "scale");
    cl_kernel other_scale = HOST_CREATE(clCreateKernel, second, "scale");
    cl_kernel shift = HOST_CREATE(clCreateKernel, first, "shift");
    cl_kernel both = HOST_CREATE(clCreateKernel, first, "both");
    HOST_CHECK(clReleaseProgram(first));
    HOST_CHECK(clReleaseProgram(second));
    for (int i = 0; i < COUNT; i++) {
        found[i] = i + round;
        expected[i] = (((i + round) * 3 + 5 + 5) * -2 + 11) * 3 + 100;
    }
    cl_mem values = host_buffer(host, sizeof found, found);
    cl_int by = 5;
    HOST_ARGUMENT(scale, 0, values);
    HOST_ARGUMENT(other_scale, 0, values);
    HOST_ARGUMENT(shift, 0, values);
    HOST_ARGUMENT(shift, 1, by);
    HOST_ARGUMENT(both, 0, values);
    launch(host, scale);
    launch(host, shift);
    by = 11; /* a launch uses the arguments at the time of enqueuing */
    launch(host, shift);
    HOST_ARGUMENT(shift, 1, by);
    launch(host, other_scale);
    launch(host, shift);
    by = 100;
    HOST_ARGUMENT(both, 1, by);
    launch(host, both);
    by = 0;
    HOST_ARGUMENT(both, 1, by);
    HOST_CHECK(clReleaseKernel(both));
    HOST_CHECK(clReleaseKernel(shift));
    HOST_CHECK(clReleaseKernel(scale));
    HOST_CHECK(clReleaseKernel(other_scale));
    host_read(host, values, found, sizeof found);
    HOST_CHECK(clReleaseMemObject(values));
    return wrong + host_count_wrong("values", found, expected, sizeof *found, COUNT);
}

int main(void) {
    unsigned wrong = 0;
    for (int round = 0; round < 2; round++) {
        struct host host;
        host_open(&host);
        wrong += run(&host, 2 * round);
        wrong += run(&host, 2 * round + 1);
        host_close(&host);
    }
    return host_verdict("two_programs_kernels", wrong == 0, "%u values wrong", wrong);
}
