/* n_queens.cl in turns of 256 steps without branches, which kernel.scalar: divergence makes over to the first work-items
 * of a group. */
struct placement {
    uint columns, left, right;
};

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
n_queens(__global const struct placement *placements, const uint count, const uint board, __global uint *solutions) {
    __local uint open[ROWS][GROUP], columns[ROWS][GROUP], left[ROWS][GROUP], right[ROWS][GROUP];
    const uint item = get_global_id(0);
    uint me = get_local_id(0), found = 0;
    int row = -1;

    if (item < count) {
        row = 0;
        columns[0][me] = placements[item].columns;
        left[0][me] = placements[item].left;
        right[0][me] = placements[item].right;
        open[0][me] = board & ~(columns[0][me] | left[0][me] | right[0][me]);
    }
    while (row >= 0) {
        for (int turn = 0; turn < 256 && row >= 0; turn++) {
            const uint choices = open[row][me], queen = choices & -choices, c = columns[row][me] | queen;
            const uint l = (left[row][me] | queen) << 1, r = (right[row][me] | queen) >> 1;
            open[row][me] = choices ^ queen;
            found += choices != 0 && c == board;
            const bool deeper = choices != 0 && c != board;
            row += deeper ? 1 : choices == 0 ? -1 : 0;
            if (deeper) {
                columns[row][me] = c;
                left[row][me] = l;
                right[row][me] = r;
                open[row][me] = board & ~(c | l | r);
            }
        }
    }

    solutions[item] = found;
}
