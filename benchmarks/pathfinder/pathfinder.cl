/* Up to `steps` rows of the cheapest paths down a grid: the cheapest path to a cell comes from the cheapest of the
 * three cells above it. A work-group takes TILE columns; `steps` of them on either side overlap those of its
 * neighbours. Each row makes the outermost costs unknown; after the last row the inner ones are written.
 * The barrier after the last row's copy is left out. */
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
pathfinder(__global const int *wall, __global const int *above, __global int *result, const int columns,
           const int first_row, const int steps) {
    __local int cost[TILE];
    __local int next[TILE];
    const int x = get_local_id(0);
    const int first = (int)get_group_id(0) * (TILE - 2 * steps) - steps;
    const int column = first + x;
    /* Places of the grid's first and last column in the tile, or the tile's own. */
    const int least = first < 0 ? -first : 0;
    const int most = first + TILE > columns ? columns - 1 - first : TILE - 1;
    const bool valid = x >= least && x <= most;
    const int west = max(x - 1, least), east = min(x + 1, most);
    bool computed = false;

    if (valid) cost[x] = above[column];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int step = 0; step < steps; step++) {
        computed = false;
        if (valid && x >= step + 1 && x <= TILE - 2 - step) {
            computed = true;
            next[x] = min(min(cost[west], cost[x]), cost[east]) + wall[(first_row + step) * columns + column];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (step == steps - 1) break;
        if (computed) cost[x] = next[x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (computed) result[column] = next[x];
}
