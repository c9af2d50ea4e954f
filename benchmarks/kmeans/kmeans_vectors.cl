/* An iteration of k-means: the nearest centres of four points; features are by feature. No multiply-add may be fused,
 * so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* Transposes: four neighbouring points are then one vector. */
__kernel void swap(__global const float *by_point, __global float *by_feature, const int points, const int features) {
    const int i = get_global_id(0);

    if (4 * i < points)
        for (int f = 0; f < features; f++) {
            __global const float *of = by_point + 4 * i * features + f;
            vstore4((float4)(of[0], of[features], of[2 * features], of[3 * features]), i, by_feature + f * points);
        }
}

__kernel void kmeans(__global const float *feature, __global const float *centre, __global int *nearest,
                     const int points, const int centres, const int features) {
    const int i = get_global_id(0);

    if (4 * i < points) {
        float4 least = INFINITY;
        int4 chosen = 0;
        for (int c = 0; c < centres; c++) {
            float4 distance = 0.0f;
            for (int f = 0; f < features; f++) {
                const float4 difference = vload4(i, feature + f * points) - centre[c * features + f];
                distance += difference * difference;
            }
            const int4 nearer = distance < least;
            least = select(least, distance, nearer);
            chosen = select(chosen, c, nearer);
        }
        vstore4(chosen, i, nearest);
    }
}
