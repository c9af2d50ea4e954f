/* A step of Floyd and Warshall's algorithm: paths that may now also lead through node `over`. Row and column `over` do
 * not change in this step. */
__kernel void floyd_warshall(__global uint *distance, const uint nodes, const uint over) {
    const uint to = get_global_id(0), from = get_global_id(1);

    if (to < nodes && from < nodes) {
        const uint longer = distance[from * nodes + over] + distance[over * nodes + to];
        if (longer < distance[from * nodes + to]) distance[from * nodes + to] = longer;
    }
}
