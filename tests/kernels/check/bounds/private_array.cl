/* An index that is too large for a private array reads its neighbour of the same work-item. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_global_id(0);
    int p[4], q[8];
    for (int n = 0; n < 4; n++) p[n ^ (in[i] & 1)] = in[n];
    for (int n = 0; n < 8; n++) q[(n + in[0]) & 7] = in[i + n];
#ifdef BUG
    out[i] = p[in[i] & 3] + q[(in[i + 1] & 7) + 2]; /* bounds */
#else
    out[i] = p[in[i] & 3] + q[in[i + 1] & 7];
#endif
}
