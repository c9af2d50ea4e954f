/* first_kernels FILE [OPTIONS [STATUS]]: builds a kernel's source and runs its kernel
 *
 *   mm(global const float *a, *b, global float *c, int n)   on 64 x 64 work-items in work-groups of 16 x 16;
 *                                                           a and b are read-only, c is write-only
 *   k(global int *out)                                      on one work-group of 64
 *
 * Exits with STATUS (0) when the launch came back. For tests/check. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, ITEMS = SIDE * SIDE };

static void run_product(struct host *host, cl_kernel kernel) {
    static float a[ITEMS], b[ITEMS], c[ITEMS];
    const cl_int n = SIDE;
    for (int i = 0; i < ITEMS; i++) {
        a[i] = (float)(i * 7 % 13 - 6);
        b[i] = (float)(i * 5 % 11 - 5);
    }
    const cl_mem_flags in = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    cl_mem buffers[3];
    buffers[0] = HOST_CREATE(clCreateBuffer, host->context, in, sizeof a, a);
    buffers[1] = HOST_CREATE(clCreateBuffer, host->context, in, sizeof b, b);
    buffers[2] = HOST_CREATE(clCreateBuffer, host->context, CL_MEM_WRITE_ONLY, sizeof c, NULL);
    for (cl_uint i = 0; i < 3; i++) HOST_ARGUMENT(kernel, i, buffers[i]);
    HOST_ARGUMENT(kernel, 3, n);
    host_launch(host, kernel, 2, (size_t[]){SIDE, SIDE}, (size_t[]){16, 16});
    host_read(host, buffers[2], c, sizeof c);
}

static void run_group(struct host *host, cl_kernel kernel) {
    cl_int out[SIDE] = {0};
    cl_mem buffer = host_buffer(host, sizeof out, out);
    HOST_ARGUMENT(kernel, 0, buffer);
    host_launch(host, kernel, 1, (size_t[]){SIDE}, (size_t[]){SIDE});
    host_read(host, buffer, out, sizeof out);
}

int main(int argc, char **argv) {
    struct host host;
    if (argc < 2 || argc > 4) {
        fprintf(stderr, "Usage: first_kernels FILE [OPTIONS [STATUS]]\n");
        return 2;
    }
    host_open(&host);
    char *source = host_read_file(argv[1], NULL);
    const bool product = strstr(source, "void mm(") != NULL;
    cl_kernel kernel =
        HOST_CREATE(clCreateKernel, host_build(&host, source, argc > 2 ? argv[2] : ""), product ? "mm" : "k");
    (product ? run_product : run_group)(&host, kernel);
    printf("first_kernels: the kernel came back\n");
    free(source);
    return argc > 3 ? atoi(argv[3]) : 0;
}
