/* reduction: sums a file of floats on an OpenCL device. Each launch computes one sum for each work-group, and
 * the next launch adds these sums, until one is left.
 *
 * The result must equal, bit for bit, a plain C sum that adds in the same order. It must lie within levels *
 * 2^-24 * (sum of magnitudes) of the sum in double, the error bound of a tree of float additions. */
#include "benchmarks/host.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_SIZE = 256, GROUP_LIMIT = 1024, GENERATED_COUNT = 1 << 16, COUNT_LIMIT = 1 << 26 };

struct options {
    const char *kernel_path; /* NULL: the default path */
    const char *input_path;  /* NULL: the generated file next to the program */
    const char *generate_path;
    unsigned group_size;
    unsigned count;  /* number of generated values; 0: those of a file */
    unsigned groups; /* largest number of work-groups of a launch; 0: one work-item for each value */
};

struct device_sum {
    float value;
    unsigned launches;
    cl_ulong time_ns;
};

static void print_usage(FILE *file) {
    fprintf(
        file,
        "Usage: reduction [--kernel FILE.cl] [--group-size N] [--groups N] [--count N | FILE]\n"
        "       reduction --generate FILE\n"
        "Sums the floats of FILE (32-bit, little-endian, nothing else in it) on the first OpenCL device and\n"
        "checks the sum. FILE defaults to data/reduction.bin beside the program.\n"
        "\n"
        "  --kernel FILE.cl  kernel source; default benchmarks/reduction/reduction.cl, in the current\n"
        "                    directory or where the program was built\n"
        "  --group-size N    work-items of a work-group, a power of two from 2 to %d (default: %d)\n"
        "  --groups N        at most N work-groups a launch: a work-item first sums several values\n"
        "  --count N         sum N generated floats\n"
        "  --generate FILE   write %d floats to FILE, always the same ones, and end\n"
        "  --help            print this and end\n"
        "Exit status: 0 the sum is right, 1 it is not or something failed.\n",
        GROUP_LIMIT, GROUP_SIZE, GENERATED_COUNT);
}

static unsigned read_group_size(const char *text) {
    char *end;
    const unsigned long size = strtoul(text, &end, 10);
    if (*end || end == text || size < 2 || size > GROUP_LIMIT || (size & (size - 1)))
        HOST_FAIL("--group-size: %s is no power of two from 2 to %d", text, GROUP_LIMIT);
    return (unsigned)size;
}

static unsigned read_count(const char *option, const char *text) {
    char *end;
    const unsigned long count = strtoul(text, &end, 10);
    if (*end || end == text || count < 1 || count > COUNT_LIMIT)
        HOST_FAIL("%s: %s is no number from 1 to %d", option, text, COUNT_LIMIT);
    return (unsigned)count;
}

