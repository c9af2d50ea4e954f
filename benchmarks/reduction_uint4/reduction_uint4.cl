/* Sums of vectors of four unsigned integers, one sum a work-group of GROUP: a work-item adds two vectors, a tree
 * in local memory the rest. `reduce` has 2 GROUP vectors for every work-group, `combine` for all but the last. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
reduce(__global const uint4 *input, __global uint4 *sums) {
    __local uint4 tile[GROUP];
    const uint t = get_local_id(0);
    const uint i = get_group_id(0) * GROUP * 2 + t;

    tile[t] = input[i] + input[i + GROUP];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint stride = GROUP / 2; stride > 0; stride /= 2) {
        if (t < stride) tile[t] += tile[t + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (t == 0) sums[get_group_id(0)] = tile[0];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
combine(__global const uint4 *input, __global uint4 *sums, const uint count) {
    __local uint4 tile[GROUP];
    const uint t = get_local_id(0);
    const uint i = get_group_id(0) * GROUP * 2 + t;

    tile[t] = (i < count ? input[i] : (uint4)0) + (i + GROUP < count ? input[i + GROUP] : (uint4)0);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint stride = GROUP / 2; stride > 0; stride /= 2) {
        if (t < stride) tile[t] += tile[t + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (t == 0) sums[get_group_id(0)] = tile[0];
}
