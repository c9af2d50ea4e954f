/* All work-items add to one word. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
#ifdef BUG
    out[0] += in[get_global_id(0)]; /* race */
#else
    atomic_add(out, in[get_global_id(0)]);
#endif
}
