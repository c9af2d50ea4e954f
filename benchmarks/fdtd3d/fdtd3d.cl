/* A step of finite differences in a volume with a margin of RADIUS cells on every side: each cell becomes the
 * weighted sum of itself and RADIUS cells in each of six directions. A work-item goes up the planes of one column:
 * cells of its own column stay in registers, cells of its plane come from a tile in local memory. Work-items
 * outside of the volume only load. No multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(TILE_X, TILE_Y, 1))) void
fdtd3d(__global const float *input, __global float *output, __constant float *weight, const int size_x,
       const int size_y, const int size_z) {
    __local float tile[TILE_Y + 2 * RADIUS][TILE_X + 2 * RADIUS];
    const int x = get_local_id(0), y = get_local_id(1);
    const int column = get_global_id(0), row = get_global_id(1);
    const int tile_x = x + RADIUS, tile_y = y + RADIUS;
    const int stride_y = size_x + 2 * RADIUS, stride_z = stride_y * (size_y + 2 * RADIUS);
    const bool valid = column < size_x && row < size_y;
    /* Work-items beyond the volume's edge load the halo of those at the edge. */
    const bool loads = column < size_x + RADIUS && row < size_y + RADIUS;
    float behind[RADIUS], front[RADIUS];
    int in = (row + RADIUS) * stride_y + column + RADIUS;
    int out = in + RADIUS * stride_z;

    for (int i = RADIUS - 2; i >= 0; i--) {
        behind[i] = loads ? input[in] : 0.0f;
        in += stride_z;
    }
    float current = loads ? input[in] : 0.0f;
    in += stride_z;
    for (int i = 0; i < RADIUS; i++) {
        front[i] = loads ? input[in] : 0.0f;
        in += stride_z;
    }

    for (int plane = 0; plane < size_z; plane++) {
        for (int i = RADIUS - 1; i > 0; i--) behind[i] = behind[i - 1];
        behind[0] = current;
        current = front[0];
        for (int i = 0; i < RADIUS - 1; i++) front[i] = front[i + 1];
        front[RADIUS - 1] = loads ? input[in] : 0.0f;
        in += stride_z;
        barrier(CLK_LOCAL_MEM_FENCE);

        if (y < RADIUS && column < size_x) {
            tile[y][tile_x] = input[out - RADIUS * stride_y];
            if (row + TILE_Y < size_y + RADIUS) tile[tile_y + TILE_Y][tile_x] = input[out + TILE_Y * stride_y];
        }
        if (x < RADIUS && row < size_y) {
            tile[tile_y][x] = input[out - RADIUS];
            if (column + TILE_X < size_x + RADIUS) tile[tile_y][tile_x + TILE_X] = input[out + TILE_X];
        }
        if (loads) tile[tile_y][tile_x] = current;
        barrier(CLK_LOCAL_MEM_FENCE);

        float sum = weight[0] * current;
        for (int i = 1; i <= RADIUS; i++)
            sum += weight[i] * (front[i - 1] + behind[i - 1] + tile[tile_y - i][tile_x] + tile[tile_y + i][tile_x] +
                                tile[tile_y][tile_x - i] + tile[tile_y][tile_x + i]);
        if (valid) output[out] = sum;
        out += stride_z;
    }
}
