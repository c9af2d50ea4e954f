/* One work-item fills a word that all read. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    local int first;
    if (get_local_id(0) == 0) first = in[5]; /* race */
#ifndef BUG
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    out[get_global_id(0)] = first; /* race */
}
