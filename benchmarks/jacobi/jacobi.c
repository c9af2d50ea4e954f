/* jacobi: solves Poisson's equation in a plane with a given rim by Jacobi's iteration on an OpenCL device.
 * Each number must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 64 };
enum sizes { WIDTH, HEIGHT, STEPS, EACH, SIZES };

static float *random_plane(size_t count, unsigned *seed) {
    float *values = host_allocate(count * sizeof *values);
    for (size_t i = 0; i < count; i++) values[i] = (float)host_random(seed) / 16777216.0f;
    return values;
}

/* Iterates `steps` times between two planes with the same rim. Returns the plane with the result. */
static float *iterate_in_c(float *from, float *to, const float *source, const struct host_size sizes[SIZES]) {
    const size_t width = sizes[WIDTH].value, height = sizes[HEIGHT].value;
    for (unsigned n = 0; n < sizes[STEPS].value; n++) {
        for (size_t y = 1; y + 1 < height; y++)
            for (size_t i = y * width + 1; i < (y + 1) * width - 1; i++)
                to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width] - source[i]);
        float *other = from;
        from = to;
        to = other;
    }
    return from;
}

static cl_ulong iterate_on_device(const char *text, float *plane, const float *source,
                                  const struct host_size sizes[SIZES]) {
    const cl_int number[3] = {(cl_int)sizes[WIDTH].value, (cl_int)sizes[HEIGHT].value,
                              (cl_int)sizes[EACH].value};
    const size_t bytes = (size_t)number[0] * (size_t)number[1] * sizeof *plane, local[2] = {GROUP, 1},
                 strips = (sizes[HEIGHT].value - 2 + sizes[EACH].value - 1) / sizes[EACH].value,
                 global[2] = {((size_t)number[0] - 2 + GROUP - 1) / GROUP * GROUP, strips};
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, text, "jacobi");
    cl_mem buffer[2] = {host_buffer(&host, bytes, plane), host_buffer(&host, bytes, plane)},
           sources = host_buffer(&host, bytes, source);
    HOST_ARGUMENT(kernel, 2, sources);
    for (cl_uint i = 0; i < 3; i++) HOST_ARGUMENT(kernel, 3 + i, number[i]);
    cl_ulong time_ns = 0;
    for (unsigned n = 0; n < sizes[STEPS].value; n++) {
        HOST_ARGUMENT(kernel, 0, buffer[n % 2]);
        HOST_ARGUMENT(kernel, 1, buffer[1 - n % 2]);
        time_ns += host_launch(&host, kernel, 2, global, local);
    }
    host_read(&host, buffer[sizes[STEPS].value % 2], plane, bytes);
    for (unsigned i = 0; i < 2; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseMemObject(sources));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[SIZES] = {[WIDTH] = {"width", "numbers of a row", 0, 8192},
                                     [HEIGHT] = {"height", "rows", 0, 8192},
                                     [STEPS] = {"steps", "iterations", 0, 1000},
                                     [EACH] = {"each", "rows of a work-item", 0, 1024}};
    host_inputs inputs[SIZES] = {{130, 258, 1026}, {130, 258, 1026}, {2, 4, 4}, {16, 16, 16}};
    unsigned seed = 1;
    const struct host_command command = {
        .name = "jacobi",
        .summary = "Solves Poisson's equation on the first OpenCL device and checks each number.",
        .sizes = sizes,
        .size_count = SIZES,
        .inputs = inputs,
        .seed = &seed};
    char *text = host_parse_command(argc, argv, &command);
    if (sizes[WIDTH].value < 3 || sizes[HEIGHT].value < 3)
        HOST_FAIL("--width %u --height %u: only the rim is left", sizes[WIDTH].value, sizes[HEIGHT].value);
    const size_t count = (size_t)sizes[WIDTH].value * sizes[HEIGHT].value;
    float *found = random_plane(count, &seed), *source = random_plane(count, &seed),
          *one = host_allocate(count * sizeof *one), *two = host_allocate(count * sizeof *two);
    memcpy(one, found, count * sizeof *one);
    memcpy(two, found, count * sizeof *two);
    const float *expected = iterate_in_c(one, two, source, sizes);
    const cl_ulong time_ns = iterate_on_device(text, found, source, sizes);
    const unsigned wrong = host_count_wrong("jacobi", found, expected, sizeof *found, count);
    printf("jacobi: %u x %u numbers, plane %016llx, kernel time %llu ns\n", sizes[WIDTH].value,
           sizes[HEIGHT].value, host_hash(found, count * sizeof *found), (unsigned long long)time_ns);
    free(found);
    free(source);
    free(one);
    free(two);
    free(text);
    return host_verdict("jacobi", wrong == 0, "%u of %zu numbers differ from C", wrong, count);
}
