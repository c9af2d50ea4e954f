/* The discrete cosine transform of tiles of 8 x 8 points, as in JPEG: a product with the matrix of cosines from either
 * side, a work-group a tile, a work-item a coefficient. No multiply-add may be fused, so that every device gives the
 * same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(8, 8, 1))) void
discrete_cosine(__global const float *image, __global float *coefficients, __constant const float *cosines) {
    __local float tile[8][8], rows[8][8];
    const int x = get_local_id(0), y = get_local_id(1);
    const int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    float sum = 0.0f;
    tile[y][x] = image[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++) sum += tile[y][k] * cosines[8 * x + k];
    rows[y][x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0.0f;
    for (int k = 0; k < 8; k++) sum += cosines[8 * y + k] * rows[k][x];
    coefficients[at] = sum;
}
