/* How many ways there are to place queens on a board so that none attacks another. The first rows are placed by the
 * host; a work-item tries all ways to go on from one such placement. What is left to try in each row is a mask in
 * local memory: a stack without recursion. Work-items part at once, for no two have as much to try. */
struct placement {
    uint columns, left, right; /* taken: columns, and what the diagonals take in the next row */
};

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
n_queens(__global const struct placement *placements, const uint count, const uint board, __global uint *solutions) {
    __local uint open[ROWS][GROUP], columns[ROWS][GROUP], left[ROWS][GROUP], right[ROWS][GROUP];
    const uint item = get_global_id(0), me = get_local_id(0);
    uint found = 0;

    if (item < count) {
        int row = 0;
        columns[0][me] = placements[item].columns;
        left[0][me] = placements[item].left;
        right[0][me] = placements[item].right;
        open[0][me] = board & ~(columns[0][me] | left[0][me] | right[0][me]);
        while (row >= 0) {
            const uint choices = open[row][me];
            if (choices == 0) {
                row--;
                continue;
            }
            const uint queen = choices & -choices;
            open[row][me] = choices ^ queen;
            const uint c = columns[row][me] | queen;
            if (c == board) {
                found++;
                continue;
            }
            const uint l = (left[row][me] | queen) << 1, r = (right[row][me] | queen) >> 1;
            row++;
            columns[row][me] = c;
            left[row][me] = l;
            right[row][me] = r;
            open[row][me] = board & ~(c | l | r);
        }
    }

    solutions[item] = found;
}
