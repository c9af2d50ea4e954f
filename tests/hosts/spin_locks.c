/* spin_locks NAME WARPS [GROUPS]: runs the kernel of that name in one or more work-groups of WARPS x 32
 * work-items, which count under a spin lock. Exits 0 if the count is right. Whether it terminates depends on
 * the policies: OpenCL guarantees nothing. In stored_beside and some_stored_beside, plain stores beside the
 * count make STREX fail, for ever or for a time; in wrong_place STREX has no reservation. */
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
                             "}\n"
                             "__kernel void stored_beside(__global volatile int *words) {\n"
                             "    if (get_local_id(0) < 32) {\n"
                             "        atomic_inc(&words[1]);\n"
                             "        words[64] = 1;\n"
                             "    } else\n"
                             "        while (words[64] == 0)\n"
                             "            words[0] = 5;\n"
                             "}\n"
                             "__kernel void some_stored_beside(__global volatile int *words) {\n"
                             "    if (get_local_id(0) < 32)\n"
                             "        atomic_inc(&words[1]);\n"
                             "    else\n"
                             "        for (int i = 0; i < 2000; i++)\n"
                             "            words[0] = 5;\n"
                             "}\n"
                             "__kernel void wrong_place(__global volatile int *words) {\n"
                             "    __global volatile int *from = &words[1], *to = &words[64];\n"
                             "    int failed, old;\n"
                             "    do {\n"
                             "        __asm__ volatile(\"ldrex %0, [%1]\" : \"=&r\"(old) : \"r\"(from));\n"
                             "        __asm__ volatile(\"strex %0, %1, [%2]\"\n"
                             "                         : \"=&r\"(failed) : \"r\"(old), \"r\"(to));\n"
                             "    } while (failed);\n"
                             "}\n"
                             "__kernel void never_true(__global int *words) {\n"
                             "    while (atomic_cmpxchg(&words[1], 5, 7) != 5)\n"
                             "        ;\n"
                             "}\n";

enum { WORDS = 128 };

int main(int argc, char **argv) {
    const int warps = argc >= 3 ? atoi(argv[2]) : 0, groups = argc == 4 ? atoi(argv[3]) : 1;
    if (warps < 1 || warps > 16 || groups < 1 || argc > 4) {
        fprintf(stderr, "Usage: spin_locks NAME WARPS (1 to 16) [GROUPS]\n");
        return 1;
    }
    cl_int words[WORDS] = {0};
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, SOURCE, NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, argv[1]);
    cl_mem buffer = host_buffer(&host, sizeof words, words);
    const size_t items = 32 * (size_t)warps, all = items * (size_t)groups;
    HOST_ARGUMENT(kernel, 0, buffer);
    host_launch(&host, kernel, 1, (size_t[]){all}, (size_t[]){items});
    host_read(&host, buffer, words, sizeof words);
    const int expected = argv[1][0] == 'o' ? warps * groups : argv[1][0] == 's' ? 32 * groups : (int)all;
    printf("spin_locks: %s counted %d of %d\n", argv[1], words[1], expected);
    return words[1] != expected;
}
