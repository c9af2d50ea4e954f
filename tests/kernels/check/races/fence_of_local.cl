/* Work-items talk through a buffer, but the barrier fences local memory. */
#ifdef BUG
#define FENCE CLK_LOCAL_MEM_FENCE
#else
#define FENCE CLK_GLOBAL_MEM_FENCE
#endif
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_global_id(0);
    out[i] = i; /* race */
    barrier(FENCE);
    const int seen = out[i ^ 1]; /* race */
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = seen;
}
