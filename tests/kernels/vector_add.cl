/* The smallest real kernel, used for all properties of an image. */
__kernel void vector_add(__global const float *restrict a, __global const float *b,
                         __global float *c, const uint n) {
    size_t i = get_global_id(0);
    if (i < n) {
        c[i] = a[i] + b[i];
        c[i] *= 2.0f;
    }
}
