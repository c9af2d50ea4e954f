/* Odd-even sort in a work-group. -DBUG: the barrier is in the condition. */
__kernel void mm(__global const float *a, __global const float *b, __global float *c, int n) {
    __local float s[256];
    const int i = get_local_id(1) * 16 + get_local_id(0);
    const int g = get_global_id(1) * n + get_global_id(0);
    s[i] = a[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int p = 0; p < 256; ++p) {
        int j = 2 * (i / 2) + (p & 1);
        if (!(i & 1) && j + 1 < 256) {
            float u = s[j], v = s[j + 1];
            if (u > v) {
                s[j] = v;
                s[j + 1] = u;
            }
#ifdef BUG
            barrier(CLK_LOCAL_MEM_FENCE);
#endif
        }
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    c[g] = s[i];
}
