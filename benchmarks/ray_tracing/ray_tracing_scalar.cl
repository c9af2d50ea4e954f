/* ray_tracing.cl with a turn for each ray, which kernel.scalar: divergence makes over to the first work-items of a
 * group. */
#pragma OPENCL FP_CONTRACT OFF

struct ball {
    float x, y, z, radius, shade, mirror; /* mirror: the part of the light that comes from where it reflects */
};

/* How far along the ray from (x, y, z) in direction (dx, dy, dz), of length 1, it meets the ball; 0: not at all. */
static float meet_ball(const struct ball b, const float x, const float y, const float z, const float dx, const float dy,
                       const float dz) {
    const float ox = b.x - x, oy = b.y - y, oz = b.z - z;
    const float along = ox * dx + oy * dy + oz * dz;
    const float rest = b.radius * b.radius - (ox * ox + oy * oy + oz * oz - along * along);
    if (along <= 0.0f || rest <= 0.0f) return 0.0f;
    const float far = along - sqrt(rest);
    return far > NEAR ? far : 0.0f;
}

__kernel __attribute__((reqd_work_group_size(16, 8, 1))) void
ray_tracing(__constant const struct ball *balls, const int count, const int size,
                          __global float *brightness) {
    const int column = get_global_id(0), row = get_global_id(1);
    const bool inside = column < size && row < size;
    float x = 0.0f, y = 1.0f, z = -3.0f;
    float dx = ((float)(2 * column) - (float)size) / (float)size, dy = ((float)size - (float)(2 * row)) / (float)size,
          dz = 1.5f;
    float light = 0.0f, weight = 1.0f;

    int bounce = inside ? 0 : BOUNCES;
    while (bounce < BOUNCES) {
        bounce++;
        const float length = sqrt(dx * dx + dy * dy + dz * dz);
        dx = dx / length;
        dy = dy / length;
        dz = dz / length;
        float far = dy < 0.0f ? -y / dy : 0.0f; /* the floor */
        int met = -1;
        for (int i = 0; i < count; i++) {
            const float d = meet_ball(balls[i], x, y, z, dx, dy, dz);
            if (d > 0.0f && (far == 0.0f || d < far)) {
                far = d;
                met = i;
            }
        }
        if (far == 0.0f) {
            light += weight * (0.5f + 0.5f * dy); /* the sky */
            bounce = BOUNCES;
        } else {
            x += far * dx;
            y += far * dy;
            z += far * dz;
            float nx = 0.0f, ny = 1.0f, nz = 0.0f, shade, mirror = 0.25f;
            if (met >= 0) {
                nx = (x - balls[met].x) / balls[met].radius;
                ny = (y - balls[met].y) / balls[met].radius;
                nz = (z - balls[met].z) / balls[met].radius;
                shade = balls[met].shade;
                mirror = balls[met].mirror;
            } else {
                y = 0.0f;
                shade = ((int)floor(x) + (int)floor(z)) & 1 ? 0.9f : 0.2f;
            }
            float facing = nx * LIGHT_X + ny * LIGHT_Y + nz * LIGHT_Z;
            for (int i = 0; i < count && facing > 0.0f; i++)
                if (meet_ball(balls[i], x, y, z, LIGHT_X, LIGHT_Y, LIGHT_Z) > 0.0f) facing = 0.0f;
            light += weight * (1.0f - mirror) * shade * (0.1f + (facing > 0.0f ? facing : 0.0f));
            weight = weight * mirror;
            if (weight < 0.01f) bounce = BOUNCES;
            const float twice = 2.0f * (dx * nx + dy * ny + dz * nz);
            dx = dx - twice * nx;
            dy = dy - twice * ny;
            dz = dz - twice * nz;
        }
    }

    if (inside) brightness[row * size + column] = light;
}
