/* backprop: the dual-mode paper's Backprop: one training step of a layer of a neural network with WIDE hidden
 * units and many random inputs, on an OpenCL device. The sums of the forward kernel, and all weights and
 * changes of the adjusting kernel, must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDE = 16, ROW = WIDE + 1 /* weights of an input, including that of the bias */ };

struct layer {
    size_t inputs, weights, tiles;
    /* Input[1 + inputs]; weight and last, the last changes of the weights: [1 + inputs][ROW]. */
    float *input, *weight, *last;
    float *sums;    /* sums[1 + inputs][ROW]: the weights, overwritten by the tiles of `forward` */
    float *partial; /* [tiles][WIDE] */
    float target[ROW], error[ROW];
};

static struct layer random_layer(size_t inputs, unsigned seed) {
    struct layer l = {.inputs = inputs, .weights = (inputs + 1) * ROW, .tiles = inputs / WIDE};
    l.input = host_allocate((inputs + 1) * sizeof(float));
    l.weight = host_allocate(l.weights * sizeof(float));
    l.last = host_allocate(l.weights * sizeof(float));
    l.sums = host_allocate(l.weights * sizeof(float));
    l.partial = host_allocate(l.tiles * WIDE * sizeof(float));
    for (size_t i = 1; i <= inputs; i++) l.input[i] = (float)host_random(&seed) / 16777216.0f;
    for (size_t i = 0; i < l.weights; i++) {
        l.sums[i] = l.weight[i] = ((float)host_random(&seed) / 8388608.0f - 1.0f) / (float)inputs;
        l.last[i] = ((float)host_random(&seed) / 8388608.0f - 1.0f) / (float)inputs;
    }
    for (size_t h = 1; h < ROW; h++) l.target[h] = (float)host_random(&seed) / 16777216.0f;
    return l;
}

static void free_layer(struct layer *l) {
    free(l->input);
    free(l->weight);
    free(l->last);
    free(l->sums);
    free(l->partial);
}

/* Computes the sums of a tile in `forward`, which replace weights in l->sums. */
static void forward_in_c(struct layer *l, size_t tile, size_t x) {
    float *first = l->sums + (tile * WIDE + 1) * ROW + x + 1;
    for (size_t y = 0; y < WIDE; y++) first[y * ROW] *= l->input[tile * WIDE + y + 1];
    for (size_t step = 1; step <= WIDE; step *= 2)
        for (size_t y = 0; y < WIDE; y += step) first[y * ROW] += first[(y + step / 2) * ROW];
    l->partial[tile * WIDE + x] = first[0];
}

/* Computes the errors of the hidden units. The host does this part for every device. */
static void find_errors(struct layer *l) {
    for (size_t h = 1; h < ROW; h++) {
        float sum = l->weight[h];
        for (size_t t = 0; t < l->tiles; t++) sum += l->partial[t * WIDE + h - 1];
        const float hidden = 1.0f / (1.0f + expf(-sum));
        l->error[h] = hidden * (1.0f - hidden) * (l->target[h] - hidden);
    }
}

/* Computes the sums of a core's part of `forward`, as if there were one tile. */
static void sum_in_c(struct layer *l, size_t x) {
    float sum = 0.0f;
    for (size_t from = 1; from <= l->inputs; from++) sum += l->weight[from * ROW + x + 1] * l->input[from];
    l->partial[x] = sum;
}

static void train_in_c(struct layer *l, bool openmp) {
    const float rate = 0.3f, momentum = 0.3f;
    for (size_t x = 0; openmp && x < WIDE; x++) sum_in_c(l, x);
    for (size_t t = 0; !openmp && t < l->tiles; t++)
        for (size_t x = 0; x < WIDE; x++) forward_in_c(l, t, x);
    find_errors(l);
    for (size_t from = 0; from <= l->inputs; from++)
        for (size_t to = 1; to < ROW; to++) {
            const size_t i = from * ROW + to;
            const float own = from ? rate * l->error[to] * l->input[from] : rate * l->error[to];
            l->last[i] = own + momentum * l->last[i];
            l->weight[i] += l->last[i];
        }
}

/* Buffers of the device, in the order of the layer's arrays. */
enum { INPUT, WEIGHT, LAST, PARTIAL, ERROR, BUFFERS };

