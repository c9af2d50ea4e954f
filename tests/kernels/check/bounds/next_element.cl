/* The last work-item reads the element behind an array. Code generation reads both elements by one instruction. */
#ifdef BUG
#define SIZE 64
#else
#define SIZE 65
#endif
kernel void k(global int *out, global const int *in, global int *written, local int *tile, local int *other) {
    local int h[SIZE];
    int me = get_local_id(0);
    h[me] = in[me];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = h[me] + h[me + 1]; /* bounds */
}
