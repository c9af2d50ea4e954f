/* cfd: the dual-mode paper's Cfd: the flow of a gas through a random mesh of cells with four faces each, by
 * the Euler equations, on an OpenCL device. The variables of all cells must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 192, VARIABLES = 5, FACES = 4, RUNGE_KUTTA = 3 };
enum { WING = -1, FAR = -2 }; /* values in place of a neighbour's number */
enum buffers { VARIABLE, OLD, FACTOR, OUTFLOW, AREA, NEIGHBOUR, NORMAL, UNDISTURBED, BUFFERS };
enum kernels { INITIALIZE, STEP_FACTOR, FLUX, TIME_STEP, KERNELS, COPY = KERNELS };

static const float heats = 1.4f, smoothing = 0.2f; /* ratio of specific heats; share of the viscosity */

struct mesh {
    int cells, *neighbour; /* element f * cells + i of neighbour belongs to face f of cell i */
    float *area, *normal;  /* element (3 * f + k) * cells + i of normal belongs to face f of cell i */
    float far[VARIABLES];  /* variables of the undisturbed gas */
};

/* Makes a random cell. The sum of its normals is 0. One face in sixteen is at a wing, one is at the far
 * field. The other neighbours are among the 256 cells before and after. */
static void make_cell(struct mesh *m, int i, unsigned *seed) {
    float sum[3] = {0.0f};
    m->area[i] = 0.5f + (float)host_random(seed) / 16777216.0f;
    for (int f = 0; f < FACES; f++) {
        const unsigned kind = host_random(seed) % 16, distance = 1 + host_random(seed) % 512;
        const int next =
            (int)(((unsigned)i + (unsigned)m->cells * 256u + distance - 256u) % (unsigned)m->cells);
        m->neighbour[f * m->cells + i] = kind == 0 ? WING : kind == 1 ? FAR : next;
        for (int k = 0; k < 3; k++) {
            const float normal = (float)host_random(seed) / 67108864.0f - 0.125f;
            m->normal[(3 * f + k) * m->cells + i] = f < FACES - 1 ? normal : -sum[k];
            sum[k] += normal;
        }
    }
}

/* Makes a random mesh. The gas comes from one side at 1.2 times its speed of sound, which is 1. */
static struct mesh mesh_new(int cells, unsigned seed) {
    const size_t count = (size_t)cells;
    const float density = heats, speed = 1.2f, pressure = 1.0f;
    struct mesh m = {.cells = cells,
                     .neighbour = host_allocate(count * FACES * sizeof(int)),
                     .area = host_allocate(count * sizeof(float)),
                     .normal = host_allocate(count * FACES * 3 * sizeof(float)),
                     .far = {density, density * speed, 0.0f, 0.0f,
                             pressure / (heats - 1.0f) + 0.5f * density * speed * speed}};
    for (int i = 0; i < cells; i++) make_cell(&m, i, &seed);
    return m;
}

static void mesh_free(struct mesh *m) {
    free(m->neighbour);
    free(m->area);
    free(m->normal);
}

struct state {
    float variable[VARIABLES], velocity[3], speed, pressure, sound;
};

/* Returns the state of a cell. Computes in the order of the kernels, as do all functions below. Ends the
 * program if the values are physically impossible. */
static struct state state_of(const float *variable, int stride) {
    struct state s;
    for (int v = 0; v < VARIABLES; v++) s.variable[v] = variable[v * stride];
    for (int k = 0; k < 3; k++) s.velocity[k] = s.variable[1 + k] / s.variable[0];
    const float square =
        s.velocity[0] * s.velocity[0] + s.velocity[1] * s.velocity[1] + s.velocity[2] * s.velocity[2];
    s.speed = sqrtf(square);
    s.pressure = (heats - 1.0f) * (s.variable[4] - 0.5f * s.variable[0] * square);
    s.sound = sqrtf(heats * s.pressure / s.variable[0]);
    if (!(s.variable[0] > 0.0f && s.pressure > 0.0f))
        HOST_FAIL("density %g and pressure %g: another --seed is needed", (double)s.variable[0],
                  (double)s.pressure);
    return s;
}

static void add_half(float *flux, const struct state *s, const float *normal) {
    const float flow = s->velocity[0] * normal[0] + s->velocity[1] * normal[1] + s->velocity[2] * normal[2];
    flux[0] += 0.5f * (s->variable[0] * flow);
    for (int k = 0; k < 3; k++) flux[1 + k] += 0.5f * (s->variable[1 + k] * flow + s->pressure * normal[k]);
    flux[4] += 0.5f * ((s->variable[4] + s->pressure) * flow);
}