/* Trains on the device. openmp: by two OpenMP regions. */
static cl_ulong train_on_device(const char *source, bool openmp, struct layer *l) {
    const cl_int inputs = (cl_int)l->inputs;
    const size_t weight_bytes = l->weights * sizeof(float), partial_bytes = l->tiles * WIDE * sizeof(float);
    const size_t local[2] = {WIDE, WIDE}, global[2] = {WIDE, l->tiles * WIDE};
    static const unsigned forward_takes[] = {INPUT, WEIGHT, PARTIAL},
                          adjust_takes[] = {ERROR, INPUT, WEIGHT, LAST};
    char options[32];
    snprintf(options, sizeof options, "-D WIDE=%d", WIDE);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel forward = HOST_CREATE(clCreateKernel, program, openmp ? "forward_part" : "forward"),
              adjust = HOST_CREATE(clCreateKernel, program, openmp ? "adjust_part" : "adjust");
    cl_mem buffer[BUFFERS] = {
        host_buffer(&host, (l->inputs + 1) * sizeof(float), l->input),
        host_buffer(&host, weight_bytes, l->weight), host_buffer(&host, weight_bytes, l->last),
        host_buffer(&host, partial_bytes, l->partial), host_buffer(&host, sizeof l->error, NULL)};
    for (cl_uint i = 0; i < 3; i++) HOST_ARGUMENT(forward, i, buffer[forward_takes[i]]);
    for (cl_uint i = 0; i < 4; i++) HOST_ARGUMENT(adjust, i, buffer[adjust_takes[i]]);
    if (openmp) {
        HOST_ARGUMENT(forward, 3, inputs);
        HOST_ARGUMENT(adjust, 4, inputs);
    }
    cl_ulong time_ns = openmp ? host_region(&host, forward) : host_launch(&host, forward, 2, global, local);
    host_read(&host, buffer[PARTIAL], l->partial, partial_bytes);
    host_read(&host, buffer[WEIGHT], l->sums, weight_bytes);
    find_errors(l);
    host_write(&host, buffer[ERROR], l->error, sizeof l->error);
    host_write(&host, buffer[WEIGHT], l->weight, weight_bytes);
    time_ns += openmp ? host_region(&host, adjust) : host_launch(&host, adjust, 2, global, local);
    host_read(&host, buffer[WEIGHT], l->weight, weight_bytes);
    host_read(&host, buffer[LAST], l->last, weight_bytes);
    for (unsigned i = 0; i < BUFFERS; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(forward));
    HOST_CHECK(clReleaseKernel(adjust));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"inputs", "input units, a multiple of 16", 0, 1 << 20}};
    host_inputs inputs[] = {{2048, 16384, 65536}};
    struct host_choice model = HOST_MODEL;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "backprop",
        .summary = "Trains a layer on the first OpenCL device and checks every sum and weight.",
        .sizes = sizes,
        .size_count = 1,
        .inputs = inputs,
        .choices = &model,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    if (sizes[0].value % WIDE) HOST_FAIL("--inputs %u is no multiple of %d", sizes[0].value, WIDE);
    struct layer found = random_layer(sizes[0].value, seed), expected = random_layer(sizes[0].value, seed);
    const cl_ulong time_ns = train_on_device(source, model.value, &found);
    train_in_c(&expected, model.value);
    const size_t weights = found.weights, sums = found.tiles * WIDE, word = sizeof(float);
    const unsigned wrong =
        host_count_wrong("backprop: partial sums", found.partial, expected.partial, word, sums) +
        host_count_wrong("backprop: tiles of sums", found.sums, expected.sums, word, weights) +
        host_count_wrong("backprop: changes", found.last, expected.last, word, weights) +
        host_count_wrong("backprop: weights", found.weight, expected.weight, word, weights);
    printf("backprop: %zu inputs, hash of weights %016llx, kernel time %llu ns\n", found.inputs,
           host_hash(found.weight, weights * word), (unsigned long long)time_ns);
    free_layer(&found);
    free_layer(&expected);
    free(source);
    return host_verdict("backprop", wrong == 0, "%u of %zu words differ from C", wrong, sums + 3 * weights);
}
