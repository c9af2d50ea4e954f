/* A pointer to one of two arrays leaves both. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    local int s[16], t[16], u[64];
    const int i = get_local_id(0);
    u[i] = i;
    local int *p = in[0] ? s : t;
#ifdef BUG
    p[i] = i; /* bounds */
#else
    p[i & 15] = 1;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[i & 15] + u[i];
}
