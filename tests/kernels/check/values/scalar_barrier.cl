/* A variable that one work-item sets is used by all after a barrier. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_local_id(0), first;
#ifndef BUG
    first = 0;
#endif
    if (me == 0) first = in[0];
    tile[me] = me;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[63 - me] + first; /* value */
}
