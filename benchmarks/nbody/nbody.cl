/* A step of bodies that attract each other, a body a work-item: x, y, z of a float4 are a place, w is the mass.
 * The bodies come by tiles of GROUP through local memory. `softening` keeps two bodies at one place apart. No
 * multiply- add may be fused, so that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
nbody(__global const float4 *position, __global const float4 *velocity, __global float4 *new_position,
      __global float4 *new_velocity, const int bodies, const float seconds, const float softening) {
    __local float4 tile[GROUP];
    const int t = get_local_id(0), i = get_global_id(0);
    const float4 own = position[i];
    float4 pull = (float4)0.0f;

    for (int first = 0; first < bodies; first += GROUP) {
        tile[t] = position[first + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < GROUP; k++) {
            const float4 away = tile[k] - own;
            const float square = away.x * away.x + away.y * away.y + away.z * away.z + softening;
            const float inverse = 1.0f / sqrt(square);
            const float cube = inverse * inverse * inverse;
            pull += tile[k].w * cube * away;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    float4 place = own + velocity[i] * seconds + pull * 0.5f * seconds * seconds;
    place.w = own.w;
    new_position[i] = place;
    new_velocity[i] = velocity[i] + pull * seconds;
}
