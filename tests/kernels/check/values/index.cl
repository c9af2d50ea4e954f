/* An element of a list that is too short is an index. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_local_id(0);
#ifdef BUG
    if (me < 63)
#endif
        other[me] = me ^ 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = in[other[me] & 63]; /* value */
}
