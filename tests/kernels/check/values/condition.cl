/* A flag in local memory is read before the first work-item sets it. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_local_id(0), count = 0;
#ifndef BUG
    if (me == 0) tile[0] = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (int i = 0; i < in[me]; i++) {
        if (tile[0] != i) count += in[i]; else break; /* value */
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0) tile[0] = 5;
    out[get_global_id(0)] = count;
}
