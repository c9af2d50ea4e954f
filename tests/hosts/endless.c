/* endless [--one]: a kernel with an endless loop, in all work-items or, with --one, only in work-item 37 of
 * 128, while the rest of its work-group waits at a barrier. Memory changes, so that nothing says that the
 * loop never ends. */
#include "benchmarks/host.h"

#include <string.h>

static const char SOURCE[] = "__kernel void endless(volatile __global int *flag, int who) {\n"
                             "    int i = get_global_id(0);\n"
                             "    if (who < 0 || who == i)\n"
                             "        while (flag[0] == 0) flag[1] += i + 1;\n"
                             "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                             "    flag[2] = 1;\n"
                             "}\n";

int main(int argc, char **argv) {
    const cl_int who = argc > 1 && strcmp(argv[1], "--one") == 0 ? 37 : -1;
    const cl_int zeros[3] = {0, 0, 0};
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "endless");
    cl_mem flag = host_buffer(&host, sizeof zeros, zeros);
    HOST_ARGUMENT(kernel, 0, flag);
    HOST_ARGUMENT(kernel, 1, who);
    host_launch(&host, kernel, 1, (size_t[]){128}, (size_t[]){64});
    return host_verdict("endless", false, "the kernel ended");
}
