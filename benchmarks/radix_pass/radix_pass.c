/* radix_pass: passes of a radix sort of random keys, four bits each, on an OpenCL device. The host sums up
 * the counts of work-groups. After each pass, counts and keys must equal C's. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP = 64, BITS = 4, DIGITS = 1 << BITS };

struct sort {
    size_t count, groups;
    cl_uint *keys, *sorted;  /* keys before and after a pass in C */
    cl_uint *counts, *first; /* element d * groups + g belongs to digit d in group g */
    cl_uint *found, *found_counts;
    unsigned wrong;
};

static unsigned digit_of(cl_uint key, cl_uint shift) {
    return key >> shift & (DIGITS - 1);
}

/* Computes the position of each group's first key with each digit, from the counts of C or the device. */
static void sum_up(const cl_uint *counts, cl_uint *first, size_t groups) {
    cl_uint sum = 0;
    for (size_t n = 0; n < DIGITS * groups; n++) {
        first[n] = sum;
        sum += counts[n];
    }
}

static void pass_in_c(struct sort *s, cl_uint shift) {
    cl_uint place[DIGITS];
    memset(s->counts, 0, DIGITS * s->groups * sizeof *s->counts);
    for (size_t i = 0; i < s->count; i++) s->counts[digit_of(s->keys[i], shift) * s->groups + i / GROUP]++;
    sum_up(s->counts, s->first, s->groups);
    for (size_t d = 0; d < DIGITS; d++) place[d] = s->first[d * s->groups];
    for (size_t i = 0; i < s->count; i++) s->sorted[place[digit_of(s->keys[i], shift)]++] = s->keys[i];
}

static struct sort sort_new(size_t count, unsigned seed) {
    const size_t groups = (count + GROUP - 1) / GROUP, bytes = count * sizeof(cl_uint),
                 count_bytes = DIGITS * groups * sizeof(cl_uint);
    struct sort s = {.count = count,
                     .groups = groups,
                     .keys = host_allocate(bytes),
                     .sorted = host_allocate(bytes),
                     .counts = host_allocate(count_bytes),
                     .first = host_allocate(count_bytes),
                     .found = host_allocate(bytes),
                     .found_counts = host_allocate(count_bytes)};
    for (size_t i = 0; i < count; i++) s.keys[i] = host_random(&seed) << 8 ^ host_random(&seed);
    return s;
}

static void sort_free(struct sort *s) {
    free(s->keys);
    free(s->sorted);
    free(s->counts);
    free(s->first);
    free(s->found);
    free(s->found_counts);
}

struct device {
    struct host host;
    cl_kernel count, scatter;
    cl_mem keys, sorted, counts, first;
};

static void device_open(struct device *d, const char *source, const struct sort *s) {
    const cl_uint count = (cl_uint)s->count;
    char options[32];
    snprintf(options, sizeof options, "-D GROUP=%d", GROUP);
    host_open(&d->host);
    cl_program program = host_build(&d->host, source, options);
    d->count = HOST_CREATE(clCreateKernel, program, "count");
    d->scatter = HOST_CREATE(clCreateKernel, program, "scatter");
    HOST_CHECK(clReleaseProgram(program));
    d->keys = host_buffer(&d->host, s->count * sizeof(cl_uint), NULL);
    d->sorted = host_buffer(&d->host, s->count * sizeof(cl_uint), NULL);
    d->counts = host_buffer(&d->host, DIGITS * s->groups * sizeof(cl_uint), NULL);
    d->first = host_buffer(&d->host, DIGITS * s->groups * sizeof(cl_uint), NULL);
    HOST_ARGUMENT(d->count, 0, d->keys);
    HOST_ARGUMENT(d->count, 1, d->counts);
    HOST_ARGUMENT(d->count, 2, count);
    HOST_ARGUMENT(d->scatter, 0, d->keys);
    HOST_ARGUMENT(d->scatter, 1, d->sorted);
    HOST_ARGUMENT(d->scatter, 2, d->first);
    HOST_ARGUMENT(d->scatter, 3, count);
}

static void device_close(struct device *d) {
    HOST_CHECK(clReleaseKernel(d->count));
    HOST_CHECK(clReleaseKernel(d->scatter));
    HOST_CHECK(clReleaseMemObject(d->keys));
    HOST_CHECK(clReleaseMemObject(d->sorted));
    HOST_CHECK(clReleaseMemObject(d->counts));
    HOST_CHECK(clReleaseMemObject(d->first));
    host_close(&d->host);
}

/* Runs one pass and compares it with C's. If counts are wrong the pass ends: they would lead to positions
 * outside the buffer. */
static cl_ulong run_pass(struct device *d, struct sort *s, cl_uint shift) {
    const size_t local = GROUP, global = s->groups * GROUP, bytes = s->count * sizeof(cl_uint),
                 counts = DIGITS * s->groups;
    pass_in_c(s, shift);
    host_write(&d->host, d->keys, s->keys, bytes);
    HOST_ARGUMENT(d->count, 3, shift);
    HOST_ARGUMENT(d->scatter, 4, shift);
    cl_ulong time_ns = host_launch(&d->host, d->count, 1, &global, &local);
    host_read(&d->host, d->counts, s->found_counts, counts * sizeof(cl_uint));
    s->wrong += host_count_wrong("count", s->found_counts, s->counts, sizeof(cl_uint), counts);
    if (s->wrong) return time_ns;
    sum_up(s->found_counts, s->first, s->groups);
    host_write(&d->host, d->first, s->first, counts * sizeof(cl_uint));
    time_ns += host_launch(&d->host, d->scatter, 1, &global, &local);
    host_read(&d->host, d->sorted, s->found, bytes);
    s->wrong += host_count_wrong("key", s->found, s->sorted, sizeof(cl_uint), s->count);
    memcpy(s->keys, s->sorted, bytes);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"keys", "keys", 0, 1 << 22}, {"passes", "passes, 8 sort", 0, 8}};
    host_inputs inputs[] = {{4096, 32768, 131072}, {2, 2, 4}};
    unsigned seed = 1;
    const struct host_command command = {
        .name = "radix_pass",
        .summary = "Sorts keys by digits of four bits on the first OpenCL device and checks each pass.",
        .sizes = sizes,
        .size_count = 2,
        .inputs = inputs,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    struct sort s = sort_new(sizes[0].value, seed);
    struct device device;
    device_open(&device, source, &s);
    cl_ulong time_ns = 0;
    for (cl_uint pass = 0; pass < sizes[1].value && s.wrong == 0; pass++)
        time_ns += run_pass(&device, &s, pass * BITS);
    device_close(&device);
    printf("radix_pass: %zu keys, the first 0x%x, kernel time %llu ns\n", s.count, s.found[0],
           (unsigned long long)time_ns);
    const unsigned wrong = s.wrong;
    sort_free(&s);
    free(source);
    return host_verdict("radix_pass", wrong == 0, "%u differences from C", wrong);
}
