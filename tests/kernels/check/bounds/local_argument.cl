/* A pointer to local memory leaves its argument. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_local_id(0);
    other[i] = i;
#ifdef BUG
    tile[2 * i] = i; /* bounds */
#else
    tile[i] = i;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[i] + other[63 - i];
}
