/* -DBUG: a variable that only one work-item sets, and a buffer that the host has made write-only. */
__kernel void mm(__global const float *a, __global const float *b, __global float *c, int n) {
    const int g = get_global_id(1) * n + get_global_id(0);
#ifdef BUG
    float u;
    if (g == 0) u = 1;
    c[g] = c[g] + u;
#else
    float u = 0;
    if (g == 0) u = 1;
    c[g] = a[g] + u;
#endif
}
