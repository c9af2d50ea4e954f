/* How far four places of a list are from one, latitudes and longitudes apart. No multiply-add may be fused, so that
 * every device gives the same bits. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
nearest_neighbors(__global const float *place, __global float *distance, const int count, const float x,
                  const float y) {
    const int i = get_global_id(0);

    if (4 * i < count) {
        const float8 four = vload8(i, place);
        const float4 east = four.even - x, north = four.odd - y;
        vstore4(sqrt(east * east + north * north), i, distance);
    }
}
