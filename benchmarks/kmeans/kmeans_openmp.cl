/* An iteration of k-means as an OpenMP program does it. No multiply-add may be fused, so that every device gives
 * the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))

/* The nearest centre of each point, by features [point][f]; #pragma omp parallel for is over the points. A core sums up
 * the features of its points and counts them, by centre: partial[core][centre][f], members[core][centre]. */
__kernel void kmeans_part(__global const float *feature, __global const float *centre, __global int *nearest,
                          const int points, const int centres, const int features, __global float *partial,
                          __global int *members) {
    const int end = TO(points);
    __global float *sum = partial + get_global_id(0) * centres * features;
    __global int *count = members + get_global_id(0) * centres;

    for (int c = 0; c < centres; c++) {
        count[c] = 0;
        for (int f = 0; f < features; f++) sum[c * features + f] = 0.0f;
    }
    for (int i = FROM(points); i < end; i++) {
        float least = INFINITY;
        int chosen = 0;
        for (int c = 0; c < centres; c++) {
            float distance = 0.0f;
            for (int f = 0; f < features; f++) {
                const float difference = feature[i * features + f] - centre[c * features + f];
                distance += difference * difference;
            }
            if (distance < least) {
                least = distance;
                chosen = c;
            }
        }
        nearest[i] = chosen;
        count[chosen]++;
        for (int f = 0; f < features; f++) sum[chosen * features + f] += feature[i * features + f];
    }
}

/* The means, by one core; a centre without points stays. */
__kernel void new_centres(__global const float *partial, __global const int *members, __global float *centre,
                          const int centres, const int features, const int cores) {
    for (int c = 0; c < centres; c++) {
        int count = 0;
        for (int core = 0; core < cores; core++) count += members[core * centres + c];
        for (int f = 0; f < features && count > 0; f++) {
            float sum = 0.0f;
            for (int core = 0; core < cores; core++) sum += partial[(core * centres + c) * features + f];
            centre[c * features + f] = sum / (float)count;
        }
    }
}
