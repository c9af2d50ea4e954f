/* particlefilter: the dual-mode paper's Particlefilter, which follows a disk in a random video, on an OpenCL
 * device. Each launch is checked from its own inputs. Results of log, cos and exp must be within 1e-5 of C's
 * in double; all values computed from them must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 128, SIDE = 128, RADIUS = 5, START = SIDE / 2 /* position of the disk in frame 0, x and y */ };

/* Device buffers. */
enum place {
    X,
    Y,
    OLD_X,
    OLD_Y,
    SEED,
    OFFSET_X,
    OFFSET_Y,
    INDEX,
    VIDEO,
    LIKELY,
    WEIGHT,
    PARTIAL,
    TOTAL,
    NORMAL,
    CUMULATIVE,
    BOUND,
    BUFFERS
};
/* Kernels of both forms, and those of OpenMP's regions. */
enum kernel {
    LIKELIHOOD,
    SUM,
    NORMALISE,
    FIND,
    KERNELS,
    TAKE = KERNELS,
    MOVE,
    WEIGH,
    ADD,
    CUMULATE,
    BOUNDS,
    REGIONS
};

struct filter {
    struct host host;
    cl_mem buffer[BUFFERS];
    cl_kernel kernel[REGIONS];
    bool openmp;
    /* Contents of each buffer at its last read or write. */
    void *at[BUFFERS];
    size_t bytes[BUFFERS], particles;
    size_t groups; /* work-groups; cores with --model openmp */
    size_t size /* pixels of a disk */, frames;
    unsigned seed, wrong;
    unsigned long long hash; /* hash of positions and weights of all frames */
    cl_ulong time_ns;
};

static float *floats(const struct filter *f, enum place p) {
    return f->at[p];
}

static int *ints(const struct filter *f, enum place p) {
    return f->at[p];
}

static size_t cell(size_t frame, size_t row, size_t column) {
    return (frame * SIDE + row) * SIDE + column;
}

/* Makes the video. Pixels have brightness 100, those of the disk 228, all with nearly normal noise of
 * deviation 5. The disk moves by (1, -2) a frame. */
static void fill_video(struct filter *f, unsigned *seed) {
    cl_uchar *video = f->at[VIDEO];
    for (size_t frame = 0; frame < f->frames; frame++) {
        const int middle_x = START + (int)frame, middle_y = START - 2 * (int)frame;
        for (int row = 0; row < SIDE; row++)
            for (int column = 0; column < SIDE; column++) {
                const int x = column - middle_x, y = row - middle_y;
                float noise = -2.0f;
                for (unsigned n = 0; n < 4; n++) noise += (float)host_random(seed) / 16777216.0f;
                video[cell(frame, (size_t)row, (size_t)column)] =
                    (cl_uchar)((x * x + y * y < RADIUS * RADIUS ? 228.0f : 100.0f) + 8.66f * noise);
            }
    }
}

static void fill_disk(struct filter *f) {
    size_t k = 0;
    for (int y = 1 - RADIUS; y < RADIUS; y++)
        for (int x = 1 - RADIUS; x < RADIUS; x++) {
            if (x * x + y * y >= RADIUS * RADIUS) continue;
            ints(f, OFFSET_X)[k] = x;
            ints(f, OFFSET_Y)[k++] = y;
        }
}

static size_t disk_size(void) {
    size_t size = 0;
    for (int y = 1 - RADIUS; y < RADIUS; y++)
        for (int x = 1 - RADIUS; x < RADIUS; x++) size += x * x + y * y < RADIUS * RADIUS;
    return size;
}

static void open_filter(struct filter *f, const char *source) {
    static const char *const of_opencl[KERNELS] = {"likelihood", "sum", "normalise", "find"},
                             *const of_openmp[REGIONS] = {"likelihood_part", "add_part",  "normalise_part",
                                                          "find_part",       "take_part", "move_part",
                                                          "weigh_part",      "add_part",  "cumulate",
                                                          "bound_part"};
    const char *const *names = f->openmp ? of_openmp : of_opencl;
    host_open(&f->host);
    f->groups = f->openmp ? host_cores(&f->host) : (f->particles + GROUP - 1) / GROUP;
    const size_t one = f->particles * sizeof(float), disk = f->size * sizeof(int);
    const size_t bytes[BUFFERS] = {[X] = one,          [Y] = one,
                                   [OLD_X] = one,      [OLD_Y] = one,
                                   [SEED] = one,       [OFFSET_X] = disk,
                                   [OFFSET_Y] = disk,  [INDEX] = f->particles * disk,
                                   [LIKELY] = one,     [VIDEO] = f->frames * SIDE * SIDE,
                                   [WEIGHT] = one,     [PARTIAL] = f->groups * sizeof(float),
                                   [NORMAL] = one,     [TOTAL] = sizeof(float),
                                   [CUMULATIVE] = one, [BOUND] = one};
    unsigned seed = f->seed;
    memcpy(f->bytes, bytes, sizeof bytes);
    for (unsigned p = 0; p < BUFFERS; p++) f->at[p] = host_allocate(bytes[p]);
    fill_video(f, &seed);
    fill_disk(f);
    for (size_t i = 0; i < f->particles; i++) {
        floats(f, OLD_X)[i] = floats(f, OLD_Y)[i] = START;
        ((cl_uint *)f->at[SEED])[i] = host_random(&seed) << 8;
    }
    char options[32];
    snprintf(options, sizeof options, "-D GROUP=%d", GROUP);
    cl_program program = host_build(&f->host, source, options);
    for (unsigned p = 0; p < BUFFERS; p++) f->buffer[p] = host_buffer(&f->host, bytes[p], f->at[p]);
    for (unsigned n = 0; n < (f->openmp ? REGIONS : KERNELS); n++)
        f->kernel[n] = HOST_CREATE(clCreateKernel, program, names[n]);
    HOST_CHECK(clReleaseProgram(program));
}

