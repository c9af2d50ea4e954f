/* dwthaar1d: the dual-mode paper's Dwthaar1d: Haar's wavelet transform of a random signal on an OpenCL
 * device, first of pieces of 512 values, then of the pieces' means. Every coefficient must equal C's, bit for
 * bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 256, LOG2_PIECE = 9 };

static const float half_root = 0.70710678f;

static float scale_of(size_t length) {
    return (float)(1.0 / sqrt((double)length));
}

/* Transforms the whole signal, level by level; coefficient 0 is the mean. */
static void transform_in_c(const float *signal, float *coefficient, size_t length) {
    float *mean = host_allocate(length * sizeof *mean);
    for (size_t i = 0; i < length; i++) mean[i] = signal[i] * scale_of(length);
    for (size_t half = length / 2; half; half /= 2)
        for (size_t i = 0; i < half; i++) {
            const float left = mean[2 * i], right = mean[2 * i + 1];
            mean[i] = (left + right) * half_root;
            coefficient[half + i] = (left - right) * half_root;
        }
    coefficient[0] = mean[0];
    free(mean);
}

/* Transforms 2^log2_length values of `from`; the means of pieces go to `to`. each: pairs of values for a
 * work-item. Returns log2 of the number of means. */
static unsigned launch(const struct host *host, cl_kernel kernel, size_t each, unsigned log2_length,
                       cl_mem from, cl_mem coefficients, cl_mem to, float scale, cl_ulong *time_ns) {
    const cl_int levels = (cl_int)(log2_length < LOG2_PIECE ? log2_length : LOG2_PIECE);
    const size_t pairs = (size_t)1 << (levels - 1), local = pairs < each ? 1 : pairs / each,
                 global = local << (log2_length - (unsigned)levels);
    HOST_ARGUMENT(kernel, 0, from);
    HOST_ARGUMENT(kernel, 1, coefficients);
    HOST_ARGUMENT(kernel, 2, to);
    HOST_CHECK(clSetKernelArg(kernel, 3, 2 * each * local * sizeof(float), NULL));
    HOST_ARGUMENT(kernel, 4, levels);
    HOST_ARGUMENT(kernel, 5, scale);
    *time_ns += host_launch(host, kernel, 1, &global, &local);
    return log2_length - (unsigned)levels;
}

static cl_ulong transform_on_device(const char *source, size_t each, const float *signal, float *found,
                                    unsigned log2_length) {
    const size_t bytes = sizeof(float) << log2_length;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "dwthaar1d");
    cl_mem from = host_buffer(&host, bytes, signal), to = host_buffer(&host, bytes, NULL),
           coefficients = host_buffer(&host, bytes, NULL);
    cl_ulong time_ns = 0;
    unsigned left = log2_length;
    while (left) {
        left = launch(&host, kernel, each, left, from, coefficients, to,
                      left == log2_length ? scale_of((size_t)1 << left) : 1.0f, &time_ns);
        cl_mem swap = from;
        from = to;
        to = swap;
    }
    host_read(&host, coefficients, found, bytes);
    host_read(&host, from, found, sizeof *found);
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    HOST_CHECK(clReleaseMemObject(coefficients));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"log2-length", "log2 of the signal's length", 0, 24}};
    host_inputs inputs[] = {{12, 15, 16}};
    struct host_choice vectors = HOST_VECTORS;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "dwthaar1d",
        .summary = "Transforms a signal on the first OpenCL device and checks every coefficient.",
        .sizes = sizes,
        .size_count = 1,
        .inputs = inputs,
        .choices = &vectors,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const size_t each = vectors.value ? 4 : 1;
    if (vectors.value && sizes[0].value < 3) HOST_FAIL("--vectors on needs --log2-length 3");
    const size_t length = (size_t)1 << sizes[0].value;
    float *signal = host_allocate(length * sizeof *signal), *found = host_allocate(length * sizeof *found),
          *expected = host_allocate(length * sizeof *expected);
    for (size_t i = 0; i < length; i++) signal[i] = (float)host_random(&seed) / 16777216.0f * 10.0f;
    const cl_ulong time_ns = transform_on_device(source, each, signal, found, sizes[0].value);
    transform_in_c(signal, expected, length);
    const unsigned wrong = host_count_wrong("dwthaar1d", found, expected, sizeof *found, length);
    printf("dwthaar1d: %zu values, mean %.6f, kernel time %llu ns\n", length, (double)found[0],
           (unsigned long long)time_ns);
    free(signal);
    free(found);
    free(expected);
    free(source);
    return host_verdict("dwthaar1d", wrong == 0, "%u of %zu coefficients differ from C", wrong, length);
}
