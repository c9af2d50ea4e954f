/* Back-propagation in a layer of a neural network as an OpenMP program does it: weight[1 + input][1 + hidden], row
 * 0 is the bias. No multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))

/* #pragma omp parallel for is over the hidden units, in both; the inner loop strides by a row of weights. */
__kernel void forward_part(__global const float *input, __global const float *weight, __global float *sums,
                           const int inputs) {
    const int end = TO(WIDE);

    for (int hidden = FROM(WIDE); hidden < end; hidden++) {
        float sum = 0.0f;
        for (int from = 1; from <= inputs; from++) sum += weight[from * (WIDE + 1) + hidden + 1] * input[from];
        sums[hidden] = sum;
    }
}

__kernel void adjust_part(__global const float *error, __global const float *input, __global float *weight,
                          __global float *last, const int inputs) {
    const float rate = 0.3f, momentum = 0.3f;
    const int end = TO(WIDE);

    for (int hidden = FROM(WIDE); hidden < end; hidden++)
        for (int from = 0; from <= inputs; from++) {
            const int at = from * (WIDE + 1) + hidden + 1;
            const float own = from > 0 ? rate * error[hidden + 1] * input[from] : rate * error[hidden + 1];
            const float change = own + momentum * last[at];
            weight[at] += change;
            last[at] = change;
        }
}
