/* The second half of 64 work-items writes into the array behind. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    local int s[32], t[32];
    const int i = get_local_id(0);
    t[i & 31] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef BUG
    s[i] = i; /* bounds */
#else
    s[i & 31] = 1;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[i & 31] + t[i & 31];
}
