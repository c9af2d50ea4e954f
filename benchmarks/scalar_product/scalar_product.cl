/* The scalar products of pairs of vectors, which lie one behind the other: a work-group takes one pair after the other.
 * A work-item adds every ACCUMULATORS-th product to an accumulator of its own; a tree in local memory adds those up.
 * No multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(ACCUMULATORS, 1, 1))) void
scalar_product(__global const float *a, __global const float *b, __global float *product, const uint vectors,
               const uint length) {
    __local float accumulator[ACCUMULATORS];
    const uint local_id = get_local_id(0);

    for (uint vector = get_group_id(0); vector < vectors; vector += get_num_groups(0)) {
        const uint begin = vector * length, end = begin + length;
        float sum = 0.0f;
        for (uint i = begin + local_id; i < end; i += ACCUMULATORS) sum += a[i] * b[i];
        accumulator[local_id] = sum;

        for (uint stride = ACCUMULATORS / 2; stride > 0; stride /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (local_id < stride) accumulator[local_id] += accumulator[local_id + stride];
        }
        if (local_id == 0) product[vector] = accumulator[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
