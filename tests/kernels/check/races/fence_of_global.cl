/* Work-items talk through local memory, but the barrier fences buffers. */
#ifdef BUG
#define FENCE CLK_GLOBAL_MEM_FENCE
#else
#define FENCE CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE
#endif
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    const int i = get_local_id(0);
    tile[i] = i; /* race */
    barrier(FENCE);
    out[get_global_id(0)] = tile[i ^ 1]; /* race */
}
