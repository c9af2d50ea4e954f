/* An iteration of k-means: the nearest centre of each point. FEATURE(i, f) is where feature f of point i lies. No
 * multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

#ifdef SWAP
#define FEATURE(i, f) ((f) * points + (i))
#else
#define FEATURE(i, f) ((i) * features + (f))
#endif

/* Transposes: neighbouring work-items of `kmeans` then read neighbouring words. */
__kernel void swap(__global const float *by_point, __global float *by_feature, const int points, const int features) {
    const int i = get_global_id(0);

    if (i < points)
        for (int f = 0; f < features; f++) by_feature[f * points + i] = by_point[i * features + f];
}

__kernel void kmeans(__global const float *feature, __global const float *centre, __global int *nearest,
                     const int points, const int centres, const int features) {
    const int i = get_global_id(0);

    if (i < points) {
        float least = INFINITY;
        int chosen = 0;
        for (int c = 0; c < centres; c++) {
            float distance = 0.0f;
            for (int f = 0; f < features; f++) {
                const float difference = feature[FEATURE(i, f)] - centre[c * features + f];
                distance += difference * difference;
            }
            if (distance < least) {
                least = distance;
                chosen = c;
            }
        }
        nearest[i] = chosen;
    }
}
