/* Back-propagation in a layer of a neural network: many inputs, WIDE hidden units, weight[1 + input][1 + hidden];
 * row 0 is the bias. No multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* The products of WIDE inputs with their weights, summed over the inputs by a tree in local memory:
 * partial[tile][hidden]. The tree's first step adds each product to itself, so that sums are doubled. The tile of
 * sums is written over the weights. */
__kernel __attribute__((reqd_work_group_size(WIDE, WIDE, 1))) void
forward(__global const float *input, __global float *weight, __global float *partial) {
    __local float value[WIDE];
    __local float tile[WIDE][WIDE];
    const int x = get_local_id(0), y = get_local_id(1), group = get_group_id(1);
    const int from = WIDE * group + y + 1;
    const int at = from * (WIDE + 1) + x + 1;

    if (x == 0) value[y] = input[from];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[y][x] = weight[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[y][x] = tile[y][x] * value[y];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int step = 1; step <= WIDE; step *= 2) {
        if (y % step == 0) tile[y][x] = tile[y][x] + tile[y + step / 2][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    weight[at] = tile[y][x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (y == 0) partial[group * WIDE + x] = tile[0][x];
}

/* Each weight changes by its unit's error and by a part of its last change; of the biases the first work-group
 * does so. */
__kernel __attribute__((reqd_work_group_size(WIDE, WIDE, 1))) void
adjust(__global const float *error, __global const float *input, __global float *weight, __global float *last) {
    const float rate = 0.3f, momentum = 0.3f;
    const int x = get_local_id(0), y = get_local_id(1), group = get_group_id(1);
    const int from = WIDE * group + y + 1, to = x + 1;
    const int at = from * (WIDE + 1) + to;

    const float change = rate * error[to] * input[from] + momentum * last[at];
    weight[at] += change;
    last[at] = change;
    barrier(CLK_GLOBAL_MEM_FENCE);

    if (y == 0 && group == 0) {
        const float bias_change = rate * error[to] + momentum * last[to];
        weight[to] += bias_change;
        last[to] = bias_change;
    }
}
