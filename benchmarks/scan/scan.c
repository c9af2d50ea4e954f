/* scan: prefix sums of random numbers on an OpenCL device: first in each work-group, then of the groups' sums
 * in the same way; then these are added. Each must equal C's. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 256 };

struct device {
    struct host host;
    cl_kernel scan, add;
    cl_ulong time_ns;
};

/* Computes prefix sums of `count` numbers in a buffer. The sums of its groups are in a buffer of their
 * own. */
static void scan_buffer(struct device *d, cl_mem value, cl_uint count) {
    const size_t groups = ((size_t)count + GROUP - 1) / GROUP, local = GROUP, global = groups * GROUP;
    cl_mem sum = host_buffer(&d->host, groups * sizeof(cl_uint), NULL);
    HOST_ARGUMENT(d->scan, 0, value);
    HOST_ARGUMENT(d->scan, 1, sum);
    HOST_ARGUMENT(d->scan, 2, count);
    d->time_ns += host_launch(&d->host, d->scan, 1, &global, &local);
    if (groups > 1) {
        scan_buffer(d, sum, (cl_uint)groups);
        HOST_ARGUMENT(d->add, 0, value);
        HOST_ARGUMENT(d->add, 1, sum);
        HOST_ARGUMENT(d->add, 2, count);
        d->time_ns += host_launch(&d->host, d->add, 1, &global, &local);
    }
    HOST_CHECK(clReleaseMemObject(sum));
}

static cl_ulong scan_on_device(const char *source, cl_uint *value, cl_uint count) {
    struct device d = {.time_ns = 0};
    char options[32];
    snprintf(options, sizeof options, "-D GROUP=%d", GROUP);
    host_open(&d.host);
    cl_program program = host_build(&d.host, source, options);
    d.scan = HOST_CREATE(clCreateKernel, program, "scan");
    d.add = HOST_CREATE(clCreateKernel, program, "add");
    cl_mem buffer = host_buffer(&d.host, count * sizeof *value, value);
    scan_buffer(&d, buffer, count);
    host_read(&d.host, buffer, value, count * sizeof *value);
    HOST_CHECK(clReleaseMemObject(buffer));
    HOST_CHECK(clReleaseKernel(d.scan));
    HOST_CHECK(clReleaseKernel(d.add));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&d.host);
    return d.time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"count", "numbers", 0, 1 << 24}};
    host_inputs inputs[] = {{1 << 14, 1 << 17, 1 << 20}};
    unsigned seed = 1;
    const struct host_command command = {.name = "scan",
                                         .summary =
                                             "Makes prefix sums on the first OpenCL device and checks all.",
                                         .sizes = sizes,
                                         .size_count = 1,
                                         .inputs = inputs,
                                         .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const size_t count = sizes[0].value;
    cl_uint *found = host_allocate(count * sizeof *found),
            *expected = host_allocate(count * sizeof *expected), sum = 0;
    for (size_t i = 0; i < count; i++) {
        found[i] = host_random(&seed);
        expected[i] = sum += found[i];
    }
    const cl_ulong time_ns = scan_on_device(source, found, (cl_uint)count);
    const unsigned wrong = host_count_wrong("scan", found, expected, sizeof *found, count);
    printf("scan: %zu numbers, the last sum 0x%x, kernel time %llu ns\n", count, found[count - 1],
           (unsigned long long)time_ns);
    free(found);
    free(expected);
    free(source);
    return host_verdict("scan", wrong == 0, "%u of %zu sums differ from C", wrong, count);
}
