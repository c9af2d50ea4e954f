/* -DBUG: no barrier between writing and reading. */
__kernel void k(__global int *o) {
    __local int s[64];
    int i = get_local_id(0);
    s[i] = i;
#ifndef BUG
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    o[i] = s[63 - i];
}
