/* The kernel writes three bytes of each word and reads these three; with the mistake, it reads all four. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_local_id(0);
    local uchar *bytes = (local uchar *)tile;
    for (int i = 0; i < 3; i++) bytes[4 * me + i] = in[me] + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint word = tile[(me + 1) % 64];
#ifndef BUG
    word &= 0xffffff;
#endif
    out[get_global_id(0)] = word ^ 7; /* value */
}
