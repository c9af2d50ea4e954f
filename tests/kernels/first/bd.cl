/* -DBUG: only odd work-items come to the barrier. */
__kernel void k(__global int *o) {
    __local int s[64];
    int i = get_local_id(0);
    s[i] = i;
#ifdef BUG
    if (i & 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        s[i] += 100;
    }
#else
    if (i & 1) s[i] += 100;
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    o[i] = s[i ^ 2];
}
