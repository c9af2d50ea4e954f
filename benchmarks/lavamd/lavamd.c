/* lavamd: the dual-mode paper's LavaMD: potentials and forces between random particles in a cube of boxes on
 * an OpenCL device. The particles of a box and of the up to 26 boxes around it attract each other. Since exp
 * may differ between devices, each sum must be within 10^-5 of C's in double, relative to the size of its
 * terms. The kernel has no local copies of particles, and so no barriers. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 128 };

static const float decay = 0.5f;

struct cube {
    int side, boxes, particles; /* particles: number of particles in a box */
    size_t count;               /* particles */
    /* Neighbours of box b from neighbour[first_neighbour[b]] on; the first one is b. */
    int *first_neighbour, *neighbour;
    cl_float4 *particle;
    float *charge;
};

/* Returns the number of the box at x, y, z; -1 outside the cube. */
static int box_at(const struct cube *c, int x, int y, int z) {
    const bool inside = x >= 0 && x < c->side && y >= 0 && y < c->side && z >= 0 && z < c->side;
    return inside ? (z * c->side + y) * c->side + x : -1;
}

/* Writes the neighbours of a box to list, the box itself first. Returns their number. */
static int list_neighbours(const struct cube *c, int box, int *list) {
    const int x = box % c->side, y = box / c->side % c->side, z = box / c->side / c->side;
    int count = 0;
    list[count++] = box;
    for (int n = 0; n < 27; n++) {
        const int other = box_at(c, x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1);
        if (other >= 0 && other != box) list[count++] = other;
    }
    return count;
}

/* Makes a random cube. A box has sides of length 1; the origin is the middle of all boxes. */
static struct cube cube_new(int side, int particles, unsigned seed) {
    struct cube c = {.side = side, .boxes = side * side * side, .particles = particles};
    c.count = (size_t)c.boxes * (size_t)particles;
    c.first_neighbour = host_allocate(((size_t)c.boxes + 1) * sizeof(int));
    c.neighbour = host_allocate((size_t)c.boxes * 27 * sizeof(int));
    c.particle = host_allocate(c.count * sizeof *c.particle);
    c.charge = host_allocate(c.count * sizeof *c.charge);
    for (int box = 0; box < c.boxes; box++)
        c.first_neighbour[box + 1] =
            c.first_neighbour[box] + list_neighbours(&c, box, c.neighbour + c.first_neighbour[box]);
    for (size_t i = 0; i < c.count; i++) {
        const int box = (int)i / particles, corner[3] = {box % side, box / side % side, box / side / side};
        float square = 0.0f;
        for (int k = 0; k < 3; k++) {
            const float at = (float)corner[k] - 0.5f * (float)side + (float)host_random(&seed) / 16777216.0f;
            c.particle[i].s[k] = at;
            square += at * at;
        }
        c.particle[i].s[3] = 0.5f * square;
        c.charge[i] = 0.1f + (float)host_random(&seed) / 16777216.0f;
    }
    return c;
}

static void cube_free(struct cube *c) {
    free(c->first_neighbour);
    free(c->neighbour);
    free(c->particle);
    free(c->charge);
}

/* Adds the effect of particle j on particle i to sum, and the absolute values of the terms to size. */
static void add_pair(const struct cube *c, size_t i, size_t j, double sum[4], double size[4]) {
    double difference[4] = {[3] = 0.5}, square = 0.0;
    for (int k = 0; k < 3; k++) {
        difference[k] = (double)c->particle[i].s[k] - c->particle[j].s[k];
        square += difference[k] * difference[k];
    }
    const double twice = 2.0 * c->charge[j] * exp(-decay * 0.5 * square);
    for (int k = 0; k < 4; k++) {
        sum[k] += twice * difference[k];
        size[k] += fabs(twice * difference[k]);
    }
}

static unsigned count_wrong(const struct cube *c, const cl_float4 *force) {
    unsigned wrong = 0;
    for (size_t i = 0; i < c->count; i++) {
        const size_t particles = (size_t)c->particles, box = i / particles;
        double sum[4] = {0.0}, size[4] = {0.0};
        for (int n = c->first_neighbour[box]; n < c->first_neighbour[box + 1]; n++)
            for (size_t j = 0; j < particles; j++)
                add_pair(c, i, (size_t)c->neighbour[n] * particles + j, sum, size);
        for (int k = 0; k < 4; k++) {
            if (fabs(force[i].s[k] - sum[k]) <= 1e-5 * size[k]) continue;
            if (wrong++ == 0)
                fprintf(stderr, "lavamd: sum %d of particle %zu is %g, expected %g\n", k, i,
                        (double)force[i].s[k], sum[k]);
        }
    }
    return wrong;
}

/* Runs on the device. openmp: by the kernel of lavamd_openmp.cl. */
static cl_ulong run_on_device(const char *source, bool openmp, const struct cube *c, cl_float4 *force) {
    const size_t local = GROUP, global = (size_t)c->boxes * GROUP;
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, openmp ? "lavamd_part" : "lavamd");
    cl_mem buffer[] = {
        host_buffer(&host, ((size_t)c->boxes + 1) * sizeof(int), c->first_neighbour),
        host_buffer(&host, (size_t)c->first_neighbour[c->boxes] * sizeof(int), c->neighbour),
        host_buffer(&host, c->count * sizeof *c->particle, c->particle),
        host_buffer(&host, c->count * sizeof *c->charge, c->charge),
        host_buffer(&host, c->count * sizeof *force, force),
    };
    for (cl_uint i = 0; i < 5; i++) HOST_ARGUMENT(kernel, i, buffer[i]);
    HOST_ARGUMENT(kernel, 5, c->particles);
    HOST_ARGUMENT(kernel, 6, decay);
    if (openmp) HOST_ARGUMENT(kernel, 7, c->boxes);
    const cl_ulong time_ns =
        openmp ? host_region(&host, kernel) : host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, buffer[4], force, c->count * sizeof *force);
    for (unsigned i = 0; i < 5; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"side", "boxes of a side of the cube", 0, 10},
                                {"particles", "particles of a box", 0, GROUP}};
    host_inputs inputs[] = {{2, 3, 5}, {100, 100, 100}};
    struct host_choice model = HOST_MODEL;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "lavamd",
        .summary = "Sums up forces between particles on the first OpenCL device and checks every sum.",
        .sizes = sizes,
        .size_count = 2,
        .inputs = inputs,
        .choices = &model,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    struct cube cube = cube_new((int)sizes[0].value, (int)sizes[1].value, seed);
    cl_float4 *force = host_allocate(cube.count * sizeof *force);
    const cl_ulong time_ns = run_on_device(source, model.value, &cube, force);
    const unsigned wrong = count_wrong(&cube, force);
    const size_t sums = 4 * cube.count;
    printf("lavamd: %d boxes of %d particles, forces %016llx, kernel time %llu ns\n", cube.boxes,
           cube.particles, host_hash(force, cube.count * sizeof *force), (unsigned long long)time_ns);
    cube_free(&cube);
    free(force);
    free(source);
    return host_verdict("lavamd", wrong == 0, "%u of %zu sums are wrong", wrong, sums);
}
