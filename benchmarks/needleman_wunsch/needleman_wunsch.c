/* needleman_wunsch: scores of the alignments of two random sequences on an OpenCL device, tile by tile along
 * the diagonals of a matrix. Every score must equal C's. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16, LETTERS = 20 };

struct alignment {
    int tiles, width; /* tiles of a side; cells of a row, one more than the length of a sequence */
    int penalty;
    int *similarity, *score;
};

static size_t cells(const struct alignment *a) {
    return (size_t)a->width * (size_t)a->width;
}

/* Makes two random sequences of letters and the scores of all pairs of letters: equal letters have the
 * highest score. */
static struct alignment alignment_new(int tiles, int penalty, unsigned seed) {
    struct alignment a = {.tiles = tiles, .width = tiles * TILE + 1, .penalty = penalty};
    int good[LETTERS][LETTERS], *letter[2];
    for (int i = 0; i < LETTERS; i++)
        for (int k = 0; k <= i; k++)
            good[i][k] = good[k][i] = (int)(host_random(&seed) % 8) - 4 + (i == k ? 8 : 0);
    for (int s = 0; s < 2; s++) {
        letter[s] = host_allocate((size_t)a.width * sizeof(int));
        for (int i = 1; i < a.width; i++) letter[s][i] = (int)(host_random(&seed) % LETTERS);
    }
    a.similarity = host_allocate(cells(&a) * sizeof(int));
    a.score = host_allocate(cells(&a) * sizeof(int));
    for (int y = 1; y < a.width; y++)
        for (int x = 1; x < a.width; x++) a.similarity[y * a.width + x] = good[letter[0][y]][letter[1][x]];
    for (int i = 1; i < a.width; i++) a.score[i] = a.score[i * a.width] = -i * penalty;
    free(letter[0]);
    free(letter[1]);
    return a;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static void align_in_c(struct alignment *a) {
    for (int y = 1; y < a->width; y++)
        for (int x = 1; x < a->width; x++) {
            const int *above = a->score + (y - 1) * a->width + x, *left = a->score + y * a->width + x - 1;
            a->score[y * a->width + x] =
                larger(above[-1] + a->similarity[y * a->width + x], larger(*above, *left) - a->penalty);
        }
}

static cl_ulong align_on_device(const char *source, const struct alignment *a, int *found) {
    const size_t bytes = cells(a) * sizeof(int), local = TILE;
    char options[32];
    snprintf(options, sizeof options, "-D TILE=%d", TILE);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "needleman_wunsch");
    cl_mem similarity = host_buffer(&host, bytes, a->similarity), score = host_buffer(&host, bytes, a->score);
    cl_ulong time_ns = 0;
    HOST_ARGUMENT(kernel, 0, similarity);
    HOST_ARGUMENT(kernel, 1, score);
    HOST_ARGUMENT(kernel, 2, a->width);
    HOST_ARGUMENT(kernel, 5, a->penalty);
    for (int diagonal = 0; diagonal < 2 * a->tiles - 1; diagonal++) {
        const int first_column = larger(0, diagonal - a->tiles + 1), last_row = diagonal - first_column;
        const size_t global = (size_t)(last_row - first_column + 1) * TILE;
        HOST_ARGUMENT(kernel, 3, first_column);
        HOST_ARGUMENT(kernel, 4, last_row);
        time_ns += host_launch(&host, kernel, 1, &global, &local);
    }
    host_read(&host, score, found, bytes);
    HOST_CHECK(clReleaseMemObject(similarity));
    HOST_CHECK(clReleaseMemObject(score));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"tiles", "tiles of 16 letters in each sequence", 4, 256},
                                {"penalty", "what a gap costs", 10, 1000}};
    host_inputs inputs[] = {{4, 16, 64}, {10, 10, 10}};
    unsigned seed = 1;
    char *source = host_parse_inputs(argc, argv, "needleman_wunsch",
                                     "Aligns two sequences on the first OpenCL device and checks all scores.",
                                     sizes, 2, inputs, &seed);
    struct alignment a = alignment_new((int)sizes[0].value, (int)sizes[1].value, seed);
    int *found = host_allocate(cells(&a) * sizeof *found);
    const cl_ulong time_ns = align_on_device(source, &a, found);
    align_in_c(&a);
    const size_t count = cells(&a);
    const unsigned wrong = host_count_wrong("needleman_wunsch", found, a.score, sizeof *found, count);
    printf("needleman_wunsch: %d letters each, score %d, kernel time %llu ns\n", a.width - 1,
           found[count - 1], (unsigned long long)time_ns);
    free(a.similarity);
    free(a.score);
    free(found);
    free(source);
    return host_verdict("needleman_wunsch", wrong == 0, "%u of %zu scores differ from C", wrong, count);
}
