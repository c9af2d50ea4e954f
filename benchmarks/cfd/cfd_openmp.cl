/* A step of the Euler equations of a gas as an OpenMP program does it: all of a cell lies side by side,
 * variable[cell][5], neighbour[cell][4], normal[cell][4][3]. */
#include "cfd_shared.cl"

/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))

/* #pragma omp parallel for is over the cells, here and below. */
__kernel void initialize_part(__global float *variable, __global const float *far, const int cells) {
    const int end = TO(cells);

    for (int i = FROM(cells); i < end; i++)
        for (int v = 0; v < VARIABLES; v++) variable[i * VARIABLES + v] = far[v];
}

__kernel void copy_part(__global const float *variable, __global float *old, const int cells) {
    const int end = TO(cells) * VARIABLES;

    for (int i = FROM(cells) * VARIABLES; i < end; i++) old[i] = variable[i];
}

__kernel void step_factor_part(__global const float *variable, __global const float *area, __global float *factor,
                               const int cells) {
    const int end = TO(cells);

    for (int i = FROM(cells); i < end; i++) {
        struct state own;
        load_state(&own, variable + i * VARIABLES, 1);
        factor[i] = 0.5f / (sqrt(area[i]) * (own.speed + own.sound));
    }
}

__kernel void flux_part(__global const float *variable, __global const int *neighbour, __global const float *normal,
                        __global const float *far, __global float *outflow, const int cells) {
    const int end = TO(cells);

    for (int i = FROM(cells); i < end; i++) {
        struct state own, other;
        float sum[VARIABLES] = {0.0f};
        load_state(&own, variable + i * VARIABLES, 1);
        for (int f = 0; f < FACES; f++) {
            const int next = neighbour[i * FACES + f];
            float n[3];
            for (int k = 0; k < 3; k++) n[k] = normal[(i * FACES + f) * 3 + k];
            if (next >= 0) {
                load_state(&other, variable + next * VARIABLES, 1);
                const float area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
                const float waves = own.speed + other.speed + own.sound + other.sound;
                const float viscosity = area * SMOOTHING * 0.5f * waves;
                for (int v = 0; v < VARIABLES; v++) sum[v] += viscosity * (own.variable[v] - other.variable[v]);
                add_half(sum, &own, n);
                add_half(sum, &other, n);
            } else if (next == WING) {
                for (int k = 0; k < 3; k++) sum[1 + k] += own.pressure * n[k];
            } else if (next == FAR) {
                load_state(&other, far, 1);
                add_half(sum, &own, n);
                add_half(sum, &other, n);
            }
        }
        for (int v = 0; v < VARIABLES; v++) outflow[i * VARIABLES + v] = sum[v];
    }
}

__kernel void time_step_part(__global const float *old, __global float *variable, __global const float *factor,
                             __global const float *outflow, const int cells, const float divisor) {
    const int end = TO(cells);

    for (int i = FROM(cells); i < end; i++) {
        const float step = factor[i] / divisor;
        for (int v = 0; v < VARIABLES; v++)
            variable[i * VARIABLES + v] = old[i * VARIABLES + v] - step * outflow[i * VARIABLES + v];
    }
}
