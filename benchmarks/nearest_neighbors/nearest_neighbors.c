/* nearest_neighbors: finds the places of a random list that are nearest to a given place. An OpenCL device
 * computes all distances, and the host chooses. Every distance must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const float here[2] = {30.0f, 90.0f};

static float random_up_to(float limit, unsigned *seed) {
    return (float)host_random(seed) / 16777216.0f * limit;
}

/* Computes the distances on the device. openmp: by the kernel of nearest_neighbors_openmp.cl; each: places of
 * a work-item. */
static cl_ulong measure_on_device(const char *source, bool openmp, size_t each, const float *place,
                                  float *distance, cl_int count, size_t group) {
    const size_t local = group / each, global = ((size_t)count + group - 1) / group * local;
    char options[32];
    snprintf(options, sizeof options, "-D GROUP=%zu", local);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, openmp ? "nearest_part" : "nearest_neighbors");
    cl_mem places = host_buffer(&host, (size_t)count * 2 * sizeof(float), place),
           distances = host_buffer(&host, (size_t)count * sizeof(float), NULL);
    HOST_ARGUMENT(kernel, 0, places);
    HOST_ARGUMENT(kernel, 1, distances);
    HOST_ARGUMENT(kernel, 2, count);
    HOST_ARGUMENT(kernel, 3, here[0]);
    HOST_ARGUMENT(kernel, 4, here[1]);
    const cl_ulong time_ns =
        openmp ? host_region(&host, kernel) : host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, distances, distance, (size_t)count * sizeof(float));
    HOST_CHECK(clReleaseMemObject(places));
    HOST_CHECK(clReleaseMemObject(distances));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

/* Returns the smallest distance that is greater than `than`. */
static float nearest(const float *distance, size_t count, float than) {
    float least = INFINITY;
    for (size_t i = 0; i < count; i++)
        if (distance[i] > than && distance[i] < least) least = distance[i];
    return least;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"places", "places to choose from", 2048, 1 << 22},
                                {"nearest", "how many of them", 5, 1000},
                                {"group", "work-items of a work-group", 256, 1024}};
    host_inputs inputs[] = {{2048, 43008, 1 << 20}, {5, 5, 5}, {256, 256, 256}};
    struct host_choice choices[] = {HOST_MODEL, HOST_VECTORS};
    unsigned seed = 1;
    const struct host_command command = {
        .name = "nearest_neighbors",
        .summary = "Measures distances on the first OpenCL device, checks all, and names the least.",
        .sizes = sizes,
        .size_count = 3,
        .inputs = inputs,
        .choices = choices,
        .choice_count = 2,
        .seed = &seed,
        .of_papers = true};
    char *source = host_parse_command(argc, argv, &command);
    const size_t count = sizes[0].value, each = choices[1].value ? 4 : 1;
    if (count % each || sizes[2].value % each)
        HOST_FAIL("--places %zu and --group %u must be multiples of 4 with --vectors on", count,
                  sizes[2].value);
    float *place = host_allocate(count * 2 * sizeof(float)), *found = host_allocate(count * sizeof(float)),
          *expected = host_allocate(count * sizeof(float)), last = -1.0f;
    for (size_t i = 0; i < count; i++) {
        place[2 * i] = random_up_to(64.0f, &seed);
        place[2 * i + 1] = random_up_to(180.0f, &seed);
        const float east = place[2 * i] - here[0], north = place[2 * i + 1] - here[1];
        expected[i] = sqrtf(east * east + north * north);
    }
    const cl_ulong time_ns =
        measure_on_device(source, choices[0].value, each, place, found, (cl_int)count, sizes[2].value);
    const unsigned wrong = host_count_wrong("nearest_neighbors", found, expected, sizeof(float), count);
    for (unsigned n = 0; n < sizes[1].value && last < INFINITY; n++) {
        last = nearest(found, count, last);
        if (last < INFINITY) printf("%s%.4f", n ? ", " : "nearest_neighbors: ", (double)last);
    }
    printf(" of %zu places, kernel time %llu ns\n", count, (unsigned long long)time_ns);
    free(place);
    free(found);
    free(expected);
    free(source);
    return host_verdict("nearest_neighbors", wrong == 0, "%u of %zu distances differ from C", wrong, count);
}
