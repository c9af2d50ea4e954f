/* monte_carlo: the values of random European calls, by random walks on an OpenCL device. Since log, cos and
 * exp may differ between devices, each gain must be within 10^-5 of C's in double, relative to the final
 * price. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 128 };

static const float drift = -0.025f, deviation = 0.3f; /* parameters of the logarithm of the price */

static float *random_numbers(size_t count, unsigned *seed) {
    float *values = host_allocate(count * sizeof *values);
    for (size_t i = 0; i < count; i++) values[i] = 10.0f + 10.0f * (float)host_random(seed) / 16777216.0f;
    return values;
}

static cl_ulong price_on_device(const char *source, const float *price, const float *strike, float *gain,
                                cl_int options, cl_int walks, cl_uint seed) {
    const size_t bytes = (size_t)options * sizeof(float), local = GROUP,
                 global = ((size_t)options + GROUP - 1) / GROUP * GROUP;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "monte_carlo");
    cl_mem buffer[] = {host_buffer(&host, bytes, price), host_buffer(&host, bytes, strike),
                       host_buffer(&host, bytes, NULL)};
    for (cl_uint i = 0; i < 3; i++) HOST_ARGUMENT(kernel, i, buffer[i]);
    HOST_ARGUMENT(kernel, 3, options);
    HOST_ARGUMENT(kernel, 4, walks);
    HOST_ARGUMENT(kernel, 5, drift);
    HOST_ARGUMENT(kernel, 6, deviation);
    HOST_ARGUMENT(kernel, 7, seed);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, buffer[2], gain, bytes);
    for (unsigned i = 0; i < 3; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

/* Returns whether a gain is right: near *expected, that of the same walks in double. */
static bool is_right(float gain, double price, double strike, unsigned walks, cl_uint state,
                     double *expected) {
    double sum = 0.0, ends = 0.0;
    for (unsigned walk = 0; walk < walks; walk++) {
        const double radius = sqrt(-2.0 * log((host_random(&state) + 1) / 16777216.0)),
                     angle = 2.0 * M_PI * (host_random(&state) / 16777216.0),
                     end = price * exp((double)drift + (double)deviation * radius * cos(angle));
        ends += end;
        if (end > strike) sum += end - strike;
    }
    *expected = sum / walks;
    return fabs(gain - *expected) <= 1e-5 * ends / walks;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"options", "options", 0, 1 << 20}, {"walks", "walks of each", 0, 1 << 16}};
    host_inputs inputs[] = {{1024, 2048, 8192}, {16, 64, 128}};
    unsigned seed = 1, wrong = 0;
    const struct host_command command = {
        .name = "monte_carlo",
        .summary = "Prices options by random walks on the first OpenCL device and checks the prices.",
        .sizes = sizes,
        .size_count = 2,
        .inputs = inputs,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const unsigned options = sizes[0].value, walks = sizes[1].value;
    float *price = random_numbers(options, &seed), *strike = random_numbers(options, &seed),
          *gain = host_allocate(options * sizeof *gain);
    const cl_ulong time_ns =
        price_on_device(source, price, strike, gain, (cl_int)options, (cl_int)walks, seed);
    for (unsigned i = 0; i < options; i++) {
        double expected;
        if (is_right(gain[i], price[i], strike[i], walks, seed + 2654435761u * i, &expected)) continue;
        if (wrong++ == 0)
            fprintf(stderr, "monte_carlo: gain %u is %g, expected %g\n", i, (double)gain[i], expected);
    }
    printf("monte_carlo: %u options, gains %016llx, kernel time %llu ns\n", options,
           host_hash(gain, options * sizeof *gain), (unsigned long long)time_ns);
    free(price);
    free(strike);
    free(gain);
    free(source);
    return host_verdict("monte_carlo", wrong == 0, "%u of %u gains are wrong", wrong, options);
}
