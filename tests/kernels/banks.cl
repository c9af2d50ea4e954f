/* For `checked`: work-items store with a stride of two words, and load adjacent words. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_local_id(0);
    tile[me * 2 & 63] = me;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[me];
}
