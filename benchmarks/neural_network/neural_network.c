/* neural_network: passes images through three layers of neurons on an OpenCL device. Each neuron is a
 * work-group of one work-item. Every output must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAYERS = 3 };
static const unsigned neurons[LAYERS + 1] = {169, 50, 24, 10};

static void layer_in_c(const float *from, const float *weights, float *to, unsigned images, unsigned layer) {
    const unsigned inputs = neurons[layer], outputs = neurons[layer + 1];
    for (unsigned m = 0; m < images; m++)
        for (unsigned n = 0; n < outputs; n++) {
            const float *w = weights + (size_t)n * (inputs + 1);
            float sum = w[0];
            for (unsigned i = 0; i < inputs; i++) sum += from[m * inputs + i] * w[1 + i];
            to[m * outputs + n] = fminf(fmaxf(sum, -1.0f), 1.0f);
        }
}

static cl_ulong layers_on_device(const char *source, float *const *weights, float *const *values,
                                 unsigned images) {
    struct host host;
    cl_ulong time_ns = 0;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "layer");
    cl_mem from = host_buffer(&host, (size_t)images * neurons[0] * sizeof(float), values[0]);
    for (unsigned l = 0; l < LAYERS; l++) {
        const cl_uint inputs = neurons[l];
        const size_t bytes = (size_t)images * neurons[l + 1] * sizeof(float),
                     global[2] = {neurons[l + 1], images}, local[2] = {1, 1};
        cl_mem to = host_buffer(&host, bytes, NULL),
               table = host_buffer(&host, (size_t)(inputs + 1) * neurons[l + 1] * sizeof(float), weights[l]);
        HOST_ARGUMENT(kernel, 0, from);
        HOST_ARGUMENT(kernel, 1, table);
        HOST_ARGUMENT(kernel, 2, to);
        HOST_ARGUMENT(kernel, 3, inputs);
        time_ns += host_launch(&host, kernel, 2, global, local);
        HOST_CHECK(clReleaseMemObject(table));
        HOST_CHECK(clReleaseMemObject(from));
        from = to;
        if (l + 1 == LAYERS) host_read(&host, to, values[LAYERS], bytes);
    }
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"images", "images, each by itself", 2, 10000}};
    host_inputs inputs[] = {{2, 8, 28}};
    unsigned seed = 1;
    char *source =
        host_parse_inputs(argc, argv, "neural_network",
                          "Runs images through layers of neurons on the first OpenCL device and checks "
                          "every output.",
                          sizes, 1, inputs, &seed);
    const unsigned images = sizes[0].value, outputs = images * neurons[LAYERS];
    float *weights[LAYERS], *values[LAYERS + 1], *found = host_allocate(outputs * sizeof *found);
    for (unsigned l = 0; l <= LAYERS; l++)
        values[l] = host_allocate((size_t)images * neurons[l] * sizeof(float));
    for (unsigned i = 0; i < images * neurons[0]; i++)
        values[0][i] = (float)(host_random(&seed) >> 16) / 256.0f;
    for (unsigned l = 0; l < LAYERS; l++) {
        const unsigned count = (neurons[l] + 1) * neurons[l + 1];
        weights[l] = host_allocate(count * sizeof(float));
        for (unsigned i = 0; i < count; i++) weights[l][i] = (float)host_random(&seed) / 16777216.0f - 0.5f;
    }
    float *on_device[LAYERS + 1] = {[0] = values[0], [LAYERS] = found};
    const cl_ulong time_ns = layers_on_device(source, weights, on_device, images);
    for (unsigned l = 0; l < LAYERS; l++) layer_in_c(values[l], weights[l], values[l + 1], images, l);
    const unsigned wrong = host_count_wrong("neural_network", found, values[LAYERS], sizeof *found, outputs);
    printf("neural_network: %u images, kernel time %llu ns\n", images, (unsigned long long)time_ns);
    for (unsigned l = 0; l <= LAYERS; l++) free(values[l]);
    for (unsigned l = 0; l < LAYERS; l++) free(weights[l]);
    free(found);
    free(source);
    return host_verdict("neural_network", wrong == 0, "%u of %u outputs differ from C", wrong, outputs);
}
