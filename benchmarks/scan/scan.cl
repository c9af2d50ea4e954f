/* Prefix sums: of the elements of each work-group, in steps that double the distance; then the sum of all groups before
 * is added. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
scan(__global uint *value, __global uint *group_sum, const uint count) {
    __local uint sum[GROUP];
    const uint i = get_global_id(0), local_id = get_local_id(0);

    sum[local_id] = i < count ? value[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint distance = 1; distance < GROUP; distance *= 2) {
        const uint before = local_id >= distance ? sum[local_id - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum[local_id] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < count) value[i] = sum[local_id];
    if (local_id == GROUP - 1) group_sum[get_group_id(0)] = sum[local_id];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
add(__global uint *value, __global const uint *group_sum, const uint count) {
    const uint i = get_global_id(0), group = get_group_id(0);

    if (i < count && group > 0) value[i] += group_sum[group - 1];
}
