/* atomics: a histogram with atomic_inc in global and in local memory, and each other atomic function of
 * OpenCL 1.2 used so that the final value does not depend on the order. */
#include "benchmarks/host.h"

#include <string.h>

enum { COUNT = 2048, GROUP_SIZE = 128, BINS = 16, CELLS = 12 };

static const char SOURCE[] =
    "__kernel void atomics(__global const uint *input, __global uint *direct, __global uint *merged,\n"
    "                      __global int *cells, __global float *swapped) {\n"
    "    __local uint bins[16];\n"
    "    uint local_id = get_local_id(0);\n"
    "    int i = get_global_id(0);\n"
    "    uint value = input[i];\n"
    "    if (local_id < 16) bins[local_id] = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    atomic_inc(&direct[value % 16]);\n"
    "    atomic_inc(&bins[value % 16]);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (local_id < 16) atomic_add(&merged[local_id], bins[local_id]);\n"
    "    atomic_dec(&cells[0]);\n"
    "    atomic_sub(&cells[1], (int)value);\n"
    "    atomic_min(&cells[2], (int)value - 500);\n"
    "    atomic_max(&cells[3], (int)value - 500);\n"
    "    atomic_or(&cells[4], 1 << (value % 31));\n"
    "    atomic_and(&cells[5], ~(1 << (value % 7)));\n"
    "    atomic_xor(&cells[6], (int)value);\n"
    "    atomic_min((volatile __global uint *)&cells[7], value + 5);\n"
    "    int old = cells[8];\n"
    "    while (1) {\n"
    "        int seen = atomic_cmpxchg(&cells[8], old, old + (int)value);\n"
    "        if (seen == old) break;\n"
    "        old = seen;\n"
    "    }\n"
    "    int ticket = atomic_add(&cells[9], 1);\n"
    "    atomic_xor(&cells[10], ticket * 2654435);\n"
    "    if (i == 77) atomic_xchg(&cells[11], 4242);\n"
    "    if (i == 78) atomic_xchg(swapped, 0.75f);\n"
    "}\n";

static void expect(const cl_uint *input, cl_uint *bins, cl_int *cells) {
    for (int i = 0; i < COUNT; i++) {
        cl_int value = (cl_int)input[i];
        bins[input[i] % BINS]++;
        cells[0]--;
        cells[1] -= value;
        if (value - 500 < cells[2]) cells[2] = value - 500;
        if (value - 500 > cells[3]) cells[3] = value - 500;
        cells[4] |= 1 << (value % 31);
        cells[5] &= ~(1 << (value % 7));
        cells[6] ^= value;
        if (input[i] + 5 < (cl_uint)cells[7]) cells[7] = value + 5;
        cells[8] += value;
        cells[9]++;
        cells[10] ^= (cl_int)((cl_uint)i * 2654435u);
    }
    cells[11] = 4242;
}

int main(void) {
    cl_uint input[COUNT];
    cl_uint direct[BINS] = {0};
    cl_uint merged[BINS] = {0};
    cl_uint expected_bins[BINS] = {0};
    cl_int cells[CELLS] = {10, 20, 0, 0, 0, -1, 0, -1, 0, 0, 0, 1};
    cl_int expected_cells[CELLS];
    cl_float swapped = 0.5f;
    for (int i = 0; i < COUNT; i++) input[i] = (cl_uint)(i * 7919 % 1013);
    memcpy(expected_cells, cells, sizeof cells);
    expect(input, expected_bins, expected_cells);

    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "atomics");
    cl_mem buffers[5] = {host_buffer(&host, sizeof input, input), host_buffer(&host, sizeof direct, direct),
                         host_buffer(&host, sizeof merged, merged), host_buffer(&host, sizeof cells, cells),
                         host_buffer(&host, sizeof swapped, &swapped)};
    for (cl_uint i = 0; i < 5; i++) HOST_ARGUMENT(kernel, i, buffers[i]);
    host_launch(&host, kernel, 1, (size_t[]){COUNT}, (size_t[]){GROUP_SIZE});
    host_read(&host, buffers[1], direct, sizeof direct);
    host_read(&host, buffers[2], merged, sizeof merged);
    host_read(&host, buffers[3], cells, sizeof cells);
    host_read(&host, buffers[4], &swapped, sizeof swapped);
    unsigned wrong = host_count_wrong("global histogram", direct, expected_bins, sizeof *direct, BINS);
    wrong += host_count_wrong("local histogram", merged, expected_bins, sizeof *merged, BINS);
    wrong += host_count_wrong("cells", cells, expected_cells, sizeof *cells, CELLS);
    wrong += swapped != 0.75f;
    for (cl_uint i = 0; i < 5; i++) HOST_CHECK(clReleaseMemObject(buffers[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("atomics", wrong == 0, "%u values wrong", wrong);
}
