/* Potentials and forces between particles as an OpenMP program sums them up; data as in lavamd.cl. */
/* A core's part of n iterations, as schedule(static) shares them out. */
#define FROM(n) ((uint)(n) * (uint)get_global_id(0) / (uint)get_global_size(0))
#define TO(n)   ((uint)(n) * ((uint)get_global_id(0) + 1) / (uint)get_global_size(0))

/* #pragma omp parallel for is over the boxes. */
__kernel void lavamd_part(__global const int *first_neighbour, __global const int *neighbour,
                          __global const float4 *particle, __global const float *charge, __global float4 *force,
                          const int particles, const float decay, const int boxes) {
    const int end = TO(boxes);

    for (int box = FROM(boxes); box < end; box++)
        for (int n = first_neighbour[box]; n < first_neighbour[box + 1]; n++) {
            const int first = neighbour[n] * particles;
            for (int i = box * particles; i < (box + 1) * particles; i++)
                for (int j = first; j < first + particles; j++) {
                    const float4 own = particle[i], other = particle[j];
                    const float square =
                        own.w + other.w - (own.x * other.x + own.y * other.y + own.z * other.z);
                    const float potential = exp(-decay * square), strength = 2.0f * potential, q = charge[j];
                    force[i].w += q * potential;
                    force[i].x += q * (strength * (own.x - other.x));
                    force[i].y += q * (strength * (own.y - other.y));
                    force[i].z += q * (strength * (own.z - other.z));
                }
        }
}
