/* A product of two vectors of four elements, which lie side by side. No multiply-add may be fused, so that every device
 * gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void dotproduct(__global const float *a, __global const float *b, __global float *product, const int count) {
    const int i = get_global_id(0), first = 4 * i;

    if (i < count)
        product[i] = a[first] * b[first] + a[first + 1] * b[first + 1] + a[first + 2] * b[first + 2] +
                     a[first + 3] * b[first + 3];
}