static void add_face(float *sum, const struct mesh *m, const float *variable, const struct state *own,
                     int next, const float *n) {
    if (next == WING) {
        for (int k = 0; k < 3; k++) sum[1 + k] += own->pressure * n[k];
        return;
    }
    const struct state other = next == FAR ? state_of(m->far, 1) : state_of(variable + next, m->cells);
    if (next != FAR) {
        const float area = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        const float viscosity =
            area * smoothing * 0.5f * (own->speed + other.speed + own->sound + other.sound);
        for (int v = 0; v < VARIABLES; v++) sum[v] += viscosity * (own->variable[v] - other.variable[v]);
    }
    add_half(sum, own, n);
    add_half(sum, &other, n);
}

static void flux_in_c(const struct mesh *m, const float *variable, float *outflow) {
    for (int i = 0; i < m->cells; i++) {
        const struct state own = state_of(variable + i, m->cells);
        float sum[VARIABLES] = {0.0f};
        for (int f = 0; f < FACES; f++) {
            float n[3];
            for (int k = 0; k < 3; k++) n[k] = m->normal[(3 * f + k) * m->cells + i];
            add_face(sum, m, variable, &own, m->neighbour[f * m->cells + i], n);
        }
        for (int v = 0; v < VARIABLES; v++) outflow[v * m->cells + i] = sum[v];
    }
}

static void flow_in_c(const struct mesh *m, float *variable, unsigned iterations) {
    const size_t count = (size_t)m->cells, bytes = count * VARIABLES * sizeof(float);
    float *old = host_allocate(bytes), *outflow = host_allocate(bytes),
          *factor = host_allocate(count * sizeof(float));
    for (size_t i = 0; i < count * VARIABLES; i++) variable[i] = m->far[i / count];
    for (unsigned n = 0; n < iterations; n++) {
        memcpy(old, variable, bytes);
        for (int i = 0; i < m->cells; i++) {
            const struct state own = state_of(variable + i, m->cells);
            factor[i] = 0.5f / (sqrtf(m->area[i]) * (own.speed + own.sound));
        }
        for (int step = RUNGE_KUTTA; step > 0; step--) {
            flux_in_c(m, variable, outflow);
            for (size_t i = 0; i < count * VARIABLES; i++)
                variable[i] = old[i] - factor[i % count] / (float)step * outflow[i];
        }
    }
    free(old);
    free(outflow);
    free(factor);
}

struct device {
    struct host host;
    bool openmp; /* each launch is an OpenMP region, and the values of a cell are adjacent */
    cl_kernel kernel[KERNELS + 1];
    cl_mem buffer[BUFFERS];
};

/* Moves element f * cells + i to i * each + f, or back. Elements have four bytes. */
static cl_mem by_cell(const struct device *d, const void *words, int each, int cells) {
    const size_t count = (size_t)each * (size_t)cells;
    const float *from = words;
    float *to = host_allocate(count * sizeof *to);
    for (size_t n = 0; n < count; n++)
        memcpy(&to[d->openmp ? n % (size_t)cells * (size_t)each + n / (size_t)cells : n], &from[n], 4);
    cl_mem buffer = host_buffer(&d->host, count * sizeof *to, to);
    free(to);
    return buffer;
}

static void device_open(struct device *d, const char *source, const struct mesh *m) {
    static const char *const of_opencl[KERNELS] = {"initialize", "step_factor", "flux", "time_step"},
                             *const of_openmp[KERNELS + 1] = {"initialize_part", "step_factor_part",
                                                              "flux_part", "time_step_part", "copy_part"};
    const char *const *names = d->openmp ? of_openmp : of_opencl;
    static const enum buffers arguments[KERNELS + 1][6] = {
        {VARIABLE, UNDISTURBED, BUFFERS},
        {VARIABLE, AREA, FACTOR, BUFFERS},
        {VARIABLE, NEIGHBOUR, NORMAL, UNDISTURBED, OUTFLOW, BUFFERS},
        {OLD, VARIABLE, FACTOR, OUTFLOW, BUFFERS},
        {VARIABLE, OLD, BUFFERS}};
    const size_t bytes = (size_t)m->cells * sizeof(float);
    host_open(&d->host);
    d->buffer[VARIABLE] = host_buffer(&d->host, bytes * VARIABLES, NULL);
    d->buffer[OLD] = host_buffer(&d->host, bytes * VARIABLES, NULL);
    d->buffer[OUTFLOW] = host_buffer(&d->host, bytes * VARIABLES, NULL);
    d->buffer[FACTOR] = host_buffer(&d->host, bytes, NULL);
    d->buffer[AREA] = host_buffer(&d->host, bytes, m->area);
    d->buffer[NEIGHBOUR] = by_cell(d, m->neighbour, FACES, m->cells);
    d->buffer[NORMAL] = by_cell(d, m->normal, FACES * 3, m->cells);
    d->buffer[UNDISTURBED] = host_buffer(&d->host, sizeof m->far, m->far);
    cl_program program = host_build(&d->host, source, NULL);
    for (unsigned k = 0; k < (d->openmp ? KERNELS + 1 : KERNELS); k++) {
        cl_uint n = 0;
        d->kernel[k] = HOST_CREATE(clCreateKernel, program, names[k]);
        for (; arguments[k][n] != BUFFERS; n++) HOST_ARGUMENT(d->kernel[k], n, d->buffer[arguments[k][n]]);
        HOST_ARGUMENT(d->kernel[k], n, m->cells);
    }
    HOST_CHECK(clReleaseProgram(program));
}

