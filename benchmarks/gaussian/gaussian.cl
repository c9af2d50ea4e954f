/* A step of Gaussian elimination without pivoting in two launches. Dimension 0 is the row: neighbouring work-items are a
 * row apart. No multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* The multiplier of each row below row `step`. */
__kernel void fan1(__global const float *matrix, __global float *multiplier, const int size, const int step) {
    const int row = step + 1 + get_global_id(0);

    if (row < size) multiplier[row * size + step] = matrix[row * size + step] / matrix[step * size + step];
}

/* Subtracts the multiple of row `step` from the rest of the matrix, and of the right side. */
__kernel void fan2(__global float *matrix, __global float *right, __global const float *multiplier, const int size,
                   const int step) {
    const int row = step + 1 + get_global_id(0), column = step + get_global_id(1);

    if (row < size && column < size) {
        matrix[row * size + column] -= multiplier[row * size + step] * matrix[step * size + column];
        if (column == step) right[row] -= multiplier[row * size + step] * right[step];
    }
}
