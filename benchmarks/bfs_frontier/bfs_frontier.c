/* bfs_frontier: the dual-mode paper's Bfs: the distance in edges of each node of a random graph from node 0.
 * An OpenCL device keeps the frontier, with two launches a level, until a level reaches no new node.
 * Distances and sets must equal C's. The benchmark bfs has one launch a level and no sets. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 256 };
enum buffers { NODES, EDGES, FRONTIER, UPDATING, VISITED, COST, MORE, BUFFERS };

struct graph {
    int count, edges;
    cl_int2 *node; /* first edge and number of edges of each node */
    int *edge;
};

/* Results of a search: the distance of each node, -1 if not reached, and the sets. */
struct search {
    int *cost, levels;
    char *frontier, *updating, *visited;
};

/* Makes a random graph. A node has 1 to 2 * degree - 1 edges to any nodes. */
static struct graph graph_new(int count, int degree, unsigned seed) {
    struct graph g = {.count = count, .node = host_allocate((size_t)count * sizeof(cl_int2))};
    for (int n = 0; n < count; n++) {
        const int own = 1 + (int)(host_random(&seed) % (unsigned)(2 * degree - 1));
        g.node[n] = (cl_int2){.s = {g.edges, own}};
        g.edges += own;
    }
    g.edge = host_allocate((size_t)g.edges * sizeof(int));
    for (int e = 0; e < g.edges; e++) g.edge[e] = (int)(host_random(&seed) % (unsigned)count);
    return g;
}

static struct search search_new(int count) {
    struct search s = {.cost = host_allocate((size_t)count * sizeof(int)),
                       .frontier = host_allocate((size_t)count),
                       .updating = host_allocate((size_t)count),
                       .visited = host_allocate((size_t)count)};
    for (int n = 0; n < count; n++) s.cost[n] = n == 0 ? 0 : -1;
    s.frontier[0] = s.visited[0] = 1;
    return s;
}

static void search_free(struct search *s) {
    free(s->cost);
    free(s->frontier);
    free(s->updating);
    free(s->visited);
}

/* Searches with a queue. At the end, all sets except that of the visited nodes are empty. */
static void search_in_c(const struct graph *g, struct search *s) {
    int *queue = host_allocate((size_t)g->count * sizeof *queue), head = 0, tail = 1;
    while (head < tail) {
        const int node = queue[head++], end = g->node[node].s[0] + g->node[node].s[1];
        s->levels = s->cost[node] + 1;
        for (int e = g->node[node].s[0]; e < end; e++) {
            if (s->visited[g->edge[e]]) continue;
            s->visited[g->edge[e]] = 1;
            s->cost[g->edge[e]] = s->cost[node] + 1;
            queue[tail++] = g->edge[e];
        }
    }
    s->frontier[0] = 0;
    free(queue);
}

static void search_buffers(const struct host *host, const struct graph *g, const struct search *s,
                           cl_mem buffer[BUFFERS]) {
    const size_t count = (size_t)g->count;
    buffer[NODES] = host_buffer(host, count * sizeof *g->node, g->node);
    buffer[EDGES] = host_buffer(host, (size_t)g->edges * sizeof *g->edge, g->edge);
    buffer[FRONTIER] = host_buffer(host, count, s->frontier);
    buffer[UPDATING] = host_buffer(host, count, s->updating);
    buffer[VISITED] = host_buffer(host, count, s->visited);
    buffer[COST] = host_buffer(host, count * sizeof *s->cost, s->cost);
    buffer[MORE] = host_buffer(host, sizeof(cl_int), NULL);
}

/* Searches on the device. openmp: each launch is an OpenMP region. */
static cl_ulong search_on_device(const char *source, bool openmp, const struct graph *g, struct search *s) {
    const size_t count = (size_t)g->count, local = GROUP, global = (count + GROUP - 1) / GROUP * GROUP;
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, NULL);
    cl_kernel expand = HOST_CREATE(clCreateKernel, program, openmp ? "expand_part" : "expand"),
              advance = HOST_CREATE(clCreateKernel, program, openmp ? "advance_part" : "advance");
    cl_mem buffer[BUFFERS];
    search_buffers(&host, g, s, buffer);
    for (cl_uint i = NODES; i <= COST; i++) HOST_ARGUMENT(expand, i, buffer[i]);
    HOST_ARGUMENT(expand, 6, g->count);
    for (cl_uint i = FRONTIER; i <= VISITED; i++) HOST_ARGUMENT(advance, i - FRONTIER, buffer[i]);
    HOST_ARGUMENT(advance, 3, buffer[MORE]);
    HOST_ARGUMENT(advance, 4, g->count);
    cl_ulong time_ns = 0;
    const cl_int none = 0;
    for (cl_int more = 1; more == 1 && s->levels <= g->count; s->levels++) {
        host_write(&host, buffer[MORE], &none, sizeof none);
        time_ns += openmp ? host_region(&host, expand) : host_launch(&host, expand, 1, &global, &local);
        time_ns += openmp ? host_region(&host, advance) : host_launch(&host, advance, 1, &global, &local);
        host_read(&host, buffer[MORE], &more, sizeof more);
    }
    host_read(&host, buffer[FRONTIER], s->frontier, count);
    host_read(&host, buffer[UPDATING], s->updating, count);
    host_read(&host, buffer[VISITED], s->visited, count);
    host_read(&host, buffer[COST], s->cost, count * sizeof *s->cost);
    for (unsigned i = 0; i < BUFFERS; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(expand));
    HOST_CHECK(clReleaseKernel(advance));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"nodes", "nodes of the graph", 0, 1 << 22},
                                {"degree", "edges of a node, on average", 0, 64}};
    host_inputs inputs[] = {{4096, 16384, 65536}, {6, 6, 6}};
    struct host_choice model = HOST_MODEL;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "bfs_frontier",
        .summary = "Searches a random graph on the first OpenCL device and checks distances and sets.",
        .sizes = sizes,
        .size_count = 2,
        .inputs = inputs,
        .choices = &model,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    struct graph g = graph_new((int)sizes[0].value, (int)sizes[1].value, seed);
    struct search found = search_new(g.count), expected = search_new(g.count);
    const size_t count = (size_t)g.count;
    const cl_ulong time_ns = search_on_device(source, model.value, &g, &found);
    search_in_c(&g, &expected);
    const unsigned wrong = host_count_wrong("cost", found.cost, expected.cost, sizeof(int), count) +
                           host_count_wrong("frontier", found.frontier, expected.frontier, 1, count) +
                           host_count_wrong("updating", found.updating, expected.updating, 1, count) +
                           host_count_wrong("visited", found.visited, expected.visited, 1, count) +
                           (found.levels != expected.levels);
    printf("bfs_frontier: %zu nodes, %d edges, %d levels, kernel time %llu ns\n", count, g.edges,
           found.levels, (unsigned long long)time_ns);
    free(g.node);
    free(g.edge);
    search_free(&found);
    search_free(&expected);
    free(source);
    return host_verdict("bfs_frontier", wrong == 0, "%u differences from C in %zu nodes", wrong, count);
}
