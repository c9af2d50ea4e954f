/* Walsh transforms of a vector, in steps: in each, elements that are `stride` apart become their sum and difference. */

/* One step of the whole vector, a pair of elements for each work-item. */
__kernel void walsh_step(__global float *vector, const int stride) {
    const int pair = get_global_id(0), within = pair & (stride - 1), at = (pair - within) * 2 + within;
    const float a = vector[at], b = vector[at + stride];
    vector[at] = a + b;
    vector[at + stride] = a - b;
}

/* All steps of strides that are smaller than a piece of 2 * GROUP elements, in local memory. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void walsh_piece(__global float *vector) {
    __local float piece[2 * GROUP];
    const int id = get_local_id(0);
    __global float *own = vector + get_group_id(0) * 2 * GROUP;
    piece[id] = own[id];
    piece[id + GROUP] = own[id + GROUP];
    for (int stride = GROUP; stride > 0; stride >>= 1) {
        const int within = id & (stride - 1), at = (id - within) * 2 + within;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float a = piece[at], b = piece[at + stride];
        piece[at] = a + b;
        piece[at + stride] = a - b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    own[id] = piece[id];
    own[id + GROUP] = piece[id + GROUP];
}
