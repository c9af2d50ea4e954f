/* reduction_uint4: the dual-mode paper's Reduction: the sum of random unsigned integers, four in a vector, on
 * an OpenCL device. The host adds the four elements of the last vector. The sums of all launches must equal
 * C's. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 128, LANES = 4, SHARE = 2 * GROUP /* vectors of a work-group */ };

/* Returns the sums of a launch over `count` vectors. Each work-group adds `share` vectors. The caller frees
 * the sums. */
static cl_uint *sum_in_c(const cl_uint *input, size_t count, size_t share, size_t groups) {
    cl_uint *sums = host_allocate(groups * LANES * sizeof *sums);
    for (size_t i = 0; i < count * LANES; i++) sums[i / (share * LANES) * LANES + i % LANES] += input[i];
    return sums;
}

/* The result of a launch, and whether it is right. */
struct launch {
    cl_uint *sums; /* [groups][LANES] */
    unsigned wrong;
    cl_ulong time_ns;
};

/* Adds `count` vectors of values, whose copy on the device is `from`. */
static struct launch launch(const struct host *host, cl_kernel kernel, const cl_uint *values, size_t count,
                            size_t share, cl_mem from, cl_mem to) {
    const size_t groups = (count + share - 1) / share, local = GROUP, global = groups * GROUP;
    cl_uint *expected = sum_in_c(values, count, share, groups);
    struct launch l = {.sums = host_allocate(groups * LANES * sizeof(cl_uint))};
    HOST_ARGUMENT(kernel, 0, from);
    HOST_ARGUMENT(kernel, 1, to);
    l.time_ns = host_launch(host, kernel, 1, &global, &local);
    host_read(host, to, l.sums, groups * LANES * sizeof(cl_uint));
    l.wrong = host_count_wrong("reduction_uint4", l.sums, expected, sizeof(cl_uint), groups * LANES);
    free(expected);
    return l;
}

/* Runs all launches. share: vectors of a work-group. Returns the last launch's vector, with the wrong sums
 * and the time of all launches. */
static struct launch sum_on_device(const char *source, size_t share, const cl_uint *values, size_t count) {
    char options[32];
    snprintf(options, sizeof options, "-D GROUP=%d", GROUP);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel reduce = HOST_CREATE(clCreateKernel, program, "reduce"),
              combine = HOST_CREATE(clCreateKernel, program, "combine");
    const size_t vector = LANES * sizeof(cl_uint);
    cl_mem from = host_buffer(&host, count * vector, values),
           to = host_buffer(&host, (count + share - 1) / share * vector, NULL);
    cl_uint rest = (cl_uint)count;
    HOST_ARGUMENT(combine, 2, rest);
    struct launch all = launch(&host, count % share ? combine : reduce, values, count, share, from, to);
    for (count = (count + share - 1) / share; count > 1; count = (count + share - 1) / share) {
        cl_mem swap = from;
        from = to;
        to = swap;
        rest = (cl_uint)count;
        HOST_ARGUMENT(combine, 2, rest);
        const struct launch l = launch(&host, combine, all.sums, count, share, from, to);
        free(all.sums);
        all = (struct launch){l.sums, all.wrong + l.wrong, all.time_ns + l.time_ns};
    }
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    HOST_CHECK(clReleaseKernel(reduce));
    HOST_CHECK(clReleaseKernel(combine));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return all;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"elements", "integers to add, a multiple of 1024", 0, 1 << 26}};
    host_inputs inputs[] = {{1 << 17, 1 << 21, 21201920}};
    struct host_choice vectors = HOST_VECTORS;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "reduction_uint4",
        .summary = "Adds unsigned integers on the first OpenCL device and checks the sums.",
        .sizes = sizes,
        .size_count = 1,
        .inputs = inputs,
        .choices = &vectors,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const size_t elements = sizes[0].value;
    if (elements % (SHARE * LANES))
        HOST_FAIL("--elements %zu is no multiple of %d, the elements of a work-group", elements,
                  SHARE * LANES);
    cl_uint *values = host_allocate(elements * sizeof *values), expected = 0, found = 0;
    for (size_t i = 0; i < elements; i++) expected += values[i] = host_random(&seed);
    const struct launch last =
        sum_on_device(source, vectors.value ? 4 * SHARE : SHARE, values, elements / LANES);
    for (unsigned lane = 0; lane < LANES; lane++) found += last.sums[lane];
    printf("reduction_uint4: %zu elements, kernel time %llu ns\n", elements,
           (unsigned long long)last.time_ns);
    free(values);
    free(last.sums);
    free(source);
    return host_verdict("reduction_uint4", last.wrong == 0 && found == expected,
                        "sum %u, in C %u; %u partial sums differ", found, expected, last.wrong);
}
