/* The last addend of a sum in local memory is missing. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_local_id(0);
    local float *terms = (local float *)other;
#ifdef BUG
    if (me != 17)
#endif
        terms[me] = (float)in[me] * 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < 64; i++) sum += terms[i] * (float)i;
    out[get_global_id(0)] = (int)sum; /* value */
}
