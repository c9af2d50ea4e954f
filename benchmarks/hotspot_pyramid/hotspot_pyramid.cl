/* Up to `steps` time steps of the temperature of a chip. A work-group takes TILE x TILE cells; `steps` of them on
 * every side overlap those of its neighbours. Each step makes the outermost temperatures unknown; after the last
 * step the inner ones are written. A cell at the grid's edge takes itself as the missing neighbour. The barrier
 * after the last step's copy is left out. No multiply-add may be fused, so that every device gives the same
 * bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
hotspot_pyramid(__global const float *temperature, __global const float *power, __global float *result,
                const int columns, const int rows, const int steps, const float step_over_capacity,
                const float conductance_x, const float conductance_y, const float conductance_z) {
    __local float tile[TILE][TILE];
    __local float heat[TILE][TILE];
    __local float next[TILE][TILE];
    const float ambient = 80.0f;
    const int x = get_local_id(0), y = get_local_id(1);
    const int first_column = (int)get_group_id(0) * (TILE - 2 * steps) - steps;
    const int first_row = (int)get_group_id(1) * (TILE - 2 * steps) - steps;
    const int column = first_column + x, row = first_row + y, cell = row * columns + column;
    const bool on_grid = column >= 0 && column < columns && row >= 0 && row < rows;

    if (on_grid) {
        tile[y][x] = temperature[cell];
        heat[y][x] = power[cell];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    /* Places of the grid's first and last column and row in the tile, or the tile's own. */
    const int least_x = first_column < 0 ? -first_column : 0;
    const int most_x = first_column + TILE > columns ? columns - 1 - first_column : TILE - 1;
    const int least_y = first_row < 0 ? -first_row : 0;
    const int most_y = first_row + TILE > rows ? rows - 1 - first_row : TILE - 1;
    const int west = max(x - 1, least_x), east = min(x + 1, most_x);
    const int north = max(y - 1, least_y), south = min(y + 1, most_y);
    bool computed = false;

    for (int step = 0; step < steps; step++) {
        computed = false;
        if (x >= step + 1 && x <= TILE - 2 - step && y >= step + 1 && y <= TILE - 2 - step && x >= least_x &&
            x <= most_x && y >= least_y && y <= most_y) {
            const float own = tile[y][x], twice = 2.0f * own;
            computed = true;
            next[y][x] = own + step_over_capacity * (heat[y][x] +
                                                     (tile[south][x] + tile[north][x] - twice) * conductance_y +
                                                     (tile[y][east] + tile[y][west] - twice) * conductance_x +
                                                     (ambient - own) * conductance_z);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (step == steps - 1) break;
        if (computed) tile[y][x] = next[y][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (computed) result[cell] = next[y][x];
}
