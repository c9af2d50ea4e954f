/* walsh_transform: the fast Walsh transform of a random vector on an OpenCL device: steps with large strides
 * are a launch each, steps with small ones run in local memory. Every element must equal C's by the same
 * steps, bit for bit. The transform of the result must be the vector times its length. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOG2_GROUP = 7, GROUP = 1 << LOG2_GROUP };

static void transform_in_c(float *vector, size_t length) {
    for (size_t stride = length / 2; stride > 0; stride /= 2)
        for (size_t pair = 0; pair < length / 2; pair++) {
            const size_t within = pair % stride, at = (pair - within) * 2 + within;
            const float a = vector[at], b = vector[at + stride];
            vector[at] = a + b;
            vector[at + stride] = a - b;
        }
}

static cl_ulong transform_on_device(const char *source, float *vector, size_t length) {
    const size_t bytes = length * sizeof *vector, local = GROUP, global = length / 2;
    char options[32];
    snprintf(options, sizeof options, "-D GROUP=%d", GROUP);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel step = HOST_CREATE(clCreateKernel, program, "walsh_step"),
              piece = HOST_CREATE(clCreateKernel, program, "walsh_piece");
    cl_mem buffer = host_buffer(&host, bytes, vector);
    HOST_ARGUMENT(step, 0, buffer);
    HOST_ARGUMENT(piece, 0, buffer);
    cl_ulong time_ns = 0;
    for (cl_int stride = (cl_int)(length / 2); stride > GROUP; stride /= 2) {
        HOST_ARGUMENT(step, 1, stride);
        time_ns += host_launch(&host, step, 1, &global, &local);
    }
    time_ns += host_launch(&host, piece, 1, &global, &local);
    host_read(&host, buffer, vector, bytes);
    HOST_CHECK(clReleaseMemObject(buffer));
    HOST_CHECK(clReleaseKernel(step));
    HOST_CHECK(clReleaseKernel(piece));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

/* Returns the largest difference between the transform of `transformed`, which it overwrites, and length
 * times the vector. */
static double error_of(const float *vector, float *transformed, size_t length) {
    double largest = 0.0;
    transform_in_c(transformed, length);
    for (size_t i = 0; i < length; i++)
        largest = fmax(largest, fabs(transformed[i] / (double)length - vector[i]));
    return largest;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"log2-length", "logarithm of the vector's length", 12, 24}};
    host_inputs inputs[] = {{12, 16, 20}};
    unsigned seed = 1;
    char *source = host_parse_inputs(
        argc, argv, "walsh_transform",
        "Transforms a vector on the first OpenCL device and checks every element.", sizes, 1, inputs, &seed);
    if (sizes[0].value <= LOG2_GROUP)
        HOST_FAIL("--log2-length %u: a work-group has %d elements", sizes[0].value, 2 * GROUP);
    const size_t length = (size_t)1 << sizes[0].value, bytes = length * sizeof(float);
    float *vector = host_allocate(bytes), *found = host_allocate(bytes), *expected = host_allocate(bytes);
    for (size_t i = 0; i < length; i++) vector[i] = (float)host_random(&seed) / 8388608.0f - 1.0f;
    memcpy(found, vector, bytes);
    memcpy(expected, vector, bytes);
    const cl_ulong time_ns = transform_on_device(source, found, length);
    transform_in_c(expected, length);
    const unsigned wrong = host_count_wrong("walsh_transform", found, expected, sizeof *found, length);
    const double error = error_of(vector, expected, length);
    printf("walsh_transform: %zu elements, kernel time %llu ns\n", length, (unsigned long long)time_ns);
    free(vector);
    free(found);
    free(expected);
    free(source);
    return host_verdict("walsh_transform", wrong == 0 && error < 1e-4,
                        "%u of %zu elements differ from C, whose own transform is within %.1e of the vector",
                        wrong, length, error);
}
