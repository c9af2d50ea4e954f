/* Segmentation by level sets: a surface between what is bright and what is dark, kept as the level 0 of a field over a
 * volume. Only cells in a band around it change: each goes on by small steps, towards its image's brightness and its
 * neighbours' mean, until a step is small or the cell leaves the band. No multiply-add may be fused, so that every device
 * gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(32, 4, 1))) void
segmentation(__global const float *image, __global const float *from, __global float *to, const int size_x,
             const int size_y, const int size_z) {
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), layer = size_x * size_y;
    const int cell = z * layer + y * size_x + x;
    const bool inside = x > 0 && y > 0 && z > 0 && x < size_x - 1 && y < size_y - 1 && z < size_z - 1;
    const bool there = x < size_x && y < size_y;
    float level = there ? from[cell] : 0.0f, force = 0.0f, mean = 0.0f, change = 1.0f;
    if (inside) {
        force = (image[cell] - 0.5f) * 0.25f;
        mean = (from[cell - 1] + from[cell + 1] + from[cell - size_x] + from[cell + size_x] + from[cell - layer] +
                from[cell + layer]) *
               (1.0f / 6.0f);
    }
    int turns = inside ? 0 : TURNS;
    while (turns < TURNS && fabs(level) < BAND && fabs(change) > 0.001f) {
        for (int step = 0; step < 16; step++) {
            change = (force + (mean - level) * 0.125f) * 0.0625f;
            level += change * (1.0f - fabs(level) * 0.5f);
        }
        turns++;
    }
    if (there) to[cell] = level;
}
