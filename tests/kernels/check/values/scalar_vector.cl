/* A component of a vector has a value in some work-items only. */
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    int me = get_global_id(0);
    float4 v;
    v.x = 1;
#ifndef BUG
    v.w = 2;
#endif
    if (me % 3 == 0) v = (float4)(me);
    out[me] = (int)(v.x + v.w); /* value */
}
