/* Static local memory: single kernels, and one that calls another. */
__kernel void first(__global float *a) {
    __local float tile[64];
    __local int flag;
    tile[get_local_id(0)] = a[get_global_id(0)];
    if (get_local_id(0) == 0) flag = 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = tile[63 - get_local_id(0)] + flag;
}

__kernel void second(__global double *a) {
    __local double sums[32];
    sums[get_local_id(0)] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = sums[31 - get_local_id(0)];
}

__kernel void inner(__global int *a) {
    __local int exchange[16];
    exchange[get_local_id(0)] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = exchange[15 - get_local_id(0)];
}

__kernel void outer(__global int *a) {
    __local int own[8];
    inner(a);
    own[get_local_id(0) & 7] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] += own[0];
}
