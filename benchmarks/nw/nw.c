/* nw: the dual-mode paper's Nw. Aligns two random sequences on an OpenCL device: fills a matrix of scores,
 * one anti-diagonal of 64 x 64 tiles in each launch. The device needs 33,284 bytes of local memory (Lockstep:
 * --set cluster.local_memory=65536). Every score must equal that of C. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { TILE = 64, LETTERS = 24 };

struct alignment {
    size_t width; /* cells of a row: one more than the length of a sequence */
    cl_int penalty;
    int *reference, *score; /* reference: score of the two letters of each cell; score: result */
};

static size_t cells(const struct alignment *a) {
    return a->width * a->width;
}

static struct alignment random_alignment(size_t letters, int penalty, unsigned *seed) {
    struct alignment a = {.width = letters + 1, .penalty = penalty};
    int good[LETTERS][LETTERS], *letter[2];
    for (unsigned i = 0; i < LETTERS; i++)
        for (unsigned k = 0; k <= i; k++)
            good[i][k] = good[k][i] = (int)(host_random(seed) % 8) - 4 + (i == k ? 8 : 0);
    for (unsigned s = 0; s < 2; s++) {
        letter[s] = host_allocate(a.width * sizeof(int));
        for (size_t i = 1; i < a.width; i++) letter[s][i] = (int)(host_random(seed) % LETTERS);
    }
    a.reference = host_allocate(cells(&a) * sizeof(int));
    a.score = host_allocate(cells(&a) * sizeof(int));
    for (size_t y = 1; y < a.width; y++)
        for (size_t x = 1; x < a.width; x++) a.reference[y * a.width + x] = good[letter[0][y]][letter[1][x]];
    for (size_t i = 1; i < a.width; i++) a.score[i] = a.score[i * a.width] = -(int)i * penalty;
    free(letter[0]);
    free(letter[1]);
    return a;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static void align_in_c(struct alignment *a) {
    for (size_t y = 1; y < a->width; y++)
        for (size_t x = 1; x < a->width; x++) {
            const int *above = a->score + (y - 1) * a->width + x, *left = a->score + y * a->width + x - 1;
            a->score[y * a->width + x] =
                larger(above[-1] + a->reference[y * a->width + x], larger(*above, *left) - a->penalty);
        }
}

static void require_local_memory(const struct host *host) {
    const cl_ulong needed = ((TILE + 1) * (TILE + 1) + TILE * TILE) * sizeof(int);
    cl_ulong size = 0;
    HOST_CHECK(clGetDeviceInfo(host->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof size, &size, NULL));
    if (size < needed)
        HOST_FAIL("the device has %llu bytes of local memory, but a tile of 64 x 64 needs %llu; of Lockstep, "
                  "set cluster.local_memory=65536",
                  (unsigned long long)size, (unsigned long long)needed);
}

static cl_ulong align_on_device(const char *source, const struct alignment *a, int *found) {
    const size_t bytes = cells(a) * sizeof(int), local = TILE;
    const cl_int width = (cl_int)a->width, tiles = (width - 1) / TILE;
    char options[32];
    snprintf(options, sizeof options, "-D TILE=%d", TILE);
    struct host host;
    host_open(&host);
    require_local_memory(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel[2] = {HOST_CREATE(clCreateKernel, program, "growing"),
                           HOST_CREATE(clCreateKernel, program, "shrinking")};
    cl_mem reference = host_buffer(&host, bytes, a->reference), score = host_buffer(&host, bytes, a->score);
    for (unsigned n = 0; n < 2; n++) {
        HOST_ARGUMENT(kernel[n], 0, reference);
        HOST_ARGUMENT(kernel[n], 1, score);
        HOST_ARGUMENT(kernel[n], 2, width);
        HOST_ARGUMENT(kernel[n], 3, a->penalty);
    }
    cl_ulong time_ns = 0;
    for (cl_int diagonal = 1; diagonal < 2 * tiles; diagonal++) {
        const unsigned shrinks = diagonal > tiles;
        const cl_int blocks = shrinks ? 2 * tiles - diagonal : diagonal;
        const size_t global = (size_t)blocks * TILE;
        HOST_ARGUMENT(kernel[shrinks], 4, blocks);
        time_ns += host_launch(&host, kernel[shrinks], 1, &global, &local);
    }
    host_read(&host, score, found, bytes);
    HOST_CHECK(clReleaseMemObject(reference));
    HOST_CHECK(clReleaseMemObject(score));
    for (unsigned n = 0; n < 2; n++) HOST_CHECK(clReleaseKernel(kernel[n]));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

/* Aligns with an OpenMP region for each anti-diagonal of blocks of 16 x 16. */
static cl_ulong align_by_regions(const char *source, const struct alignment *a, int *found) {
    const size_t bytes = cells(a) * sizeof(int);
    const cl_int width = (cl_int)a->width, across = (width - 1) / 16;
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "block_diagonal");
    cl_mem reference = host_buffer(&host, bytes, a->reference), score = host_buffer(&host, bytes, a->score);
    HOST_ARGUMENT(kernel, 0, reference);
    HOST_ARGUMENT(kernel, 1, score);
    HOST_ARGUMENT(kernel, 2, width);
    HOST_ARGUMENT(kernel, 3, a->penalty);
    cl_ulong time_ns = 0;
    for (cl_int diagonal = 0; diagonal < 2 * across - 1; diagonal++) {
        HOST_ARGUMENT(kernel, 4, diagonal);
        time_ns += host_region(&host, kernel);
    }
    host_read(&host, score, found, bytes);
    HOST_CHECK(clReleaseMemObject(reference));
    HOST_CHECK(clReleaseMemObject(score));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"letters", "letters of each sequence, a multiple of 64", 0, 8192},
                                {"penalty", "cost of a gap", 0, 1000}};
    host_inputs inputs[] = {{256, 1024, 2048}, {10, 10, 10}};
    struct host_choice model = HOST_MODEL;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "nw",
        .summary = "Aligns two sequences on the first OpenCL device and checks all scores.",
        .sizes = sizes,
        .size_count = 2,
        .inputs = inputs,
        .choices = &model,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    if (sizes[0].value % TILE) HOST_FAIL("--letters %u is no multiple of %d", sizes[0].value, TILE);
    struct alignment a = random_alignment(sizes[0].value, (int)sizes[1].value, &seed);
    const size_t count = cells(&a);
    int *found = host_allocate(count * sizeof *found);
    const cl_ulong time_ns =
        model.value ? align_by_regions(source, &a, found) : align_on_device(source, &a, found);
    align_in_c(&a);
    const unsigned wrong = host_count_wrong("nw", found, a.score, sizeof *found, count);
    printf("nw: %zu letters each, score %d, kernel time %llu ns\n", a.width - 1, found[count - 1],
           (unsigned long long)time_ns);
    free(a.reference);
    free(a.score);
    free(found);
    free(source);
    return host_verdict("nw", wrong == 0, "%u of %zu scores differ from C", wrong, count);
}
