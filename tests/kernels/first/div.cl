/* -DBUG: only odd work-items come to the barrier. */
__kernel void mm(__global const float *a, __global const float *b, __global float *c, int n) {
    __local float s[256];
    const int i = get_local_id(1) * 16 + get_local_id(0);
    const int g = get_global_id(1) * n + get_global_id(0);
    s[i] = a[g];
#ifdef BUG
    if (i & 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        s[i] += 1;
    }
#else
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i & 1) s[i] += 1;
#endif
    c[g] = s[i];
}
