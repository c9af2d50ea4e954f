/* A halo of a tile that is too small by two words. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
#ifdef BUG
#define WIDTH 64
#else
#define WIDTH 66
#endif
    local int row[WIDTH], next[64];
    const int i = get_local_id(0);
    next[i] = 0;
    row[i] = in[i];
    if (i < 2) row[64 + i] = in[64 + i]; /* bounds */
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = row[i] + next[i];
#ifndef BUG
    out[get_global_id(0)] += row[i + 2];
#endif
}
