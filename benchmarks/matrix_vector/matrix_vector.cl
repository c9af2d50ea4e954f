/* Products of a matrix of `size` rows and columns, row by row in memory, with a vector. A work-item makes an element of
 * the result: by rows it reads one behind the other, far from those that its neighbours read; by columns (the
 * transposed matrix) neighbours read one behind the other. No multiply-add may be fused, so that every device gives the
 * same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void by_rows(__global const float *matrix, __global const float *vector, __global float *product,
                      const uint size) {
    const uint row = get_global_id(0);
    if (row >= size) return;
    float sum = 0.0f;
    for (uint column = 0; column < size; column++) sum += matrix[row * size + column] * vector[column];
    product[row] = sum;
}

__kernel void by_columns(__global const float *matrix, __global const float *vector, __global float *product,
                         const uint size) {
    const uint column = get_global_id(0);
    if (column >= size) return;
    float sum = 0.0f;
    for (uint row = 0; row < size; row++) sum += matrix[row * size + column] * vector[row];
    product[column] = sum;
}
