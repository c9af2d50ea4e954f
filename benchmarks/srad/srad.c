/* srad: the dual-mode paper's Srad: removes speckle from a random image on an OpenCL device. The host sums up
 * the pixels before each iteration, so the kernels have no barriers. The diffusion must equal C's, bit for
 * bit. Results of exp before and log after it, which may differ between devices, must be within 10^-5 of C's
 * in double. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 256 };
enum neighbours { NORTH, SOUTH, WEST, EAST, NEIGHBOURS };
enum kernels { EXTRACT, SRAD, SRAD2, COMPRESS, KERNELS, SUM_UP = KERNELS };

static const float lambda = 0.5f;

struct image {
    int rows, columns, pixels;
    float *pixel; /* pixels, column by column */
};

/* The values of one iteration, of the device or of C. */
struct step {
    float *derivative[NEIGHBOURS], *coefficient, *pixel;
};

struct srad {
    struct image image;
    int *index[NEIGHBOURS]; /* neighbours: north and south of each row, west and east of each column */
    struct step found, expected;
};

struct device {
    struct host host;
    /* The device sums up the pixels; launches are OpenMP regions or serial parts. */
    bool openmp;
    cl_kernel kernel[KERNELS + 1];
    cl_mem speckle, pixel, index[NEIGHBOURS], derivative[NEIGHBOURS], coefficient;
    cl_ulong time_ns;
};

static size_t bytes_of(const struct image *image) {
    return (size_t)image->pixels * sizeof(float);
}

/* Returns, for each of `count` numbers, the neighbour before or after it; at the ends, the number itself. */
static int *neighbours(int count, int step) {
    int *index = host_allocate((size_t)count * sizeof *index);
    for (int i = 0; i < count; i++) index[i] = i + step < 0 || i + step == count ? i : i + step;
    return index;
}

static struct step step_new(size_t bytes) {
    struct step s = {.coefficient = host_allocate(bytes), .pixel = host_allocate(bytes)};
    for (unsigned n = 0; n < NEIGHBOURS; n++) s.derivative[n] = host_allocate(bytes);
    return s;
}

static void step_free(struct step *s) {
    for (unsigned n = 0; n < NEIGHBOURS; n++) free(s->derivative[n]);
    free(s->coefficient);
    free(s->pixel);
}

/* Makes a bright disk on a dark ground, both with speckle. */
static struct srad srad_new(int rows, int columns, unsigned seed) {
    struct srad s = {.image = {rows, columns, rows * columns, NULL}};
    s.image.pixel = host_allocate(bytes_of(&s.image));
    for (int i = 0; i < s.image.pixels; i++) {
        const int y = 2 * (i % rows) - rows, x = 2 * (i / rows) - columns, radius = rows / 2;
        s.image.pixel[i] =
            (float)host_random(&seed) / 16777216.0f * (x * x + y * y < radius * radius ? 255.0f : 64.0f);
    }
    s.index[NORTH] = neighbours(rows, -1);
    s.index[SOUTH] = neighbours(rows, 1);
    s.index[WEST] = neighbours(columns, -1);
    s.index[EAST] = neighbours(columns, 1);
    s.found = step_new(bytes_of(&s.image));
    s.expected = step_new(bytes_of(&s.image));
    return s;
}

static void srad_free(struct srad *s) {
    free(s->image.pixel);
    for (unsigned n = 0; n < NEIGHBOURS; n++) free(s->index[n]);
    step_free(&s->found);
    step_free(&s->expected);
}

/* Returns the squared variation of all pixels, which is that of speckle alone. */
static float speckle_of(const struct image *image, const float *pixel) {
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < image->pixels; i++) {
        sum += pixel[i];
        squares += (double)pixel[i] * pixel[i];
    }
    const double mean = sum / image->pixels;
    return (float)((squares / image->pixels - mean * mean) / (mean * mean));
}

/* Returns the same in float, computed in the order of the device's serial part. */
static float speckle_in_float(const struct image *image, const float *pixel) {
    float sum = 0.0f, squares = 0.0f;
    for (int i = 0; i < image->pixels; i++) {
        sum += pixel[i];
        squares += pixel[i] * pixel[i];
    }
    const float mean = sum / (float)image->pixels;
    return (squares / (float)image->pixels - mean * mean) / (mean * mean);
}

/* Computes the derivatives and coefficients of `pixel`, then the pixels after an iteration, in the order of
 * the kernels. */
