/* One sum per work-group, by a tree in local memory: in each step the lower half of the work-items that are left
 * adds the upper half's values to its own. The work-group size must be a power of two. */
__kernel void reduction(__global const float *input, const uint count, __global float *sums,
                        __local float *tile) {
    const uint local_id = get_local_id(0);
    const uint global_id = get_global_id(0);

    tile[local_id] = global_id < count ? input[global_id] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
        if (local_id < stride) tile[local_id] += tile[local_id + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (local_id == 0) sums[get_group_id(0)] = tile[0];
}
