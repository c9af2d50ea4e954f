/* mandelbrot: counts the iterations of every pixel of a view of the Mandelbrot set on an OpenCL device, and
 * writes them as a picture. All counts must equal those of a plain C loop: both use float arithmetic in the
 * same order. */
#include "benchmarks/host.h"

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 16, SIZE_LIMIT = 8192, ITERATION_LIMIT = 1 << 20 };

struct view {
    unsigned size; /* pixels of a side */
    unsigned limit;
    float left;
    float top;
    float step;
};

struct options {
    const char *kernel_path; /* NULL: the default path */
    const char *output_path;
    unsigned size;
    unsigned iterations;
};

static void print_usage(FILE *file) {
    fputs(
        "Usage: mandelbrot [--size N] [--iterations N] [--kernel FILE.cl] [FILE.ppm]\n"
        "Draws the Mandelbrot set on the first OpenCL device, checks every pixel and writes the picture to\n"
        "FILE.ppm; default mandelbrot.ppm in the current directory.\n"
        "\n"
        "  --size N          pixels a side, 1 to 8192; default 256\n"
        "  --iterations N    most iterations of a pixel, 1 to 1048576; default 256\n"
        "  --kernel FILE.cl  kernel source; default benchmarks/mandelbrot/mandelbrot.cl, in the current\n"
        "                    directory or where the program was built\n"
        "  --help            print this and end\n"
        "Exit status: 0 the picture is right, 1 it is not or something failed.\n",
        file);
}

static struct options parse_options(int argc, char **argv) {
    static const struct option LONG_OPTIONS[] = {{"size", required_argument, NULL, 's'},
                                                 {"iterations", required_argument, NULL, 'i'},
                                                 {"kernel", required_argument, NULL, 'k'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    struct options options = {NULL, "mandelbrot.ppm", 256, 256};
    int option;
    while ((option = getopt_long(argc, argv, "", LONG_OPTIONS, NULL)) != -1) {
        switch (option) {
        case 's': options.size = host_parse_count("--size", optarg, SIZE_LIMIT); break;
        case 'i': options.iterations = host_parse_count("--iterations", optarg, ITERATION_LIMIT); break;
        case 'k': options.kernel_path = optarg; break;
        case 'h': print_usage(stdout); exit(0);
        default: print_usage(stderr); exit(1);
        }
    }
    if (optind < argc) options.output_path = argv[optind++];
    if (optind < argc) {
        print_usage(stderr);
        exit(1);
    }
    return options;
}

static struct view whole_set(const struct options *options) {
    return (struct view){options->size, options->iterations, -2.0f, 1.25f, 2.5f / (float)options->size};
}

static unsigned count_pixel(const struct view *view, unsigned column, unsigned row) {
    const float c_real = view->left + (float)column * view->step;
    const float c_imaginary = view->top - (float)row * view->step;
    float real = 0.0f;
    float imaginary = 0.0f;
    unsigned count = 0;
    while (count < view->limit) {
        const float real_squared = real * real;
        const float imaginary_squared = imaginary * imaginary;
        if (real_squared + imaginary_squared > 4.0f) break;
        imaginary = 2.0f * real * imaginary + c_imaginary;
        real = real_squared - imaginary_squared + c_real;
        count++;
    }
    return count;
}

static cl_ulong count_on_device(const struct host *host, cl_kernel kernel, const struct view *view,
                                cl_uint *iterations) {
    size_t size_bytes = (size_t)view->size * view->size * sizeof *iterations;
    size_t local[2] = {TILE, TILE};
    size_t global[2];
    global[0] = global[1] = (view->size + TILE - 1) / TILE * TILE;
    cl_mem buffer = host_buffer(host, size_bytes, NULL);
    HOST_ARGUMENT(kernel, 0, buffer);
    HOST_ARGUMENT(kernel, 1, view->size);
    HOST_ARGUMENT(kernel, 2, view->size);
    HOST_ARGUMENT(kernel, 3, view->left);
    HOST_ARGUMENT(kernel, 4, view->top);
    HOST_ARGUMENT(kernel, 5, view->step);
    HOST_ARGUMENT(kernel, 6, view->limit);
    cl_ulong time_ns = host_launch(host, kernel, 2, global, local);
    host_read(host, buffer, iterations, size_bytes);
    HOST_CHECK(clReleaseMemObject(buffer));
    return time_ns;
}

static int check_iterations(const struct view *view, const cl_uint *iterations) {
    unsigned wrong = 0;
    unsigned long long total = 0;
    for (unsigned row = 0; row < view->size; row++)
        for (unsigned column = 0; column < view->size; column++) {
            unsigned expected = count_pixel(view, column, row);
            unsigned found = iterations[(size_t)row * view->size + column];
            total += expected;
            if (found == expected) continue;
            if (wrong++ == 0)
                fprintf(stderr, "mandelbrot: column %u, row %u: %u iterations, expected %u\n", column, row,
                        found, expected);
        }
    return host_verdict("mandelbrot", wrong == 0, "%u of %u pixels differ from C, %llu iterations in all",
                        wrong, view->size * view->size, total);
}

/* Sets the colour of a pixel, from dark blue over white and orange to black. Pixels of the set are black. */
static void colour_pixel(unsigned count, unsigned limit, uint8_t *rgb) {
    static const uint8_t STOPS[6][3] = {{0, 7, 100},   {32, 107, 203}, {237, 255, 255},
                                        {255, 170, 0}, {120, 30, 10},  {0, 7, 100}};
    memset(rgb, 0, 3);
    if (count >= limit) return;
    unsigned place = count % 40;
    const uint8_t *from = STOPS[place / 8];
    const uint8_t *to = STOPS[place / 8 + 1];
    for (unsigned i = 0; i < 3; i++)
        rgb[i] = (uint8_t)((from[i] * (8 - place % 8) + to[i] * (place % 8)) / 8);
}

static void write_picture(const char *path, const struct view *view, const cl_uint *iterations) {
    char header[64];
    size_t pixels = (size_t)view->size * view->size;
    int length = snprintf(header, sizeof header, "P6\n%u %u\n255\n", view->size, view->size);
    uint8_t *picture = host_allocate((size_t)length + 3 * pixels);
    memcpy(picture, header, (size_t)length);
    for (size_t i = 0; i < pixels; i++) colour_pixel(iterations[i], view->limit, picture + length + 3 * i);
    host_write_file(path, picture, (size_t)length + 3 * pixels);
    free(picture);
}

int main(int argc, char **argv) {
    struct options options = parse_options(argc, argv);
    struct view view = whole_set(&options);
    char *kernel_path = options.kernel_path ? strdup(options.kernel_path) : host_kernel_path("mandelbrot");
    char *source = host_read_file(kernel_path, NULL);
    cl_uint *iterations = host_allocate((size_t)view.size * view.size * sizeof *iterations);

    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "mandelbrot");
    cl_ulong time_ns = count_on_device(&host, kernel, &view, iterations);
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);

    write_picture(options.output_path, &view, iterations);
    printf("mandelbrot: %u x %u, up to %u iterations, kernel time %llu ns, picture in %s\n", view.size,
           view.size, view.limit, (unsigned long long)time_ns, options.output_path);
    int status = check_iterations(&view, iterations);
    free(iterations);
    free(source);
    free(kernel_path);
    return status;
}
