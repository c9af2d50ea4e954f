/* Potentials and forces between particles of a box and of the boxes around it. A work-group is a box; work-items
 * without a particle are idle. A particle is x, y, z and half the square of its distance from the origin. */
__kernel void lavamd(__global const int *first_neighbour, __global const int *neighbour,
                     __global const float4 *particle, __global const float *charge, __global float4 *force,
                     const int particles, const float decay) {
    const int box = get_group_id(0), local_id = get_local_id(0), i = box * particles + local_id;

    if (local_id < particles) {
        const float4 own = particle[i];
        for (int n = first_neighbour[box]; n < first_neighbour[box + 1]; n++) {
            const int first = neighbour[n] * particles;
            for (int j = first; j < first + particles; j++) {
                const float4 other = particle[j];
                const float square = own.w + other.w - (own.x * other.x + own.y * other.y + own.z * other.z);
                const float potential = exp(-decay * square), strength = 2.0f * potential, q = charge[j];
                force[i].w += q * potential;
                force[i].x += q * (strength * (own.x - other.x));
                force[i].y += q * (strength * (own.y - other.y));
                force[i].z += q * (strength * (own.z - other.z));
            }
        }
    }
}
