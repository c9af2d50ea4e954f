/* The triad of the STREAM benchmark, an element a work-item: nothing is used twice. No multiply-add may be fused, so
 * that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void triad(__global float *a, __global const float *b, __global const float *c, const float scale,
                    const uint count) {
    const uint i = get_global_id(0);
    if (i < count) a[i] = b[i] + scale * c[i];
}