static struct options parse_options(int argc, char **argv) {
    static const struct option LONG_OPTIONS[] = {{"kernel", required_argument, NULL, 'k'},
                                                 {"group-size", required_argument, NULL, 's'},
                                                 {"groups", required_argument, NULL, 'n'},
                                                 {"count", required_argument, NULL, 'c'},
                                                 {"generate", required_argument, NULL, 'g'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    struct options options = {.group_size = GROUP_SIZE};
    int option;
    while ((option = getopt_long(argc, argv, "", LONG_OPTIONS, NULL)) != -1) {
        switch (option) {
        case 'k': options.kernel_path = optarg; break;
        case 's': options.group_size = read_group_size(optarg); break;
        case 'n': options.groups = read_count("--groups", optarg); break;
        case 'c': options.count = read_count("--count", optarg); break;
        case 'g': options.generate_path = optarg; break;
        case 'h': print_usage(stdout); exit(0);
        default: print_usage(stderr); exit(1);
        }
    }
    if (optind < argc) options.input_path = argv[optind++];
    if (optind < argc || (options.generate_path || options.count) + (options.input_path != NULL) > 1) {
        print_usage(stderr);
        exit(1);
    }
    return options;
}

/* Makes readings between -100 and 100 in steps of 2^-9, with both signs, so that the order of additions
 * affects the sum. */
static float *generated(unsigned count) {
    float *values = host_allocate(count * sizeof *values);
    unsigned random = 1;
    for (unsigned i = 0; i < count; i++)
        values[i] = ((float)host_random(&random) / 16777216.0f - 0.5f) * 200.0f;
    return values;
}

static void generate(const char *path) {
    float *values = generated(GENERATED_COUNT);
    host_write_file(path, values, GENERATED_COUNT * sizeof *values);
    free(values);
}

static float *read_floats(const char *path, unsigned *count) {
    size_t size_bytes;
    char *data = host_read_file(path, &size_bytes);
    if (size_bytes == 0 || size_bytes % sizeof(float) != 0 || size_bytes / sizeof(float) > COUNT_LIMIT)
        HOST_FAIL("%s: %zu bytes are not 1 to %d floats of 4 bytes", path, size_bytes, COUNT_LIMIT);
    *count = (unsigned)(size_bytes / sizeof(float));
    float *values = host_allocate(size_bytes);
    memcpy(values, data, size_bytes);
    free(data);
    return values;
}

/* Returns the work-groups of a launch over `count` values. */
static unsigned group_count(unsigned count, const struct options *o) {
    const unsigned groups = (count + o->group_size - 1) / o->group_size;
    return o->groups && groups > o->groups ? o->groups : groups;
}

static struct device_sum sum_on_device(const struct host *host, cl_kernel kernel, const float *values,
                                       unsigned count, const struct options *o) {
    struct device_sum sum = {0.0f, 0, 0};
    cl_mem from = host_buffer(host, count * sizeof *values, values);
    cl_mem to = host_buffer(host, group_count(count, o) * sizeof *values, NULL);
    do {
        size_t local = o->group_size;
        size_t global = group_count(count, o) * local;
        HOST_ARGUMENT(kernel, 0, from);
        HOST_ARGUMENT(kernel, 1, count);
        HOST_ARGUMENT(kernel, 2, to);
        HOST_CHECK(clSetKernelArg(kernel, 3, local * sizeof(float), NULL));
        sum.time_ns += host_launch(host, kernel, 1, &global, &local);
        sum.launches++;
        count = group_count(count, o);
        cl_mem swap = from;
        from = to;
        to = swap;
    } while (count > 1);
    host_read(host, from, &sum.value, sizeof sum.value);
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    return sum;
}

/* Returns the sum of a work-group as the kernel computes it in a launch over `count` values. Work-items
 * without a value contribute 0. */
static float sum_group(const float *values, unsigned count, unsigned group, const struct options *o) {
    const unsigned size = o->group_size, stride = group_count(count, o) * size;
    float tile[GROUP_LIMIT] = {0.0f};
    for (unsigned i = 0; i < size; i++) {
        const unsigned first = group * size + i;
        if (first < count) tile[i] = values[first];
        for (unsigned k = first + stride; o->groups && k < count; k += stride) tile[i] += values[k];
    }
    for (unsigned half = size / 2; half > 0; half /= 2)
        for (unsigned i = 0; i < half; i++) tile[i] += tile[i + half];
    return tile[0];
}

/* Overwrites values. */
static float sum_in_same_order(float *values, unsigned count, const struct options *o) {
    do {
        const unsigned groups = group_count(count, o);
        float *sums = host_allocate(groups * sizeof *sums);
        for (unsigned group = 0; group < groups; group++) sums[group] = sum_group(values, count, group, o);
        memcpy(values, sums, groups * sizeof *sums);
        free(sums);
        count = groups;
    } while (count > 1);
    return values[0];
}

static int check_sum(const struct device_sum *sum, float *values, unsigned count, const struct options *o) {
    double exact = 0.0;
    double magnitude = 0.0;
    for (unsigned i = 0; i < count; i++) {
        exact += values[i];
        magnitude += fabs((double)values[i]);
    }
    const double in_turn =
        o->groups ? ceil((double)count / o->groups / o->group_size) : 0.0; /* additions of one work-item */
    double tolerance = (in_turn + sum->launches * log2(o->group_size)) * ldexp(magnitude, -24);
    float expected = sum_in_same_order(values, count, o);
    bool pass = memcmp(&sum->value, &expected, sizeof expected) == 0 && fabs(sum->value - exact) <= tolerance;
    return host_verdict("reduction", pass, "sum %.9g, same order in C %.9g, in double %.9g +- %.2g",
                        (double)sum->value, (double)expected, exact, tolerance);
}

int main(int argc, char **argv) {
    struct options options = parse_options(argc, argv);
    if (options.generate_path != NULL) {
        generate(options.generate_path);
        return 0;
    }
    unsigned count = options.count;
    char *input_path = options.input_path ? strdup(options.input_path) : host_data_path("reduction.bin");
    float *values = count ? generated(count) : read_floats(input_path, &count);
    char *kernel_path = options.kernel_path ? strdup(options.kernel_path) : host_kernel_path("reduction");
    char *source = host_read_file(kernel_path, NULL);

    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options.groups ? "-D STRIDED" : NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "reduction");
    struct device_sum sum = sum_on_device(&host, kernel, values, count, &options);
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);

    printf("reduction: %u floats, work-groups of %u, %u launches, kernel time %llu ns\n", count,
           options.group_size, sum.launches, (unsigned long long)sum.time_ns);
    int status = check_sum(&sum, values, count, &options);
    free(source);
    free(kernel_path);
    free(values);
    free(input_path);
    return status;
}
