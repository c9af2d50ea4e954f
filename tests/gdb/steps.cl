/* For `checked`: each work-item stores a value, and after a barrier copies its neighbour's value. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_global_id(0);
    int sum = in[me] * 2;
    for (int i = 0; i < 4; i++) {
        sum += i * me;
        if (me & 1) sum ^= 3;
    }
    tile[get_local_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[me] = tile[(get_local_id(0) + 1) % get_local_size(0)];
}
