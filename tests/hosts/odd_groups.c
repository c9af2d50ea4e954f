/* odd_groups: work-group sizes that are not powers of two and leave the last warp partly filled. A barrier is
 * between the write of a work-item's place in local memory and the read of its neighbour's. */
#include "benchmarks/host.h"

enum { GROUPS = 3, LARGEST = 112 };

static const char SOURCE[] = "__kernel void odd_groups(__global int *output, __local int *values) {\n"
                             "    int local_id = get_local_id(0);\n"
                             "    int size = get_local_size(0);\n"
                             "    int own = (int)get_group_id(0) * 1000 + local_id;\n"
                             "    values[local_id] = own;\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    int next = values[(local_id + 1) % size];\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    values[size - 1 - local_id] = next;\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    output[get_global_id(0)] = values[local_id] + (local_id == 0 ? size : 0);\n"
                             "}\n";

static unsigned run_size(const struct host *host, cl_kernel kernel, int size) {
    cl_int found[GROUPS * LARGEST];
    cl_int expected[GROUPS * LARGEST];
    for (int i = 0; i < GROUPS * size; i++) {
        int local_id = i % size;
        int writer = size - 1 - local_id;
        expected[i] = i / size * 1000 + (writer + 1) % size + (local_id == 0 ? size : 0);
    }
    size_t local = (size_t)size;
    size_t global = GROUPS * local;
    cl_mem output = host_buffer(host, sizeof found, NULL);
    HOST_ARGUMENT(kernel, 0, output);
    HOST_CHECK(clSetKernelArg(kernel, 1, local * sizeof(cl_int), NULL));
    host_launch(host, kernel, 1, &global, &local);
    host_read(host, output, found, global * sizeof *found);
    HOST_CHECK(clReleaseMemObject(output));
    return host_count_wrong("output", found, expected, sizeof *found, global);
}

int main(void) {
    static const int SIZES[] = {1, 7, 84, 100, 112};
    unsigned wrong = 0;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "odd_groups");
    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) wrong += run_size(&host, kernel, SIZES[i]);
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("odd_groups", wrong == 0, "%u values wrong", wrong);
}
