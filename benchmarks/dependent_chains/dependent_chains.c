/* dependent_chains: chains of dependent operations on an OpenCL device. There is a launch for each number of
 * warps (1, 2, 4, …) and of active work-items in each (1 to 32). The last launch has work-groups of two and a
 * half warps. Every result must equal C's. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { WARP = 32, UNEVEN = 84, PAIRS_A_STEP = 128 };

static const int active[] = {1, 2, 4, 8, 12, 16, 24, 32};

struct chains {
    struct host host;
    cl_kernel kernel;
    cl_mem start, operand, result;
    unsigned *starts, *operands, *found; /* copies of the buffers on the host */
    int steps;
    cl_ulong time_ns;
    unsigned launches, wrong;
};

static unsigned chain_in_c(unsigned x, unsigned a, int steps) {
    for (int n = 0; n < steps * PAIRS_A_STEP; n++) x = (x + a) ^ a;
    return x;
}

/* Runs `items` work-items in groups, with the first `lanes` of each 32 active, and checks the results. */
static void launch(struct chains *c, size_t items, size_t group, int lanes) {
    HOST_ARGUMENT(c->kernel, 4, lanes);
    c->time_ns += host_launch(&c->host, c->kernel, 1, &items, &group);
    c->launches++;
    host_read(&c->host, c->result, c->found, items * sizeof *c->found);
    unsigned *expected = host_allocate(items * sizeof *expected);
    for (size_t i = 0; i < items; i++)
        expected[i] = (int)(i % group % WARP) < lanes ? chain_in_c(c->starts[i], c->operands[i], c->steps)
                                                      : c->starts[i];
    c->wrong += host_count_wrong("dependent_chains", c->found, expected, sizeof *expected, items);
    free(expected);
}

static void launch_all(struct chains *c, size_t most_warps, size_t groups) {
    for (size_t warps = 1; warps <= most_warps; warps *= 2)
        for (size_t n = 0; n < sizeof active / sizeof *active; n++)
            launch(c, warps * WARP, warps > 1 ? 2 * WARP : WARP, active[n]);
    launch(c, groups * UNEVEN, UNEVEN, WARP);
}

static void compute(struct chains *c, const char *source, size_t most_warps, size_t groups, size_t items) {
    char options[32];
    snprintf(options, sizeof options, "-D WARP=%d", WARP);
    host_open(&c->host);
    cl_program program = host_build(&c->host, source, options);
    c->kernel = HOST_CREATE(clCreateKernel, program, "dependent_chains");
    c->start = host_buffer(&c->host, items * sizeof *c->starts, c->starts);
    c->operand = host_buffer(&c->host, items * sizeof *c->operands, c->operands);
    c->result = host_buffer(&c->host, items * sizeof *c->found, NULL);
    HOST_ARGUMENT(c->kernel, 0, c->start);
    HOST_ARGUMENT(c->kernel, 1, c->operand);
    HOST_ARGUMENT(c->kernel, 2, c->result);
    HOST_ARGUMENT(c->kernel, 3, c->steps);
    launch_all(c, most_warps, groups);
    HOST_CHECK(clReleaseMemObject(c->start));
    HOST_CHECK(clReleaseMemObject(c->operand));
    HOST_CHECK(clReleaseMemObject(c->result));
    HOST_CHECK(clReleaseKernel(c->kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&c->host);
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"warps", "most warps of 32 work-items", 4, 1024},
                                {"groups", "work-groups of 84 work-items in the last launch", 3, 4096},
                                {"steps", "steps of 256 operations", 1, 1024}};
    host_inputs inputs[] = {{4, 16, 32}, {3, 9, 9}, {1, 8, 32}};
    unsigned seed = 1;
    char *source = host_parse_inputs(
        argc, argv, "dependent_chains",
        "Runs chains of dependent operations on the first OpenCL device and checks every result.", sizes, 3,
        inputs, &seed);
    const size_t warps = sizes[0].value, groups = sizes[1].value,
                 items = warps * WARP > groups * UNEVEN ? warps * WARP : groups * UNEVEN;
    struct chains c = {.steps = (int)sizes[2].value,
                       .starts = host_allocate(items * sizeof(unsigned)),
                       .operands = host_allocate(items * sizeof(unsigned)),
                       .found = host_allocate(items * sizeof(unsigned))};
    for (size_t i = 0; i < items; i++) {
        c.starts[i] = host_random(&seed) << 8 ^ host_random(&seed);
        c.operands[i] = host_random(&seed) << 8 ^ host_random(&seed);
    }
    compute(&c, source, warps, groups, items);
    printf("dependent_chains: %u launches of %d steps, kernel time %llu ns\n", c.launches, c.steps,
           (unsigned long long)c.time_ns);
    free(c.starts);
    free(c.operands);
    free(c.found);
    free(source);
    return host_verdict("dependent_chains", c.wrong == 0, "%u results of %u launches differ from C", c.wrong,
                        c.launches);
}
