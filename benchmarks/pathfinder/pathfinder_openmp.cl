/* Cheapest paths down a grid as an OpenMP program finds them. */
/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))

/* A row; #pragma omp parallel for is over the columns. */
__kernel void path_row(__global const int *wall, __global const int *above, __global int *result, const int columns,
                       const int row) {
    const int end = TO(columns);

    for (int x = FROM(columns); x < end; x++) {
        int least = above[x];
        if (x > 0) least = min(least, above[x - 1]);
        if (x < columns - 1) least = min(least, above[x + 1]);
        result[x] = wall[row * columns + x] + least;
    }
}
