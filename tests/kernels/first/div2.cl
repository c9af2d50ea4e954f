/* -DBUG: odd and even work-items come to different barriers. */
__kernel void mm(__global const float *a, __global const float *b, __global float *c, int n) {
    const int i = get_local_id(1) * 16 + get_local_id(0);
    const int g = get_global_id(1) * n + get_global_id(0);
#ifdef BUG
    if (i & 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        c[g] = 1;
    } else {
        barrier(CLK_LOCAL_MEM_FENCE);
        c[g] = 2;
    }
#else
    barrier(CLK_LOCAL_MEM_FENCE);
    c[g] = i & 1 ? 1 : 2;
#endif
}
