/* laplace3d.cl with a scalar thread for tiles that reach over the grid's edge: it puts the work-items whose cells are
 * inside to the front, so that the last warps have nothing to do but wait at the barriers. Without
 * kernel.scalar: divergence it is the same kernel, whose work-items stay where they are. */
#include <lockstep_scalar.h>
#pragma OPENCL FP_CONTRACT OFF

/* Does a part of the work-group's tile lie outside? */
static bool reaches_over(const int size_x, const int size_y) {
    return (int)(get_group_id(0) + 1) * TILE_X > size_x || (int)(get_group_id(1) + 1) * TILE_Y > size_y;
}

__kernel __attribute__((reqd_work_group_size(TILE_X, TILE_Y, 1))) void
laplace3d(__global const float *from, __global float *to, const int size_x, const int size_y, const int size_z) {
#ifdef __LOCKSTEP_DIVERGENCE__
    LOCKSTEP_SHARED __local int actives[TILE_X * TILE_Y];
#endif
    __local float plane[TILE_Y + 2][TILE_X + 2];
    int me = get_local_id(0) + TILE_X * get_local_id(1);
#ifdef __LOCKSTEP_DIVERGENCE__
    if (reaches_over(size_x, size_y)) {
        actives[me] = get_global_id(0) < size_x && get_global_id(1) < size_y ? me : -1;
        lockstep_sync(1);
        lockstep_sync(1);
        me = actives[me];
    }
#else
    if (get_global_id(0) >= size_x || get_global_id(1) >= size_y) me = -1;
#endif
    const bool inside = me >= 0;
    const int lx = (me & (TILE_X - 1)) + 1, ly = me / TILE_X + 1;
    const int x = (int)get_group_id(0) * TILE_X + lx - 1, y = (int)get_group_id(1) * TILE_Y + ly - 1;
    const bool surface = x == 0 || x == size_x - 1 || y == 0 || y == size_y - 1;
    const int layer = size_x * size_y;
    int cell = y * size_x + x;
    float below = 0.0f, here = inside ? from[cell] : 0.0f;

    for (int z = 0; z < size_z; z++) {
        const float above = inside && z + 1 < size_z ? from[cell + layer] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (inside) plane[ly][lx] = here;
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

#ifdef __LOCKSTEP_DIVERGENCE__
LOCKSTEP_SCALAR_OF(laplace3d)
__kernel void laplace3d_scalar(__global const float *from, __global float *to, const int size_x, const int size_y,
                               const int size_z) {
    LOCKSTEP_SHARED __local int actives[TILE_X * TILE_Y];
    if (!reaches_over(size_x, size_y)) return;
    lockstep_sync(1);
    int count = 0;
    for (int i = 0; i < TILE_X * TILE_Y; i += 8) {
        int active[8];
        for (int j = 0; j < 8; j++) active[j] = actives[i + j];
        for (int j = 0; j < 8; j++) {
            actives[i + j] = -1;
            actives[count] = active[j];
            count += active[j] >= 0;
        }
    }
    lockstep_sync(1);
}
#endif
