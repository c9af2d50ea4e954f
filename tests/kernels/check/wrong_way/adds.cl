/* A sum in a write-only buffer. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_global_id(0);
#ifdef BUG
    written[i] += in[i]; /* read */
#else
    written[i] = in[i];
#endif
}
