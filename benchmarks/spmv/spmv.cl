/* A row of a sparse matrix times a vector. A row's elements are first[row] to first[row + 1] - 1. No multiply-add may be
 * fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void spmv(__global const int *first, __global const int *column, __global const float *element,
                   __global const float *vector, __global float *product, const int rows) {
    const int row = get_global_id(0);

    if (row < rows) {
        const int end = first[row + 1];
        float sum = 0.0f;
        for (int e = first[row]; e < end; e++) sum += element[e] * vector[column[e]];
        product[row] = sum;
    }
}
