/* A step of the Euler equations of a gas in cells of any shape with four faces each, by finite volumes. Variable v of
 * cell i is variable[v * cells + i]: density, momentum in x, y and z, energy. */
#include "cfd_shared.cl"

/* All cells begin with the undisturbed gas. */
__kernel void initialize(__global float *variable, __global const float *far, const int cells) {
    const int i = get_global_id(0);

    if (i < cells)
        for (int v = 0; v < VARIABLES; v++) variable[v * cells + i] = far[v];
}

/* Time step of a cell over its volume, by its fastest wave. */
__kernel void step_factor(__global const float *variable, __global const float *area, __global float *factor,
                          const int cells) {
    const int i = get_global_id(0);

    if (i < cells) {
        struct state own;
        load_state(&own, variable + i, cells);
        factor[i] = 0.5f / (sqrt(area[i]) * (own.speed + own.sound));
    }
}

/* The outflow of a cell through its faces. Normal k of face f of cell i is normal[(3 * f + k) * cells + i]. */
__kernel void flux(__global const float *variable, __global const int *neighbour, __global const float *normal,
                   __global const float *far, __global float *outflow, const int cells) {
    const int i = get_global_id(0);

    if (i < cells) {
        struct state own, other;
        float sum[VARIABLES] = {0.0f};
        load_state(&own, variable + i, cells);
        for (int f = 0; f < FACES; f++) {
            const int next = neighbour[f * cells + i];
            float n[3];
            for (int k = 0; k < 3; k++) n[k] = normal[(3 * f + k) * cells + i];
            if (next >= 0) {
                load_state(&other, variable + next, cells);
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
        for (int v = 0; v < VARIABLES; v++) outflow[v * cells + i] = sum[v];
    }
}

/* A Runge-Kutta step, from the variables before the first. */
__kernel void time_step(__global const float *old, __global float *variable, __global const float *factor,
                        __global const float *outflow, const int cells, const float divisor) {
    const int i = get_global_id(0);

    if (i < cells) {
        const float step = factor[i] / divisor;
        for (int v = 0; v < VARIABLES; v++)
            variable[v * cells + i] = old[v * cells + i] - step * outflow[v * cells + i];
    }
}
