/* histogram: counts the bytes of random data on an OpenCL device. Every count must equal C's. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of words that a work-item may count in bytes. */
enum { GROUP = 64, BINS = 256, OF_GROUPS = 1, OF_ITEMS = 2, MOST_WORDS = 63 };

/* Returns a random word. Each byte is a sum of four numbers, so that middle values are frequent. */
static cl_uint random_word(unsigned *seed) {
    cl_uint word = 0;
    for (int byte = 0; byte < 4; byte++) {
        unsigned sum = 0;
        for (int i = 0; i < 4; i++) sum += host_random(seed) % 64;
        word = word << 8 | sum;
    }
    return word;
}

static cl_ulong count_on_device(const char *source, const cl_uint *data, cl_uint words, size_t groups,
                                unsigned bins, cl_uint *counts) {
    const size_t local = GROUP, global = groups * GROUP, parts = bins == OF_ITEMS ? groups : 1;
    cl_uint *part = host_allocate(parts * BINS * sizeof *part);
    char options[32];
    snprintf(options, sizeof options, "-D GROUP=%d%s", GROUP, bins == OF_ITEMS ? " -D OWN_BINS" : "");
    memset(part, 0, parts * BINS * sizeof *part);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "histogram");
    cl_mem bytes = host_buffer(&host, words * sizeof *data, data),
           result = host_buffer(&host, parts * BINS * sizeof *part, part);
    HOST_ARGUMENT(kernel, 0, bytes);
    HOST_ARGUMENT(kernel, 1, words);
    HOST_ARGUMENT(kernel, 2, result);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, result, part, parts * BINS * sizeof *part);
    for (size_t i = 0; i < parts * BINS; i++) counts[i % BINS] += part[i];
    free(part);
    HOST_CHECK(clReleaseMemObject(bytes));
    HOST_CHECK(clReleaseMemObject(result));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"words", "words of four bytes", 4096, 1 << 24},
                                {"groups", "work-groups that share them", 8, 4096},
                                {"bins", "1: a work-group's, by atomics; 2: each work-item's", 1, 2}};
    host_inputs inputs[] = {{4096, 65536, 1048576}, {8, 32, 128}, {1, 1, 1}};
    unsigned seed = 1;
    char *source = host_parse_inputs(argc, argv, "histogram",
                                     "Counts bytes on the first OpenCL device and checks every count.", sizes,
                                     3, inputs, &seed);
    const cl_uint words = sizes[0].value;
    const unsigned groups = sizes[1].value, bins = sizes[2].value;
    if (bins == OF_ITEMS && words > groups * GROUP * MOST_WORDS)
        HOST_FAIL("--bins 2: %u words need at least %u work-groups", words,
                  (words + GROUP * MOST_WORDS - 1) / (GROUP * MOST_WORDS));
    cl_uint *data = host_allocate(words * sizeof *data), found[BINS] = {0}, expected[BINS] = {0};
    for (cl_uint i = 0; i < words; i++) data[i] = random_word(&seed);
    const cl_ulong time_ns = count_on_device(source, data, words, groups, bins, found);
    for (cl_uint i = 0; i < words; i++)
        for (int byte = 0; byte < 4; byte++) expected[data[i] >> 8 * byte & 255]++;
    const unsigned wrong = host_count_wrong("histogram", found, expected, sizeof *found, BINS);
    printf("histogram: %u bytes, kernel time %llu ns\n", 4 * words, (unsigned long long)time_ns);
    free(data);
    free(source);
    return host_verdict("histogram", wrong == 0, "%u of %d counts differ from C", wrong, BINS);
}
