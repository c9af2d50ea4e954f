/* own_reduction: integers; each work-item first sums elements at a fixed distance. Then follow a tree in a
 * local array of fixed size with sequential addressing, and atomic_add and atomic_max into one result for all
 * work-groups. */
#include "benchmarks/host.h"

enum { COUNT = 10000, GROUP_SIZE = 128, GROUPS = 6 };

static const char SOURCE[] =
    "__kernel __attribute__((reqd_work_group_size(128, 1, 1)))\n"
    "void own_reduction(__global const int *input, int count, __global int *total, __global int *largest) {\n"
    "    __local int sums[128];\n"
    "    __local int maxima[128];\n"
    "    int local_id = get_local_id(0);\n"
    "    int sum = 0;\n"
    "    int maximum = INT_MIN;\n"
    "    for (int i = get_global_id(0); i < count; i += get_global_size(0)) {\n"
    "        sum += input[i];\n"
    "        maximum = max(maximum, input[i]);\n"
    "    }\n"
    "    sums[local_id] = sum;\n"
    "    maxima[local_id] = maximum;\n"
    "    for (int width = get_local_size(0) >> 1; width > 0; width >>= 1) {\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        if (local_id < width) {\n"
    "            sums[local_id] += sums[local_id + width];\n"
    "            maxima[local_id] = max(maxima[local_id], maxima[local_id + width]);\n"
    "        }\n"
    "    }\n"
    "    if (local_id == 0) {\n"
    "        atomic_add(total, sums[0]);\n"
    "        atomic_max(largest, maxima[0]);\n"
    "    }\n"
    "}\n";

int main(void) {
    static cl_int input[COUNT];
    cl_int expected_total = 0;
    cl_int expected_largest = CL_INT_MIN;
    for (int i = 0; i < COUNT; i++) {
        input[i] = i * 7919 % 20011 - 15000;
        expected_total += input[i];
        if (input[i] > expected_largest) expected_largest = input[i];
    }
    cl_int total = 0;
    cl_int largest = CL_INT_MIN;
    const cl_int count = COUNT;

    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "own_reduction");
    cl_mem input_buffer = host_buffer(&host, sizeof input, input);
    cl_mem total_buffer = host_buffer(&host, sizeof total, &total);
    cl_mem largest_buffer = host_buffer(&host, sizeof largest, &largest);
    HOST_ARGUMENT(kernel, 0, input_buffer);
    HOST_ARGUMENT(kernel, 1, count);
    HOST_ARGUMENT(kernel, 2, total_buffer);
    HOST_ARGUMENT(kernel, 3, largest_buffer);
    host_launch(&host, kernel, 1, (size_t[]){GROUPS * GROUP_SIZE}, (size_t[]){GROUP_SIZE});
    host_read(&host, total_buffer, &total, sizeof total);
    host_read(&host, largest_buffer, &largest, sizeof largest);
    HOST_CHECK(clReleaseMemObject(input_buffer));
    HOST_CHECK(clReleaseMemObject(total_buffer));
    HOST_CHECK(clReleaseMemObject(largest_buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("own_reduction", total == expected_total && largest == expected_largest,
                        "sum %d, expected %d; largest %d, expected %d", total, expected_total, largest,
                        expected_largest);
}
