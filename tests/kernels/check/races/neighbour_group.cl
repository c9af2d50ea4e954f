/* The last work-item of a group reads what the next group writes. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_global_id(0), all = get_global_size(0);
    out[i] = in[i]; /* race */
    barrier(CLK_GLOBAL_MEM_FENCE);
#ifdef BUG
    const int next = (i + 1) % all;
#else
    const int next = get_group_id(0) * get_local_size(0) + (get_local_id(0) + 1) % get_local_size(0);
#endif
    out[all + i] = out[next]; /* race */
}
