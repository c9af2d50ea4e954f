/* fft: Fourier transforms of random signals on an OpenCL device. Every value must equal C's by the same
 * steps, bit for bit; if the kernel computes factors by the device's native sine, it must be near C's. The
 * values of C must be near those of the transform's definition. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOG2_LIMIT = 9 };

struct complex_number {
    float x, y;
};

static struct complex_number *signals_new(size_t count, unsigned *seed) {
    struct complex_number *s = host_allocate(count * sizeof *s);
    for (size_t i = 0; i < count && seed; i++) {
        s[i].x = (float)host_random(seed) / 8388608.0f - 1.0f;
        s[i].y = (float)host_random(seed) / 8388608.0f - 1.0f;
    }
    return s;
}

static void make_factors(struct complex_number *factor, size_t length) {
    for (size_t k = 0; k < length / 2; k++) {
        const double angle = -2.0 * M_PI * (double)k / (double)length;
        factor[k] = (struct complex_number){(float)cos(angle), (float)sin(angle)};
    }
}

/* Transforms in place; `other` has room for as many values. */
static void transform_in_c(struct complex_number *signal, struct complex_number *other,
                           const struct complex_number *factor, size_t length) {
    for (size_t done = 1; done < length; done *= 2) {
        for (size_t k = 0; k < length / 2; k++) {
            const size_t within = k % done, to = (k - within) * 2 + within;
            const struct complex_number f = factor[within * (length / 2 / done)], a = signal[k],
                                        b = signal[k + length / 2],
                                        turned = {b.x * f.x - b.y * f.y, b.x * f.y + b.y * f.x};
            other[to] = (struct complex_number){a.x + turned.x, a.y + turned.y};
            other[to + done] = (struct complex_number){a.x - turned.x, a.y - turned.y};
        }
        memcpy(signal, other, length * sizeof *signal);
    }
}

/* Returns the largest difference between a spectrum and the transform's definition. */
static double error_of(const struct complex_number *signal, const struct complex_number *spectrum,
                       size_t length) {
    double largest = 0.0;
    for (size_t k = 0; k < length; k++) {
        double x = 0.0, y = 0.0;
        for (size_t i = 0; i < length; i++) {
            const double angle = -2.0 * M_PI * (double)(i * k % length) / (double)length;
            x += signal[i].x * cos(angle) - signal[i].y * sin(angle);
            y += signal[i].x * sin(angle) + signal[i].y * cos(angle);
        }
        largest = fmax(largest, hypot(x - spectrum[k].x, y - spectrum[k].y));
    }
    return largest;
}

static unsigned count_far(const struct complex_number *found, const struct complex_number *expected,
                          size_t count, double allowed) {
    unsigned far = 0;
    for (size_t i = 0; i < count; i++)
        far += hypot((double)found[i].x - expected[i].x, (double)found[i].y - expected[i].y) > allowed;
    return far;
}

static cl_ulong transform_on_device(const char *source, const struct complex_number *signals, size_t length,
                                    size_t count, bool sines, const struct complex_number *factor,
                                    struct complex_number *found) {
    const size_t bytes = length * count * sizeof *found, local = length / 2, global = local * count;
    char options[48];
    snprintf(options, sizeof options, "-D LENGTH=%zu%s", length, sines ? " -D SINES" : "");
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "fft");
    cl_mem from = host_buffer(&host, bytes, signals), to = host_buffer(&host, bytes, NULL),
           factors = host_buffer(&host, local * sizeof *factor, factor);
    HOST_ARGUMENT(kernel, 0, from);
    HOST_ARGUMENT(kernel, 1, to);
    HOST_ARGUMENT(kernel, 2, factors);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, to, found, bytes);
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    HOST_CHECK(clReleaseMemObject(factors));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"log2-length", "logarithm of a signal's length", 6, LOG2_LIMIT},
                                {"signals", "signals", 16, 65536},
                                {"sines", "factors 1: all the host's; 2: four the kernel's own", 1, 2}};
    host_inputs inputs[] = {{6, 8, 9}, {16, 64, 256}, {1, 1, 1}};
    unsigned seed = 1;
    char *source = host_parse_inputs(argc, argv, "fft",
                                     "Transforms signals on the first OpenCL device and checks every value.",
                                     sizes, 3, inputs, &seed);
    const size_t length = (size_t)1 << sizes[0].value, count = sizes[1].value, values = length * count;
    const bool sines = sizes[2].value == 2;
    struct complex_number *signals = signals_new(values, &seed), *found = signals_new(values, NULL),
                          *expected = signals_new(values, NULL), *factor = signals_new(length / 2, NULL),
                          *other = signals_new(length, NULL);
    make_factors(factor, length);
    const cl_ulong time_ns = transform_on_device(source, signals, length, count, sines, factor, found);
    memcpy(expected, signals, values * sizeof *signals);
    for (size_t s = 0; s < count; s++) transform_in_c(expected + s * length, other, factor, length);
    const unsigned wrong = sines ? count_far(found, expected, values, 1e-6 * (double)length)
                                 : host_count_wrong("fft", found, expected, sizeof *found, values);
    const double error = error_of(signals, expected, length);
    printf("fft: %zu signals of %zu values, kernel time %llu ns\n", count, length,
           (unsigned long long)time_ns);
    free(signals);
    free(found);
    free(expected);
    free(factor);
    free(other);
    free(source);
    return host_verdict("fft", wrong == 0 && error < 1e-4 * (double)length,
                        "%u of %zu values differ from C, which is within %.1e of the definition", wrong,
                        values, error);
}
