/* math_function: a function of the math library, called by each work-item of an OpenCL device in a loop, with
 * consecutive or random arguments. Each value must be within 16 units in the last place of C's. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CALLS_2(name)                                                                                        \
    static double call_##name(double x, double y) {                                                          \
        return name(x, y);                                                                                   \
    }
#define CALLS_1(name)                                                                                        \
    static double call_##name(double x, double y) {                                                          \
        (void)y;                                                                                             \
        return name(x);                                                                                      \
    }
CALLS_1(acos)
CALLS_2(atan2)
CALLS_1(expm1)
CALLS_1(sin)
CALLS_1(erf)
CALLS_1(log)
CALLS_1(exp)
CALLS_2(pow)

static const struct function {
    const char *name, *call;
    double from, to; /* arguments */
    double (*in_c)(double x, double y);
} functions[] = {
    {"acos", "acos(x)", -1, 1, call_acos},    {"atan2", "atan2(x,y)", -4, 4, call_atan2},
    {"expm1", "expm1(x)", -4, 4, call_expm1}, {"sin", "sin(x)", -100, 100, call_sin},
    {"erf", "erf(x)", -4, 4, call_erf},       {"log", "log(x)", 0.01, 100, call_log},
    {"exp", "exp(x)", -50, 50, call_exp},     {"pow", "pow(x,y)", 0.01, 100, call_pow},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, GROUP_SIZE = 256, LIMIT_ULP = 16 };
enum { FUNCTION, BITS, RANDOM, ITEMS, CALLS, SIZES };

/* Returns element i of an array of floats or, with `wide`, of doubles. */
static double get(const void *values, size_t i, bool wide) {
    return wide ? ((const double *)values)[i] : (double)((const float *)values)[i];
}

static void *make_arguments(const struct function *f, size_t count, bool random, bool wide) {
    void *values = host_allocate(count * (wide ? sizeof(double) : sizeof(float)));
    unsigned seed = 1;
    for (size_t i = 0; i < count; i++) {
        const double part = random ? host_random(&seed) / 16777216.0 : ((double)i + 0.5) / (double)count;
        const double x = f->from + (f->to - f->from) * part;
        if (wide)
            ((double *)values)[i] = x;
        else
            ((float *)values)[i] = (float)x;
    }
    return values;
}

static cl_ulong run_on_device(const char *source, const struct function *f, const struct host_size *sizes,
                              const void *x, void *result) {
    const bool wide = sizes[BITS].value == 64;
    const size_t global = sizes[ITEMS].value, bytes = global * sizes[CALLS].value * (wide ? 8 : 4),
                 local = GROUP_SIZE;
    char options[100];
    struct host host;
    snprintf(options, sizeof options, "-DREAL=%s -DCALL(x,y)=%s", wide ? "double" : "float", f->call);
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "math_function");
    cl_mem from = host_buffer(&host, bytes, x), to = host_buffer(&host, bytes, NULL);
    HOST_ARGUMENT(kernel, 0, from);
    HOST_ARGUMENT(kernel, 1, to);
    HOST_ARGUMENT(kernel, 2, sizes[CALLS].value);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, global % local ? NULL : &local);
    host_read(&host, to, result, bytes);
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

static unsigned count_wrong(const struct function *f, const void *x, const void *result, size_t count,
                            bool wide) {
    unsigned wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const double expected = f->in_c(get(x, i, wide), 1.5), found = get(result, i, wide);
        const int least = wide ? -1022 : -126, digits = wide ? 52 : 23;
        const int exponent = expected == 0.0 || ilogb(expected) < least ? least : ilogb(expected);
        if (fabs(found - expected) <= LIMIT_ULP * ldexp(1.0, exponent - digits)) continue;
        if (wrong++ == 0)
            fprintf(stderr, "math_function: %s of %.17g is %.17g, expected %.17g\n", f->name, get(x, i, wide),
                    found, expected);
    }
    return wrong;
}

int main(int argc, char **argv) {
    struct host_size sizes[SIZES] = {
        [FUNCTION] = {"function", "1 acos, 2 atan2, 3 expm1, 4 sin, 5 erf, 6 log, 7 exp, 8 pow", 1,
                      FUNCTIONS},
        [BITS] = {"bits", "32 for float, 64 for double", 32, 64},
        [RANDOM] = {"arguments", "1 consecutive, 2 random", 1, 2},
        [ITEMS] = {"items", "work-items", 4096, 1 << 20},
        [CALLS] = {"calls", "calls by each", 16, 1 << 12}};
    char *source = host_parse_sizes(argc, argv, "math_function",
                                    "Calls a math function on the first OpenCL device and checks its values.",
                                    sizes, SIZES);
    const struct function *f = &functions[sizes[FUNCTION].value - 1];
    const bool wide = sizes[BITS].value == 64;
    if (!wide && sizes[BITS].value != 32) HOST_FAIL("bits: 32 or 64 are possible");
    const size_t count = (size_t)sizes[ITEMS].value * sizes[CALLS].value;
    void *x = make_arguments(f, count, sizes[RANDOM].value == 2, wide);
    void *result = host_allocate(count * (wide ? sizeof(double) : sizeof(float)));
    const cl_ulong time_ns = run_on_device(source, f, sizes, x, result);
    const unsigned wrong = count_wrong(f, x, result, count, wide);
    printf("math_function: %zu values of %s, kernel time %llu ns\n", count, f->name,
           (unsigned long long)time_ns);
    free(x);
    free(result);
    free(source);
    return host_verdict("math_function", wrong == 0, "%u of %zu values are wrong", wrong, count);
}
