/* constant_memory: program-scope __constant tables (numbers, structs, text) and __constant arguments. */
#include "benchmarks/host.h"

enum { COUNT = 128, GROUP_SIZE = 32 };

static const char SOURCE[] =
    "__constant int SQUARES[8] = {0, 1, 4, 9, 16, 25, 36, 49};\n"
    "struct rule { uchar shift; short factor; float weight; };\n"
    "__constant struct rule RULES[3] = {{1, -2, 0.5f}, {3, 100, 0.25f}, {0, 7, -1.0f}};\n"
    "__constant char TEXT[] = \"lockstep\";\n"
    "int rule_value(__constant struct rule *rule, int i) { return (i << rule->shift) * rule->factor; }\n"
    "__kernel void constant_memory(__constant float *table, __constant int4 *vector, __global float *output) "
    "{\n"
    "    int i = get_global_id(0);\n"
    "    float value = SQUARES[i % 8] + rule_value(&RULES[i % 3], i) + RULES[i % 3].weight;\n"
    "    int4 whole = *vector;\n"
    "    output[i] = value + table[i % 5] + TEXT[i % 8] + whole.x * whole.w;\n"
    "}\n";

static float expect(int i, const float *table) {
    static const int SQUARES[8] = {0, 1, 4, 9, 16, 25, 36, 49};
    static const int SHIFT[3] = {1, 3, 0};
    static const int FACTOR[3] = {-2, 100, 7};
    static const float WEIGHT[3] = {0.5f, 0.25f, -1.0f};
    int whole = SQUARES[i % 8] + (i << SHIFT[i % 3]) * FACTOR[i % 3];
    return (float)whole + WEIGHT[i % 3] + table[i % 5] + (float)"lockstep"[i % 8] + 3.0f * 11.0f;
}

int main(void) {
    const float table[5] = {0.0f, 0.125f, 10.0f, -4.5f, 64.0f};
    const cl_int4 vector = {{3, 5, 7, 11}};
    float found[COUNT];
    float expected[COUNT];
    for (int i = 0; i < COUNT; i++) expected[i] = expect(i, table);

    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "constant_memory");
    cl_mem table_buffer = host_buffer(&host, sizeof table, table);
    cl_mem vector_buffer = host_buffer(&host, sizeof vector, &vector);
    cl_mem output = host_buffer(&host, sizeof found, NULL);
    HOST_ARGUMENT(kernel, 0, table_buffer);
    HOST_ARGUMENT(kernel, 1, vector_buffer);
    HOST_ARGUMENT(kernel, 2, output);
    host_launch(&host, kernel, 1, (size_t[]){COUNT}, (size_t[]){GROUP_SIZE});
    host_read(&host, output, found, sizeof found);
    unsigned wrong = host_count_wrong("output", found, expected, sizeof *found, COUNT);
    HOST_CHECK(clReleaseMemObject(table_buffer));
    HOST_CHECK(clReleaseMemObject(vector_buffer));
    HOST_CHECK(clReleaseMemObject(output));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("constant_memory", wrong == 0, "%u of %d values wrong", wrong, COUNT);
}
