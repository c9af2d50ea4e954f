/* A matrix becomes the product of a lower and an upper triangle as an OpenMP program does it, by blocks of BLOCK x
 * BLOCK. `at`: the first row and column of the block of the diagonal. No multiply-add may be fused, so that every
 * device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))
#define BLOCK 16

/* The block of the diagonal, by one core. */
__kernel void diagonal_block(__global float *matrix, const int width, const int at) {
    __global float *a = matrix + at * width + at;

    for (int i = 0; i < BLOCK; i++) {
        for (int j = i; j < BLOCK; j++)
            for (int k = 0; k < i; k++) a[i * width + j] -= a[i * width + k] * a[k * width + j];
        for (int j = i + 1; j < BLOCK; j++) {
            for (int k = 0; k < i; k++) a[j * width + i] -= a[j * width + k] * a[k * width + i];
            a[j * width + i] /= a[i * width + i];
        }
    }
}

/* #pragma omp parallel for is over the pairs of blocks right of the diagonal's and below it, with a private copy of
 * that one. */
__kernel void perimeter_blocks(__global float *matrix, const int width, const int at) {
    const int blocks = (width - at) / BLOCK - 1, end = TO(blocks);
    float corner[BLOCK][BLOCK];

    for (int i = 0; i < BLOCK; i++)
        for (int j = 0; j < BLOCK; j++) corner[i][j] = matrix[(at + i) * width + at + j];
    for (int block = FROM(blocks); block < end; block++) {
        const int away = at + (block + 1) * BLOCK;
        __global float *right = matrix + at * width + away, *below = matrix + away * width + at;
        for (int j = 0; j < BLOCK; j++) {
            for (int i = 0; i < BLOCK; i++)
                for (int k = 0; k < i; k++) right[i * width + j] -= corner[i][k] * right[k * width + j];
            for (int i = 0; i < BLOCK; i++) {
                for (int k = 0; k < i; k++) below[j * width + i] -= below[j * width + k] * corner[k][i];
                below[j * width + i] /= corner[i][i];
            }
        }
    }
}

/* #pragma omp parallel for is over the blocks behind both, with private copies of theirs. */
__kernel void inner_blocks(__global float *matrix, const int width, const int at) {
    const int across = (width - at) / BLOCK - 1, blocks = across * across, end = TO(blocks);
    float above[BLOCK][BLOCK], left[BLOCK][BLOCK];

    for (int block = FROM(blocks); block < end; block++) {
        const int row = at + (block / across + 1) * BLOCK, column = at + (block % across + 1) * BLOCK;
        for (int i = 0; i < BLOCK; i++)
            for (int j = 0; j < BLOCK; j++) {
                above[i][j] = matrix[(at + i) * width + column + j];
                left[i][j] = matrix[(row + i) * width + at + j];
            }
        for (int i = 0; i < BLOCK; i++)
            for (int j = 0; j < BLOCK; j++) {
                float sum = 0.0f;
                for (int k = 0; k < BLOCK; k++) sum += left[i][k] * above[k][j];
                matrix[(row + i) * width + column + j] -= sum;
            }
    }
}
