/* math: exp, log, sin, cos, pow and sqrt of floats, each within the error that OpenCL 1.2 (section 7.4)
 * allows, compared with the double functions of the host. Also infinities, zeros and not-a-number as well. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>

enum { COUNT = 256, FUNCTIONS = 6, GROUP_SIZE = 64 };

static const char SOURCE[] = "__kernel void math(__global const float *x, __global const float *y,\n"
                             "                   __global float *output, const int count) {\n"
                             "    int i = get_global_id(0);\n"
                             "    output[0 * count + i] = exp(x[i]);\n"
                             "    output[1 * count + i] = log(x[i]);\n"
                             "    output[2 * count + i] = sin(x[i]);\n"
                             "    output[3 * count + i] = cos(x[i]);\n"
                             "    output[4 * count + i] = pow(x[i], y[i]);\n"
                             "    output[5 * count + i] = sqrt(x[i]);\n"
                             "}\n";

static const struct {
    const char *name;
    double limit_ulp;
} RULES[FUNCTIONS] = {{"exp", 3.0}, {"log", 3.0}, {"sin", 4.0}, {"cos", 4.0}, {"pow", 16.0}, {"sqrt", 3.0}};

static double exact(int function, double x, double y) {
    switch (function) {
    case 0: return exp(x);
    case 1: return log(x);
    case 2: return sin(x);
    case 3: return cos(x);
    case 4: return pow(x, y);
    default: return sqrt(x);
    }
}

/* Returns the error in units of the last place of a float near expected; 0 if both are the same special
 * value. */
static double error_ulp(float found, double expected) {
    float rounded = (float)expected;
    if (isnan(rounded)) return isnan(found) ? 0.0 : INFINITY;
    if (isinf(rounded) || isinf(found)) return found == rounded ? 0.0 : INFINITY;
    double unit = ldexp(1.0, (expected == 0.0 ? -126 : ilogb(expected) < -126 ? -126 : ilogb(expected)) - 23);
    return fabs((double)found - expected) / unit;
}

static void fill(float *x, float *y) {
    static const float SPECIAL[8] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1.0f, -1.0f, 2.0f};
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)(i - 64) * 0.37f + 0.01f;
        y[i] = (float)(i % 17 - 8) * (i % 3 ? 0.5f : 1.0f);
    }
    for (int i = 0; i < 64; i++) {
        x[i] = SPECIAL[i % 8];
        y[i] = SPECIAL[i / 8];
    }
}

static unsigned check(const float *x, const float *y, float found[FUNCTIONS][COUNT]) {
    unsigned wrong = 0;
    for (int function = 0; function < FUNCTIONS; function++) {
        double largest = 0.0;
        for (int i = 0; i < COUNT; i++) {
            double expected = exact(function, (double)x[i], (double)y[i]);
            double error = error_ulp(found[function][i], expected);
            if (error > largest) largest = error;
            if (error <= RULES[function].limit_ulp) continue;
            if (wrong++ < 10)
                fprintf(stderr, "math: %s(%.9g, %.9g) is %.9g, expected %.9g\n", RULES[function].name,
                        (double)x[i], (double)y[i], (double)found[function][i], expected);
        }
        printf("math: %s: largest error %.2f ulp, allowed %.0f\n", RULES[function].name, largest,
               RULES[function].limit_ulp);
    }
    return wrong;
}

int main(void) {
    float x[COUNT];
    float y[COUNT];
    float found[FUNCTIONS][COUNT];
    const cl_int count = COUNT;
    fill(x, y);
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "math");
    cl_mem x_buffer = host_buffer(&host, sizeof x, x);
    cl_mem y_buffer = host_buffer(&host, sizeof y, y);
    cl_mem output = host_buffer(&host, sizeof found, NULL);
    HOST_ARGUMENT(kernel, 0, x_buffer);
    HOST_ARGUMENT(kernel, 1, y_buffer);
    HOST_ARGUMENT(kernel, 2, output);
    HOST_ARGUMENT(kernel, 3, count);
    host_launch(&host, kernel, 1, (size_t[]){COUNT}, (size_t[]){GROUP_SIZE});
    host_read(&host, output, found, sizeof found);
    unsigned wrong = check(x, y, found);
    HOST_CHECK(clReleaseMemObject(x_buffer));
    HOST_CHECK(clReleaseMemObject(y_buffer));
    HOST_CHECK(clReleaseMemObject(output));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("math", wrong == 0, "%u of %d values beyond the allowed error", wrong,
                        FUNCTIONS * COUNT);
}
