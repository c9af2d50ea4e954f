/* Scores of alignments of two sequences: each cell of a matrix from those above, to the left, and diagonally above
 * left of it. A launch computes the tiles of one anti-diagonal of tiles, a work-group each, work-item t a column
 * of its tile; the cells computed side by side increase up to the tile's longest anti-diagonal, then decrease.
 * `growing` computes the anti-diagonals of tiles up to the longest (the n-th has n tiles), `shrinking` the later
 * ones. `blocks`: tiles of the launch. */
__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
growing(__global const int *reference, __global int *score, const int width, const int penalty, const int blocks) {
    __local int cell[(TILE + 1) * (TILE + 1)];
    __local int similar[TILE * TILE];
    const int group = get_group_id(0), t = get_local_id(0);
    const int column = group, row = blocks - 1 - group;
    const int corner = row * TILE * width + column * TILE;
    const int first = corner + width + 1 + t, west = corner + width, north = corner + 1;

    if (t == 0) cell[0] = score[corner];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = 0; y < TILE; y++) similar[y * TILE + t] = reference[first + y * width];
    barrier(CLK_LOCAL_MEM_FENCE);
    cell[(t + 1) * (TILE + 1)] = score[west + t * width];
    barrier(CLK_LOCAL_MEM_FENCE);
    cell[t + 1] = score[north + t];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int m = 0; m < TILE; m++) {
        if (t <= m) {
            const int x = t + 1, y = m - t + 1, at = y * (TILE + 1) + x;
            const int matched = cell[at - TILE - 2] + similar[(y - 1) * TILE + x - 1];
            cell[at] = max(matched, max(cell[at - 1] - penalty, cell[at - TILE - 1] - penalty));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int m = TILE - 2; m >= 0; m--) {
        if (t <= m) {
            const int x = t + TILE - m, y = TILE - t, at = y * (TILE + 1) + x;
            const int matched = cell[at - TILE - 2] + similar[(y - 1) * TILE + x - 1];
            cell[at] = max(matched, max(cell[at - 1] - penalty, cell[at - TILE - 1] - penalty));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (int y = 0; y < TILE; y++) score[first + y * width] = cell[(y + 1) * (TILE + 1) + t + 1];
}

__kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void
shrinking(__global const int *reference, __global int *score, const int width, const int penalty, const int blocks) {
    __local int cell[(TILE + 1) * (TILE + 1)];
    __local int similar[TILE * TILE];
    const int group = get_group_id(0), t = get_local_id(0);
    const int last = (width - 1) / TILE - 1;
    const int column = last + 1 - blocks + group, row = last - group;
    const int corner = row * TILE * width + column * TILE;
    const int first = corner + width + 1 + t, west = corner + width, north = corner + 1;

    if (t == 0) cell[0] = score[corner];
    for (int y = 0; y < TILE; y++) similar[y * TILE + t] = reference[first + y * width];
    barrier(CLK_LOCAL_MEM_FENCE);
    cell[(t + 1) * (TILE + 1)] = score[west + t * width];
    barrier(CLK_LOCAL_MEM_FENCE);
    cell[t + 1] = score[north + t];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int m = 0; m < TILE; m++) {
        if (t <= m) {
            const int x = t + 1, y = m - t + 1, at = y * (TILE + 1) + x;
            const int matched = cell[at - TILE - 2] + similar[(y - 1) * TILE + x - 1];
            cell[at] = max(matched, max(cell[at - 1] - penalty, cell[at - TILE - 1] - penalty));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (int m = TILE - 2; m >= 0; m--) {
        if (t <= m) {
            const int x = t + TILE - m, y = TILE - t, at = y * (TILE + 1) + x;
            const int matched = cell[at - TILE - 2] + similar[(y - 1) * TILE + x - 1];
            cell[at] = max(matched, max(cell[at - 1] - penalty, cell[at - TILE - 1] - penalty));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (int y = 0; y < TILE; y++) score[first + y * width] = cell[(y + 1) * (TILE + 1) + t + 1];
}
