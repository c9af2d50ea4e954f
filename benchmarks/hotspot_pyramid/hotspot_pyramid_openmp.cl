/* A time step of the temperature of a chip as an OpenMP program computes it. No multiply-add may be fused, so
 * that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))
#define CHUNK 16

/* A step without pyramid or halo; #pragma omp parallel for is over chunks of 16 x 16 cells. */
__kernel void hotspot_step(__global const float *temperature, __global const float *power, __global float *result,
                           const int columns, const int rows, const float step_over_capacity,
                           const float conductance_x, const float conductance_y, const float conductance_z) {
    const float ambient = 80.0f;
    const int across = (columns + CHUNK - 1) / CHUNK, chunks = across * ((rows + CHUNK - 1) / CHUNK);
    const int end = TO(chunks);

    for (int chunk = FROM(chunks); chunk < end; chunk++) {
        const int first_row = chunk / across * CHUNK, last_row = min(first_row + CHUNK, rows);
        const int first_column = chunk % across * CHUNK, last_column = min(first_column + CHUNK, columns);
        for (int row = first_row; row < last_row; row++)
            for (int column = first_column; column < last_column; column++) {
                const int cell = row * columns + column;
                const float own = temperature[cell], twice = 2.0f * own;
                const float north = row > 0 ? temperature[cell - columns] : own;
                const float south = row < rows - 1 ? temperature[cell + columns] : own;
                const float west = column > 0 ? temperature[cell - 1] : own;
                const float east = column < columns - 1 ? temperature[cell + 1] : own;
                result[cell] = own + step_over_capacity *
                                         (power[cell] + (south + north - twice) * conductance_y +
                                          (east + west - twice) * conductance_x + (ambient - own) * conductance_z);
            }
    }
}
