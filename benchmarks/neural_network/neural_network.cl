/* A layer of a neural network: a neuron of an image is a work-group of one work-item, as in the paper's program; it sums
 * its weighted inputs and cuts the sum off at -1 and 1. No multiply-add may be fused, so that every device gives the
 * same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void layer(__global const float *from, __global const float *weights, __global float *to, const uint inputs) {
    const uint neuron = get_global_id(0), image = get_global_id(1);
    float sum = weights[neuron * (inputs + 1)];
    for (uint i = 0; i < inputs; i++) sum += from[image * inputs + i] * weights[neuron * (inputs + 1) + 1 + i];
    to[image * get_global_size(0) + neuron] = fmin(fmax(sum, -1.0f), 1.0f);
}
