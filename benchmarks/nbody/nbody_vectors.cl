/* A step of bodies that attract each other, four bodies a work-item: their x, y, z and masses are a vector each. The
 * other bodies come by tiles of GROUP through local memory. No multiply-add may be fused, so that every device gives the
 * same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
nbody(__global const float4 *position, __global const float4 *velocity, __global float4 *new_position,
      __global float4 *new_velocity, const int bodies, const float seconds, const float softening) {
    __local float4 tile[GROUP];
    const int t = get_local_id(0), i = 4 * get_global_id(0);
    const float4 p0 = position[i], p1 = position[i + 1], p2 = position[i + 2], p3 = position[i + 3];
    const float4 x = (float4)(p0.x, p1.x, p2.x, p3.x), y = (float4)(p0.y, p1.y, p2.y, p3.y);
    const float4 z = (float4)(p0.z, p1.z, p2.z, p3.z), w = (float4)(p0.w, p1.w, p2.w, p3.w);
    float4 pull_x = 0.0f, pull_y = 0.0f, pull_z = 0.0f, pull_w = 0.0f;

    for (int first = 0; first < bodies; first += GROUP) {
        tile[t] = position[first + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < GROUP; k++) {
            const float4 other = tile[k];
            const float4 away_x = other.x - x, away_y = other.y - y, away_z = other.z - z;
            const float4 square = away_x * away_x + away_y * away_y + away_z * away_z + softening;
            const float4 inverse = 1.0f / sqrt(square);
            const float4 strength = other.w * (inverse * inverse * inverse);
            pull_x += strength * away_x;
            pull_y += strength * away_y;
            pull_z += strength * away_z;
            pull_w += strength * (other.w - w);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const float4 pull[4] = {(float4)(pull_x.x, pull_y.x, pull_z.x, pull_w.x),
                            (float4)(pull_x.y, pull_y.y, pull_z.y, pull_w.y),
                            (float4)(pull_x.z, pull_y.z, pull_z.z, pull_w.z),
                            (float4)(pull_x.w, pull_y.w, pull_z.w, pull_w.w)};
    for (int k = 0; k < 4; k++) {
        const float4 own = position[i + k], speed = velocity[i + k];
        float4 place = own + speed * seconds + pull[k] * 0.5f * seconds * seconds;
        place.w = own.w;
        new_position[i + k] = place;
        new_velocity[i + k] = speed + pull[k] * seconds;
    }
}
