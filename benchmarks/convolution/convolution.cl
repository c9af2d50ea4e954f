/* A separable convolution of an image with a filter of 2 * RADIUS + 1 weights, rows first, then columns; what lies
 * outside the image is 0. A work-group loads a tile with its halo into local memory; each work-item then gives one
 * pixel. No multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

static float pixel(__global const float *image, const int x, const int y, const int width, const int height) {
    return x >= 0 && x < width && y >= 0 && y < height ? image[y * width + x] : 0.0f;
}

__kernel __attribute__((reqd_work_group_size(ROW_TILE, ROWS, 1))) void
convolve_rows(__global const float *image, __global float *result, __constant float *weight, const int width,
              const int height) {
    __local float tile[ROWS][ROW_TILE + 2 * RADIUS];
    const int local_x = get_local_id(0), local_y = get_local_id(1);
    const int x = get_global_id(0), y = get_global_id(1);

    for (int i = local_x; i < ROW_TILE + 2 * RADIUS; i += ROW_TILE)
        tile[local_y][i] = pixel(image, x - local_x + i - RADIUS, y, width, height);
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    for (int i = 0; i <= 2 * RADIUS; i++) sum += weight[i] * tile[local_y][local_x + i];
    if (x < width && y < height) result[y * width + x] = sum;
}

__kernel __attribute__((reqd_work_group_size(COLUMNS, COLUMN_TILE, 1))) void
convolve_columns(__global const float *image, __global float *result, __constant float *weight, const int width,
                 const int height) {
    __local float tile[COLUMN_TILE + 2 * RADIUS][COLUMNS];
    const int local_x = get_local_id(0), local_y = get_local_id(1);
    const int x = get_global_id(0), y = get_global_id(1);

    for (int i = local_y; i < COLUMN_TILE + 2 * RADIUS; i += COLUMN_TILE)
        tile[i][local_x] = pixel(image, x, y - local_y + i - RADIUS, width, height);
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    for (int i = 0; i <= 2 * RADIUS; i++) sum += weight[i] * tile[local_y + i][local_x];
    if (x < width && y < height) result[y * width + x] = sum;
}
