/* A matrix becomes the product of a lower and an upper triangle, which take its place, by tiles of TILE x TILE: a
 * step decomposes a tile of the diagonal, then those right of it and below it, then changes what lies behind both.
 * `at`: the diagonal tile's first row and column; width is a multiple of TILE. No multiply-add may be fused, so
 * that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* Work-item t has row t of the tile below the diagonal, and column t from the diagonal up. */
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
diagonal(__global float *matrix, const int width, const int at) {
    __local float tile[TILE][TILE];
    const int t = get_local_id(0);
    __global float *first = matrix + at * width + at;

    for (int y = 0; y < TILE; y++) tile[y][t] = first[y * width + t];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = 0; i < TILE - 1; i++) {
        if (t > i) {
            for (int k = 0; k < i; k++) tile[t][i] -= tile[t][k] * tile[k][i];
            tile[t][i] /= tile[i][i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t > i)
            for (int k = 0; k < i + 1; k++) tile[i + 1][t] -= tile[i + 1][k] * tile[k][t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (int y = 1; y < TILE; y++) first[y * width + t] = tile[y][t];
}

/* Work-group n has the n-th tile right of the diagonal one and the n-th below it: half of its work-items a column
 * of the one each, the others a row of the other. */
__kernel __attribute__((reqd_work_group_size(2 * TILE, 1, 1))) void
perimeter(__global float *matrix, const int width, const int at) {
    __local float corner[TILE][TILE], right[TILE][TILE], below[TILE][TILE];
    const int t = get_local_id(0), x = t % TILE, away = (1 + get_group_id(0)) * TILE;
    __global float *first = matrix + at * width + at, *of_right = first + away, *of_below = first + away * width;

    if (t < TILE) {
        for (int y = 0; y < TILE / 2; y++) corner[y][x] = first[y * width + x];
        for (int y = 0; y < TILE; y++) right[y][x] = of_right[y * width + x];
    } else {
        for (int y = TILE / 2; y < TILE; y++) corner[y][x] = first[y * width + x];
        for (int y = 0; y < TILE; y++) below[y][x] = of_below[y * width + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (t < TILE) {
        for (int i = 1; i < TILE; i++)
            for (int k = 0; k < i; k++) right[i][x] -= corner[i][k] * right[k][x];
    } else {
        for (int i = 0; i < TILE; i++) {
            for (int k = 0; k < i; k++) below[x][i] -= below[x][k] * corner[k][i];
            below[x][i] /= corner[i][i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (t < TILE) {
        for (int y = 1; y < TILE; y++) of_right[y * width + x] = right[y][x];
    } else {
        for (int y = 0; y < TILE; y++) of_below[y * width + x] = below[y][x];
    }
}

/* An element of a tile that lies right of the diagonal one and below it. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
internal(__global float *matrix, const int width, const int at) {
    __local float above[TILE][TILE], left[TILE][TILE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int row = at + TILE + get_global_id(1), column = at + TILE + get_global_id(0);

    above[y][x] = matrix[(at + y) * width + column];
    left[y][x] = matrix[row * width + at + x];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    for (int k = 0; k < TILE; k++) sum += left[y][k] * above[k][x];
    matrix[row * width + column] -= sum;
}
