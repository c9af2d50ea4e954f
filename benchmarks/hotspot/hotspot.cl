/* One launch: up to `steps` time steps of the temperature of a chip, each work-group on a tile of its own.
 *
 * A tile is a work-group wide and overlaps its neighbours by a halo of `halo` cells on every side; each step's
 * results are right one cell further in, so after `steps` <= halo steps the inner (TILE - 2 * halo)^2 cells are
 * right, and only those are written. Tiles stick out over the grid's edges by the halo; a cell at the edge takes
 * itself as the missing neighbour (no heat leaves sideways). No multiply-add may be fused, so that every device
 * gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void hotspot(__global const float *temperature, __global const float *power, __global float *result,
                      const int columns, const int rows, const int halo, const int steps,
                      const float step_over_capacity, const float conductance_x, const float conductance_y,
                      const float conductance_z, const float ambient) {
    __local float tile[TILE][TILE];
    __local float next[TILE][TILE];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int column = (int)get_group_id(0) * (TILE - 2 * halo) + x - halo;
    const int row = (int)get_group_id(1) * (TILE - 2 * halo) + y - halo;
    const bool on_grid = column >= 0 && column < columns && row >= 0 && row < rows;
    const int cell = row * columns + column;

    float heat = 0.0f;
    if (on_grid) {
        tile[y][x] = temperature[cell];
        heat = power[cell];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const int west = column > 0 ? x - 1 : x;
    const int east = column < columns - 1 ? x + 1 : x;
    const int north = row > 0 ? y - 1 : y;
    const int south = row < rows - 1 ? y + 1 : y;

    for (int step = 1; step <= steps; step++) {
        const bool known = x >= step && x < TILE - step && y >= step && y < TILE - step;
        if (on_grid && known) {
            const float own = tile[y][x];
            const float twice = 2.0f * own;
            const float flow_y = (tile[south][x] + tile[north][x] - twice) * conductance_y;
            const float flow_x = (tile[y][east] + tile[y][west] - twice) * conductance_x;
            const float flow_z = (ambient - own) * conductance_z;
            next[y][x] = own + step_over_capacity * (heat + flow_y + flow_x + flow_z);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (on_grid && known) tile[y][x] = next[y][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const bool inner = x >= halo && x < TILE - halo && y >= halo && y < TILE - halo;
    if (on_grid && inner) result[cell] = tile[y][x];
}
