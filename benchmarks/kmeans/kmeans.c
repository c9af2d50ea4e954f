/* kmeans: the dual-mode paper's Kmeans: assigns random points to clusters. An OpenCL device finds the nearest
 * centre of each point, and the host moves each centre to the mean of its points. Assignments and transposed
 * features must equal C's, bit for bit. --swap off selects the variant without transposed features. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 256 };
enum sizes { POINTS, FEATURES, CENTRES, ITERATIONS, SIZES };

struct clusters {
    int points, features, centres;
    float *feature, *swapped; /* features, indexed by point; and transposed */
    float *centre;            /* features of each centre */
    int *nearest;             /* number of the nearest centre of each point */
};

/* Makes random points around as many places as there are centres. The first points are the initial
 * centres. */
static struct clusters clusters_new(const struct host_size sizes[SIZES], unsigned seed) {
    struct clusters c = {.points = (int)sizes[POINTS].value,
                         .features = (int)sizes[FEATURES].value,
                         .centres = (int)sizes[CENTRES].value};
    const size_t features = sizes[FEATURES].value, count = (size_t)c.points * features;
    c.feature = host_allocate(count * sizeof(float));
    c.swapped = host_allocate(count * sizeof(float));
    c.centre = host_allocate((size_t)c.centres * features * sizeof(float));
    c.nearest = host_allocate((size_t)c.points * sizeof(int));
    for (size_t i = 0; i < count; i++) {
        const size_t place = i / features % (size_t)c.centres;
        c.feature[i] = (float)host_random(&seed) / 16777216.0f +
                       0.125f * (float)((place * 7 + i % features) % (size_t)c.centres);
    }
    memcpy(c.centre, c.feature, (size_t)c.centres * features * sizeof(float));
    return c;
}

static void clusters_free(struct clusters *c) {
    free(c->feature);
    free(c->swapped);
    free(c->centre);
    free(c->nearest);
}

/* Returns the nearest centre of a point, computed in the order of the kernel. */
static int nearest_in_c(const struct clusters *c, const float *point) {
    float least = INFINITY;
    int chosen = 0;
    for (int k = 0; k < c->centres; k++) {
        const float *centre = c->centre + k * c->features;
        float distance = 0.0f;
        for (int f = 0; f < c->features; f++) {
            const float difference = point[f] - centre[f];
            distance += difference * difference;
        }
        if (distance < least) {
            least = distance;
            chosen = k;
        }
    }
    return chosen;
}

/* Moves each centre to the mean of its points. A centre without points stays. */
static void move_centres(struct clusters *c) {
    const size_t features = (size_t)c->features;
    double *sum = host_allocate((size_t)c->centres * features * sizeof *sum);
    int *members = host_allocate((size_t)c->centres * sizeof *members);
    for (int i = 0; i < c->points; i++) {
        members[c->nearest[i]]++;
        for (size_t f = 0; f < features; f++)
            sum[(size_t)c->nearest[i] * features + f] += c->feature[(size_t)i * features + f];
    }
    for (size_t k = 0; k < (size_t)c->centres; k++)
        for (size_t f = 0; f < features && members[k] > 0; f++)
            c->centre[k * features + f] = (float)(sum[k * features + f] / members[k]);
    free(sum);
    free(members);
}

static unsigned count_wrong_choices(const struct clusters *c) {
    int *expected = host_allocate((size_t)c->points * sizeof *expected);
    for (int i = 0; i < c->points; i++) expected[i] = nearest_in_c(c, c->feature + i * c->features);
    const unsigned wrong =
        host_count_wrong("nearest centre", c->nearest, expected, sizeof(int), (size_t)c->points);
    free(expected);
    return wrong;
}

static unsigned count_wrong_features(const struct clusters *c) {
    const size_t points = (size_t)c->points, features = (size_t)c->features, count = points * features;
    float *expected = host_allocate(count * sizeof *expected);
    for (size_t i = 0; i < count; i++) expected[i % features * points + i / features] = c->feature[i];
    const unsigned wrong = host_count_wrong("feature", c->swapped, expected, sizeof(float), count);
    free(expected);
    return wrong;
}

/* Iterates on the device until an assignment is wrong. each: points of a work-item. *wrong becomes the number
 * of differences from C. */
