/* black_scholes: prices of European options with random prices, strikes and times, on an OpenCL device. Each
 * result must be within a cent of that of C's functions in double. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { INPUTS = 3, BUFFERS = 5 }; /* inputs: price, strike, years; results: call, put */
enum sizes { ITEMS, EACH, GROUP, SIZES };

static const float rate = 0.02f, volatility = 0.3f;

static void fill(float *values, unsigned count, float from, float to, unsigned seed) {
    for (unsigned i = 0; i < count; i++)
        values[i] = from + (to - from) * (float)host_random(&seed) / 16777216.0f;
}

/* Computes prices on the device. wide: options that a work-item prices at once; the number of work-items is
 * smaller by this factor. */
static cl_ulong run_on_device(const char *source, bool sequential, unsigned wide,
                              float *const vector[BUFFERS], const struct host_size sizes[SIZES]) {
    const cl_uint each = sizes[EACH].value;
    const size_t global = sizes[ITEMS].value / wide, group = sizes[GROUP].value / wide,
                 bytes = sizes[ITEMS].value * each * sizeof(float), local = global < group ? global : group;
    cl_mem buffer[BUFFERS];
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, sequential ? "-D SEQUENTIAL" : NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "black_scholes");
    for (unsigned i = 0; i < BUFFERS; i++) {
        buffer[i] = host_buffer(&host, bytes, i < INPUTS ? vector[i] : NULL);
        HOST_ARGUMENT(kernel, i, buffer[i]);
    }
    HOST_ARGUMENT(kernel, BUFFERS, rate);
    HOST_ARGUMENT(kernel, BUFFERS + 1, volatility);
    HOST_ARGUMENT(kernel, BUFFERS + 2, each);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, global % local ? NULL : &local);
    for (unsigned i = INPUTS; i < BUFFERS; i++) host_read(&host, buffer[i], vector[i], bytes);
    for (unsigned i = 0; i < BUFFERS; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
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
    struct host_size sizes[SIZES] = {[ITEMS] = {"items", "work-items", 4096, 1 << 20},
                                     [EACH] = {"each", "options of each", 4, 1 << 8},
                                     [GROUP] = {"group", "work-items of a work-group", 256, 1024}};
    host_inputs inputs[SIZES] = {{1024, 4096, 61440}, {16, 64, 65}, {128, 128, 128}};
    struct host_choice choices[] = {{"order", "options of a work-item", {"strided", "sequential"}, 0},
                                    HOST_VECTORS};
    unsigned seed = 1;
    const struct host_command command = {
        .name = "black_scholes",
        .summary = "Prices options on the first OpenCL device and checks the prices.",
        .sizes = sizes,
        .size_count = SIZES,
        .inputs = inputs,
        .choices = choices,
        .choice_count = 2,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const unsigned count = sizes[ITEMS].value * sizes[EACH].value, wide = choices[1].value ? 4 : 1;
    if (sizes[ITEMS].value % wide || sizes[GROUP].value % wide)
        HOST_FAIL("--items %u and --group %u must be multiples of 4 with --vectors on", sizes[ITEMS].value,
                  sizes[GROUP].value);
    float *vector[BUFFERS];
    for (unsigned i = 0; i < BUFFERS; i++) vector[i] = host_allocate(count * sizeof(float));
    for (unsigned i = 0; i < INPUTS; i++) fill(vector[i], count, ranges[i][0], ranges[i][1], seed + i);
    const cl_ulong time_ns = run_on_device(source, choices[0].value == 1, wide, vector, sizes);
    const unsigned wrong = count_wrong(vector, count);
    printf("black_scholes: %u options, calls %016llx, puts %016llx, kernel time %llu ns\n", count,
           host_hash(vector[INPUTS], count * sizeof(float)),
           host_hash(vector[INPUTS + 1], count * sizeof(float)), (unsigned long long)time_ns);
    for (unsigned i = 0; i < BUFFERS; i++) free(vector[i]);
    free(source);
    return host_verdict("black_scholes", wrong == 0, "%u of %u options are wrong", wrong, count);
}
