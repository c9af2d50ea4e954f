/* Vectors of four at distances of three. */
#ifdef BUG
#define DISTANCE 3
#else
#define DISTANCE 4
#endif
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_local_id(0);
    if (get_group_id(0) == 0) vstore4((int4)(i, i + 1, i + 2, i * 3), 0, out + DISTANCE * i); /* race */
}
