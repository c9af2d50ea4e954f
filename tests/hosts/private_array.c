/* private_array: arrays and structs on each work-item's own stack, indexed by values known only at run time
 * and passed to helper functions by address. Elements are bytes, words and doubles, larger than the registers
 * can hold. */
#include "benchmarks/host.h"

#include <string.h>

enum { COUNT = 96, GROUP_SIZE = 32, LENGTH = 24, RECORDS = 6, OUTPUTS = LENGTH + 2 + RECORDS };

static const char SOURCE[] =
    "struct histogram { uchar bins[16]; ushort total; };\n"
    "struct record { uchar tag; double value; };\n"
    "void sort(int *values, int length) {\n"
    "    for (int i = 1; i < length; i++) {\n"
    "        int value = values[i];\n"
    "        int place = i;\n"
    "        while (place > 0 && values[place - 1] > value) {\n"
    "            values[place] = values[place - 1];\n"
    "            place--;\n"
    "        }\n"
    "        values[place] = value;\n"
    "    }\n"
    "}\n"
    "void count_bins(struct histogram *histogram, const int *values, int length) {\n"
    "    for (int i = 0; i < 16; i++) histogram->bins[i] = 0;\n"
    "    histogram->total = 0;\n"
    "    for (int i = 0; i < length; i++) {\n"
    "        histogram->bins[values[i] & 15] += 3;\n"
    "        histogram->total += values[i] & 15;\n"
    "    }\n"
    "}\n"
    "__kernel void private_array(__global const int *input, __global int *output) {\n"
    "    int i = get_global_id(0);\n"
    "    int values[24];\n"
    "    struct histogram histogram;\n"
    "    struct record records[6];\n"
    "    for (int k = 0; k < 24; k++) values[k] = (input[i] * (k + 3) * 7919) % 1009;\n"
    "    sort(values, 24);\n"
    "    count_bins(&histogram, values, 24);\n"
    "    for (int k = 0; k < 24; k++) output[i * 32 + k] = values[k];\n"
    "    output[i * 32 + 24] = histogram.bins[input[i] & 15];\n"
    "    output[i * 32 + 25] = histogram.total;\n"
    "    for (int k = 0; k < 6; k++)\n"
    "        records[(k + i) % 6] = (struct record){k, input[i] * (double)(1 << k)};\n"
    "    for (int k = 0; k < 6; k++) output[i * 32 + 26 + k] = (int)records[k].value + records[k].tag;\n"
    "}\n";

static void expect(int item, int input, cl_int *output) {
    for (int k = 0; k < LENGTH; k++) output[k] = (input * (k + 3) * 7919) % 1009;
    for (int i = 0; i < LENGTH; i++) /* another way to sort than the kernel's */
        for (int k = i + 1; k < LENGTH; k++)
            if (output[k] < output[i]) {
                cl_int swap = output[i];
                output[i] = output[k];
                output[k] = swap;
            }
    output[LENGTH] = 0;
    output[LENGTH + 1] = 0;
    for (int k = 0; k < LENGTH; k++) {
        if ((output[k] & 15) == (input & 15)) output[LENGTH] += 3;
        output[LENGTH + 1] += output[k] & 15;
    }
    for (int k = 0; k < RECORDS; k++) {
        int tag = (k + RECORDS * COUNT - item) % RECORDS;
        output[LENGTH + 2 + k] = (input << tag) + tag;
    }
}

int main(void) {
    cl_int input[COUNT];
    cl_int found[COUNT * OUTPUTS];
    cl_int expected[COUNT * OUTPUTS];
    for (int i = 0; i < COUNT; i++) {
        input[i] = 1 + i * 13;
        expect(i, input[i], expected + i * OUTPUTS);
    }
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "private_array");
    cl_mem input_buffer = host_buffer(&host, sizeof input, input);
    cl_mem output_buffer = host_buffer(&host, sizeof found, NULL);
    HOST_ARGUMENT(kernel, 0, input_buffer);
    HOST_ARGUMENT(kernel, 1, output_buffer);
    host_launch(&host, kernel, 1, (size_t[]){COUNT}, (size_t[]){GROUP_SIZE});
    host_read(&host, output_buffer, found, sizeof found);
    unsigned wrong = host_count_wrong("output", found, expected, sizeof *found, COUNT * OUTPUTS);
    HOST_CHECK(clReleaseMemObject(input_buffer));
    HOST_CHECK(clReleaseMemObject(output_buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("private_array", wrong == 0, "%u of %d values wrong", wrong, COUNT * OUTPUTS);
}
