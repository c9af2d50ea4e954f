/* Private arrays that are needed after a barrier: in MIMD mode each work-item of a group has its own at the same
 * time. An index that is too large reads the other array. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_global_id(0), me = get_local_id(0);
    int p[4], q[8];
    for (int n = 0; n < 4; n++) p[n ^ (in[i] & 1)] = in[n] + i;
    for (int n = 0; n < 8; n++) q[(n + in[0]) & 7] = in[i + n];
    tile[me] = p[in[i] & 3];
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef BUG
    out[i] = p[(in[i] & 3) + 2] + q[in[i + 1] & 7] + tile[63 - me]; /* bounds */
#else
    out[i] = p[in[i] & 3] + q[in[i + 1] & 7] + tile[63 - me];
#endif
}
