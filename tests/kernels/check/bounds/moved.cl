/* Code generation moves the loads of the sum behind the condition, and drops their places in the source. */
#ifdef BUG
#define FIRST me
#else
#define FIRST (me & 15)
#endif
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    local int s[48], t[32];
    int me = get_local_id(0), sum = 0;
    if (me < 48) s[me] = in[me];
    if (me < 32) t[me] = in[me];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 0; n < 8; n++) sum += in[n] * s[(me & 31) + n] + t[FIRST]; /* bounds */
    if (in[3] < 1000) out[get_global_id(0)] = sum + t[me & 15];
}
