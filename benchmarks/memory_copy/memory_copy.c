/* memory_copy: copies an array of random floats on an OpenCL device and checks every element. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP_SIZE = 128 };

static cl_ulong copy_on_device(const char *source, const float *from, float *to, cl_uint count) {
    const size_t bytes = count * sizeof *from, local = GROUP_SIZE,
                 global = (count + local - 1) / local * local;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "memory_copy");
    cl_mem in = host_buffer(&host, bytes, from), out = host_buffer(&host, bytes, NULL);
    HOST_ARGUMENT(kernel, 0, in);
    HOST_ARGUMENT(kernel, 1, out);
    HOST_ARGUMENT(kernel, 2, count);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, out, to, bytes);
    HOST_CHECK(clReleaseMemObject(in));
    HOST_CHECK(clReleaseMemObject(out));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size size = {"count", "elements of the array", 1 << 14, 1 << 26};
    host_inputs inputs = {1 << 14, 1 << 17, 1 << 20};
    unsigned seed = 1;
    char *source = host_parse_inputs(argc, argv, "memory_copy",
                                     "Copies an array on the first OpenCL device and checks the copy.", &size,
                                     1, &inputs, &seed);
    const unsigned count = size.value;
    float *from = host_allocate(count * sizeof *from), *to = host_allocate(count * sizeof *to);
    for (unsigned i = 0; i < count; i++) from[i] = (float)host_random(&seed);
    const cl_ulong time_ns = copy_on_device(source, from, to, count);
    const unsigned wrong = host_count_wrong("memory_copy", to, from, sizeof *to, count);
    printf("memory_copy: %u floats, work-groups of %d, kernel time %llu ns\n", count, GROUP_SIZE,
           (unsigned long long)time_ns);
    free(from);
    free(to);
    free(source);
    return host_verdict("memory_copy", wrong == 0, "%u of %u elements are wrong", wrong, count);
}
