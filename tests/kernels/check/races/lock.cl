/* One work-item of each group changes two words of a buffer, under a lock. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    if (get_local_id(0) == 0) {
#ifndef BUG
        while (atomic_cmpxchg(out, 0, 1))
            ;
#endif
        out[1] += 1; /* race */
        out[9] += in[1]; /* race */
#ifndef BUG
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(out, 0);
#endif
    }
}
