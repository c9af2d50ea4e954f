/* A step of Gaussian elimination without pivoting, of a matrix of size x size and a right side, by two launches. No
 * multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* What times row `step` is to be subtracted from each row below it. */
__kernel __attribute__((reqd_work_group_size(COLUMN, 1, 1))) void
multipliers(__global const float *matrix, __global float *multiplier, const int size, const int step) {
    const int row = step + 1 + get_global_id(0);

    if (row < size) multiplier[row * size + step] = matrix[row * size + step] / matrix[step * size + step];
}

/* Subtracts it; the first column of work-items those of the right side as well. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
eliminate(__global float *matrix, __global float *right, __global const float *multiplier, const int size,
          const int step) {
    const int x = get_global_id(0), row = step + 1 + get_global_id(1), column = step + x;

    if (row < size && column < size) {
        matrix[row * size + column] -= multiplier[row * size + step] * matrix[step * size + column];
        if (x == 0) right[row] -= multiplier[row * size + step] * right[step];
    }
}
