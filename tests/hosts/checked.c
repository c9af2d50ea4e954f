/* checked FILE [OPTIONS]: builds a kernel's source and runs its kernel "k" in 2 work-groups of 64, with the
 * arguments
 *
 *   global int *out               512 zeros
 *   global const int *in          256 numbers, in a buffer that kernels may only read
 *   global int *written           256 words without a value, in a buffer that kernels may only write
 *   local int *tile, *other       64 words each
 *
 * Exits 0 when the launch came back. For tests/check. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 256, TILE_BYTES = 64 * sizeof(cl_int) };

int main(int argc, char **argv) {
    cl_int in[WORDS], out[2 * WORDS] = {0};
    struct host host;
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "Usage: checked FILE [OPTIONS]\n");
        return 2;
    }
    for (int i = 0; i < WORDS; i++) in[i] = i * 7 % 31;
    host_open(&host);
    char *source = host_read_file(argv[1], NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, host_build(&host, source, argv[2]), "k");
    cl_mem results = host_buffer(&host, sizeof out, out);
    cl_mem read_only =
        HOST_CREATE(clCreateBuffer, host.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof in, in);
    cl_mem write_only = HOST_CREATE(clCreateBuffer, host.context, CL_MEM_WRITE_ONLY, sizeof in, NULL);
    cl_mem buffers[] = {results, read_only, write_only};
    for (cl_uint i = 0; i < 3; i++) HOST_ARGUMENT(kernel, i, buffers[i]);
    for (cl_uint i = 3; i < 5; i++) HOST_CHECK(clSetKernelArg(kernel, i, TILE_BYTES, NULL));
    host_launch(&host, kernel, 1, (size_t[]){128}, (size_t[]){64});
    host_read(&host, buffers[0], out, sizeof out);
    printf("checked: the kernel came back\n");
    free(source);
    return 0;
}
