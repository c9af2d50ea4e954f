/* Sums of vectors of four unsigned integers, one sum a work-group of GROUP: a work-item adds eight vectors, a
 * tree in local memory the rest. `reduce` has 8 GROUP vectors for every work-group, `combine` for all but the
 * last. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void reduce(__global const uint *input,
                                                                        __global uint4 *sums) {
    __local uint4 tile[GROUP];
    const uint t = get_local_id(0);
    const uint i = get_group_id(0) * GROUP * 2 + t;
    const uint16 four = vload16(i, input) + vload16(i + GROUP, input);

    tile[t] = four.s0123 + four.s4567 + four.s89ab + four.scdef;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint stride = GROUP / 2; stride > 0; stride /= 2) {
        if (t < stride) tile[t] += tile[t + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (t == 0) sums[get_group_id(0)] = tile[0];
}

/* The sum of four vectors, 0 for those that are not there. */
uint4 sum_of(__global const uint4 *input, const uint first, const uint count) {
    uint4 sum = 0;

    for (uint i = first; i < min(first + 4, count); i++) sum += input[i];
    return sum;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
combine(__global const uint4 *input, __global uint4 *sums, const uint count) {
    __local uint4 tile[GROUP];
    const uint t = get_local_id(0);
    const uint i = get_group_id(0) * GROUP * 2 + t;

    tile[t] = sum_of(input, 4 * i, count) + sum_of(input, 4 * (i + GROUP), count);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint stride = GROUP / 2; stride > 0; stride /= 2) {
        if (t < stride) tile[t] += tile[t + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (t == 0) sums[get_group_id(0)] = tile[0];
}
