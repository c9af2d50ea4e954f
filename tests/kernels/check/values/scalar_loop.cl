/* A variable of a loop's body is set in one turn only. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_global_id(0), sum = 0;
    for (int i = 0; i < in[me]; i++) {
#ifdef BUG
        long u;
#else
        long u = 0;
#endif
        if (i == me % 4) u = in[i];
        sum += (int)u ^ sum << 1;
    }
    out[me] = sum; /* value */
}
