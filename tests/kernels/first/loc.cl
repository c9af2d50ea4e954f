/* -DBUG: indices up to 31 into an array of 16 elements. */
#ifdef BUG
#define MASK 31
#else
#define MASK 15
#endif
__kernel void mm(__global const float *a, __global const float *b, __global float *c, int n) {
    __local float s[16];
    __local float t[16];
    const int i = get_local_id(1) * 16 + get_local_id(0);
    const int g = get_global_id(1) * n + get_global_id(0);
    if (i <= MASK) s[i] = a[g];
    if (i < 16) t[i] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    c[g] = s[i & MASK] + t[i & 15];
}
