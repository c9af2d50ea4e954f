/* A counter in local memory that nothing sets to 0. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_local_id(0);
#ifndef BUG
    if (me == 0) tile[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    atomic_inc(&tile[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[0]; /* value */
}
