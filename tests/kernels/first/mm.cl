/* A product of matrices, tile by tile. -DBUG: without its second barrier. */
#define T 16
__kernel void mm(__global const float *a, __global const float *b, __global float *c, int n) {
    __local float ta[T][T], tb[T][T];
    const int x = get_local_id(0), y = get_local_id(1);
    const int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < n / T; ++t) {
        ta[y][x] = a[row * n + t * T + x];
        tb[y][x] = b[(t * T + y) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < T; ++k) sum += ta[y][k] * tb[k][x];
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    c[row * n + col] = sum;
}
