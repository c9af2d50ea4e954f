/* The value of a European call option by random walks: each work-item sums the gains of several walks. It has a linear
 * congruential generator of its own; Box and Muller's method makes one normal number of two uniform ones. */
uint next(uint *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

__kernel void monte_carlo(__global const float *price, __global const float *strike, __global float *gain,
                          const int options, const int walks, const float drift, const float deviation,
                          const uint seed) {
    const int option = get_global_id(0);

    if (option < options) {
        uint state = seed + 2654435761u * option;
        float sum = 0.0f;
        for (int walk = 0; walk < walks; walk++) {
            const float radius = sqrt(-2.0f * log((next(&state) + 1) / 16777216.0f));
            const float normal = radius * cos(6.2831853f * (next(&state) / 16777216.0f));
            const float end = price[option] * exp(drift + deviation * normal);
            if (end > strike[option]) sum += end - strike[option];
        }
        gain[option] = sum / walks;
    }
}