static void close_filter(struct filter *f) {
    for (unsigned p = 0; p < BUFFERS; p++) {
        HOST_CHECK(clReleaseMemObject(f->buffer[p]));
        free(f->at[p]);
    }
    for (unsigned n = 0; n < (f->openmp ? REGIONS : KERNELS); n++) HOST_CHECK(clReleaseKernel(f->kernel[n]));
    host_close(&f->host);
}

#define ALL(array) array, sizeof(array) / sizeof *(array)

/* Runs a kernel whose first arguments are buffers and whose other arguments are numbers. Reads the buffers
 * afterwards. */
static void launch(struct filter *f, enum kernel n, const enum place *buffers, cl_uint count,
                   const cl_int *numbers, cl_uint number_count) {
    const size_t local = GROUP, global = f->groups * GROUP;
    const cl_kernel kernel = f->kernel[n];
    for (cl_uint i = 0; i < count; i++) HOST_ARGUMENT(kernel, i, f->buffer[buffers[i]]);
    for (cl_uint i = 0; i < number_count; i++) HOST_ARGUMENT(kernel, count + i, numbers[i]);
    f->time_ns += n == SUM || n == CUMULATE ? host_serial(&f->host, kernel)
                  : f->openmp               ? host_region(&f->host, kernel)
                                            : host_launch(&f->host, kernel, 1, &global, &local);
    for (cl_uint i = 0; i < count; i++)
        host_read(&f->host, f->buffer[buffers[i]], f->at[buffers[i]], f->bytes[buffers[i]]);
}

static void count_wrong(struct filter *f, const char *what, enum place p, const void *expected) {
    f->wrong += host_count_wrong(what, f->at[p], expected, sizeof(float), f->bytes[p] / sizeof(float));
}

/* Compares floats with C's in double. They must be within 1e-5, relative, or both below the smallest normal
 * number. */
static void count_far(struct filter *f, const char *what, enum place p, const double *expected) {
    bool said = false;
    for (size_t i = 0; i < f->particles; i++) {
        const double found = (double)floats(f, p)[i];
        if (fabs(found - expected[i]) <= 1e-5 * fabs(expected[i]) + (double)FLT_MIN) continue;
        if (!said) fprintf(stderr, "%s: element %zu is %.9g, expected %.9g\n", what, i, found, expected[i]);
        said = true;
        f->wrong++;
    }
}

