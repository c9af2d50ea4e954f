/* A work-item writes a half-word, its neighbour the whole word. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    global ushort *halves = (global ushort *)out;
    const int i = get_global_id(0);
#ifdef BUG
    if (i & 1) out[i / 2] = i; /* race */
    else halves[i] = i; /* race */
#else
    halves[i] = i;
#endif
}
