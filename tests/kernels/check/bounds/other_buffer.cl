/* An index so large that the access reaches another buffer. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_global_id(0);
#ifdef BUG
    out[i + (int)(written - out)] = i; /* bounds */
#else
    out[i] = written != 0;
#endif
}
