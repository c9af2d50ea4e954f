/* One step of a breadth-first search: the nodes that were reached in the step before reach their neighbours. A node's
 * edges are edge[first[node]] to edge[first[node + 1] - 1]. Several nodes may reach one at a time: all write the same. */
__kernel void bfs(__global const int *first, __global const int *edge, __global int *distance,
                  __global int *reached, const int nodes, const int step) {
    const int node = get_global_id(0);
    if (node < nodes && distance[node] == step) {
        const int end = first[node + 1];
        for (int e = first[node]; e < end; e++) {
            const int other = edge[e];
            if (distance[other] < 0) {
                distance[other] = step + 1;
                *reached = 1;
            }
        }
    }
}
