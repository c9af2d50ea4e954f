/* A variable is set by one condition, and used by another. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_global_id(0), u;
    if (me & 1) u = in[me];
#ifdef BUG
    if (me & 2)
#else
    if (me & 1)
#endif
        for (int n = 0; n < 3; n++) if (u == n) atomic_add(&out[n + 300], 1); /* value */
    out[me] = me;
}
