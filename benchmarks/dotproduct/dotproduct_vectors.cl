/* Four products of two vectors of four elements, which lie side by side: one column of the four at a time. No
 * multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void dotproduct(__global const float *a, __global const float *b, __global float *product, const int count) {
    const int i = 4 * get_global_id(0);

    if (i < count) {
        const float16 p = vload16(get_global_id(0), a) * vload16(get_global_id(0), b);
        vstore4(p.s048c + p.s159d + p.s26ae + p.s37bf, get_global_id(0), product);
    }
}
