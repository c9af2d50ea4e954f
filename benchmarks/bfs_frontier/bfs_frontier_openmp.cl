/* A level of a breadth-first search as an OpenMP program does it; sets and edges as in bfs_frontier.cl. */
/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))

/* #pragma omp parallel for is over the nodes in both. */
__kernel void expand_part(__global const int2 *nodes, __global const int *edge, __global char *frontier,
                          __global char *updating, __global const char *visited, __global int *cost,
                          const int count) {
    const int last = TO(count);

    for (int node = FROM(count); node < last; node++) {
        if (!frontier[node]) continue;
        const int end = nodes[node].x + nodes[node].y;
        frontier[node] = 0;
        for (int e = nodes[node].x; e < end; e++) {
            const int other = edge[e];
            if (!visited[other]) {
                cost[other] = cost[node] + 1;
                updating[other] = 1;
            }
        }
    }
}

__kernel void advance_part(__global char *frontier, __global char *updating, __global char *visited,
                           __global int *more, const int count) {
    const int last = TO(count);

    for (int node = FROM(count); node < last; node++) {
        if (!updating[node]) continue;
        frontier[node] = 1;
        visited[node] = 1;
        *more = 1;
        updating[node] = 0;
    }
}
