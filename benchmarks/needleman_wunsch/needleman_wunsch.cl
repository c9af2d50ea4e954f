/* The scores of the best alignments of the beginnings of two sequences: each cell of a matrix from those above, to the
 * left and diagonally above left of it. A launch computes the tiles of one diagonal of tiles, a work-group each: its
 * work-items go over the tile's diagonals, one a cell, so that most of them idle at the corners. */
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
needleman_wunsch(__global const int *similarity, __global int *score, const int width, const int first_column,
                 const int last_row, const int penalty) {
    __local int cell[TILE + 1][TILE + 1];
    __local int similar[TILE][TILE];
    const int x = get_local_id(0);
    const int left = (first_column + (int)get_group_id(0)) * TILE;
    const int top = (last_row - (int)get_group_id(0)) * TILE;

    for (int y = 0; y < TILE; y++) similar[y][x] = similarity[(top + y + 1) * width + left + x + 1];
    cell[0][x + 1] = score[top * width + left + x + 1];
    cell[x + 1][0] = score[(top + x + 1) * width + left];
    if (x == 0) cell[0][0] = score[top * width + left];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int diagonal = 0; diagonal < 2 * TILE - 1; diagonal++) {
        const int y = diagonal - x;
        if (y >= 0 && y < TILE) {
            const int matched = cell[y][x] + similar[y][x];
            cell[y + 1][x + 1] = max(matched, max(cell[y][x + 1], cell[y + 1][x]) - penalty);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (int y = 0; y < TILE; y++) score[(top + y + 1) * width + left + x + 1] = cell[y + 1][x + 1];
}
