/* Every second work-item writes its element; its neighbour's element is read, too. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_local_id(0);
#ifdef BUG
    if (me % 2 == 0)
#endif
        tile[me] = in[me];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[me] + 1; /* value */
}
