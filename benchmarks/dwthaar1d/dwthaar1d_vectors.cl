/* Haar's wavelet transform of pieces of a signal, each of 2^levels values, by a work-group, as in
 * dwthaar1d.cl; a work-item makes means and differences of four neighbouring pairs. Where fewer than four
 * pairs are left it computes four all the same, and stores those that are left. No multiply-add may be fused,
 * so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void dwthaar1d(__global const float *signal, __global float *differences, __global float *means,
                        __local float *tile, const int levels, const float scale) {
    const float half_root = 0.70710678f; /* 1 / sqrt(2) */
    const int t = get_local_id(0), size = get_local_size(0);
    const int group = get_group_id(0), groups = get_num_groups(0);
    __global const float *piece = signal + (group << levels);

    vstore4(vload4(t, piece) * scale, t, tile);
    vstore4(vload4(t + size, piece) * scale, t + size, tile);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int active = 1 << (levels - 1); active > 0; active /= 2) {
        float8 pairs = 0.0f;
        if (4 * t < active) pairs = vload8(t, tile);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (4 * t < active) {
            const float4 difference = (pairs.even - pairs.odd) * half_root;
            __global float *place = differences + active * groups + group * active;
            vstore4((pairs.even + pairs.odd) * half_root, t, tile);
            if (active >= 4) {
                vstore4(difference, t, place);
            } else {
                place[0] = difference.x;
                if (active == 2) place[1] = difference.y;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (t == 0) means[group] = tile[0];
}
