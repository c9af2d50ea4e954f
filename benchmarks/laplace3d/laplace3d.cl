/* One step of Jacobi's iteration for Laplace's equation on a grid of three dimensions: a cell becomes the mean of its six
 * neighbours, those on the surface stay. A work-group takes a tile of x and y and goes through all planes of z; the
 * plane's tile, with a halo, is in local memory, what lies above and below in registers. */
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(TILE_X, TILE_Y, 1))) void
laplace3d(__global const float *from, __global float *to, const int size_x, const int size_y, const int size_z) {
    __local float plane[TILE_Y + 2][TILE_X + 2];
    const int x = get_global_id(0), y = get_global_id(1);
    const int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
    const bool inside = x < size_x && y < size_y;
    const bool surface = x == 0 || x == size_x - 1 || y == 0 || y == size_y - 1;
    const int layer = size_x * size_y;
    int cell = y * size_x + x;
    float below = 0.0f, here = inside ? from[cell] : 0.0f;

    for (int z = 0; z < size_z; z++) {
        const float above = inside && z + 1 < size_z ? from[cell + layer] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        plane[ly][lx] = here;
        if (inside && lx == 1 && x > 0) plane[ly][0] = from[cell - 1];
        if (inside && lx == TILE_X && x < size_x - 1) plane[ly][TILE_X + 1] = from[cell + 1];
        if (inside && ly == 1 && y > 0) plane[0][lx] = from[cell - size_x];
        if (inside && ly == TILE_Y && y < size_y - 1) plane[TILE_Y + 1][lx] = from[cell + size_x];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (inside) {
            if (surface || z == 0 || z == size_z - 1)
                to[cell] = here;
            else
                to[cell] = (plane[ly][lx - 1] + plane[ly][lx + 1] + plane[ly - 1][lx] + plane[ly + 1][lx] + below +
                            above) *
                           (1.0f / 6.0f);
        }
        below = here;
        here = above;
        cell += layer;
    }
}
