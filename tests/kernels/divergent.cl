/* Conditional statements whose operations the optimiser must keep; a barrier in a function. */
__attribute__((noinline)) void meet(__local int *x) {
    x[0]++;
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel void divergent(__global int *a, __global const int *limits, int n) {
    __local int shared[1];
    int i = get_global_id(0);
    for (int k = 0; k < n; k++) {
        if (a[i] > k) a[i] -= limits[0];
    }
    meet(shared);
    meet(shared);
    a[i] += shared[0];
}
