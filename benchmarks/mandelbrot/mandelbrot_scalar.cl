/* mandelbrot.cl in turns of up to 64 steps, which kernel.scalar: divergence makes over to the first work-items of a
 * group. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
mandelbrot(__global uint *iterations, const uint width, const uint height, const float left, const float top,
           const float step, const uint limit) {
    const uint column = get_global_id(0), row = get_global_id(1);
    const bool inside = column < width && row < height;
    float c_real = left + (float)column * step, c_imaginary = top - (float)row * step, real = 0.0f, imaginary = 0.0f;
    uint count = inside ? 0 : limit;
    while (count < limit && real * real + imaginary * imaginary <= 4.0f) {
        const uint end = min(count + 64u, limit);
        do {
            const float real_squared = real * real, imaginary_squared = imaginary * imaginary;
            if (real_squared + imaginary_squared > 4.0f) break;
            imaginary = 2.0f * real * imaginary + c_imaginary;
            real = real_squared - imaginary_squared + c_real;
            count++;
        } while (count < end);
    }
    if (inside) iterations[row * width + column] = count;
}
