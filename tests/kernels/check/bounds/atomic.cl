/* An atomic operation behind the end. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    local int count[8], rest[64];
    const int i = get_local_id(0);
    rest[i] = 0;
    if (i < 8) count[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef BUG
    atomic_inc(&count[i & 15]); /* bounds */
#else
    atomic_inc(&count[i & 7]);
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = count[i & 7] + rest[i];
}
