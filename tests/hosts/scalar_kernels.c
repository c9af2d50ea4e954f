/* scalar_kernels: kernels with scalar kernels (docs/scalar-unit.md): scalar_kernels NAME [COUNT]. The host
 * launches only the kernel. Without a name: reduction. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_SIZE = 128 };

static const char SOURCE[] =
    "#include <lockstep_scalar.h>\n"
    "__kernel void reduction(__global const float *in, __global float *out, __local float *s) {\n"
    "    int t = get_local_id(0);\n"
    "    s[t] = in[get_global_id(0)];\n"
    "    for (int n = get_local_size(0) / 2; n > 2; n /= 2) {\n"
    "        lockstep_sync(0);\n"
    "        if (t < n) s[t] += s[t + n];\n"
    "    }\n"
    "    lockstep_sync(1);\n"
    "}\n"
    "LOCKSTEP_SCALAR_OF(reduction)\n"
    "__kernel void reduction_scalar(__global const float *in, __global float *out, __local float *s) {\n"
    "    lockstep_sync(1);\n"
    "    out[get_group_id(0)] = s[0] + s[1] + s[2] + s[3];\n"
    "}\n"
    "__kernel void copy(__global const float *in, __global float *out, __local float *s) {\n"
    "    out[get_global_id(0)] = in[get_global_id(0)];\n"
    "}\n"
    "LOCKSTEP_SCALAR_OF(copy)\n"
    "__kernel void copy_scalar(__global const float *in, __global float *out, __local float *s) {\n"
    "    uint g = get_group_id(0) + lockstep_groups_in_flight();\n"
    "    float sum = 0;\n"
    "    if (g >= get_num_groups(0)) return;\n"
    "    for (uint i = 0; i < get_local_size(0); i += 64) sum += in[g * get_local_size(0) + i];\n"
    "    __asm__ volatile(\"\" ::\"r\"(sum));\n"
    "    lockstep_note(g % 4);\n"
    "}\n"
    /* Moves the positive numbers of each group to the front, in order, followed by -1. */
    "__kernel void compaction(__global const float *in, __global float *out, __local float *s) {\n"
    "    __local int count;\n"
    "    int t = get_local_id(0);\n"
    "    s[t] = in[get_global_id(0)];\n"
    "    lockstep_sync(1);\n"
    "    lockstep_sync(1);\n"
    "    out[get_global_id(0)] = s[t];\n"
    "}\n"
    "LOCKSTEP_SCALAR_OF(compaction)\n"
    "__kernel void compaction_scalar(__global const float *in, __global float *out, __local float *s) {\n"
    "    int n = 0;\n"
    "    lockstep_sync(1);\n"
    "    for (int i = 0; i < (int)get_local_size(0); i++) {\n"
    "        float w = s[i];\n"
    "        if (w > 0) { s[i] = -1; s[n++] = w; }\n"
    "    }\n"
    "    lockstep_sync(1);\n"
    "}\n"
    /* A global counter, raised by both sides, private arrays, doubles and a clock. */
    "__kernel void mixture(__global const float *in, __global float *out, __local float *s) {\n"
    "    if (get_local_id(0) == 5) atomic_inc((__global int *)out);\n"
    "    lockstep_sync(1);\n"
    "    if (get_local_id(0) == 0) out[1 + get_group_id(0)] = s[0];\n"
    "}\n"
    "LOCKSTEP_SCALAR_OF(mixture)\n"
    "__kernel void mixture_scalar(__global const float *in, __global float *out, __local float *s) {\n"
    "    double values[8];\n"
    "    ulong begin = lockstep_clock();\n"
    "    for (int i = 0; i < 8; i++) values[(i * 5 + get_group_id(0)) % 8] = 1.0 / (i + 1);\n"
    "    double sum = 0;\n"
    "    for (int i = 0; i < 8; i++) sum += values[i] / (i + 1 + get_local_id(0));\n"
    "    if (lockstep_clock() <= begin) sum = -1;\n"
    "    s[0] = sum > 0 ? (float)get_global_id(0) : -1;\n"
    "    atomic_inc((__global int *)out);\n"
    "    lockstep_sync(1);\n"
    "}\n"
    "__kernel void alone(__global const float *in, __global float *out, __local float *s) {\n"
    "    lockstep_sync(1);\n"
    "}\n"
    "__kernel void outside(__global const float *in, __global float *out, __local float *s) {\n"
    "    out[get_global_id(0)] = 1;\n"
    "}\n"
    "LOCKSTEP_SCALAR_OF(outside)\n"
    "__kernel void outside_scalar(__global const float *in, __global float *out, __local float *s) {\n"
    "    out[0x1000000 + get_group_id(0)] = 1;\n"
    "}\n"
    /* Work-groups of one work-item: local memory, barriers, private memory, a loop of individual length,
     * division. */
    "__kernel void singles(__global const float *in, __global float *out, __local float *s) {\n"
    "    double power[8];\n"
    "    uint g = get_global_id(0);\n"
    "    s[get_local_id(0)] = in[g] < 0 ? -in[g] : in[g];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    int n = 0;\n"
    "    for (float v = s[0]; v >= 1; v /= 2) n++;\n"
    "    for (int i = 0; i < 8; i++) power[(i + g) % 8] = 1.0 / (1 + (i + g) % 8);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[g] = (float)(n + power[n % 8] * get_local_size(0));\n"
    "}\n"
    /* Some work-items wait, including a part of a warp; the others exit beyond the re-convergence point. */
    "__kernel void some(__global const float *in, __global float *out, __local float *s) {\n"
    "    if (get_local_id(0) < 40) lockstep_sync(1);\n"
    "    out[get_global_id(0)] = in[get_global_id(0)];\n"
    "}\n"
    "LOCKSTEP_SCALAR_OF(some)\n"
    "__kernel void some_scalar(__global const float *in, __global float *out, __local float *s) {\n"
    "    lockstep_sync(1);\n"
    "}\n"
    /* The scalar thread waits for work-items that never arrive. */
    "__kernel void unmet(__global const float *in, __global float *out, __local float *s) {\n"
    "    out[get_global_id(0)] = in[get_global_id(0)];\n"
    "}\n"
    "LOCKSTEP_SCALAR_OF(unmet)\n"
    "__kernel void unmet_scalar(__global const float *in, __global float *out, __local float *s) {\n"
    "    lockstep_sync(1);\n"
    "}\n"
    /* The work-items part from the barrier that the scalar thread waits at. */
    "__kernel void stuck(__global const float *in, __global float *out, __local float *s) {\n"
    "    if (get_local_id(0) < 64) lockstep_sync(1);\n"
    "    else lockstep_sync(0);\n"
    "}\n"
    "LOCKSTEP_SCALAR_OF(stuck)\n"
    "__kernel void stuck_scalar(__global const float *in, __global float *out, __local float *s) {\n"
    "    lockstep_sync(1);\n"
    "}\n";

