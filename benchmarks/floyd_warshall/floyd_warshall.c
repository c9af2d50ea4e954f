/* floyd_warshall: the shortest paths between all nodes of a random graph on an OpenCL device. Each launch
 * allows paths through one more node. Each distance must equal that of Dijkstra's algorithm in C. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16, NONE = 1 << 30 };

/* Makes a random graph. Each node has edges of length 1 to 1000 to a quarter of the others. */
static cl_uint *graph_new(size_t nodes, unsigned seed) {
    cl_uint *distance = host_allocate(nodes * nodes * sizeof *distance);
    for (size_t i = 0; i < nodes * nodes; i++)
        distance[i] = i % (nodes + 1) == 0          ? 0
                      : host_random(&seed) % 4 == 0 ? 1 + host_random(&seed) % 1000
                                                    : NONE;
    return distance;
}

/* Computes the distances from one node to all others by Dijkstra's algorithm. */
static void search_in_c(const cl_uint *edge, size_t nodes, size_t from, cl_uint *distance) {
    bool *done = host_allocate(nodes * sizeof *done);
    for (size_t n = 0; n < nodes; n++) distance[n] = n == from ? 0 : NONE;
    for (size_t turn = 0; turn < nodes; turn++) {
        size_t near = nodes;
        for (size_t n = 0; n < nodes; n++)
            if (!done[n] && (near == nodes || distance[n] < distance[near])) near = n;
        done[near] = true;
        for (size_t n = 0; n < nodes; n++)
            if (distance[near] + edge[near * nodes + n] < distance[n])
                distance[n] = distance[near] + edge[near * nodes + n];
    }
    free(done);
}

static cl_ulong search_on_device(const char *source, cl_uint *distance, cl_uint nodes) {
    const size_t bytes = (size_t)nodes * nodes * sizeof *distance, local[2] = {TILE, TILE},
                 all = ((size_t)nodes + TILE - 1) / TILE * TILE, global[2] = {all, all};
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "floyd_warshall");
    cl_mem buffer = host_buffer(&host, bytes, distance);
    HOST_ARGUMENT(kernel, 0, buffer);
    HOST_ARGUMENT(kernel, 1, nodes);
    cl_ulong time_ns = 0;
    for (cl_uint over = 0; over < nodes; over++) {
        HOST_ARGUMENT(kernel, 2, over);
        time_ns += host_launch(&host, kernel, 2, global, local);
    }
    host_read(&host, buffer, distance, bytes);
    HOST_CHECK(clReleaseMemObject(buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"nodes", "nodes of the graph", 0, 1024}};
    host_inputs inputs[] = {{32, 96, 256}};
    unsigned seed = 1;
    const struct host_command command = {
        .name = "floyd_warshall",
        .summary = "Finds the shortest paths of a graph on the first OpenCL device and checks each.",
        .sizes = sizes,
        .size_count = 1,
        .inputs = inputs,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const size_t nodes = sizes[0].value, paths = nodes * nodes;
    cl_uint *found = graph_new(nodes, seed), *expected = host_allocate(paths * sizeof *expected);
    for (size_t from = 0; from < nodes; from++) search_in_c(found, nodes, from, expected + from * nodes);
    const cl_ulong time_ns = search_on_device(source, found, (cl_uint)nodes);
    const unsigned wrong = host_count_wrong("floyd_warshall", found, expected, sizeof *found, paths);
    printf("floyd_warshall: %zu nodes, distances %016llx, kernel time %llu ns\n", nodes,
           host_hash(found, paths * sizeof *found), (unsigned long long)time_ns);
    free(found);
    free(expected);
    free(source);
    return host_verdict("floyd_warshall", wrong == 0, "%u of %zu distances differ from C", wrong, paths);
}
