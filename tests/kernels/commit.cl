// Kernels for the commit checker: divergence, private arrays, local memory with barriers, atomics, doubles, small
// stores, stores of several threads to one place.
kernel void sums(global const int *in, global int *out, local int *tile) {
    const uint i = get_local_id(0);
    tile[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = get_local_size(0) / 2; step; step /= 2) {
        if (i < step) tile[i] += tile[i + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!i) out[get_group_id(0)] = tile[0];
}

kernel void collatz(global const uint *in, global uint *out) {
    uint n = in[get_global_id(0)], steps = 0;
    uint seen[8];
    for (uint k = 0; k < 8; ++k) seen[k] = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        seen[(int)(n << 28) < 0x40000000 ? n & 3 : n & 7]++; // the comparison overflows
        ++steps;
    }
    out[get_global_id(0)] = steps * 256 + seen[steps & 7];
}

kernel void count(global const uint *in, volatile global uint *bins) {
    atomic_inc(&bins[in[get_global_id(0)] & 3]);
    atomic_max(&bins[4], in[get_global_id(0)]);
}

kernel void scale(global double *x, double a) {
    const uint i = get_global_id(0);
    x[i] = sqrt(x[i] * a) / 3 + (uchar)i;
}

// Bytes, halfwords, doubles; the comparison sets FPSCR.
kernel void parts(global const float *in, global uchar *out) {
    const uint i = get_global_id(0);
    const float x = in[i];
    out[i] = ~as_uint(x);
    ((global ushort *)out)[256 + i] = ~as_uint(x) >> 3;
    ((global double *)out)[128 + i] = x > 0.5f ? x : -2 * x;
}

// Threads store to the places of their neighbours.
kernel void same(global const uint *in, global uint *out) {
    const uint i = get_global_id(0);
    out[i / 2] = in[i];
    out[0] = i;
}
