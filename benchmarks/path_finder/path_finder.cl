/* One launch: up to `rows` rows of the cheapest paths down a grid. The cheapest path to a cell comes from the cheapest
 * of the three cells above it. A work-group takes a piece of the row with a halo of `halo` cells on either side; each
 * row's results are right one cell further in, so after rows <= halo rows the inner cells are right, and only those are
 * written. */
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
path_finder(__global const int *wall, __global const int *above, __global int *result, const int columns,
            const int first_row, const int rows, const int halo) {
    __local int cost[TILE];
    __local int next[TILE];
    const int x = get_local_id(0);
    const int column = (int)get_group_id(0) * (TILE - 2 * halo) + x - halo;
    const bool on_grid = column >= 0 && column < columns;

    if (on_grid) cost[x] = above[column];
    barrier(CLK_LOCAL_MEM_FENCE);

    const int west = column > 0 ? x - 1 : x;
    const int east = column < columns - 1 ? x + 1 : x;

    for (int row = 1; row <= rows; row++) {
        const bool known = on_grid && x >= row && x < TILE - row;
        if (known) next[x] = wall[(first_row + row - 1) * columns + column] + min(min(cost[west], cost[x]), cost[east]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (known) cost[x] = next[x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (on_grid && x >= halo && x < TILE - halo) result[column] = cost[x];
}