static void iterate_in_c(const struct srad *s, const float *pixel, float speckle, struct step *step) {
    const int rows = s->image.rows;
    float *const *d = step->derivative;
    for (int i = 0; i < s->image.pixels; i++) {
        const int row = i % rows, column = i / rows;
        const float own = pixel[i];
        d[NORTH][i] = pixel[column * rows + s->index[NORTH][row]] - own;
        d[SOUTH][i] = pixel[column * rows + s->index[SOUTH][row]] - own;
        d[WEST][i] = pixel[s->index[WEST][column] * rows + row] - own;
        d[EAST][i] = pixel[s->index[EAST][column] * rows + row] - own;
        float squares = d[NORTH][i] * d[NORTH][i], sum = d[NORTH][i];
        for (unsigned n = SOUTH; n < NEIGHBOURS; n++) {
            squares += d[n][i] * d[n][i];
            sum += d[n][i];
        }
        const float gradient = squares / (own * own), laplacian = sum / own, even = 1.0f + 0.25f * laplacian;
        const float variation = (0.5f * gradient - 0.0625f * (laplacian * laplacian)) / (even * even);
        const float c = 1.0f / (1.0f + (variation - speckle) / (speckle * (1.0f + speckle)));
        step->coefficient[i] = c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
    }
    for (int i = 0; i < s->image.pixels; i++) {
        const int row = i % rows, column = i / rows;
        const float *c = step->coefficient, own = c[i], below = c[column * rows + s->index[SOUTH][row]],
                    right = c[s->index[EAST][column] * rows + row];
        const float divergence =
            own * d[NORTH][i] + below * d[SOUTH][i] + own * d[WEST][i] + right * d[EAST][i];
        step->pixel[i] = pixel[i] + 0.25f * lambda * divergence;
    }
}

static void device_open(struct device *d, const char *source, const struct srad *s) {
    static const char *const of_opencl[KERNELS] = {"extract", "srad", "srad2", "compress"},
                             *const of_openmp[KERNELS + 1] = {"extract_serial", "srad_part", "srad2_part",
                                                              "compress_serial", "sum_up"};
    const char *const *names = d->openmp ? of_openmp : of_opencl;
    const size_t bytes = bytes_of(&s->image);
    host_open(&d->host);
    cl_program program = host_build(&d->host, source, NULL);
    for (unsigned k = 0; k < (d->openmp ? KERNELS + 1 : KERNELS); k++)
        d->kernel[k] = HOST_CREATE(clCreateKernel, program, names[k]);
    HOST_CHECK(clReleaseProgram(program));
    d->pixel = host_buffer(&d->host, bytes, s->image.pixel);
    d->coefficient = host_buffer(&d->host, bytes, NULL);
    d->speckle = host_buffer(&d->host, sizeof(float), NULL);
    for (unsigned n = 0; n < NEIGHBOURS; n++) {
        const int count = n == NORTH || n == SOUTH ? s->image.rows : s->image.columns;
        d->index[n] = host_buffer(&d->host, (size_t)count * sizeof(int), s->index[n]);
        d->derivative[n] = host_buffer(&d->host, bytes, NULL);
    }
}

static void device_close(struct device *d) {
    for (unsigned k = 0; k < (d->openmp ? KERNELS + 1 : KERNELS); k++)
        HOST_CHECK(clReleaseKernel(d->kernel[k]));
    HOST_CHECK(clReleaseMemObject(d->speckle));
    for (unsigned n = 0; n < NEIGHBOURS; n++) {
        HOST_CHECK(clReleaseMemObject(d->index[n]));
        HOST_CHECK(clReleaseMemObject(d->derivative[n]));
    }
    HOST_CHECK(clReleaseMemObject(d->pixel));
    HOST_CHECK(clReleaseMemObject(d->coefficient));
    host_close(&d->host);
}

static void set_arguments(const struct device *d, const struct image *image) {
    const cl_kernel diffuse = d->kernel[SRAD2];
    if (d->openmp) {
        HOST_ARGUMENT(d->kernel[SUM_UP], 0, d->pixel);
        HOST_ARGUMENT(d->kernel[SUM_UP], 1, image->pixels);
        HOST_ARGUMENT(d->kernel[SUM_UP], 2, d->speckle);
    }
    HOST_ARGUMENT(d->kernel[EXTRACT], 0, d->pixel);
    HOST_ARGUMENT(d->kernel[EXTRACT], 1, image->pixels);
    HOST_ARGUMENT(d->kernel[COMPRESS], 0, d->pixel);
    HOST_ARGUMENT(d->kernel[COMPRESS], 1, image->pixels);
    HOST_ARGUMENT(d->kernel[SRAD], 0, d->pixel);
    HOST_ARGUMENT(diffuse, 0, d->pixel);
    HOST_ARGUMENT(diffuse, 1, d->index[SOUTH]);
    HOST_ARGUMENT(diffuse, 2, d->index[EAST]);
    for (cl_uint n = 0; n < NEIGHBOURS; n++) {
        HOST_ARGUMENT(d->kernel[SRAD], 1 + n, d->index[n]);
        HOST_ARGUMENT(d->kernel[SRAD], 5 + n, d->derivative[n]);
        HOST_ARGUMENT(diffuse, 3 + n, d->derivative[n]);
    }
    HOST_ARGUMENT(d->kernel[SRAD], 9, d->coefficient);
    HOST_ARGUMENT(d->kernel[SRAD], 10, image->rows);
    HOST_ARGUMENT(d->kernel[SRAD], 11, image->pixels);
    HOST_ARGUMENT(diffuse, 7, d->coefficient);
    HOST_ARGUMENT(diffuse, 8, image->rows);
    HOST_ARGUMENT(diffuse, 9, image->pixels);
    HOST_ARGUMENT(diffuse, 10, lambda);
}

