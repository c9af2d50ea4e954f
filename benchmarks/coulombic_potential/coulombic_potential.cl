/* The electric potential of point charges in a slice of a grid: a work-item has POINTS points of a row, one work-group
 * width apart. charge: x, y, the square of the distance from the slice, and the charge. No multiply-add may be fused, so that
 * every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1))) void
coulombic_potential(__constant float4 *charge, const int charges, __global float *potential, const int columns,
                    const int rows, const float spacing) {
    const int row = get_global_id(1), first = get_group_id(0) * WIDTH * POINTS + get_local_id(0);
    const float y = spacing * (float)row, step = spacing * (float)WIDTH;
    float sum[POINTS];
    for (int p = 0; p < POINTS; p++) sum[p] = 0.0f;

    for (int n = 0; n < charges; n++) {
        const float4 c = charge[n];
        const float dy = y - c.y, away = dy * dy + c.z;
        float dx = spacing * (float)first - c.x;
        for (int p = 0; p < POINTS; p++) {
            sum[p] += c.w / sqrt(dx * dx + away);
            dx += step;
        }
    }

    if (row < rows)
        for (int p = 0; p < POINTS; p++)
            if (first + p * WIDTH < columns) potential[row * columns + first + p * WIDTH] += sum[p];
}
