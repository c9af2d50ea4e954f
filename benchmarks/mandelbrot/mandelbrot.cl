/* For each pixel: how many steps z = z*z + c stays inside radius 2, at most limit. No multiply-add may be fused, so
 * that every device counts the same. */
#pragma OPENCL FP_CONTRACT OFF

__kernel void mandelbrot(__global uint *iterations, const uint width, const uint height, const float left,
                         const float top, const float step, const uint limit) {
    const uint column = get_global_id(0);
    const uint row = get_global_id(1);
    if (column >= width || row >= height) return;

    const float c_real = left + (float)column * step;
    const float c_imaginary = top - (float)row * step;
    float real = 0.0f;
    float imaginary = 0.0f;
    uint count = 0;
    while (count < limit) {
        const float real_squared = real * real;
        const float imaginary_squared = imaginary * imaginary;
        if (real_squared + imaginary_squared > 4.0f) break;
        imaginary = 2.0f * real * imaginary + c_imaginary;
        real = real_squared - imaginary_squared + c_real;
        count++;
    }
    iterations[row * width + column] = count;
}
