/* A histogram of a group: some work-items clear its words, all increment them. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_local_id(0);
    if (i < 16) tile[i] = 0; /* race */
#ifndef BUG
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    atomic_inc(&tile[in[i] & 15]); /* race */
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 16) atomic_add(&out[i], tile[i]);
}
