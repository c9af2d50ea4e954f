/* Speckle-reducing anisotropic diffusion (Yu and Acton) of an image of columns, one pixel a work-item. Index arrays name
 * the neighbouring rows and columns. No multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* Grey values 0 to 255 become their exponentials. */
__kernel void extract(__global float *image, const int pixels) {
    const int i = get_global_id(0);

    if (i < pixels) image[i] = exp(image[i] / 255.0f);
}

/* Four derivatives of a pixel and its diffusion coefficient. */
__kernel void srad(__global const float *image, __global const int *north, __global const int *south,
                   __global const int *west, __global const int *east, __global float *to_north,
                   __global float *to_south, __global float *to_west, __global float *to_east,
                   __global float *coefficient, const int rows, const int pixels, const float speckle) {
    const int i = get_global_id(0), column = i / rows, row = i - column * rows;

    if (i < pixels) {
        const float own = image[i];
        const float n = image[column * rows + north[row]] - own, s = image[column * rows + south[row]] - own;
        const float w = image[west[column] * rows + row] - own, e = image[east[column] * rows + row] - own;
        const float gradient = (n * n + s * s + w * w + e * e) / (own * own), laplacian = (n + s + w + e) / own;
        const float sum = 1.0f + 0.25f * laplacian;
        const float variation = (0.5f * gradient - 0.0625f * (laplacian * laplacian)) / (sum * sum);
        float c = 1.0f / (1.0f + (variation - speckle) / (speckle * (1.0f + speckle)));

        if (c < 0.0f)
            c = 0.0f;
        else if (c > 1.0f)
            c = 1.0f;
        to_north[i] = n;
        to_south[i] = s;
        to_west[i] = w;
        to_east[i] = e;
        coefficient[i] = c;
    }
}

/* Diffuses by the coefficients of the pixel, and of its southern and eastern neighbour. */
__kernel void srad2(__global float *image, __global const int *south, __global const int *east,
                    __global const float *to_north, __global const float *to_south, __global const float *to_west,
                    __global const float *to_east, __global const float *coefficient, const int rows,
                    const int pixels, const float lambda) {
    const int i = get_global_id(0), column = i / rows, row = i - column * rows;

    if (i < pixels) {
        const float own = coefficient[i];
        const float below = coefficient[column * rows + south[row]];
        const float right = coefficient[east[column] * rows + row];
        const float divergence = own * to_north[i] + below * to_south[i] + own * to_west[i] + right * to_east[i];
        image[i] = image[i] + 0.25f * lambda * divergence;
    }
}

/* Back to grey values. */
__kernel void compress(__global float *image, const int pixels) {
    const int i = get_global_id(0);

    if (i < pixels) image[i] = log(image[i]) * 255.0f;
}
