/* local_argument: every kind of kernel argument in one kernel: a struct by value, vectors and scalars of each
 * width by value, two __local pointers with sizes set at run time, and a __local array of the kernel. */
#include "benchmarks/host.h"

enum { GROUP_SIZE = 32, GROUPS = 3, COUNT = GROUP_SIZE * GROUPS };

struct parameters {
    cl_int offset;
    cl_char sign;
    cl_short step;
    cl_float scale;
    cl_long big;
};

static const char SOURCE[] =
    "struct parameters { int offset; char sign; short step; float scale; long big; };\n"
    "__kernel void local_argument(uchar small, __global float4 *output, struct parameters p, float4 "
    "weights,\n"
    "                             __local float4 *vectors, ulong wide, __local int *numbers, float last) {\n"
    "    __local int own[32];\n"
    "    int local_id = get_local_id(0);\n"
    "    int size = get_local_size(0);\n"
    "    vectors[local_id] = weights * (float)local_id;\n"
    "    numbers[local_id] = p.offset + p.step * local_id * p.sign;\n"
    "    own[local_id] = (int)(p.big >> 32) + (int)(wide >> 40) + small;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    int other = size - 1 - local_id;\n"
    "    float4 sum = vectors[other] + (float4)(numbers[other], own[other], p.scale, last);\n"
    "    output[get_global_id(0)] = sum.wzyx;\n"
    "}\n";

static void expect(cl_float4 *expected) {
    for (int i = 0; i < COUNT; i++) {
        float other = (float)(GROUP_SIZE - 1 - i % GROUP_SIZE);
        float number = -100.0f - 30.0f * other; /* offset + step * other * sign */
        float own = 5.0f + 7.0f + 200.0f;
        expected[i] = (cl_float4){
            {4.0f * other + 0.125f, 3.0f * other + 2.5f, 2.0f * other + own, 1.0f * other + number}};
    }
}

int main(void) {
    const struct parameters parameters = {-100, -1, 30, 2.5f, 5LL << 32};
    const cl_uchar small = 200;
    const cl_float4 weights = {{1.0f, 2.0f, 3.0f, 4.0f}};
    const cl_ulong wide = 7ULL << 40;
    const cl_float last = 0.125f;
    cl_float4 found[COUNT];
    cl_float4 expected[COUNT];
    expect(expected);

    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "local_argument");
    cl_mem output = host_buffer(&host, sizeof found, NULL);
    HOST_ARGUMENT(kernel, 0, small);
    HOST_ARGUMENT(kernel, 1, output);
    HOST_ARGUMENT(kernel, 2, parameters);
    HOST_ARGUMENT(kernel, 3, weights);
    HOST_CHECK(clSetKernelArg(kernel, 4, GROUP_SIZE * sizeof(cl_float4), NULL));
    HOST_ARGUMENT(kernel, 5, wide);
    HOST_CHECK(clSetKernelArg(kernel, 6, GROUP_SIZE * sizeof(cl_int), NULL));
    HOST_ARGUMENT(kernel, 7, last);
    host_launch(&host, kernel, 1, (size_t[]){COUNT}, (size_t[]){GROUP_SIZE});
    host_read(&host, output, found, sizeof found);
    unsigned wrong = host_count_wrong("output", found, expected, sizeof(float), COUNT * 4);
    HOST_CHECK(clReleaseMemObject(output));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("local_argument", wrong == 0, "%u of %d values wrong", wrong, COUNT * 4);
}
