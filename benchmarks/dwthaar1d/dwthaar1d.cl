/* Haar's wavelet transform of pieces of a signal, each of 2 * get_local_size(0) values, by a work-group: at every
 * level pairs become means and differences, and half of the work-items that are left idle. A piece's differences
 * of a level go to their place among those of all pieces, its last mean to means[]. `scale` is 1 / sqrt(length) of
 * the whole signal in the first launch, else 1. No multiply-add may be fused, so that every device gives the same
 * bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void dwthaar1d(__global const float *signal, __global float *differences, __global float *means,
                        __local float *tile, const int levels, const float scale) {
    const float half_root = 0.70710678f; /* 1 / sqrt(2) */
    const int t = get_local_id(0), size = get_local_size(0);
    const int group = get_group_id(0), groups = get_num_groups(0);
    const int first = group * size * 2;

    tile[t] = signal[first + t] * scale;
    tile[t + size] = signal[first + t + size] * scale;
    barrier(CLK_LOCAL_MEM_FENCE);

    int active = size;
    for (int level = 0; level < levels; level++) {
        float left = 0.0f, right = 0.0f;
        if (t < active) {
            left = tile[2 * t];
            right = tile[2 * t + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < active) {
            tile[t] = (left + right) * half_root;
            differences[active * groups + group * active + t] = (left - right) * half_root;
        }
        active /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (t == 0) means[group] = tile[0];
}
