/* mandelbrot.cl in turns of up to 32 steps without branches, which kernel.scalar: divergence makes over to the first
 * work-items of a group. What has left the circle stays outside. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void
mandelbrot(__global uint *iterations, const uint width, const uint height, const float left, const float top,
           const float step, const uint limit) {
    const uint column = get_global_id(0), row = get_global_id(1);
    const bool inside = column < width && row < height;
    float c_real = left + (float)column * step, c_imaginary = top - (float)row * step, real = 0.0f, imaginary = 0.0f;
    uint count = 0, stays = inside;
    while (stays && count < limit) {
        const uint steps = min(limit - count, 32u);
        for (uint turn = 0; turn < steps; turn++) {
            const float real_squared = real * real, imaginary_squared = imaginary * imaginary;
            stays &= real_squared + imaginary_squared <= 4.0f;
            imaginary = 2.0f * real * imaginary + c_imaginary;
            real = real_squared - imaginary_squared + c_real;
            count += stays;
        }
    }
    if (inside) iterations[row * width + column] = count;
}