static cl_ulong run_on_device(const char *source, struct clusters *c, bool swapping, size_t each,
                              unsigned iterations, unsigned *wrong) {
    const size_t local = GROUP / each, global = ((size_t)c->points + GROUP - 1) / GROUP * local,
                 bytes = (size_t)c->points * (size_t)c->features * sizeof(float),
                 centre_bytes = (size_t)c->centres * (size_t)c->features * sizeof(float);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, swapping ? "-D SWAP" : NULL);
    cl_kernel swap = HOST_CREATE(clCreateKernel, program, "swap"),
              kmeans = HOST_CREATE(clCreateKernel, program, "kmeans");
    cl_mem feature = host_buffer(&host, bytes, c->feature), swapped = host_buffer(&host, bytes, NULL),
           centre = host_buffer(&host, centre_bytes, NULL),
           nearest = host_buffer(&host, (size_t)c->points * sizeof(int), NULL);
    HOST_ARGUMENT(swap, 0, feature);
    HOST_ARGUMENT(swap, 1, swapped);
    HOST_ARGUMENT(swap, 2, c->points);
    HOST_ARGUMENT(swap, 3, c->features);
    HOST_CHECK(clSetKernelArg(kmeans, 0, sizeof(cl_mem), swapping ? &swapped : &feature));
    HOST_ARGUMENT(kmeans, 1, centre);
    HOST_ARGUMENT(kmeans, 2, nearest);
    HOST_ARGUMENT(kmeans, 3, c->points);
    HOST_ARGUMENT(kmeans, 4, c->centres);
    HOST_ARGUMENT(kmeans, 5, c->features);
    cl_ulong time_ns = 0;
    if (swapping) {
        time_ns += host_launch(&host, swap, 1, &global, &local);
        host_read(&host, swapped, c->swapped, bytes);
        *wrong = count_wrong_features(c);
    }
    for (unsigned n = 0; n < iterations && *wrong == 0; n++) {
        host_write(&host, centre, c->centre, centre_bytes);
        time_ns += host_launch(&host, kmeans, 1, &global, &local);
        host_read(&host, nearest, c->nearest, (size_t)c->points * sizeof(int));
        *wrong = count_wrong_choices(c);
        if (*wrong == 0) move_centres(c);
    }
    HOST_CHECK(clReleaseMemObject(feature));
    HOST_CHECK(clReleaseMemObject(swapped));
    HOST_CHECK(clReleaseMemObject(centre));
    HOST_CHECK(clReleaseMemObject(nearest));
    HOST_CHECK(clReleaseKernel(swap));
    HOST_CHECK(clReleaseKernel(kmeans));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

/* Moves each centre to the mean of its points, in the order of `cores` cores: each core adds a part of the
 * points. */
static void move_centres_by_cores(struct clusters *c, size_t cores) {
    const size_t points = (size_t)c->points, features = (size_t)c->features, centres = (size_t)c->centres;
    float *sum = host_allocate(cores * centres * features * sizeof *sum);
    int *members = host_allocate(centres * sizeof *members);
    for (size_t core = 0; core < cores; core++)
        for (size_t i = points * core / cores; i < points * (core + 1) / cores; i++) {
            float *own = sum + (core * centres + (size_t)c->nearest[i]) * features;
            members[c->nearest[i]]++;
            for (size_t f = 0; f < features; f++) own[f] += c->feature[i * features + f];
        }
    for (size_t k = 0; k < centres; k++)
        for (size_t f = 0; f < features && members[k] > 0; f++) {
            float all = 0.0f;
            for (size_t core = 0; core < cores; core++) all += sum[(core * centres + k) * features + f];
            c->centre[k * features + f] = all / (float)members[k];
        }
    free(sum);
    free(members);
}

