/* bfs: the distance in edges of each node of a random graph from node 0, by breadth-first search on an OpenCL
 * device. Each launch is one step, until a step reaches no new node. Every distance must equal C's. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 128 };

struct graph {
    int nodes, edges;
    int *first, *edge; /* the edges of node n are edge[first[n]] to edge[first[n + 1] - 1] */
};

/* Makes a random graph. Most nodes have 1 to 2 * degree - 1 edges, one in sixteen has four times as many. */
static struct graph graph_new(int nodes, int degree, unsigned seed) {
    struct graph g = {.nodes = nodes, .first = host_allocate(((size_t)nodes + 1) * sizeof(int))};
    for (int n = 0; n < nodes; n++) {
        const int own = 1 + (int)(host_random(&seed) % (unsigned)(2 * degree - 1));
        g.first[n + 1] = g.first[n] + own * (host_random(&seed) % 16 ? 1 : 4);
    }
    g.edges = g.first[nodes];
    g.edge = host_allocate((size_t)g.edges * sizeof(int));
    for (int e = 0; e < g.edges; e++) g.edge[e] = (int)(host_random(&seed) % (unsigned)nodes);
    return g;
}

static void start(const struct graph *g, int *distance) {
    for (int n = 0; n < g->nodes; n++) distance[n] = n == 0 ? 0 : -1;
}

/* Searches with a queue. Returns the largest distance. */
static int search_in_c(const struct graph *g, int *distance) {
    int *queue = host_allocate((size_t)g->nodes * sizeof *queue), head = 0, tail = 1, last = 0;
    start(g, distance);
    while (head < tail) {
        last = queue[head++];
        for (int e = g->first[last]; e < g->first[last + 1]; e++) {
            if (distance[g->edge[e]] >= 0) continue;
            distance[g->edge[e]] = distance[last] + 1;
            queue[tail++] = g->edge[e];
        }
    }
    free(queue);
    return distance[last];
}

static cl_ulong search_on_device(const char *source, const struct graph *g, int *distance) {
    const size_t node_bytes = (size_t)g->nodes * sizeof(int), local = GROUP,
                 global = ((size_t)g->nodes + GROUP - 1) / GROUP * GROUP;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "bfs");
    start(g, distance);
    int none = 0, more = 1;
    cl_mem first = host_buffer(&host, node_bytes + sizeof(int), g->first),
           edge = host_buffer(&host, (size_t)g->edges * sizeof(int), g->edge),
           distances = host_buffer(&host, node_bytes, distance),
           reached = host_buffer(&host, sizeof more, NULL);
    HOST_ARGUMENT(kernel, 0, first);
    HOST_ARGUMENT(kernel, 1, edge);
    HOST_ARGUMENT(kernel, 2, distances);
    HOST_ARGUMENT(kernel, 3, reached);
    HOST_ARGUMENT(kernel, 4, g->nodes);
    cl_ulong time_ns = 0;
    for (int step = 0; more; step++) {
        host_write(&host, reached, &none, sizeof none);
        HOST_ARGUMENT(kernel, 5, step);
        time_ns += host_launch(&host, kernel, 1, &global, &local);
        host_read(&host, reached, &more, sizeof more);
    }
    host_read(&host, distances, distance, node_bytes);
    HOST_CHECK(clReleaseMemObject(first));
    HOST_CHECK(clReleaseMemObject(edge));
    HOST_CHECK(clReleaseMemObject(distances));
    HOST_CHECK(clReleaseMemObject(reached));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"nodes", "nodes of the graph", 4096, 1 << 22},
                                {"degree", "edges of a node, on average, without the large ones", 4, 64}};
    host_inputs inputs[] = {{4096, 32768, 262144}, {4, 4, 4}};
    unsigned seed = 1;
    char *source = host_parse_inputs(
        argc, argv, "bfs", "Searches a random graph on the first OpenCL device and checks distances.", sizes,
        2, inputs, &seed);
    struct graph g = graph_new((int)sizes[0].value, (int)sizes[1].value, seed);
    int *found = host_allocate((size_t)g.nodes * sizeof *found),
        *expected = host_allocate((size_t)g.nodes * sizeof *expected);
    const cl_ulong time_ns = search_on_device(source, &g, found);
    const int farthest = search_in_c(&g, expected), nodes = g.nodes;
    const unsigned wrong = host_count_wrong("bfs", found, expected, sizeof *found, (size_t)nodes);
    printf("bfs: %d nodes, %d edges, the farthest %d away, kernel time %llu ns\n", nodes, g.edges, farthest,
           (unsigned long long)time_ns);
    free(g.first);
    free(g.edge);
    free(found);
    free(expected);
    free(source);
    return host_verdict("bfs", wrong == 0, "%u of %d distances differ from C", wrong, nodes);
}
