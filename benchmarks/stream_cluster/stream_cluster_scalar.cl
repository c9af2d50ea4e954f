/* The scalar thread brings the candidate's coordinates from its start on: nobody has to call it, and the one barrier is
 * where they are needed. */
#include <lockstep_scalar.h>
#pragma OPENCL FP_CONTRACT OFF

__kernel void stream_cluster(__global const float *coordinates, __global const float *weights,
                             __global const float *costs, __global float *gains, const uint points,
                             const uint candidate) {
    LOCKSTEP_SHARED __local float centre[DIMENSIONS];
    const uint point = get_global_id(0);
    lockstep_sync(1);
    float distance = 0.0f;
    for (uint d = 0; d < DIMENSIONS && point < points; d++) {
        const float apart = coordinates[d * points + point] - centre[d];
        distance += apart * apart;
    }
    if (point < points) {
        const float cost = distance * weights[point];
        gains[point] = cost < costs[point] ? costs[point] - cost : 0.0f;
    }
}
LOCKSTEP_SCALAR_OF(stream_cluster)
__kernel void stream_cluster_scalar(__global const float *coordinates, __global const float *weights,
                                    __global const float *costs, __global float *gains, const uint points,
                                    const uint candidate) {
    LOCKSTEP_SHARED __local float centre[DIMENSIONS];
#pragma unroll
    for (uint d = 0; d < DIMENSIONS; d++) centre[d] = coordinates[d * points + candidate];
    lockstep_sync(1);
}
