/* Bytes behind the end of an array of bytes. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    local uchar s[40], t[64];
    const int i = get_local_id(0);
    t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef BUG
    s[i] = i; /* bounds */
#else
    if (i < 40) s[i] = i;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[i % 40] + t[i];
}