static float uniform(cl_uint *seed) {
    *seed = *seed * 1103515245u + 12345u;
    return ((float)(*seed >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

static double gaussian(cl_uint *seed) {
    const float u = uniform(seed), v = uniform(seed);
    return sqrt(-2.0 * log((double)u)) * cos((double)(6.2831853f * v));
}

/* Checks positions and seeds after `likelihood` from positions and seeds before. */
static void check_moves(struct filter *f, cl_uint *seed) {
    double *x = host_allocate(f->particles * sizeof *x), *y = host_allocate(f->particles * sizeof *y);
    for (size_t i = 0; i < f->particles; i++) {
        x[i] = (double)floats(f, OLD_X)[i] + 1.0 + 5.0 * gaussian(&seed[i]);
        y[i] = (double)floats(f, OLD_Y)[i] - 2.0 + 2.0 * gaussian(&seed[i]);
    }
    count_wrong(f, "particlefilter: seeds", SEED, seed);
    count_far(f, "particlefilter: x", X, x);
    count_far(f, "particlefilter: y", Y, y);
    free(x);
    free(y);
}

/* Computes the likelihood of the device's particle i. The numbers of its pixels go to index. */
static float likelihood_in_c(const struct filter *f, size_t i, size_t frame, int *index) {
    const int near_x = (int)(floats(f, X)[i] + 0.5f), near_y = (int)(floats(f, Y)[i] + 0.5f);
    float sum = 0.0f;
    for (size_t k = 0; k < f->size; k++) {
        const int column = near_x + ints(f, OFFSET_X)[k], row = near_y + ints(f, OFFSET_Y)[k];
        const bool inside = column >= 0 && column < SIDE && row >= 0 && row < SIDE;
        index[k] = inside ? (int)cell(frame, (size_t)row, (size_t)column) : 0;
        const float pixel = (float)((cl_uchar *)f->at[VIDEO])[index[k]];
        const float dark = pixel - 100.0f, bright = pixel - 228.0f;
        sum += (dark * dark - bright * bright) / 50.0f;
    }
    return sum / (float)f->size - 300.0f;
}

/* Returns the sum of a work-group's weights, added as a tree; or of a core's weights, added one by one. */
static float sum_of_group(const struct filter *f, size_t group) {
    const float *weight = floats(f, WEIGHT);
    float tile[GROUP] = {0.0f};
    if (f->openmp) {
        for (size_t i = f->particles * group / f->groups; i < f->particles * (group + 1) / f->groups; i++)
            tile[0] += weight[i];
        return tile[0];
    }
    for (size_t t = 0; t < GROUP && group * GROUP + t < f->particles; t++)
        tile[t] = weight[group * GROUP + t];
    for (size_t stride = GROUP / 2; stride; stride /= 2)
        for (size_t t = 0; t < stride; t++) tile[t] += tile[t + stride];
    return tile[0];
}

/* Checks pixels, likelihoods and weights against the device's positions, and the sums against its weights. */
static void check_weights(struct filter *f, size_t frame) {
    int *index = host_allocate(f->bytes[INDEX]);
    float *likely = host_allocate(f->bytes[LIKELY]), *partial = host_allocate(f->bytes[PARTIAL]);
    double *weight = host_allocate(f->particles * sizeof *weight);
    for (size_t i = 0; i < f->particles; i++) {
        likely[i] = likelihood_in_c(f, i, frame, index + i * f->size);
        weight[i] = exp((double)likely[i]) / (double)f->particles;
    }
    for (size_t group = 0; group < f->groups; group++) partial[group] = sum_of_group(f, group);
    count_wrong(f, "particlefilter: pixels", INDEX, index);
    count_wrong(f, "particlefilter: likelihoods", LIKELY, likely);
    count_far(f, "particlefilter: weights", WEIGHT, weight);
    count_wrong(f, "particlefilter: sums of work-groups or cores", PARTIAL, partial);
    free(index);
    free(likely);
    free(partial);
    free(weight);
}

/* Runs the kernel `likelihood` as five OpenMP regions. */
static void run_likelihood_by_regions(struct filter *f, const cl_int numbers[4]) {
    static const enum place taken[] = {OLD_X, OLD_Y, X, Y, WEIGHT}, moved[] = {X, Y, SEED},
                            pixels[] = {X, Y, OFFSET_X, OFFSET_Y, INDEX, VIDEO, LIKELY},
                            weights[] = {LIKELY, WEIGHT}, sums[] = {WEIGHT, PARTIAL};
    launch(f, TAKE, ALL(taken), numbers, 1);
    launch(f, MOVE, ALL(moved), numbers, 1);
    launch(f, LIKELIHOOD, ALL(pixels), numbers, 4);
    launch(f, WEIGH, ALL(weights), numbers, 1);
    launch(f, ADD, ALL(sums), numbers, 1);
}

static void run_likelihood(struct filter *f, size_t frame) {
    static const enum place buffers[] = {X,        Y,     OLD_X, OLD_Y,  SEED,   OFFSET_X,
                                         OFFSET_Y, INDEX, VIDEO, LIKELY, WEIGHT, PARTIAL};
    const cl_int numbers[] = {(cl_int)f->particles, (cl_int)f->size, SIDE, (cl_int)frame};
    cl_uint *seed = host_allocate(f->bytes[SEED]);
    memcpy(seed, f->at[SEED], f->bytes[SEED]);
    if (f->openmp)
        run_likelihood_by_regions(f, numbers);
    else
        launch(f, LIKELIHOOD, ALL(buffers), ALL(numbers));
    check_moves(f, seed);
    check_weights(f, frame);
    free(seed);
}

static void run_sum(struct filter *f, size_t frame) {
    static const enum place buffers[] = {PARTIAL, TOTAL};
    const cl_int groups = (cl_int)f->groups;
    float total = 0.0f;
    launch(f, SUM, ALL(buffers), &groups, 1);
    for (size_t group = 0; group < f->groups; group++) total += floats(f, PARTIAL)[group];
    count_wrong(f, "particlefilter: sum", TOTAL, &total);
    if (!(total > 0.0f))
        HOST_FAIL(
            "--seed %u: no particle is near the disk in frame %zu, all weights are 0; choose another seed",
            f->seed, frame);
}

static void run_normalise(struct filter *f, cl_uint draw) {
    static const enum place buffers[] = {WEIGHT, NORMAL, TOTAL, CUMULATIVE, BOUND},
                            cumulated[] = {NORMAL, CUMULATIVE}, bounds[] = {BOUND};
    const cl_int particles = (cl_int)f->particles, numbers[] = {particles, (cl_int)draw};
    if (f->openmp) {
        launch(f, NORMALISE, buffers, 3, numbers, 1);
        launch(f, CUMULATE, ALL(cumulated), numbers, 1);
        launch(f, BOUNDS, ALL(bounds), ALL(numbers));
    } else {
        launch(f, NORMALISE, ALL(buffers), ALL(numbers));
    }
    float *normal = host_allocate(f->bytes[NORMAL]), *cumulative = host_allocate(f->bytes[CUMULATIVE]),
          *bound = host_allocate(f->bytes[BOUND]), sum = 0.0f;
    const float first = 1.0f / (float)particles * uniform(&draw);
    for (size_t i = 0; i < f->particles; i++) {
        normal[i] = floats(f, WEIGHT)[i] / floats(f, TOTAL)[0];
        cumulative[i] = sum += normal[i];
        bound[i] = first + (float)i / (float)particles;
    }
    count_wrong(f, "particlefilter: normal weights", NORMAL, normal);
    count_wrong(f, "particlefilter: cumulative weights", CUMULATIVE, cumulative);
    count_wrong(f, "particlefilter: bounds", BOUND, bound);
    free(normal);
    free(cumulative);
    free(bound);
}

static void run_find(struct filter *f) {
    static const enum place buffers[] = {X, Y, CUMULATIVE, BOUND, OLD_X, OLD_Y};
    const cl_int particles = (cl_int)f->particles;
    launch(f, FIND, ALL(buffers), &particles, 1);
    float *x = host_allocate(f->bytes[X]), *y = host_allocate(f->bytes[Y]);
    for (size_t i = 0; i < f->particles; i++) {
        size_t drawn = 0;
        while (drawn < f->particles - 1 && floats(f, CUMULATIVE)[drawn] < floats(f, BOUND)[i]) drawn++;
        x[i] = floats(f, X)[drawn];
        y[i] = floats(f, Y)[drawn];
    }
    count_wrong(f, "particlefilter: x of drawn", OLD_X, x);
    count_wrong(f, "particlefilter: y of drawn", OLD_Y, y);
    free(x);
    free(y);
}

static void add_to_hash(struct filter *f, enum place p) {
    const unsigned long long both[] = {f->hash, host_hash(f->at[p], f->bytes[p])};
    f->hash = host_hash(both, sizeof both);
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"particles", "particles", 0, 1 << 16},
                                {"frames", "frames of the video, the first of which is known", 0, 25}};
    host_inputs inputs[] = {{256, 1000, 10000}, {3, 4, 10}};
    struct host_choice model = HOST_MODEL;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "particlefilter",
        .summary = "Follows a disk in a video on the first OpenCL device and checks every launch.",
        .sizes = sizes,
        .size_count = 2,
        .inputs = inputs,
        .choices = &model,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    if (sizes[1].value < 2) HOST_FAIL("--frames %u leaves no frame behind the first", sizes[1].value);
    struct filter f = {.particles = sizes[0].value,
                       .openmp = model.value,
                       .size = disk_size(),
                       .frames = sizes[1].value,
                       .seed = seed};
    open_filter(&f, source);
    double x = START, y = START;
    for (size_t frame = 1; frame < f.frames; frame++) {
        run_likelihood(&f, frame);
        run_sum(&f, frame);
        run_normalise(&f, seed + (cl_uint)frame);
        run_find(&f);
        x = y = 0.0;
        for (size_t i = 0; i < f.particles; i++) {
            x += (double)(floats(&f, NORMAL)[i] * floats(&f, X)[i]);
            y += (double)(floats(&f, NORMAL)[i] * floats(&f, Y)[i]);
        }
        add_to_hash(&f, X);
        add_to_hash(&f, Y);
        add_to_hash(&f, WEIGHT);
    }
    printf("particlefilter: %zu particles, disk at %.2f, %.2f, hash %016llx, kernel time %llu ns\n",
           f.particles, x, y, f.hash, (unsigned long long)f.time_ns);
    const unsigned wrong = f.wrong;
    close_filter(&f);
    free(source);
    return host_verdict("particlefilter", wrong == 0, "%u values of %zu frames are wrong", wrong,
                        f.frames - 1);
}
