/* barrier_missed deadlock|early: barriers that not all work-items of a group reach, which OpenCL forbids.
 * deadlock: the lower half of each work-group waits at one barrier, the upper half at another.
 * early:    work-items 5 and 40 of each work-group return while the others wait. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <string.h>

enum { COUNT = 128, GROUP_SIZE = 64 };

static const char SOURCE[] = "__kernel void deadlock(__global int *values) {\n"
                             "    int i = get_global_id(0);\n"
                             "    if (get_local_id(0) < 32) {\n"
                             "        values[i] = 1;\n"
                             "        barrier(CLK_GLOBAL_MEM_FENCE);\n"
                             "        values[i] += values[i ^ 1];\n"
                             "    } else {\n"
                             "        values[i] = 100;\n"
                             "        barrier(CLK_GLOBAL_MEM_FENCE);\n"
                             "        values[i] *= values[i ^ 2];\n"
                             "    }\n"
                             "}\n"
                             "__kernel void early(__global int *values) {\n"
                             "    int i = get_global_id(0);\n"
                             "    values[i] = i;\n"
                             "    if (get_local_id(0) == 5 || get_local_id(0) == 40) return;\n"
                             "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                             "    values[i] += 1000;\n"
                             "}\n";

int main(int argc, char **argv) {
    if (argc != 2 || (strcmp(argv[1], "deadlock") != 0 && strcmp(argv[1], "early") != 0)) {
        fprintf(stderr, "Usage: barrier_missed deadlock|early\n");
        return 1;
    }
    cl_int values[COUNT] = {0};
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, argv[1]);
    cl_mem buffer = host_buffer(&host, sizeof values, values);
    HOST_ARGUMENT(kernel, 0, buffer);
    host_launch(&host, kernel, 1, (size_t[]){COUNT}, (size_t[]){GROUP_SIZE});
    host_read(&host, buffer, values, sizeof values);
    printf("barrier_missed: the kernel ended, value 5 is %d, value 6 is %d\n", values[5], values[6]);
    return 0;
}
