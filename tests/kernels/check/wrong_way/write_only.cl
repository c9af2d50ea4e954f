/* A write-only buffer is read. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_global_id(0);
    written[i] = i;
#ifdef BUG
    out[i] = written[255 - i]; /* read */
#else
    out[i] = 255 - i;
#endif
}
