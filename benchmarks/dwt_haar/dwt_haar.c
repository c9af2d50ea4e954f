/* dwt_haar: Haar's wavelet transform of a random signal on an OpenCL device. A launch transforms pieces of
 * the signal, the next launch their means, until one value is left. Every value must equal C's, bit for
 * bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 256, LOG2_LIMIT = 22 };

static void transform_in_c(float *value, float *result, size_t length) {
    const float scale = 0.70710678f;
    for (size_t pairs = length / 2; pairs > 0; pairs /= 2)
        for (size_t i = 0; i < pairs; i++) {
            const float a = value[2 * i], b = value[2 * i + 1];
            value[i] = (a + b) * scale;
            result[pairs + i] = (a - b) * scale;
        }
    result[0] = value[0];
}

/* Transforms pieces of `length` values in `from`; their means go to `to`. */
static cl_ulong launch(const struct host *host, const char *source, cl_mem from, cl_mem to, cl_mem result,
                       cl_int length) {
    const int piece = length < PIECE ? length : PIECE;
    const size_t local = (size_t)piece / 2, global = (size_t)length / 2;
    char options[32];
    snprintf(options, sizeof options, "-D PIECE=%d", piece);
    cl_program program = host_build(host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "dwt_haar");
    HOST_ARGUMENT(kernel, 0, from);
    HOST_ARGUMENT(kernel, 1, result);
    HOST_ARGUMENT(kernel, 2, to);
    HOST_ARGUMENT(kernel, 3, length);
    const cl_ulong time_ns = host_launch(host, kernel, 1, &global, &local);
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    return time_ns;
}

static cl_ulong transform_on_device(const char *source, const float *signal, float *found, size_t length) {
    struct host host;
    host_open(&host);
    const size_t bytes = length * sizeof *signal;
    cl_mem from = host_buffer(&host, bytes, signal), to = host_buffer(&host, bytes, NULL),
           result = host_buffer(&host, bytes, NULL);
    cl_ulong time_ns = 0;
    for (size_t left = length; left > 1; left = left > PIECE ? left / PIECE : 1) {
        time_ns += launch(&host, source, from, to, result, (cl_int)left);
        cl_mem swap = from;
        from = to;
        to = swap;
    }
    host_read(&host, result, found, bytes);
    host_read(&host, from, found, sizeof *found);
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    HOST_CHECK(clReleaseMemObject(result));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"log2-length", "logarithm of the signal's length", 12, LOG2_LIMIT}};
    host_inputs inputs[] = {{12, 16, 20}};
    unsigned seed = 1;
    char *source = host_parse_inputs(argc, argv, "dwt_haar",
                                     "Transforms a signal on the first OpenCL device and checks every value.",
                                     sizes, 1, inputs, &seed);
    const size_t length = (size_t)1 << sizes[0].value;
    float *signal = host_allocate(length * sizeof *signal), *found = host_allocate(length * sizeof *found),
          *expected = host_allocate(length * sizeof *expected);
    for (size_t i = 0; i < length; i++) signal[i] = (float)host_random(&seed) / 8388608.0f - 1.0f;
    const cl_ulong time_ns = transform_on_device(source, signal, found, length);
    transform_in_c(signal, expected, length);
    const unsigned wrong = host_count_wrong("dwt_haar", found, expected, sizeof *found, length);
    printf("dwt_haar: %zu values, kernel time %llu ns\n", length, (unsigned long long)time_ns);
    free(signal);
    free(found);
    free(expected);
    free(source);
    return host_verdict("dwt_haar", wrong == 0, "%u of %zu values differ from C", wrong, length);
}
