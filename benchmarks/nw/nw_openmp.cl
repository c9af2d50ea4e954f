/* Scores of alignments of two sequences as an OpenMP program computes them. */
/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))
#define BLOCK 16

/* An anti-diagonal of blocks of 16 x 16 cells; #pragma omp parallel for is over its blocks, whose cells are computed in
 * private copies. `diagonal`: blocks before it in the first row and column together. */
__kernel void block_diagonal(__global const int *reference, __global int *score, const int width, const int penalty,
                             const int diagonal) {
    const int across = (width - 1) / BLOCK, first = max(0, diagonal - across + 1);
    const int blocks = min(diagonal, across - 1) - first + 1, end = first + TO(blocks);

    for (int column = first + FROM(blocks); column < end; column++) {
        int cell[BLOCK + 1][BLOCK + 1], similar[BLOCK][BLOCK];
        const int corner = (diagonal - column) * BLOCK * width + column * BLOCK;
        for (int y = 0; y < BLOCK; y++)
            for (int x = 0; x < BLOCK; x++) similar[y][x] = reference[corner + (y + 1) * width + x + 1];
        for (int x = 0; x <= BLOCK; x++) cell[0][x] = score[corner + x];
        for (int y = 1; y <= BLOCK; y++) cell[y][0] = score[corner + y * width];
        for (int y = 1; y <= BLOCK; y++)
            for (int x = 1; x <= BLOCK; x++)
                cell[y][x] = max(cell[y - 1][x - 1] + similar[y - 1][x - 1],
                                 max(cell[y][x - 1] - penalty, cell[y - 1][x] - penalty));
        for (int y = 1; y <= BLOCK; y++)
            for (int x = 1; x <= BLOCK; x++) score[corner + y * width + x] = cell[y][x];
    }
}
