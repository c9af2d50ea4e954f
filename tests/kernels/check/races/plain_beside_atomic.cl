/* A word that others change by atomic operations is read by a plain load. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    atomic_inc(out); /* race */
#ifdef BUG
    const int seen = out[0]; /* race */
#else
    const int seen = atomic_or(out, 0);
#endif
    out[1 + get_global_id(0)] = seen > 0;
}
