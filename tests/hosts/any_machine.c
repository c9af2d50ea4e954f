/* any_machine: one kernel with branches, a loop, local memory, a barrier, byte stores, doubles and an atomic,
 * in work-groups as large as the machine allows, up to 24: right on every machine that there can be. */
#include "benchmarks/host.h"

enum { GROUPS = 3, LARGEST = 24 };

static const char SOURCE[] =
    "__kernel void any(__global const uint *in, __global uint *out, __global uchar *bytes,\n"
    "                  __global uint *total, __local uint *tile) {\n"
    "    const uint l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);\n"
    "    uint v = in[g];\n"
    "    for (uint i = 0; i < (g & 3u); i++) v = i & 1u ? v * 5u : v / 3u + g;\n"
    "    tile[l] = v;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    v += tile[(l + 1u) % n];\n"
    "    if (v & 2u) v += (uint)((double)(v & 1023u) * 1.5);\n"
    "    bytes[g] = (uchar)v;\n"
    "    out[g] = v;\n"
    "    atomic_add(total, v);\n"
    "}\n";

static unsigned before_barrier(unsigned value, unsigned g) {
    for (unsigned i = 0; i < (g & 3u); i++) value = i & 1u ? value * 5u : value / 3u + g;
    return value;
}

static unsigned expect(const unsigned *in, unsigned g, unsigned n) {
    const unsigned next = g / n * n + (g % n + 1) % n;
    unsigned v = before_barrier(in[g], g) + before_barrier(in[next], next);
    if (v & 2u) v += (unsigned)((double)(v & 1023u) * 1.5);
    return v;
}

int main(void) {
    unsigned in[GROUPS * LARGEST], out[GROUPS * LARGEST] = {0}, state = 7, wrong = 0, total = 0, sum = 0;
    unsigned char bytes[GROUPS * LARGEST] = {0};
    for (unsigned i = 0; i < GROUPS * LARGEST; i++) in[i] = host_random(&state);
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "any");
    size_t most;
    HOST_CHECK(clGetDeviceInfo(host.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    const size_t local = most < LARGEST ? most : LARGEST, global = GROUPS * local;
    cl_mem in_buffer = host_buffer(&host, sizeof in, in), out_buffer = host_buffer(&host, sizeof out, out),
           bytes_buffer = host_buffer(&host, sizeof bytes, bytes),
           total_buffer = host_buffer(&host, sizeof total, &total);
    HOST_ARGUMENT(kernel, 0, in_buffer);
    HOST_ARGUMENT(kernel, 1, out_buffer);
    HOST_ARGUMENT(kernel, 2, bytes_buffer);
    HOST_ARGUMENT(kernel, 3, total_buffer);
    HOST_CHECK(clSetKernelArg(kernel, 4, local * sizeof(unsigned), NULL));
    host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, out_buffer, out, sizeof out);
    host_read(&host, bytes_buffer, bytes, sizeof bytes);
    host_read(&host, total_buffer, &total, sizeof total);
    for (unsigned g = 0; g < global; g++) {
        const unsigned expected = expect(in, g, (unsigned)local);
        sum += expected;
        wrong += out[g] != expected || bytes[g] != (unsigned char)expected;
    }
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("any_machine", wrong == 0 && total == sum, "%u of %u wrong", wrong, (unsigned)global);
}
