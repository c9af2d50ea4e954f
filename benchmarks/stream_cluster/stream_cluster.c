/* stream_cluster: the costs that each of some candidates would save as a new centre of clusters, on an OpenCL
 * device, after Rodinia's streamcluster. Every gain must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 256, DIMENSIONS = 16 };

struct points {
    size_t count;
    float *coordinates, *weights, *costs; /* coordinates: [dimension][point] */
};

static struct points points_new(size_t count, unsigned *seed) {
    struct points p = {count, host_allocate(DIMENSIONS * count * sizeof(float)),
                       host_allocate(count * sizeof(float)), host_allocate(count * sizeof(float))};
    for (size_t i = 0; i < DIMENSIONS * count; i++) p.coordinates[i] = (float)host_random(seed) / 16777216.0f;
    for (size_t i = 0; i < count; i++) {
        p.weights[i] = (float)(1 + host_random(seed) % 4);
        p.costs[i] = (float)host_random(seed) / 16777216.0f * 8.0f;
    }
    return p;
}

static void points_free(struct points *p) {
    free(p->coordinates);
    free(p->weights);
    free(p->costs);
}

static void gain_in_c(const struct points *p, size_t candidate, float *gains) {
    for (size_t i = 0; i < p->count; i++) {
        float distance = 0;
        for (size_t d = 0; d < DIMENSIONS; d++) {
            const float apart = p->coordinates[d * p->count + i] - p->coordinates[d * p->count + candidate];
            distance += apart * apart;
        }
        const float cost = distance * p->weights[i];
        gains[i] = cost < p->costs[i] ? p->costs[i] - cost : 0.0f;
    }
}

static cl_ulong gain_on_device(const char *source, const struct points *p, unsigned candidates,
                               float *found) {
    const size_t bytes = p->count * sizeof *found, local = GROUP,
                 global = (p->count + GROUP - 1) / GROUP * GROUP;
    const cl_uint count = (cl_uint)p->count;
    char options[48];
    snprintf(options, sizeof options, "-D DIMENSIONS=%d", DIMENSIONS);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "stream_cluster");
    cl_mem buffers[4] = {host_buffer(&host, DIMENSIONS * bytes, p->coordinates),
                         host_buffer(&host, bytes, p->weights), host_buffer(&host, bytes, p->costs),
                         host_buffer(&host, bytes, NULL)};
    cl_ulong time_ns = 0;
    for (cl_uint n = 0; n < 4; n++) HOST_ARGUMENT(kernel, n, buffers[n]);
    HOST_ARGUMENT(kernel, 4, count);
    for (cl_uint c = 0; c < candidates; c++) {
        const cl_uint candidate = c * 7919u % count;
        HOST_ARGUMENT(kernel, 5, candidate);
        time_ns += host_launch(&host, kernel, 1, &global, &local);
        host_read(&host, buffers[3], found + c * p->count, bytes);
    }
    for (cl_uint n = 0; n < 4; n++) HOST_CHECK(clReleaseMemObject(buffers[n]));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"points", "points of the stream", 2048, 1 << 20},
                                {"candidates", "candidates, one after the other", 2, 1000}};
    host_inputs inputs[] = {{2048, 16384, 65536}, {2, 2, 4}};
    unsigned seed = 1;
    char *source =
        host_parse_inputs(argc, argv, "stream_cluster",
                          "Weighs new centres of clusters on the first OpenCL device and checks every "
                          "gain.",
                          sizes, 2, inputs, &seed);
    const unsigned candidates = sizes[1].value;
    struct points p = points_new(sizes[0].value, &seed);
    const size_t all = candidates * p.count;
    float *found = host_allocate(all * sizeof *found), *wanted = host_allocate(all * sizeof *wanted);
    const cl_ulong time_ns = gain_on_device(source, &p, candidates, found);
    for (unsigned c = 0; c < candidates; c++) gain_in_c(&p, c * 7919u % p.count, wanted + c * p.count);
    const unsigned wrong = host_count_wrong("stream_cluster", found, wanted, sizeof *found, all);
    printf("stream_cluster: %zu points, kernel time %llu ns\n", p.count, (unsigned long long)time_ns);
    points_free(&p);
    free(found);
    free(wanted);
    free(source);
    return host_verdict("stream_cluster", wrong == 0, "%u of %zu gains differ from C", wrong, all);
}
