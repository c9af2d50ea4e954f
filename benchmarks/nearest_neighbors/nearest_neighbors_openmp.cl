/* How far each place of a list is from one, as an OpenMP program measures it. No multiply-add may be fused, so
 * that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))

/* #pragma omp parallel for is over the places. */
__kernel void nearest_part(__global const float2 *place, __global float *distance, const int count, const float x,
                           const float y) {
    const int end = TO(count);

    for (int i = FROM(count); i < end; i++) {
        const float east = place[i].x - x, north = place[i].y - y;
        distance[i] = sqrt(east * east + north * north);
    }
}
