/* A particle filter that follows a bright disk in a dark video: particles move at random, are weighted by the
 * pixels of the disk around them, and new ones are drawn by weight. A particle is a work-item; kernels run in the
 * order in which they stand here, once for each frame. */
#include "particlefilter_shared.cl"

/* Moves particles from where they were, and weights them by `size` pixels at (offset_x, offset_y) around them:
 * index[] has their places in the video, 0 for those outside. partial[group]: the sum of a work-group's
 * weights. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
likelihood(__global float *x, __global float *y, __global const float *old_x, __global const float *old_y,
           __global uint *seed, __global const int *offset_x, __global const int *offset_y, __global int *index,
           __global const uchar *video, __global float *likely, __global float *weight, __global float *partial,
           const int particles, const int size, const int side, const int frame) {
    __local float tile[GROUP];
    const int t = get_local_id(0), i = get_global_id(0);

    if (i < particles) {
        uint state = seed[i];
        x[i] = old_x[i] + 1.0f + 5.0f * gaussian(&state);
        y[i] = old_y[i] - 2.0f + 2.0f * gaussian(&state);
        seed[i] = state;
        weight[i] = 1.0f / (float)particles;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);

    if (i < particles) {
        const int near_x = (int)(x[i] + 0.5f), near_y = (int)(y[i] + 0.5f);
        for (int k = 0; k < size; k++) {
            const int column = near_x + offset_x[k], row = near_y + offset_y[k];
            const bool inside = column >= 0 && column < side && row >= 0 && row < side;
            index[i * size + k] = inside ? (frame * side + row) * side + column : 0;
        }
        float sum = 0.0f;
        for (int k = 0; k < size; k++) {
            const float pixel = (float)video[index[i * size + k]];
            const float dark = pixel - 100.0f, bright = pixel - 228.0f;
            sum += (dark * dark - bright * bright) / 50.0f;
        }
        likely[i] = sum / (float)size - 300.0f;
        weight[i] = weight[i] * exp(likely[i]);
    }
    tile[t] = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (i < particles) tile[t] = weight[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int stride = GROUP / 2; stride > 0; stride /= 2) {
        if (t < stride) tile[t] += tile[t + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (t == 0) partial[get_group_id(0)] = tile[0];
    barrier(CLK_GLOBAL_MEM_FENCE);
}

/* Adds the sums of all work-groups of `likelihood`. */
__kernel void sum(__global const float *partial, __global float *total, const int groups) {
    if (get_global_id(0) == 0) {
        float sum = 0.0f;
        for (int group = 0; group < groups; group++) sum += partial[group];
        *total = sum;
    }
}

/* normal[]: weights whose sum is 1; cumulative[]: sums of those up to each; bound[]: evenly spaced numbers up to
 * 1, of which the first is random. One work-item of all computes the sums, in a row, from weights that no other
 * work- item changes. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
normalise(__global const float *weight, __global float *normal, __global const float *total,
          __global float *cumulative, __global float *bound, const int particles, const uint draw) {
    __local float all, first;
    const int t = get_local_id(0), i = get_global_id(0);

    if (t == 0) all = *total;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < particles) normal[i] = weight[i] / all;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 0) {
        float sum = 0.0f;
        for (int k = 0; k < particles; k++) {
            sum += weight[k] / all;
            cumulative[k] = sum;
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (t == 0) {
        uint state = draw;
        first = 1.0f / (float)particles * uniform(&state);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < particles) bound[i] = first + (float)i / (float)particles;
}

/* Draws a particle for each bound: the first whose cumulative weight reaches it. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
find(__global const float *x, __global const float *y, __global const float *cumulative, __global const float *bound,
     __global float *new_x, __global float *new_y, const int particles) {
    const int i = get_global_id(0);

    if (i < particles) {
        int drawn = -1;
        for (int k = 0; k < particles; k++) {
            if (cumulative[k] >= bound[i]) {
                drawn = k;
                break;
            }
        }
        if (drawn == -1) drawn = particles - 1;
        new_x[i] = x[drawn];
        new_y[i] = y[drawn];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}
