/* Elements without a value are read, but not chosen. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_local_id(0);
    if (me < 32) tile[me] = in[me];
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef BUG
    int last = 33;
#else
    int last = 32;
#endif
    int there = tile[me & 63];
    out[get_global_id(0)] = me < last ? there : -1; /* value */
}
