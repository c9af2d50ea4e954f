/* ray_tracing: a picture of random balls above a floor, by ray tracing on an OpenCL device. The brightness of
 * every pixel must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILE_X = 16, TILE_Y = 8, BALL_LIMIT = 256, BOUNCES = 5 };

/* Constants that are also compiled into the kernel, by its options. */
#define NEAR      0.001f
#define LIGHT_X   0.48f
#define LIGHT_Y   0.8f
#define LIGHT_Z   -0.36f
#define TEXT_(x)  #x
#define TEXT(x)   TEXT_(x)
#define DEFINE(x) " -D " #x "=" TEXT(x)

struct ball {
    float x, y, z, radius, shade, mirror;
};

struct scene {
    int count, size; /* balls; pixels of a side */
    struct ball balls[BALL_LIMIT];
};

struct vector {
    float x, y, z;
};

static float part(unsigned *seed) {
    return (float)host_random(seed) / 16777216.0f;
}

static void place_balls(struct scene *s, unsigned seed) {
    for (int i = 0; i < s->count; i++) {
        struct ball *b = &s->balls[i];
        b->radius = 0.2f + 0.6f * part(&seed);
        b->x = 6.0f * part(&seed) - 3.0f;
        b->y = b->radius + 1.5f * part(&seed);
        b->z = 1.0f + 6.0f * part(&seed);
        b->shade = 0.3f + 0.7f * part(&seed);
        b->mirror = host_random(&seed) % 2 ? 0.6f : 0.0f;
    }
}

static float product(struct vector a, struct vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static float meet_ball(const struct ball *b, struct vector from, struct vector to) {
    const struct vector o = {b->x - from.x, b->y - from.y, b->z - from.z};
    const float along = product(o, to), rest = b->radius * b->radius - (product(o, o) - along * along);
    if (along <= 0.0f || rest <= 0.0f) return 0.0f;
    const float far = along - sqrtf(rest);
    return far > NEAR ? far : 0.0f;
}

/* Returns the nearest ball that a ray meets before the distance `far` (0: any distance); -1 if there is
 * none. */
static int nearest(const struct scene *s, struct vector from, struct vector to, float *far) {
    int met = -1;
    for (int i = 0; i < s->count; i++) {
        const float d = meet_ball(&s->balls[i], from, to);
        if (d <= 0.0f || (*far != 0.0f && d >= *far)) continue;
        *far = d;
        met = i;
    }
    return met;
}

static float lit(const struct scene *s, struct vector at, struct vector normal) {
    const struct vector light = {LIGHT_X, LIGHT_Y, LIGHT_Z};
    const float facing = product(normal, light);
    if (facing <= 0.0f) return 0.0f;
    for (int i = 0; i < s->count; i++)
        if (meet_ball(&s->balls[i], at, light) > 0.0f) return 0.0f;
    return facing;
}

static float trace(const struct scene *s, struct vector at, struct vector to) {
    float light = 0.0f, weight = 1.0f;
    for (int bounce = 0; bounce < BOUNCES; bounce++) {
        const float length = sqrtf(product(to, to));
        to = (struct vector){to.x / length, to.y / length, to.z / length};
        float far = to.y < 0.0f ? -at.y / to.y : 0.0f;
        const int met = nearest(s, at, to, &far);
        if (far == 0.0f) return light + weight * (0.5f + 0.5f * to.y);
        at = (struct vector){at.x + far * to.x, at.y + far * to.y, at.z + far * to.z};
        struct vector normal = {0.0f, 1.0f, 0.0f};
        float shade, mirror = 0.25f;
        if (met >= 0) {
            const struct ball *b = &s->balls[met];
            normal = (struct vector){(at.x - b->x) / b->radius, (at.y - b->y) / b->radius,
                                     (at.z - b->z) / b->radius};
            shade = b->shade;
            mirror = b->mirror;
        } else {
            at.y = 0.0f;
            shade = ((int)floorf(at.x) + (int)floorf(at.z)) & 1 ? 0.9f : 0.2f;
        }
        light += weight * (1.0f - mirror) * shade * (0.1f + lit(s, at, normal));
        weight = weight * mirror;
        if (weight < 0.01f) break;
        const float twice = 2.0f * product(to, normal);
        to = (struct vector){to.x - twice * normal.x, to.y - twice * normal.y, to.z - twice * normal.z};
    }
    return light;
}

static void trace_in_c(const struct scene *s, float *brightness) {
    const float size = (float)s->size;
    for (int row = 0; row < s->size; row++)
        for (int column = 0; column < s->size; column++) {
            const struct vector eye = {0.0f, 1.0f, -3.0f}, to = {((float)(2 * column) - size) / size,
                                                                 (size - (float)(2 * row)) / size, 1.5f};
            brightness[row * s->size + column] = trace(s, eye, to);
        }
}

static cl_ulong trace_on_device(const char *source, const struct scene *s, float *brightness) {
    const size_t bytes = (size_t)s->size * (size_t)s->size * sizeof *brightness, side = (size_t)s->size,
                 local[2] = {TILE_X, TILE_Y},
                 global[2] = {(side + TILE_X - 1) / TILE_X * TILE_X, (side + TILE_Y - 1) / TILE_Y * TILE_Y};
    char options[256];
    snprintf(options, sizeof options,
             "-D BOUNCES=%d" DEFINE(NEAR) DEFINE(LIGHT_X) DEFINE(LIGHT_Y) DEFINE(LIGHT_Z), BOUNCES);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "ray_tracing");
    cl_mem balls = host_buffer(&host, (size_t)s->count * sizeof *s->balls, s->balls),
           picture = host_buffer(&host, bytes, NULL);
    HOST_ARGUMENT(kernel, 0, balls);
    HOST_ARGUMENT(kernel, 1, s->count);
    HOST_ARGUMENT(kernel, 2, s->size);
    HOST_ARGUMENT(kernel, 3, picture);
    const cl_ulong time_ns = host_launch(&host, kernel, 2, global, local);
    host_read(&host, picture, brightness, bytes);
    HOST_CHECK(clReleaseMemObject(balls));
    HOST_CHECK(clReleaseMemObject(picture));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"size", "pixels of a side of the picture", 24, 2048},
                                {"balls", "balls in it", 8, BALL_LIMIT}};
    host_inputs inputs[] = {{24, 64, 256}, {8, 12, 16}};
    unsigned seed = 1;
    char *source = host_parse_inputs(argc, argv, "ray_tracing",
                                     "Traces rays on the first OpenCL device and checks every pixel.", sizes,
                                     2, inputs, &seed);
    static struct scene s;
    s.size = (int)sizes[0].value;
    s.count = (int)sizes[1].value;
    place_balls(&s, seed);
    const size_t pixels = (size_t)s.size * (size_t)s.size;
    float *found = host_allocate(pixels * sizeof *found),
          *expected = host_allocate(pixels * sizeof *expected);
    const cl_ulong time_ns = trace_on_device(source, &s, found);
    trace_in_c(&s, expected);
    const unsigned wrong = host_count_wrong("ray_tracing", found, expected, sizeof *found, pixels);
    printf("ray_tracing: %d x %d pixels, %d balls, kernel time %llu ns\n", s.size, s.size, s.count,
           (unsigned long long)time_ns);
    free(found);
    free(expected);
    free(source);
    return host_verdict("ray_tracing", wrong == 0, "%u of %zu pixels differ from C", wrong, pixels);
}
