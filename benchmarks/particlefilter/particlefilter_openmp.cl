/* A particle filter as an OpenMP program does it; kernels run in the order in which they stand here, once for each
 * frame, add_part a second time by one core. */
#include "particlefilter_shared.cl"

/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))

/* The particles that were drawn, with equal weights; #pragma omp parallel for is over the particles, here and below. */
__kernel void take_part(__global const float *old_x, __global const float *old_y, __global float *x, __global float *y,
                        __global float *weight, const int particles) {
    const int end = TO(particles);

    for (int i = FROM(particles); i < end; i++) {
        x[i] = old_x[i];
        y[i] = old_y[i];
        weight[i] = 1.0f / (float)particles;
    }
}

__kernel void move_part(__global float *x, __global float *y, __global uint *seed, const int particles) {
    const int end = TO(particles);

    for (int i = FROM(particles); i < end; i++) {
        uint state = seed[i];
        x[i] = x[i] + 1.0f + 5.0f * gaussian(&state);
        y[i] = y[i] - 2.0f + 2.0f * gaussian(&state);
        seed[i] = state;
    }
}

__kernel void likelihood_part(__global const float *x, __global const float *y, __global const int *offset_x,
                              __global const int *offset_y, __global int *index, __global const uchar *video,
                              __global float *likely, const int particles, const int size, const int side,
                              const int frame) {
    const int end = TO(particles);

    for (int i = FROM(particles); i < end; i++) {
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
    }
}

__kernel void weigh_part(__global const float *likely, __global float *weight, const int particles) {
    const int end = TO(particles);

    for (int i = FROM(particles); i < end; i++) weight[i] = weight[i] * exp(likely[i]);
}

/* reduction(+): partial[core] is the sum of its part. One core then adds the partial sums. */
__kernel void add_part(__global const float *weight, __global float *partial, const int particles) {
    const int end = TO(particles);
    float sum = 0.0f;

    for (int i = FROM(particles); i < end; i++) sum += weight[i];
    partial[get_global_id(0)] = sum;
}

__kernel void normalise_part(__global const float *weight, __global float *normal, __global const float *total,
                             const int particles) {
    const int end = TO(particles);

    for (int i = FROM(particles); i < end; i++) normal[i] = weight[i] / *total;
}

/* By one core. */
__kernel void cumulate(__global const float *normal, __global float *cumulative, const int particles) {
    float sum = 0.0f;

    for (int k = 0; k < particles; k++) {
        sum += normal[k];
        cumulative[k] = sum;
    }
}

__kernel void bound_part(__global float *bound, const int particles, const uint draw) {
    const int end = TO(particles);
    uint state = draw;
    const float first = 1.0f / (float)particles * uniform(&state);

    for (int i = FROM(particles); i < end; i++) bound[i] = first + (float)i / (float)particles;
}

__kernel void find_part(__global const float *x, __global const float *y, __global const float *cumulative,
                        __global const float *bound, __global float *new_x, __global float *new_y,
                        const int particles) {
    const int end = TO(particles);

    for (int i = FROM(particles); i < end; i++) {
        int drawn = 0;
        while (drawn < particles - 1 && cumulative[drawn] < bound[i]) drawn++;
        new_x[i] = x[drawn];
        new_y[i] = y[drawn];
    }
}
