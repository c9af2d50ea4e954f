/* The product of two square matrices, by tiles in local memory; beyond their edges they are 0. No multiply-add may be
 * fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matrix_multiply(__global const float *a, __global const float *b, __global float *product, const int size) {
    __local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int column = get_global_id(0), row = get_global_id(1);
    float sum = 0.0f;

    for (int first = 0; first < size; first += TILE) {
        tile_a[y][x] = row < size && first + x < size ? a[row * size + first + x] : 0.0f;
        tile_b[y][x] = column < size && first + y < size ? b[(first + y) * size + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (row < size && column < size) product[row * size + column] = sum;
}
