/* Random numbers. No multiply-add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

/* Returns a number between 0 and 1 from a linear congruential generator. */
float uniform(uint *seed) {
    *seed = *seed * 1103515245u + 12345u;
    return ((float)(*seed >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

/* Returns a normally distributed number (Box and Muller). */
float gaussian(uint *seed) {
    const float u = uniform(seed), v = uniform(seed);
    return sqrt(-2.0f * log(u)) * cos(6.2831853f * v);
}
