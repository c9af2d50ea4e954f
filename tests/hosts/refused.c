/* refused [stack]: a kernel whose work-item 70 executes an instruction that the machine does not have
 * (Advanced SIMD), or, with `stack`, reads the private memory of its neighbour. */
#include "benchmarks/host.h"

#include <string.h>

static const char SOURCE[] = "__kernel void refused(__global int *out, int stack) {\n"
                             "    volatile int own[4];\n"
                             "    int i = get_global_id(0);\n"
                             "    own[i & 3] = i;\n"
                             "    if (i == 70 && !stack)\n"
                             "        __asm volatile(\".word 0xf2000840\");\n"
                             "    if (i == 70 && stack)\n"
                             "        own[0] = own[4096];\n"
                             "    out[i] = own[i & 3];\n"
                             "}\n";

int main(int argc, char **argv) {
    const cl_int stack = argc > 1 && strcmp(argv[1], "stack") == 0;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "refused");
    cl_mem out = host_buffer(&host, 128 * sizeof(cl_int), NULL);
    HOST_ARGUMENT(kernel, 0, out);
    HOST_ARGUMENT(kernel, 1, stack);
    host_launch(&host, kernel, 1, (size_t[]){128}, (size_t[]){64});
    return host_verdict("refused", false, "the kernel ended");
}
