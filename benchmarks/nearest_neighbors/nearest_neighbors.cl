/* How far each place of a list is from one: x and y are degrees of latitude and longitude. No multiply-add may be fused, so
 * that every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

#ifndef GROUP
#define GROUP 256
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
nearest_neighbors(__global const float2 *place, __global float *distance, const int count, const float x,
                  const float y) {
    const int i = get_global_id(0);

    if (i < count) {
        const float east = place[i].x - x, north = place[i].y - y;
        distance[i] = sqrt(east * east + north * north);
    }
}
