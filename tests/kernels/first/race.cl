/* -DBUG: all work-items add to one element, which the host has made write-only; and a variable has no value. */
__kernel void mm(__global const float *a, __global const float *b, __global float *c, int n) {
    const int g = get_global_id(1) * n + get_global_id(0);
#ifdef BUG
    c[0] += a[g];
    float u;
#else
    float u = a[g];
#endif
    c[g] = u;
}
