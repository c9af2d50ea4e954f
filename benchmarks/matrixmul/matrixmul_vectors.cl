/* The product of two matrices whose sides are multiples of TILE, by tiles in local memory, four neighbouring
 * columns a work-item. No multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

#define QUADS (TILE / 4)

__kernel __attribute__((reqd_work_group_size(QUADS, TILE, 1))) void
matrixmul(__global const float *a, __global const float *b, __global float *product, const int width_a,
          const int width_b) {
    __local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int first_a = width_a * TILE * (int)get_group_id(1), end_a = first_a + width_a;
    const int first_b = TILE * (int)get_group_id(0), step_b = TILE * width_b;
    float4 sum = 0.0f;

    for (int at_a = first_a, at_b = first_b; at_a < end_a; at_a += TILE, at_b += step_b) {
        vstore4(vload4(x, a + at_a + width_a * y), x, tile_a[y]);
        vstore4(vload4(x, b + at_b + width_b * y), x, tile_b[y]);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++) sum += tile_a[y][k] * vload4(x, tile_b[k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    vstore4(sum, get_global_id(0), product + get_global_id(1) * width_b);
}
