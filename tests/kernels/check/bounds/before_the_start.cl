/* The first work-item reads before the start. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    local int s[64], t[64];
    const int i = get_local_id(0);
    s[i] = t[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef BUG
    const int left = t[i - 1]; /* bounds */
#else
    const int left = i ? t[i - 1] : 0;
#endif
    out[get_global_id(0)] = s[i] + left;
}
