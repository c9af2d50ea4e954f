/* barrier_loop: barriers in nested uniform loops, in a branch that is uniform in each work-group, and in a
 * helper function: a running sum by doubling distances, repeated. */
#include "benchmarks/host.h"

#include <string.h>

enum { GROUP_SIZE = 64, GROUPS = 4, COUNT = GROUP_SIZE * GROUPS, ROUNDS = 3 };

static const char SOURCE[] =
    "void running_sum(__local int *values, int local_id, int size) {\n"
    "    for (int distance = 1; distance < size; distance *= 2) {\n"
    "        int other = local_id >= distance ? values[local_id - distance] : 0;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        values[local_id] += other;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "}\n"
    "__kernel void barrier_loop(__global int *data, __local int *values, int rounds) {\n"
    "    int local_id = get_local_id(0);\n"
    "    int size = get_local_size(0);\n"
    "    int group = get_group_id(0);\n"
    "    values[local_id] = data[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int round = 0; round < rounds + group; round++) {\n"
    "        if (group % 2 == 1) {\n"
    "            int mirrored = values[size - 1 - local_id];\n"
    "            barrier(CLK_LOCAL_MEM_FENCE);\n"
    "            values[local_id] = mirrored;\n"
    "            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"
    "        }\n"
    "        running_sum(values, local_id, size);\n"
    "        if (values[size - 1] < 0) break;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        values[local_id] %= 1000;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    data[get_global_id(0)] = values[local_id];\n"
    "}\n";

static void expect_group(int group, cl_int *values) {
    for (int round = 0; round < ROUNDS + group; round++) {
        for (int i = 0; group % 2 == 1 && i < GROUP_SIZE / 2; i++) {
            cl_int swap = values[i];
            values[i] = values[GROUP_SIZE - 1 - i];
            values[GROUP_SIZE - 1 - i] = swap;
        }
        for (int i = 1; i < GROUP_SIZE; i++) values[i] += values[i - 1];
        if (values[GROUP_SIZE - 1] < 0) break;
        for (int i = 0; i < GROUP_SIZE; i++) values[i] %= 1000;
    }
}

int main(void) {
    cl_int found[COUNT];
    cl_int expected[COUNT];
    for (int i = 0; i < COUNT; i++)
        found[i] = i * 31 % 17 - (i >= 2 * GROUP_SIZE && i < 3 * GROUP_SIZE ? 9 : 0);
    memcpy(expected, found, sizeof found);
    for (int group = 0; group < GROUPS; group++) expect_group(group, expected + group * GROUP_SIZE);

    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "barrier_loop");
    cl_mem data = host_buffer(&host, sizeof found, found);
    const cl_int rounds = ROUNDS;
    HOST_ARGUMENT(kernel, 0, data);
    HOST_CHECK(clSetKernelArg(kernel, 1, GROUP_SIZE * sizeof(cl_int), NULL));
    HOST_ARGUMENT(kernel, 2, rounds);
    host_launch(&host, kernel, 1, (size_t[]){COUNT}, (size_t[]){GROUP_SIZE});
    host_read(&host, data, found, sizeof found);
    unsigned wrong = host_count_wrong("data", found, expected, sizeof *found, COUNT);
    HOST_CHECK(clReleaseMemObject(data));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("barrier_loop", wrong == 0, "%u of %d values wrong", wrong, COUNT);
}