static void launch(struct device *d, const struct image *image, enum kernels kernel) {
    const size_t local = GROUP, global = ((size_t)image->pixels + GROUP - 1) / GROUP * GROUP;
    const bool diffuses = kernel == SRAD || kernel == SRAD2;
    d->time_ns += !d->openmp ? host_launch(&d->host, d->kernel[kernel], 1, &global, &local)
                  : diffuses ? host_region(&d->host, d->kernel[kernel])
                             : host_serial(&d->host, d->kernel[kernel]);
}

/* Returns how many of `count` values are not within 10^-5 of function(x * before) * behind. */
static unsigned count_far(const char *what, const float *found, const float *x, double function(double),
                          double before, double behind, int count) {
    unsigned wrong = 0;
    for (int i = 0; i < count; i++) {
        const double expected = function(x[i] * before) * behind;
        if (fabs(found[i] - expected) <= 1e-5 * fmax(fabs(expected), 1.0)) continue;
        if (wrong++ == 0)
            fprintf(stderr, "%s: pixel %d is %g, expected %g\n", what, i, (double)found[i], expected);
    }
    return wrong;
}

/* Iterates from the pixels in *s that the device has computed, and compares with C. */
static unsigned iterate(struct device *d, struct srad *s) {
    const size_t count = (size_t)s->image.pixels, bytes = bytes_of(&s->image);
    float speckle = speckle_of(&s->image, s->found.pixel), summed;
    unsigned wrong = 0;
    if (d->openmp) {
        speckle = speckle_in_float(&s->image, s->found.pixel);
        launch(d, &s->image, SUM_UP);
        host_read(&d->host, d->speckle, &summed, sizeof summed);
        wrong = host_count_wrong("speckle", &summed, &speckle, sizeof speckle, 1);
    }
    if (!(speckle > 0.0f)) HOST_FAIL("all pixels are equal: another --seed or size is needed");
    iterate_in_c(s, s->found.pixel, speckle, &s->expected);
    HOST_ARGUMENT(d->kernel[SRAD], 12, speckle);
    launch(d, &s->image, SRAD);
    launch(d, &s->image, SRAD2);
    for (unsigned n = 0; n < NEIGHBOURS; n++) {
        host_read(&d->host, d->derivative[n], s->found.derivative[n], bytes);
        wrong += host_count_wrong("derivative", s->found.derivative[n], s->expected.derivative[n],
                                  sizeof(float), count);
    }
    host_read(&d->host, d->coefficient, s->found.coefficient, bytes);
    host_read(&d->host, d->pixel, s->found.pixel, bytes);
    return wrong +
           host_count_wrong("coefficient", s->found.coefficient, s->expected.coefficient, sizeof(float),
                            count) +
           host_count_wrong("pixel", s->found.pixel, s->expected.pixel, sizeof(float), count);
}

/* Runs all iterations. The results of each launch are checked from its own inputs. Returns the number of
 * differences. */
static unsigned run(struct device *d, struct srad *s, unsigned iterations) {
    const struct image *image = &s->image;
    const size_t bytes = bytes_of(image);
    launch(d, image, EXTRACT);
    host_read(&d->host, d->pixel, s->found.pixel, bytes);
    unsigned wrong = count_far("extract", s->found.pixel, image->pixel, exp, 1.0 / 255.0, 1.0, image->pixels);
    for (unsigned n = 0; n < iterations && wrong == 0; n++) wrong += iterate(d, s);
    memcpy(s->expected.pixel, s->found.pixel, bytes);
    launch(d, image, COMPRESS);
    host_read(&d->host, d->pixel, s->found.pixel, bytes);
    return wrong + count_far("compress", s->found.pixel, s->expected.pixel, log, 1.0, 255.0, image->pixels);
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"rows", "rows of the image", 0, 4096},
                                {"columns", "columns of the image", 0, 4096},
                                {"iterations", "iterations", 0, 1000}};
    host_inputs inputs[] = {{64, 256, 502}, {64, 256, 458}, {1, 2, 4}};
    struct host_choice model = HOST_MODEL;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "srad",
        .summary = "Takes speckle out of an image on the first OpenCL device and checks each iteration.",
        .sizes = sizes,
        .size_count = 3,
        .inputs = inputs,
        .choices = &model,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    if (sizes[0].value * sizes[1].value == 1) HOST_FAIL("an image of one pixel has no speckle");
    struct srad s = srad_new((int)sizes[0].value, (int)sizes[1].value, seed);
    struct device device = {.openmp = model.value};
    device_open(&device, source, &s);
    set_arguments(&device, &s.image);
    const unsigned wrong = run(&device, &s, sizes[2].value);
    printf("srad: %d pixels, image %016llx, kernel time %llu ns\n", s.image.pixels,
           host_hash(s.found.pixel, bytes_of(&s.image)), (unsigned long long)device.time_ns);
    device_close(&device);
    srad_free(&s);
    free(source);
    return host_verdict("srad", wrong == 0, "%u differences from C", wrong);
}
