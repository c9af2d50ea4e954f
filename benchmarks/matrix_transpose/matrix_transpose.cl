/* A matrix with rows and columns exchanged: a work-group reads a tile by rows and writes it by rows; it is turned in
 * local memory, whose rows are one element longer so that columns of it lie in different banks. */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matrix_transpose(__global const float *matrix, __global float *result, const int rows, const int columns) {
    __local float tile[TILE][TILE + 1];
    const int x = get_local_id(0), y = get_local_id(1);
    const int left = (int)get_group_id(0) * TILE, top = (int)get_group_id(1) * TILE;

    if (top + y < rows && left + x < columns) tile[y][x] = matrix[(top + y) * columns + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (left + y < columns && top + x < rows) result[(left + y) * rows + top + x] = tile[x][y];
}
