/* What opening a new centre would change, the step in which the clustering of a stream spends its time: each point that
 * is nearer to the candidate than to its centre would go there. One work-item of each work-group brings the candidate's
 * coordinates, which lie far apart, into local memory. No multiply-add may be fused, so that every device gives the same
 * bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void stream_cluster(__global const float *coordinates, __global const float *weights,
                             __global const float *costs, __global float *gains, const uint points,
                             const uint candidate) {
    __local float centre[DIMENSIONS];
    const uint point = get_global_id(0);
    if (get_local_id(0) == 0)
        for (uint d = 0; d < DIMENSIONS; d++) centre[d] = coordinates[d * points + candidate];
    barrier(CLK_LOCAL_MEM_FENCE);
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
