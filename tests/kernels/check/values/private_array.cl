/* A private table is filled except for one entry. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_global_id(0), table[16];
#ifdef BUG
    int count = 15;
#else
    int count = 16;
#endif
    for (int i = 0; i < count; i++) table[(i + me) % 16] = in[(i + me) % 64];
    int sum = 0;
    for (int i = 0; i < 16; i++) sum += table[(in[i] + i + me) % 16 * (me & 1) + i * (~me & 1)];
    out[me] = sum; /* value */
}
