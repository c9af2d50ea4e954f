/* black_scholes: prices of European options, each with a random price, strike and time, on an OpenCL device.
 * Each must be within a cent of what C's double functions give. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP_SIZE = 256, INPUTS = 3, BUFFERS = 5 }; /* price, strike, years; call, put */

static const float rate = 0.02f, volatility = 0.3f;

static void fill(float *values, unsigned count, float from, float to, unsigned seed) {
    for (unsigned i = 0; i < count; i++)
        values[i] = from + (to - from) * (float)host_random(&seed) / 16777216.0f;
}

static cl_ulong run_on_device(const char *source, float *const vector[BUFFERS], unsigned items,
                              unsigned each) {
    const size_t bytes = (size_t)items * each * sizeof(float),
                 local = items < GROUP_SIZE ? items : GROUP_SIZE, global = items;
    cl_mem buffer[BUFFERS];
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "black_scholes");
    for (unsigned i = 0; i < BUFFERS; i++) {
        buffer[i] = host_buffer(&host, bytes, i < INPUTS ? vector[i] : NULL);
        HOST_ARGUMENT(kernel, i, buffer[i]);
    }
    HOST_ARGUMENT(kernel, BUFFERS, rate);
    HOST_ARGUMENT(kernel, BUFFERS + 1, volatility);
    HOST_ARGUMENT(kernel, BUFFERS + 2, each);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, items % local ? NULL : &local);
    for (unsigned i = INPUTS; i < BUFFERS; i++) host_read(&host, buffer[i], vector[i], bytes);
    for (unsigned i = 0; i < BUFFERS; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

static double below(double d) {
    return 0.5 * erfc(-d / sqrt(2.0));
}

static unsigned count_wrong(float *const vector[BUFFERS], unsigned count) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < count; i++) {
        const double s = vector[0][i], x = vector[1][i], t = vector[2][i], deviation = volatility * sqrt(t);
        const double d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / deviation;
        const double later = x * exp(-rate * t), call = s * below(d1) - later * below(d1 - deviation);
        if (fabs(vector[3][i] - call) < 0.01 && fabs(vector[4][i] - (call + later - s)) < 0.01) continue;
        if (wrong++ == 0)
            fprintf(stderr, "black_scholes: option %u is %g and %g, expected %g and %g\n", i, vector[3][i],
                    vector[4][i], call, call + later - s);
    }
    return wrong;
}

int main(int argc, char **argv) {
    static const float ranges[INPUTS][2] = {{5.0f, 30.0f}, {1.0f, 100.0f}, {0.25f, 10.0f}};
    struct host_size sizes[] = {{"items", "work-items", 4096, 1 << 20},
                                {"each", "options of each", 4, 1 << 8}};
    char *source =
        host_parse_sizes(argc, argv, "black_scholes",
                         "Prices options on the first OpenCL device and checks the prices.", sizes, 2);
    const unsigned count = sizes[0].value * sizes[1].value;
    float *vector[BUFFERS];
    for (unsigned i = 0; i < BUFFERS; i++) vector[i] = host_allocate(count * sizeof(float));
    for (unsigned i = 0; i < INPUTS; i++) fill(vector[i], count, ranges[i][0], ranges[i][1], i + 1);
    const cl_ulong time_ns = run_on_device(source, vector, sizes[0].value, sizes[1].value);
    const unsigned wrong = count_wrong(vector, count);
    printf("black_scholes: %u options, kernel time %llu ns\n", count, (unsigned long long)time_ns);
    for (unsigned i = 0; i < BUFFERS; i++) free(vector[i]);
    free(source);
    return host_verdict("black_scholes", wrong == 0, "%u of %u options are wrong", wrong, count);
}
