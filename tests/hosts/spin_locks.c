/* spin_locks NAME WARPS [GROUPS]: runs the kernel of that name in one or more work-groups of WARPS x 32
 * work-items, which count under a spin lock. Exits 0 if the count is right. Whether it terminates depends on
 * the policies: OpenCL guarantees nothing. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

/* tests/lockstep/test_livelock.c refers to line numbers of this text. words[0] is the lock, words[1] the
 * count. */
static const char SOURCE[] = "__kernel void every_work_item(__global int *words) {\n"
                             "    while (atomic_cmpxchg(&words[0], 0, 1) != 0)\n"
                             "        ;\n"
                             "    words[1]++;\n"
                             "    atomic_xchg(&words[0], 0);\n"
                             "}\n"
                             "__kernel void leaves_when_done(__global int *words) {\n"
                             "    for (int done = 0; !done;)\n"
                             "        if (atomic_cmpxchg(&words[0], 0, 1) == 0) {\n"
                             "            words[1]++;\n"
                             "            atomic_xchg(&words[0], 0);\n"
                             "            done = 1;\n"
                             "        }\n"
                             "}\n"
                             "__kernel void one_of_a_warp(__global int *words) {\n"
                             "    if (get_local_id(0) % 32 == 0) {\n"
                             "        while (atomic_xchg(&words[0], 1) != 0)\n"
                             "            ;\n"
                             "        words[1]++;\n"
                             "        atomic_xchg(&words[0], 0);\n"
                             "    }\n"
                             "}\n"
                             "__kernel void never_released(__global int *words) {\n"
                             "    while (atomic_xchg(&words[0], 1) != 0)\n"
                             "        ;\n"
                             "    words[1]++;\n"
                             "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                             "    atomic_xchg(&words[0], 0);\n"
                             "}\n"
                             "__kernel void reads_nothing(__global int *words) {\n"
                             "    int x = words[0];\n"
                             "    while ((x = x * 3 + 1) != 0)\n"
                             "        ;\n"
                             "    words[1] = x;\n"
                             "}\n";

int main(int argc, char **argv) {
    const int warps = argc >= 3 ? atoi(argv[2]) : 0, groups = argc == 4 ? atoi(argv[3]) : 1;
    if (warps < 1 || warps > 16 || groups < 1 || argc > 4) {
        fprintf(stderr, "Usage: spin_locks NAME WARPS (1 to 16) [GROUPS]\n");
        return 1;
    }
    cl_int words[2] = {0, 0};
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, SOURCE, NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, argv[1]);
    cl_mem buffer = host_buffer(&host, sizeof words, words);
    const size_t items = 32 * (size_t)warps, all = items * (size_t)groups;
    HOST_ARGUMENT(kernel, 0, buffer);
    host_launch(&host, kernel, 1, (size_t[]){all}, (size_t[]){items});
    host_read(&host, buffer, words, sizeof words);
    const int expected = argv[1][0] == 'o' ? warps * groups : (int)all;
    printf("spin_locks: %s counted %d of %d\n", argv[1], words[1], expected);
    return words[1] != expected;
}