static void device_close(struct device *d) {
    for (unsigned k = 0; k < (d->openmp ? KERNELS + 1 : KERNELS); k++)
        HOST_CHECK(clReleaseKernel(d->kernel[k]));
    for (unsigned i = 0; i < BUFFERS; i++) HOST_CHECK(clReleaseMemObject(d->buffer[i]));
    host_close(&d->host);
}

static cl_ulong launch(const struct device *d, const struct mesh *m, enum kernels kernel) {
    const size_t local = GROUP, global = ((size_t)m->cells + GROUP - 1) / GROUP * GROUP;
    return d->openmp ? host_region(&d->host, d->kernel[kernel])
                     : host_launch(&d->host, d->kernel[kernel], 1, &global, &local);
}

/* Copies the variables on the device before a time step. */
static cl_ulong keep_old(const struct device *d, const struct mesh *m) {
    const size_t bytes = (size_t)m->cells * VARIABLES * sizeof(float);
    if (d->openmp) return launch(d, m, COPY);
    HOST_CHECK(
        clEnqueueCopyBuffer(d->host.queue, d->buffer[VARIABLE], d->buffer[OLD], 0, 0, bytes, 0, NULL, NULL));
    return 0;
}

static cl_ulong flow_on_device(const char *source, bool openmp, const struct mesh *m, float *variable,
                               unsigned iterations) {
    const size_t cells = (size_t)m->cells, bytes = cells * VARIABLES * sizeof(float);
    struct device d = {.openmp = openmp};
    device_open(&d, source, m);
    cl_ulong time_ns = launch(&d, m, INITIALIZE);
    for (unsigned n = 0; n < iterations; n++) {
        time_ns += keep_old(&d, m);
        time_ns += launch(&d, m, STEP_FACTOR);
        for (int step = RUNGE_KUTTA; step > 0; step--) {
            const cl_float divisor = (float)step;
            HOST_ARGUMENT(d.kernel[TIME_STEP], 5, divisor);
            time_ns += launch(&d, m, FLUX);
            time_ns += launch(&d, m, TIME_STEP);
        }
    }
    float *found = host_allocate(bytes);
    host_read(&d.host, d.buffer[VARIABLE], found, bytes);
    for (size_t n = 0; n < cells * VARIABLES; n++)
        variable[n] = found[openmp ? n % cells * VARIABLES + n / cells : n];
    free(found);
    device_close(&d);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"cells", "cells of the mesh", 0, 1 << 20},
                                {"iterations", "time steps", 0, 1000}};
    host_inputs inputs[] = {{1536, 8064, 97152}, {1, 2, 2}};
    struct host_choice model = HOST_MODEL;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "cfd",
        .summary = "Lets a gas flow through a mesh on the first OpenCL device and checks every number.",
        .sizes = sizes,
        .size_count = 2,
        .inputs = inputs,
        .choices = &model,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    struct mesh mesh = mesh_new((int)sizes[0].value, seed);
    const size_t count = (size_t)mesh.cells * VARIABLES;
    float *found = host_allocate(count * sizeof *found), *expected = host_allocate(count * sizeof *expected);
    flow_in_c(&mesh, expected, sizes[1].value);
    const cl_ulong time_ns = flow_on_device(source, model.value, &mesh, found, sizes[1].value);
    const unsigned wrong = host_count_wrong("variable", found, expected, sizeof *found, count);
    printf("cfd: %d cells, the first's density %.6f, kernel time %llu ns\n", mesh.cells, (double)found[0],
           (unsigned long long)time_ns);
    mesh_free(&mesh);
    free(found);
    free(expected);
    free(source);
    return host_verdict("cfd", wrong == 0, "%u of %zu numbers differ from C", wrong, count);
}
