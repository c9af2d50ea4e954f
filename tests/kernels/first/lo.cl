/* -DBUG: 64 work-items write an array of 32 elements; the rest is the next array. */
#ifdef BUG
#define ELEMENTS 32
#else
#define ELEMENTS 64
#endif
__kernel void k(__global int *o) {
    __local int s[ELEMENTS];
    __local int t[32];
    int i = get_local_id(0);
    if (i < 32) t[i] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = s[i] + t[i & 31];
}
