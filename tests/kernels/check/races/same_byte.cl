/* Two work-items write one byte; neighbours write adjacent bytes, which is legal. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    global uchar *bytes = (global uchar *)out;
    const int i = get_global_id(0);
#ifdef BUG
    bytes[i / 2] = i; /* race */
#else
    bytes[i] = i;
#endif
}
