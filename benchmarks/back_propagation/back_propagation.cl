/* Back-propagation in a layer of a neural network: many inputs, WIDE hidden units. weight[input][hidden]. No multiply-add
 * may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* What a tile of WIDE inputs gives to each hidden unit, summed by a tree in local memory: partial[tile][hidden]. */
__kernel __attribute__((reqd_work_group_size(WIDE, WIDE, 1))) void
forward(__global const float *input, __global const float *weight, __global float *partial, const int inputs) {
    __local float value[WIDE], product[WIDE][WIDE];
    const int hidden = get_local_id(0), row = get_local_id(1), in = get_global_id(1);

    if (hidden == 0) value[row] = in < inputs ? input[in] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    product[row][hidden] = in < inputs ? weight[in * WIDE + hidden] * value[row] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int step = 1; step < WIDE; step *= 2) {
        if (row % (2 * step) == 0) product[row][hidden] += product[row + step][hidden];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (row == 0) partial[get_group_id(1) * WIDE + hidden] = product[0][hidden];
}

/* Each weight changes by its unit's error, and by a part of its last change. */
__kernel __attribute__((reqd_work_group_size(WIDE, WIDE, 1))) void
adjust(__global const float *input, __global const float *error, __global float *weight, __global float *last,
       const int inputs, const float rate, const float momentum) {
    const int hidden = get_local_id(0), in = get_global_id(1), at = in * WIDE + hidden;

    if (in < inputs) {
        const float change = rate * error[hidden] * input[in] + momentum * last[at];
        weight[at] += change;
        last[at] = change;
    }
}
