/* sobel: edges of a random picture by Sobel's filter on an OpenCL device. Each pixel must equal C's. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16 };

/* Makes a picture of stripes of random brightness with noise. */
static cl_uchar *picture_new(int width, int height, unsigned seed) {
    cl_uchar *image = host_allocate((size_t)width * (size_t)height);
    const unsigned stripe = 3 + host_random(&seed) % 16;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            image[y * width + x] =
                (cl_uchar)(((unsigned)(x + y) / stripe * 77u) % 200u + host_random(&seed) % 56u);
    return image;
}

/* Returns the filter's value in one direction; with x and y exchanged, in the other. */
static int slope(const cl_uchar *at, int along, int across) {
    return at[along - across] - at[-along - across] + 2 * (at[along] - at[-along]) + at[along + across] -
           at[-along + across];
}

static void filter_in_c(const cl_uchar *image, cl_uchar *edge, int width, int height) {
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            const cl_uchar *at = image + y * width + x;
            const int strength = abs(slope(at, 1, width)) + abs(slope(at, width, 1));
            edge[y * width + x] = (cl_uchar)(strength < 255 ? strength : 255);
        }
}

static cl_ulong filter_on_device(const char *source, const cl_uchar *image, cl_uchar *edge, int width,
                                 int height) {
    const size_t bytes = (size_t)width * (size_t)height, local[2] = {TILE, TILE},
                 global[2] = {((size_t)width + TILE - 1) / TILE * TILE,
                              ((size_t)height + TILE - 1) / TILE * TILE};
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "sobel");
    cl_mem from = host_buffer(&host, bytes, image), to = host_buffer(&host, bytes, NULL);
    HOST_ARGUMENT(kernel, 0, from);
    HOST_ARGUMENT(kernel, 1, to);
    HOST_ARGUMENT(kernel, 2, width);
    HOST_ARGUMENT(kernel, 3, height);
    const cl_ulong time_ns = host_launch(&host, kernel, 2, global, local);
    host_read(&host, to, edge, bytes);
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"width", "pixels of a row", 0, 8192}, {"height", "rows", 0, 8192}};
    host_inputs inputs[] = {{96, 512, 1024}, {96, 512, 1024}};
    unsigned seed = 1;
    const struct host_command command = {
        .name = "sobel",
        .summary = "Finds edges of a picture on the first OpenCL device and checks each pixel.",
        .sizes = sizes,
        .size_count = 2,
        .inputs = inputs,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const int width = (int)sizes[0].value, height = (int)sizes[1].value;
    const size_t pixels = (size_t)width * (size_t)height;
    cl_uchar *image = picture_new(width, height, seed), *found = host_allocate(pixels),
             *expected = host_allocate(pixels);
    filter_in_c(image, expected, width, height);
    const cl_ulong time_ns = filter_on_device(source, image, found, width, height);
    const unsigned wrong = host_count_wrong("sobel", found, expected, 1, pixels);
    printf("sobel: %d x %d pixels, edges %016llx, kernel time %llu ns\n", width, height,
           host_hash(found, pixels), (unsigned long long)time_ns);
    free(image);
    free(found);
    free(expected);
    free(source);
    return host_verdict("sobel", wrong == 0, "%u of %zu pixels differ from C", wrong, pixels);
}
