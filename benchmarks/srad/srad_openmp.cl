/* Speckle-reducing anisotropic diffusion as an OpenMP program does it; data as in srad.cl. No multiply-add may be
 * fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))

/* By one core. */
__kernel void extract_serial(__global float *image, const int pixels) {
    for (int i = 0; i < pixels; i++) image[i] = exp(image[i] / 255.0f);
}

/* The squared variation of all pixels, by one core. */
__kernel void sum_up(__global const float *image, const int pixels, __global float *speckle) {
    float sum = 0.0f, squares = 0.0f;

    for (int i = 0; i < pixels; i++) {
        sum += image[i];
        squares += image[i] * image[i];
    }
    const float mean = sum / (float)pixels;
    *speckle = (squares / (float)pixels - mean * mean) / (mean * mean);
}

/* #pragma omp parallel for is over the columns, here and below. */
__kernel void srad_part(__global const float *image, __global const int *north, __global const int *south,
                        __global const int *west, __global const int *east, __global float *to_north,
                        __global float *to_south, __global float *to_west, __global float *to_east,
                        __global float *coefficient, const int rows, const int pixels, const float speckle) {
    const int columns = pixels / rows, end = TO(columns);

    for (int column = FROM(columns); column < end; column++)
        for (int row = 0; row < rows; row++) {
            const int i = column * rows + row;
            const float own = image[i];
            const float n = image[column * rows + north[row]] - own, s = image[column * rows + south[row]] - own;
            const float w = image[west[column] * rows + row] - own, e = image[east[column] * rows + row] - own;
            const float gradient = (n * n + s * s + w * w + e * e) / (own * own), laplacian = (n + s + w + e) / own;
            const float sum = 1.0f + 0.25f * laplacian;
            const float variation = (0.5f * gradient - 0.0625f * (laplacian * laplacian)) / (sum * sum);
            const float c = 1.0f / (1.0f + (variation - speckle) / (speckle * (1.0f + speckle)));
            to_north[i] = n;
            to_south[i] = s;
            to_west[i] = w;
            to_east[i] = e;
            coefficient[i] = c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
        }
}

__kernel void srad2_part(__global float *image, __global const int *south, __global const int *east,
                         __global const float *to_north, __global const float *to_south,
                         __global const float *to_west, __global const float *to_east,
                         __global const float *coefficient, const int rows, const int pixels, const float lambda) {
    const int columns = pixels / rows, end = TO(columns);

    for (int column = FROM(columns); column < end; column++)
        for (int row = 0; row < rows; row++) {
            const int i = column * rows + row;
            const float own = coefficient[i];
            const float below = coefficient[column * rows + south[row]];
            const float right = coefficient[east[column] * rows + row];
            const float divergence = own * to_north[i] + below * to_south[i] + own * to_west[i] + right * to_east[i];
            image[i] = image[i] + 0.25f * lambda * divergence;
        }
}

/* By one core. */
__kernel void compress_serial(__global float *image, const int pixels) {
    for (int i = 0; i < pixels; i++) image[i] = log(image[i]) * 255.0f;
}
