/* A step of Jacobi's iteration of a plane of numbers: each becomes the mean of its four neighbours, less a source. A
 * work-item goes down some rows of a column. No multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void jacobi(__global const float *from, __global float *to, __global const float *source, const int width,
                     const int height, const int each) {
    const int x = 1 + get_global_id(0), first = 1 + get_global_id(1) * each, end = min(first + each, height - 1);

    if (x < width - 1)
        for (int y = first; y < end; y++) {
            const int i = y * width + x;
            to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width] - source[i]);
        }
}
