/* One sum per work-group, by a tree in local memory: in each step the lower half of the work-items that are left
 * adds the upper half's values to its own. The work-group size must be a power of two. With STRIDED a work-item
 * first sums every so many-th value: there may be fewer of them than values. */
__kernel void reduction(__global const float *input, const uint count, __global float *sums,
                        __local float *tile) {
    const uint local_id = get_local_id(0);
    const uint global_id = get_global_id(0);

#ifdef STRIDED
    float sum = 0.0f;
    for (uint i = global_id; i < count; i += get_global_size(0)) sum += input[i];
    tile[local_id] = sum;
#else
    tile[local_id] = global_id < count ? input[global_id] : 0.0f;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
        if (local_id < stride) tile[local_id] += tile[local_id + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (local_id == 0) sums[get_group_id(0)] = tile[0];
}
