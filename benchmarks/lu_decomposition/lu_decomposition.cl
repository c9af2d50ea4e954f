/* A matrix becomes the product of a lower and an upper triangle, which take its place, by tiles of TILE x TILE: a step
 * decomposes a tile of the diagonal, then those right of it and below it, then changes what lies behind both. Products
 * are subtracted in the order of the algorithm without tiles, and no multiply-add may be fused: the same bits come of
 * it. `at`: the diagonal tile's first row and column; width is a multiple of TILE. */
#pragma OPENCL FP_CONTRACT OFF

/* A row of the tile a work-item, less of them from step to step. */
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
diagonal(__global float *matrix, const int width, const int at) {
    __local float tile[TILE][TILE];
    const int x = get_local_id(0);
    __global float *from = matrix + at * width + at;

    for (int y = 0; y < TILE; y++) tile[y][x] = from[y * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int k = 0; k < TILE - 1; k++) {
        if (x > k) {
            tile[x][k] /= tile[k][k];
            for (int column = k + 1; column < TILE; column++) tile[x][column] -= tile[x][k] * tile[k][column];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (int y = 0; y < TILE; y++) from[y * width + x] = tile[y][x];
}

/* Work-group n has the n-th tile to the right of the diagonal one and the n-th below it: half of its work-items a column
 * of the one each, the others a row of the other. */
__kernel __attribute__((reqd_work_group_size(2 * TILE, 1, 1))) void
perimeter(__global float *matrix, const int width, const int at) {
    __local float corner[TILE][TILE], right[TILE][TILE], below[TILE][TILE];
    const int x = get_local_id(0) % TILE, away = (1 + get_group_id(0)) * TILE;
    const bool is_right = get_local_id(0) < TILE;
    __global float *origin = matrix + at * width + at, *of_right = origin + away, *of_below = origin + away * width;

    for (int y = 0; y < TILE; y++) {
        if (is_right) {
            corner[y][x] = origin[y * width + x];
            right[y][x] = of_right[y * width + x];
        } else {
            below[y][x] = of_below[y * width + x];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (is_right) {
        for (int row = 1; row < TILE; row++)
            for (int k = 0; k < row; k++) right[row][x] -= corner[row][k] * right[k][x];
    } else {
        for (int column = 0; column < TILE; column++) {
            for (int k = 0; k < column; k++) below[x][column] -= below[x][k] * corner[k][column];
            below[x][column] /= corner[column][column];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int y = 0; y < TILE; y++) {
        if (is_right)
            of_right[y * width + x] = right[y][x];
        else
            of_below[y * width + x] = below[y][x];
    }
}

/* An element of a tile that lies neither right of the diagonal one nor below it. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
internal(__global float *matrix, const int width, const int at) {
    __local float above[TILE][TILE], left[TILE][TILE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int row = at + TILE + get_global_id(1), column = at + TILE + get_global_id(0);

    above[y][x] = matrix[(at + y) * width + column];
    left[y][x] = matrix[row * width + at + x];
    barrier(CLK_LOCAL_MEM_FENCE);

    float value = matrix[row * width + column];
    for (int k = 0; k < TILE; k++) value -= left[y][k] * above[k][x];
    matrix[row * width + column] = value;
}
