/* Up to `steps` time steps of the temperature of a chip, as in hotspot_pyramid.cl; four cells of a row a
 * work-item. Of cells outside the grid or too near the tile's edge nothing is computed: they keep what they
 * have. No multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

#define QUADS (TILE / 4)

/* Four numbers of a row; in place of those outside the grid the nearest. */
float4 load_four(__global const float *row, const int column, const int columns) {
    const int last = columns - 1;
    if (column >= 0 && column + 3 <= last) return vload4(0, row + column);
    return (float4)(row[clamp(column, 0, last)], row[clamp(column + 1, 0, last)],
                    row[clamp(column + 2, 0, last)], row[clamp(column + 3, 0, last)]);
}

__kernel __attribute__((reqd_work_group_size(QUADS, TILE, 1))) void
hotspot_pyramid(__global const float *temperature, __global const float *power, __global float *result,
                const int columns, const int rows, const int steps, const float step_over_capacity,
                const float conductance_x, const float conductance_y, const float conductance_z) {
    __local float tile[TILE][1 + TILE + 1]; /* a cell more at each end: neighbours of the outermost */
    __local float4 heat[TILE][QUADS];
    __local float4 next[TILE][QUADS];
    const float ambient = 80.0f;
    const int quad = get_local_id(0), y = get_local_id(1);
    const int first_column = (int)get_group_id(0) * (TILE - 2 * steps) - steps;
    const int first_row = (int)get_group_id(1) * (TILE - 2 * steps) - steps;
    const int column = first_column + 4 * quad, row = first_row + y;
    const int start = clamp(row, 0, rows - 1) * columns;

    vstore4(load_four(temperature + start, column, columns), 0, tile[y] + 4 * quad + 1);
    heat[y][quad] = load_four(power + start, column, columns);
    barrier(CLK_LOCAL_MEM_FENCE);

    /* Places of the grid's first and last column and row in the tile, or the tile's own. */
    const int least_x = max(-first_column, 0), most_x = min(columns - 1 - first_column, TILE - 1);
    const int least_y = max(-first_row, 0), most_y = min(rows - 1 - first_row, TILE - 1);
    const int north = max(y - 1, least_y), south = max(min(y + 1, most_y), 0);
    const int4 x = 4 * quad + (int4)(0, 1, 2, 3);
    int4 computed = 0;

    for (int step = 0; step < steps; step++) {
        const int first_y = max(step + 1, least_y), last_y = min(TILE - 2 - step, most_y);
        const float4 own = vload4(0, tile[y] + 4 * quad + 1), twice = 2.0f * own;
        const float4 west = select(vload4(0, tile[y] + 4 * quad), own, x == least_x);
        const float4 east = select(vload4(0, tile[y] + 4 * quad + 2), own, x == most_x);
        const float4 above = vload4(0, tile[north] + 4 * quad + 1),
                     below = vload4(0, tile[south] + 4 * quad + 1);
        computed = x >= max(step + 1, least_x) && x <= min(TILE - 2 - step, most_x) &&
                   (int4)(y >= first_y && y <= last_y);
        next[y][quad] =
            select(own,
                   own + step_over_capacity *
                             (heat[y][quad] + (below + above - twice) * conductance_y +
                              (east + west - twice) * conductance_x + (ambient - own) * conductance_z),
                   computed);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (step == steps - 1) break;
        vstore4(next[y][quad], 0, tile[y] + 4 * quad + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    __global float *cell = result + row * columns + column;
    const float4 last = next[y][quad];
    if (all(computed)) {
        vstore4(last, 0, cell);
    } else {
        if (computed.x) cell[0] = last.x;
        if (computed.y) cell[1] = last.y;
        if (computed.z) cell[2] = last.z;
        if (computed.w) cell[3] = last.w;
    }
}