/* Runs on the device with an OpenMP region and a serial part for each iteration. */
static cl_ulong run_by_regions(const char *source, struct clusters *c, unsigned iterations, unsigned *wrong) {
    struct host host;
    host_open(&host);
    const cl_int cores = (cl_int)host_cores(&host);
    const size_t centre_words = (size_t)c->centres * (size_t)c->features,
                 centre_bytes = centre_words * sizeof(float), points = (size_t)c->points;
    cl_program program = host_build(&host, source, NULL);
    cl_kernel kmeans = HOST_CREATE(clCreateKernel, program, "kmeans_part"),
              means = HOST_CREATE(clCreateKernel, program, "new_centres");
    cl_mem feature = host_buffer(&host, points * (size_t)c->features * sizeof(float), c->feature),
           centre = host_buffer(&host, centre_bytes, c->centre),
           nearest = host_buffer(&host, points * sizeof(int), NULL),
           partial = host_buffer(&host, (size_t)cores * centre_bytes, NULL),
           members = host_buffer(&host, (size_t)(cores * c->centres) * sizeof(int), NULL);
    HOST_ARGUMENT(kmeans, 0, feature);
    HOST_ARGUMENT(kmeans, 1, centre);
    HOST_ARGUMENT(kmeans, 2, nearest);
    HOST_ARGUMENT(kmeans, 3, c->points);
    HOST_ARGUMENT(kmeans, 4, c->centres);
    HOST_ARGUMENT(kmeans, 5, c->features);
    HOST_ARGUMENT(kmeans, 6, partial);
    HOST_ARGUMENT(kmeans, 7, members);
    HOST_ARGUMENT(means, 0, partial);
    HOST_ARGUMENT(means, 1, members);
    HOST_ARGUMENT(means, 2, centre);
    HOST_ARGUMENT(means, 3, c->centres);
    HOST_ARGUMENT(means, 4, c->features);
    HOST_ARGUMENT(means, 5, cores);
    float *moved = host_allocate(centre_bytes);
    cl_ulong time_ns = 0;
    for (unsigned n = 0; n < iterations && *wrong == 0; n++) {
        time_ns += host_region(&host, kmeans);
        time_ns += host_serial(&host, means);
        host_read(&host, nearest, c->nearest, points * sizeof(int));
        host_read(&host, centre, moved, centre_bytes);
        *wrong = count_wrong_choices(c);
        if (*wrong > 0) break;
        move_centres_by_cores(c, (size_t)cores);
        *wrong = host_count_wrong("centre", moved, c->centre, sizeof(float), centre_words);
    }
    free(moved);
    const cl_mem buffers[] = {feature, centre, nearest, partial, members};
    for (unsigned i = 0; i < 5; i++) HOST_CHECK(clReleaseMemObject(buffers[i]));
    HOST_CHECK(clReleaseKernel(means));
    HOST_CHECK(clReleaseKernel(kmeans));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[SIZES] = {[POINTS] = {"points", "points", 0, 1 << 20},
                                     [FEATURES] = {"features", "numbers of a point", 0, 256},
                                     [CENTRES] = {"centres", "clusters", 0, 64},
                                     [ITERATIONS] = {"iterations", "times that centres are found", 0, 100}};
    host_inputs inputs[SIZES] = {{1024, 8192, 65536}, {34, 34, 34}, {5, 5, 5}, {2, 3, 5}};
    struct host_choice choices[] = {
        {"swap", "whether features are transposed first", {"on", "off"}, 0}, HOST_MODEL, HOST_VECTORS};
    unsigned seed = 1, wrong = 0;
    const struct host_command command = {
        .name = "kmeans",
        .summary = "Puts points into clusters on the first OpenCL device and checks each choice.",
        .sizes = sizes,
        .size_count = SIZES,
        .inputs = inputs,
        .choices = choices,
        .choice_count = 3,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    if (sizes[CENTRES].value > sizes[POINTS].value)
        HOST_FAIL("--centres %u is more than --points %u", sizes[CENTRES].value, sizes[POINTS].value);
    const size_t each = choices[2].value ? 4 : 1;
    if (sizes[POINTS].value % each)
        HOST_FAIL("--points %u is no multiple of 4, as --vectors needs", sizes[POINTS].value);
    if (each > 1 && choices[0].value) HOST_FAIL("--vectors on needs --swap on");
    struct clusters c = clusters_new(sizes, seed);
    const unsigned iterations = sizes[ITERATIONS].value;
    const cl_ulong time_ns = choices[1].value
                                 ? run_by_regions(source, &c, iterations, &wrong)
                                 : run_on_device(source, &c, choices[0].value == 0, each, iterations, &wrong);
    printf("kmeans: %d points, %d centres, the first begins with %.6f, kernel time %llu ns\n", c.points,
           c.centres, (double)c.centre[0], (unsigned long long)time_ns);
    clusters_free(&c);
    free(source);
    return host_verdict("kmeans", wrong == 0, "%u differences from C", wrong);
}
