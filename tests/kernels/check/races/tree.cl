/* A sum in a tree without barriers between its steps. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_local_id(0);
    tile[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = 32; stride > 0; stride /= 2) {
        if (i < stride) tile[i] += tile[i + stride]; /* race */
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    if (i == 0) out[get_group_id(0)] = tile[0];
}
