/* Copies an array, an element a work-item. */
__kernel void memory_copy(__global const float *from, __global float *to, const uint count) {
    const uint k = get_global_id(0);
    if (k < count) to[k] = from[k];
}
