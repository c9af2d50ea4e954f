/* The product of two matrices whose sides are multiples of TILE: `matrixmul` by tiles in local memory, `untiled`
 * without them. Both add the products of an element in the same order. No multiply-add may be fused, so that every
 * device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matrixmul(__global const float *a, __global const float *b, __global float *product, const int width_a,
          const int width_b) {
    __local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int first_a = width_a * TILE * (int)get_group_id(1), end_a = first_a + width_a;
    const int first_b = TILE * (int)get_group_id(0), step_b = TILE * width_b;
    float sum = 0.0f;

    for (int at_a = first_a, at_b = first_b; at_a < end_a; at_a += TILE, at_b += step_b) {
        tile_a[y][x] = a[at_a + width_a * y + x];
        tile_b[y][x] = b[at_b + width_b * y + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    product[get_global_id(1) * width_b + get_global_id(0)] = sum;
}

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
untiled(__global const float *a, __global const float *b, __global float *product, const int width_a,
        const int width_b) {
    const int column = get_global_id(0), row = get_global_id(1);
    float sum = 0.0f;

    for (int k = 0; k < width_a; k++) sum += a[row * width_a + k] * b[k * width_b + column];

    product[row * width_b + column] = sum;
}
