/* convolution: blurs an image with a separable filter on an OpenCL device: first rows, then columns. Every
 * pixel must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW_TILE = 64, ROWS = 4, COLUMNS = 16, COLUMN_TILE = 16, RADIUS_LIMIT = 64 };

struct image {
    int width, height;
    float *pixel;
};

static struct image image_new(int width, int height) {
    return (struct image){width, height, host_allocate((size_t)width * (size_t)height * sizeof(float))};
}

static size_t image_pixels(const struct image *i) {
    return (size_t)i->width * (size_t)i->height;
}

/* Makes the weights, a bell curve with the sum 1. */
static void make_weights(float *weight, int radius) {
    double sum = 0.0;
    for (int i = -radius; i <= radius; i++) sum += exp(-2.0 * i * i / ((double)radius * radius));
    for (int i = -radius; i <= radius; i++)
        weight[i + radius] = (float)(exp(-2.0 * i * i / ((double)radius * radius)) / sum);
}

/* Does one pass over `image`. The pixels of neighbouring weights are (across, down) pixels apart. */
static void convolve(const struct image *image, struct image *result, const float *weight, int radius,
                     int across, int down) {
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            float sum = 0.0f;
            for (int i = -radius; i <= radius; i++) {
                const int column = x + i * across, row = y + i * down;
                const bool inside = column >= 0 && column < image->width && row >= 0 && row < image->height;
                sum += weight[i + radius] * (inside ? image->pixel[row * image->width + column] : 0.0f);
            }
            result->pixel[y * image->width + x] = sum;
        }
}

static cl_ulong pass(const struct host *host, cl_program program, const char *name, cl_mem from, cl_mem to,
                     cl_mem weights, const struct image *image, const size_t local[2]) {
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, name);
    const size_t global[2] = {((size_t)image->width + local[0] - 1) / local[0] * local[0],
                              ((size_t)image->height + local[1] - 1) / local[1] * local[1]};
    HOST_ARGUMENT(kernel, 0, from);
    HOST_ARGUMENT(kernel, 1, to);
    HOST_ARGUMENT(kernel, 2, weights);
    HOST_ARGUMENT(kernel, 3, image->width);
    HOST_ARGUMENT(kernel, 4, image->height);
    const cl_ulong time_ns = host_launch(host, kernel, 2, global, local);
    HOST_CHECK(clReleaseKernel(kernel));
    return time_ns;
}

static cl_ulong convolve_on_device(const char *source, const struct image *image, struct image *result,
                                   const float *weight, int radius) {
    char options[128];
    snprintf(options, sizeof options,
             "-D RADIUS=%d -D ROW_TILE=%d -D ROWS=%d -D COLUMNS=%d -D COLUMN_TILE=%d", radius, ROW_TILE, ROWS,
             COLUMNS, COLUMN_TILE);
    const size_t bytes = image_pixels(image) * sizeof *image->pixel;
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_mem first = host_buffer(&host, bytes, image->pixel), second = host_buffer(&host, bytes, NULL),
           weights = host_buffer(&host, (size_t)(2 * radius + 1) * sizeof *weight, weight);
    cl_ulong time_ns = pass(&host, program, "convolve_rows", first, second, weights, image,
                            (const size_t[]){ROW_TILE, ROWS});
    time_ns += pass(&host, program, "convolve_columns", second, first, weights, image,
                    (const size_t[]){COLUMNS, COLUMN_TILE});
    host_read(&host, first, result->pixel, bytes);
    HOST_CHECK(clReleaseMemObject(first));
    HOST_CHECK(clReleaseMemObject(second));
    HOST_CHECK(clReleaseMemObject(weights));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"size", "pixels of a side of the image", 256, 8192},
                                {"radius", "radius of the filter, in pixels", 8, RADIUS_LIMIT}};
    char *source =
        host_parse_sizes(argc, argv, "convolution",
                         "Blurs an image on the first OpenCL device and checks every pixel.", sizes, 2);
    const int side = (int)sizes[0].value, radius = (int)sizes[1].value;
    struct image image = image_new(side, side), rows = image_new(side, side), result = image_new(side, side);
    float weight[2 * RADIUS_LIMIT + 1];
    unsigned seed = 1;
    make_weights(weight, radius);
    for (size_t i = 0; i < image_pixels(&image); i++) image.pixel[i] = (float)(host_random(&seed) % 256);

    const cl_ulong time_ns = convolve_on_device(source, &image, &result, weight, radius);
    convolve(&image, &rows, weight, radius, 1, 0);
    convolve(&rows, &image, weight, radius, 0, 1);
    const size_t pixels = image_pixels(&image);
    const unsigned wrong = host_count_wrong("convolution", result.pixel, image.pixel, sizeof(float), pixels);
    printf("convolution: %d x %d pixels, radius %d, kernel time %llu ns\n", side, side, radius,
           (unsigned long long)time_ns);
    free(image.pixel);
    free(rows.pixel);
    free(result.pixel);
    free(source);
    return host_verdict("convolution", wrong == 0, "%u of %zu pixels differ from C", wrong, pixels);
}
