/* A variable that only some work-items set is stored by all. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_global_id(0);
#ifdef BUG
    int u;
#else
    int u = 7;
#endif
    if (me > 5) u = in[me];
    out[me] = u; /* value */
}
