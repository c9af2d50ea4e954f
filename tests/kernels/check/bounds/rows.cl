/* One row too many of a table. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile,
              local int *other) {
    local int table[4][16], guard[16];
    const int i = get_local_id(0);
    guard[i & 15] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef BUG
    table[1 + i / 16][i & 15] = i; /* bounds */
#else
    table[i / 16][i & 15] = i;
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = table[3][i & 15] + guard[i & 15];
}
