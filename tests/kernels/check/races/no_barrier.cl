/* Values stored by others are read without a barrier. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    local int s[64];
    const int i = get_local_id(0);
    s[i] = i; /* race */
#ifndef BUG
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    out[get_global_id(0)] = s[63 - i]; /* race */
}
