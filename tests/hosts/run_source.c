/* run_source SOURCE: builds the OpenCL C of its argument and runs its kernel "f", void f(__global int *), on
 * 64 zeros, in 2 work-groups of 32. Exits 0 if the launch returns. */
#include "benchmarks/host.h"

#include <stdio.h>

int main(int argc, char **argv) {
    cl_int words[64] = {0};
    struct host host;
    if (argc != 2) {
        fprintf(stderr, "Usage: run_source SOURCE\n");
        return 2;
    }
    host_open(&host);
    cl_program program = host_build(&host, argv[1], NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "f");
    cl_mem buffer = host_buffer(&host, sizeof words, words);
    HOST_ARGUMENT(kernel, 0, buffer);
    printf("run_source: the kernel runs\n");
    fflush(stdout);
    host_launch(&host, kernel, 1, (size_t[]){64}, (size_t[]){32});
    host_read(&host, buffer, words, sizeof words);
    printf("run_source: the kernel came back\n");
    return 0;
}
