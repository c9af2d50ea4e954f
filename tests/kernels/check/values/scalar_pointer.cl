/* A pointer is set in some work-items only. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_global_id(0);
    local int *from;
#ifndef BUG
    from = other;
#endif
    tile[get_local_id(0)] = me;
    other[get_local_id(0)] = me;
    if (me % 5 == 0) from = tile;
    out[me] = from == tile ? 1 : 2; /* value */
}
