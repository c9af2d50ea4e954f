/* discrete_cosine: the discrete cosine transform of an image in tiles of 8 x 8 on an OpenCL device. Every
 * coefficient must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 8 };

static void fill_cosines(float *cosines) {
    for (int u = 0; u < SIDE; u++)
        for (int k = 0; k < SIDE; k++)
            cosines[SIDE * u + k] =
                (float)(cos((2 * k + 1) * u * 3.14159265358979323846 / (2 * SIDE)) * (u ? 0.5 : sqrt(0.125)));
}

static void transform_tile_in_c(const float *image, float *coefficients, const float *cosines, size_t row) {
    float rows[SIDE][SIDE];
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++) {
            rows[y][x] = 0;
            for (size_t k = 0; k < SIDE; k++) rows[y][x] += image[y * row + k] * cosines[SIDE * x + k];
        }
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++) {
            float sum = 0;
            for (size_t k = 0; k < SIDE; k++) sum += cosines[SIDE * y + k] * rows[k][x];
            coefficients[y * row + x] = sum;
        }
}

static cl_ulong transform_on_device(const char *source, const float *image, const float *cosines, size_t side,
                                    float *found) {
    const size_t bytes = side * side * sizeof *found, global[2] = {side, side}, local[2] = {SIDE, SIDE};
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "discrete_cosine");
    cl_mem from = host_buffer(&host, bytes, image), to = host_buffer(&host, bytes, NULL),
           table = host_buffer(&host, SIDE * SIDE * sizeof *cosines, cosines);
    HOST_ARGUMENT(kernel, 0, from);
    HOST_ARGUMENT(kernel, 1, to);
    HOST_ARGUMENT(kernel, 2, table);
    const cl_ulong time_ns = host_launch(&host, kernel, 2, global, local);
    host_read(&host, to, found, bytes);
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    HOST_CHECK(clReleaseMemObject(table));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"tiles", "tiles of 8 x 8 of a side of the image", 8, 512}};
    host_inputs inputs[] = {{8, 24, 64}};
    unsigned seed = 1;
    char *source = host_parse_inputs(
        argc, argv, "discrete_cosine",
        "Transforms a random image on the first OpenCL device and checks every coefficient.", sizes, 1,
        inputs, &seed);
    const size_t side = (size_t)SIDE * sizes[0].value, points = side * side;
    float *image = host_allocate(points * sizeof *image), *found = host_allocate(points * sizeof *found),
          *wanted = host_allocate(points * sizeof *wanted), cosines[SIDE * SIDE];
    fill_cosines(cosines);
    for (size_t i = 0; i < points; i++) image[i] = (float)(host_random(&seed) >> 16);
    const cl_ulong time_ns = transform_on_device(source, image, cosines, side, found);
    for (size_t y = 0; y < side; y += SIDE)
        for (size_t x = 0; x < side; x += SIDE)
            transform_tile_in_c(image + y * side + x, wanted + y * side + x, cosines, side);
    const unsigned wrong = host_count_wrong("discrete_cosine", found, wanted, sizeof *found, points);
    printf("discrete_cosine: %zu x %zu points, kernel time %llu ns\n", side, side,
           (unsigned long long)time_ns);
    free(image);
    free(found);
    free(wanted);
    free(source);
    return host_verdict("discrete_cosine", wrong == 0, "%u of %zu coefficients differ from C", wrong, points);
}