static void expect(const char *name, const float *in, const float *out, size_t count) {
    for (size_t g = 0; g < count / GROUP_SIZE; ++g) {
        const float *from = in + g * GROUP_SIZE, *to = out + g * GROUP_SIZE;
        float sum = 0;
        size_t n = 0;
        for (size_t i = 0; i < GROUP_SIZE; ++i) {
            sum += from[i];
            if ((strcmp(name, "copy") == 0 || strcmp(name, "some") == 0) && to[i] != from[i])
                HOST_FAIL("out[%zu]", g * GROUP_SIZE + i);
            if (strcmp(name, "compaction") == 0 && from[i] > 0 && to[n++] != from[i])
                HOST_FAIL("work-group %zu: place %zu has %g, not %g", g, n - 1, to[n - 1], from[i]);
        }
        if (strcmp(name, "compaction") == 0)
            for (; n < GROUP_SIZE; ++n)
                if (to[n] > 0) HOST_FAIL("work-group %zu: place %zu has %g", g, n, to[n]);
        if (strcmp(name, "reduction") == 0 && out[g] != sum)
            HOST_FAIL("work-group %zu: sum %g, expected %g", g, out[g], sum);
        if (strcmp(name, "mixture") == 0 && out[1 + g] != (float)(g * GROUP_SIZE))
            HOST_FAIL("work-group %zu: %g", g, out[1 + g]);
    }
    for (size_t i = 0; i < count && strcmp(name, "singles") == 0; ++i) {
        int n = 0;
        for (float v = in[i] < 0 ? -in[i] : in[i]; v >= 1; v /= 2) ++n;
        if (out[i] != (float)(n + 1.0 / (1 + n % 8))) HOST_FAIL("out[%zu] is %g", i, out[i]);
    }
    int counter;
    memcpy(&counter, out, sizeof counter);
    if (strcmp(name, "mixture") == 0 && counter != (int)(2 * count / GROUP_SIZE))
        HOST_FAIL("counter %d", counter);
}

int main(int argc, char *argv[]) {
    const char *name = argc > 1 ? argv[1] : "reduction";
    const size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 4096,
                 group = strcmp(name, "singles") == 0 ? 1 : GROUP_SIZE;
    struct host host;
    float *in = host_allocate(count * sizeof *in), *out = host_allocate((count + 1) * sizeof *out);
    unsigned random = 1;
    for (size_t i = 0; i < count; ++i) {
        random = random * 1664525u + 1013904223u;
        in[i] = (float)(random >> 24) - (random >> 20 & 1 ? 256 : 0);
    }
    host_open(&host);
    cl_program program = host_build(&host, SOURCE, NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, name);
    cl_mem from = host_buffer(&host, count * sizeof *in, in),
           to = host_buffer(&host, (count + 1) * sizeof *out, out);
    HOST_ARGUMENT(kernel, 0, from);
    HOST_ARGUMENT(kernel, 1, to);
    HOST_CHECK(clSetKernelArg(kernel, 2, group * sizeof *in, NULL));
    HOST_CHECK(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &count, &group, 0, NULL, NULL));
    HOST_CHECK(
        clEnqueueReadBuffer(host.queue, to, CL_TRUE, 0, (count + 1) * sizeof *out, out, 0, NULL, NULL));
    expect(name, in, out, count);
    printf("PASS %s\n", name);
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    free(in);
    free(out);
    return 0;
}
