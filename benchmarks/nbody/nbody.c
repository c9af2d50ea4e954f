/* nbody: the dual-mode paper's Nbody: steps of random bodies that attract each other, on an OpenCL device.
 * Every coordinate must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 32, WORDS = 4 /* words of a float4 */ };

static const float seconds = 0.005f, softening = 50.0f;

struct bodies {
    size_t count;
    float *position, *velocity; /* arrays [count][WORDS]; position[][3] is the mass */
};

static struct bodies random_bodies(size_t count, unsigned seed) {
    struct bodies b = {count, host_allocate(count * WORDS * sizeof(float)),
                       host_allocate(count * WORDS * sizeof(float))};
    for (size_t i = 0; i < count * WORDS; i++) {
        const float random = (float)host_random(&seed) / 16777216.0f;
        b.position[i] = i % WORDS == 3 ? 1.0f + random * 1000.0f : 3.0f + random * 50.0f;
    }
    return b;
}

static void free_bodies(struct bodies *b) {
    free(b->position);
    free(b->velocity);
}

/* Moves body i from its position in `position`. Elements are those of the kernel's float4; the last one is
 * not the mass here. */
static void move_body(const struct bodies *b, size_t i, const float *position) {
    const float *own = position + i * WORDS;
    float pull[WORDS] = {0.0f};
    for (size_t k = 0; k < b->count; k++) {
        float away[WORDS];
        for (unsigned w = 0; w < WORDS; w++) away[w] = position[k * WORDS + w] - own[w];
        const float square = away[0] * away[0] + away[1] * away[1] + away[2] * away[2] + softening;
        const float inverse = 1.0f / sqrtf(square), cube = inverse * inverse * inverse;
        for (unsigned w = 0; w < WORDS; w++) pull[w] += position[k * WORDS + 3] * cube * away[w];
    }
    for (unsigned w = 0; w < WORDS; w++) {
        float *velocity = &b->velocity[i * WORDS + w];
        if (w < 3)
            b->position[i * WORDS + w] = own[w] + *velocity * seconds + pull[w] * 0.5f * seconds * seconds;
        *velocity += pull[w] * seconds;
    }
}

static void move_in_c(struct bodies *b, unsigned steps) {
    const size_t bytes = b->count * WORDS * sizeof(float);
    float *before = host_allocate(bytes);
    for (unsigned s = 0; s < steps; s++) {
        memcpy(before, b->position, bytes);
        for (size_t i = 0; i < b->count; i++) move_body(b, i, before);
    }
    free(before);
}

/* Moves the bodies on the device. each: bodies of a work-item. */
static cl_ulong move_on_device(const char *source, size_t each, struct bodies *b, unsigned steps) {
    const size_t bytes = b->count * WORDS * sizeof(float), local = GROUP, global = b->count / each;
    const cl_int count = (cl_int)b->count;
    char options[32];
    snprintf(options, sizeof options, "-D GROUP=%d", GROUP);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "nbody");
    cl_mem position[2] = {host_buffer(&host, bytes, b->position), host_buffer(&host, bytes, NULL)},
           velocity[2] = {host_buffer(&host, bytes, b->velocity), host_buffer(&host, bytes, NULL)};
    HOST_ARGUMENT(kernel, 4, count);
    HOST_ARGUMENT(kernel, 5, seconds);
    HOST_ARGUMENT(kernel, 6, softening);
    cl_ulong time_ns = 0;
    for (unsigned s = 0; s < steps; s++) {
        HOST_ARGUMENT(kernel, 0, position[s % 2]);
        HOST_ARGUMENT(kernel, 1, velocity[s % 2]);
        HOST_ARGUMENT(kernel, 2, position[(s + 1) % 2]);
        HOST_ARGUMENT(kernel, 3, velocity[(s + 1) % 2]);
        time_ns += host_launch(&host, kernel, 1, &global, &local);
    }
    host_read(&host, position[steps % 2], b->position, bytes);
    host_read(&host, velocity[steps % 2], b->velocity, bytes);
    for (unsigned i = 0; i < 2; i++) {
        HOST_CHECK(clReleaseMemObject(position[i]));
        HOST_CHECK(clReleaseMemObject(velocity[i]));
    }
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"bodies", "bodies, a multiple of 32", 0, 1 << 14},
                                {"steps", "steps of time", 0, 1000}};
    host_inputs inputs[] = {{128, 256, 512}, {2, 5, 5}};
    struct host_choice vectors = HOST_VECTORS;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "nbody",
        .summary = "Moves bodies on the first OpenCL device and checks their places and velocities.",
        .sizes = sizes,
        .size_count = 2,
        .inputs = inputs,
        .choices = &vectors,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const unsigned each = vectors.value ? 4 : 1;
    if (sizes[0].value % (each * GROUP))
        HOST_FAIL("--bodies %u is no multiple of %u", sizes[0].value, each * GROUP);
    struct bodies found = random_bodies(sizes[0].value, seed), expected = random_bodies(sizes[0].value, seed);
    const size_t words = found.count * WORDS;
    const cl_ulong time_ns = move_on_device(source, each, &found, sizes[1].value);
    move_in_c(&expected, sizes[1].value);
    const unsigned wrong =
        host_count_wrong("nbody: positions", found.position, expected.position, sizeof(float), words) +
        host_count_wrong("nbody: velocities", found.velocity, expected.velocity, sizeof(float), words);
    printf("nbody: %zu bodies, %u steps, kernel time %llu ns\n", found.count, sizes[1].value,
           (unsigned long long)time_ns);
    free_bodies(&found);
    free_bodies(&expected);
    free(source);
    return host_verdict("nbody", wrong == 0, "%u of %zu words differ from C", wrong, 2 * words);
}
