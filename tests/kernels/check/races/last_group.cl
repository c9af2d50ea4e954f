/* The last group to finish adds the results of all. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    local int last;
    const int i = get_local_id(0);
    if (i == 0) out[1 + get_group_id(0)] = in[get_group_id(0)] + 1; /* race */
    if (i == 0) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
#ifdef BUG
        last = get_group_id(0) == get_num_groups(0) - 1;
#else
        last = atomic_inc(out) == (int)get_num_groups(0) - 1;
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last && i == 3) out[64] = out[1] + out[2]; /* race */
}
