/* A tile is overwritten while others still read it. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    local int s[64];
    const int i = get_local_id(0);
    int sum = 0;
    for (int t = 0; t < 4; ++t) {
        s[i] = in[t * 64 + i]; /* race */
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 8; ++j) sum += s[(i + j) % 64]; /* race */
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    out[get_global_id(0)] = sum;
}
