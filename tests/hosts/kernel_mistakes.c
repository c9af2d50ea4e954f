/* kernel_mistakes NAME: runs the kernel of that name, which makes a mistake that no kernel may make, in 2
 * work-groups of 32. Exits 0 if the launch returns without an error. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 256 };

/* tests/lockstep/test_diagnosis.c counts these lines. `words` holds 0, 1, 2…; `fixed` is CL_MEM_READ_ONLY. */
static const char SOURCE[] =
    "__constant int table[4] = {1, 2, 3, 4};\n"
    "#define ARGUMENTS __global int *words, __global int *fixed, __local int *tile\n"
    "#define MINE int i = get_global_id(0), x = words[i];\n"
    "int deeper(__global int *words, int i) { return words[i * 1000000]; }\n"
    "int deep(__global int *words, int i) {\n"
    "    return deeper(words, i + 1) + 1;\n"
    "}\n"
    "__kernel void inlined(ARGUMENTS) {\n"
    "    MINE\n"
    "    words[i] = deep(words, x);\n"
    "}\n"
    "__attribute__((noinline)) void called(__global int *words, int i) {\n"
    "    words[i << 24] = 1;\n"
    "}\n"
    "__kernel void not_inlined(ARGUMENTS) { MINE if (x == 37) called(words, x); }\n"
    "__kernel void constant_variable(ARGUMENTS) {\n"
    "    MINE if (x == 37) ((__global int *)(uint)table)[x & 3] = x;\n"
    "}\n"
    "__kernel void read_only_buffer(ARGUMENTS) {\n"
    "    MINE if (x == 37) fixed[x] = x;\n"
    "}\n"
    "__kernel void argument_block(ARGUMENTS) {\n"
    "    MINE __global int *p = (__global int *)0x3f000000u; if (x == 37) *p = x;\n"
    "}\n"
    "__kernel void misaligned_double(ARGUMENTS) {\n"
    "    MINE if (x == 37) *(volatile __global double *)((__global char *)words + x) += x;\n"
    "}\n"
    "__kernel void misaligned_long(ARGUMENTS) {\n"
    "    MINE if (x == 37) *(volatile __global long *)((__global char *)words + x) += 3;\n"
    "}\n"
    "__kernel void misaligned_atomic(ARGUMENTS) {\n"
    "    MINE if (x == 37) atomic_inc((__global int *)((__global char *)words + x));\n"
    "}\n"
    "__kernel void misaligned_is_fine(ARGUMENTS) {\n"
    "    MINE if (x == 37) words[128] = *(__global int *)((__global char *)words + 1) +\n"
    "        *(__global short *)((__global char *)words + 3);\n"
    "}\n"
    "__kernel void barrier_missed(ARGUMENTS) {\n"
    "    MINE tile[i & 31] = x;\n"
    "    if (x == 5) return;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    words[i] = tile[i & 31 ^ 1];\n"
    "}\n"
    "__kernel void deadlock(ARGUMENTS) {\n"
    "    MINE\n"
    "    if (x < 40) {\n"
    "        words[i] = 1;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        words[i] = tile[i & 31];\n"
    "    } else {\n"
    "        tile[i & 31] = 1;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        words[i + 1] = 2;\n"
    "    }\n"
    "}\n"
    "__kernel void other_stack(ARGUMENTS) {\n"
    "    MINE volatile int own[8]; own[x & 7] = x;\n"
    "    if (x == 37) words[i] = own[x * 100];\n"
    "}\n"
    "__kernel void local_overrun(ARGUMENTS) {\n"
    "    MINE if (x == 37) tile[x * 1000] = x;\n"
    "}\n"
    "__kernel void null_pointer(ARGUMENTS) {\n"
    "    MINE if (x == 37) words = 0; words[x & 1] = 3;\n"
    "}\n"
    "__kernel void endless(ARGUMENTS) {\n"
    "    MINE\n"
    "    while (*(volatile __global int *)&words[3] == 3)\n"
    "        ;\n"
    "    words[i] = x;\n"
    "}\n";

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "Usage: kernel_mistakes NAME\n");
        return 1;
    }
    cl_int words[WORDS];
    for (int i = 0; i < WORDS; i++) words[i] = i;
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, SOURCE, NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, argv[1]);
    cl_mem buffer = host_buffer(&host, sizeof words, words);
    cl_mem fixed = HOST_CREATE(clCreateBuffer, host.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                               sizeof words, words);
    HOST_ARGUMENT(kernel, 0, buffer);
    HOST_ARGUMENT(kernel, 1, fixed);
    HOST_CHECK(clSetKernelArg(kernel, 2, 32 * sizeof(cl_int), NULL));
    host_launch(&host, kernel, 1, (size_t[]){64}, (size_t[]){32});
    host_read(&host, buffer, words, sizeof words);
    printf("kernel_mistakes: the kernel ended as if nothing had happened\n");
    return 0;
}
