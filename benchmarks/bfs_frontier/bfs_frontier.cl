/* A level of a breadth-first search in two launches. Sets of nodes are arrays of char: 1 is a member. A node's edges
 * are edge[node.x] to edge[node.x + node.y - 1]. */

/* Nodes of the frontier leave it and reach their neighbours. Several may reach one at a time: all write the same. */
__kernel void expand(__global const int2 *nodes, __global const int *edge, __global char *frontier,
                     __global char *updating, __global const char *visited, __global int *cost, const int count) {
    const int node = get_global_id(0);

    if (node < count && frontier[node]) {
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

/* Nodes that were reached are the next frontier. */
__kernel void advance(__global char *frontier, __global char *updating, __global char *visited, __global int *more,
                      const int count) {
    const int node = get_global_id(0);

    if (node < count && updating[node]) {
        frontier[node] = 1;
        visited[node] = 1;
        *more = 1;
        updating[node] = 0;
    }
}
