/* back_propagation: trains a layer of a neural network with WIDE hidden units and many inputs on an OpenCL
 * device. Each step computes the hidden units, compares them with a target, and changes all weights. Every
 * weight must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 16 };

static const float rate = 0.3f, momentum = 0.3f;

struct layer {
    size_t inputs, weights, tiles;
    /* Input[inputs]; weight and last, the last changes of the weights: [inputs][WIDE]. */
    float *input, *weight, *last;
    float target[WIDE];
};

static struct layer layer_new(size_t inputs, unsigned seed) {
    struct layer l = {.inputs = inputs, .weights = inputs * WIDE, .tiles = (inputs + WIDE - 1) / WIDE};
    l.input = host_allocate(inputs * sizeof(float));
    l.weight = host_allocate(l.weights * sizeof(float));
    l.last = host_allocate(l.weights * sizeof(float));
    for (size_t i = 0; i < inputs; i++) l.input[i] = (float)host_random(&seed) / 16777216.0f;
    for (size_t i = 0; i < l.weights; i++)
        l.weight[i] = ((float)host_random(&seed) / 8388608.0f - 1.0f) / (float)inputs;
    for (size_t h = 0; h < WIDE; h++) l.target[h] = (float)host_random(&seed) / 16777216.0f;
    return l;
}

static void layer_free(struct layer *l) {
    free(l->input);
    free(l->weight);
    free(l->last);
}

/* Computes the errors of the hidden units from the sums of tiles. The host does this part for every
 * device. */
static void errors(const struct layer *l, const float *partial, float *error) {
    for (size_t h = 0; h < WIDE; h++) {
        float sum = 0.0f;
        for (size_t t = 0; t < l->tiles; t++) sum += partial[t * WIDE + h];
        const float hidden = 1.0f / (1.0f + expf(-sum));
        error[h] = hidden * (1.0f - hidden) * (l->target[h] - hidden);
    }
}

static void tile_in_c(const struct layer *l, size_t tile, float *partial) {
    for (size_t h = 0; h < WIDE; h++) {
        float product[WIDE];
        for (size_t row = 0; row < WIDE; row++) {
            const size_t in = tile * WIDE + row;
            product[row] = in < l->inputs ? l->weight[in * WIDE + h] * l->input[in] : 0.0f;
        }
        for (size_t step = 1; step < WIDE; step *= 2)
            for (size_t row = 0; row < WIDE; row += 2 * step) product[row] += product[row + step];
        partial[tile * WIDE + h] = product[0];
    }
}

static void train_in_c(struct layer *l, unsigned steps) {
    float *partial = host_allocate(l->tiles * WIDE * sizeof *partial), error[WIDE];
    for (unsigned s = 0; s < steps; s++) {
        for (size_t t = 0; t < l->tiles; t++) tile_in_c(l, t, partial);
        errors(l, partial, error);
        for (size_t i = 0; i < l->weights; i++) {
            l->last[i] = rate * error[i % WIDE] * l->input[i / WIDE] + momentum * l->last[i];
            l->weight[i] += l->last[i];
        }
    }
    free(partial);
}

static cl_ulong train_on_device(const char *source, struct layer *l, unsigned steps) {
    const size_t weight_bytes = l->weights * sizeof(float), partial_bytes = l->tiles * WIDE * sizeof(float);
    const size_t local[2] = {WIDE, WIDE}, global[2] = {WIDE, l->tiles * WIDE};
    const cl_int inputs = (cl_int)l->inputs;
    char options[32];
    snprintf(options, sizeof options, "-D WIDE=%d", WIDE);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel forward = HOST_CREATE(clCreateKernel, program, "forward"),
              adjust = HOST_CREATE(clCreateKernel, program, "adjust");
    float *sums = host_allocate(partial_bytes), error[WIDE];
    cl_mem input = host_buffer(&host, l->inputs * sizeof(float), l->input),
           weight = host_buffer(&host, weight_bytes, l->weight),
           last = host_buffer(&host, weight_bytes, l->last),
           partial = host_buffer(&host, partial_bytes, NULL),
           device_error = host_buffer(&host, sizeof error, NULL);
    HOST_ARGUMENT(forward, 0, input);
    HOST_ARGUMENT(forward, 1, weight);
    HOST_ARGUMENT(forward, 2, partial);
    HOST_ARGUMENT(forward, 3, inputs);
    HOST_ARGUMENT(adjust, 0, input);
    HOST_ARGUMENT(adjust, 1, device_error);
    HOST_ARGUMENT(adjust, 2, weight);
    HOST_ARGUMENT(adjust, 3, last);
    HOST_ARGUMENT(adjust, 4, inputs);
    HOST_ARGUMENT(adjust, 5, rate);
    HOST_ARGUMENT(adjust, 6, momentum);
    cl_ulong time_ns = 0;
    for (unsigned s = 0; s < steps; s++) {
        time_ns += host_launch(&host, forward, 2, global, local);
        host_read(&host, partial, sums, partial_bytes);
        errors(l, sums, error);
        host_write(&host, device_error, error, sizeof error);
        time_ns += host_launch(&host, adjust, 2, global, local);
    }
    host_read(&host, weight, l->weight, weight_bytes);
    HOST_CHECK(clReleaseMemObject(input));
    HOST_CHECK(clReleaseMemObject(weight));
    HOST_CHECK(clReleaseMemObject(last));
    HOST_CHECK(clReleaseMemObject(partial));
    HOST_CHECK(clReleaseMemObject(device_error));
    HOST_CHECK(clReleaseKernel(forward));
    HOST_CHECK(clReleaseKernel(adjust));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    free(sums);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"inputs", "input units", 256, 1 << 20},
                                {"steps", "steps of training", 2, 1000}};
    host_inputs inputs[] = {{256, 4096, 65536}, {2, 2, 2}};
    unsigned seed = 1;
    char *source = host_parse_inputs(argc, argv, "back_propagation",
                                     "Trains a layer on the first OpenCL device and checks every weight.",
                                     sizes, 2, inputs, &seed);
    struct layer found = layer_new(sizes[0].value, seed), expected = layer_new(sizes[0].value, seed);
    const cl_ulong time_ns = train_on_device(source, &found, sizes[1].value);
    train_in_c(&expected, sizes[1].value);
    const size_t weights = found.weights;
    const unsigned wrong =
        host_count_wrong("back_propagation", found.weight, expected.weight, sizeof(float), weights);
    printf("back_propagation: %zu inputs, %u steps, kernel time %llu ns\n", found.inputs, sizes[1].value,
           (unsigned long long)time_ns);
    layer_free(&found);
    layer_free(&expected);
    free(source);
    return host_verdict("back_propagation", wrong == 0, "%u of %zu weights differ from C", wrong, weights);
}
