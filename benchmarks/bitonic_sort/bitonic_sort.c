/* bitonic_sort: sorts random keys on an OpenCL device by Batcher's bitonic sort, one launch a step, and
 * compares the result with that of C's qsort. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    const cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
    return (x > y) - (x < y);
}

/* Sorts on the device. each: pairs of keys for each work-item. */
static cl_ulong sort_on_device(const char *source, size_t each, cl_uint *keys, unsigned log2_count,
                               size_t group) {
    const size_t bytes = sizeof *keys << log2_count, items = ((size_t)1 << (log2_count - 1)) / each;
    const size_t local = items < group / each ? items : group / each;
    cl_ulong time_ns = 0;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "bitonic_sort");
    cl_mem buffer = host_buffer(&host, bytes, keys);
    HOST_ARGUMENT(kernel, 0, buffer);
    for (cl_uint stage = 0; stage < log2_count; stage++)
        for (cl_uint pass = stage + 1; pass-- > 0;) {
            HOST_ARGUMENT(kernel, 1, stage);
            HOST_ARGUMENT(kernel, 2, pass);
            time_ns += host_launch(&host, kernel, 1, &items, &local);
        }
    host_read(&host, buffer, keys, bytes);
    HOST_CHECK(clReleaseMemObject(buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"log2-count", "keys, as a power of two", 10, 24},
                                {"group", "work-items of a work-group, a power of two", 64, 1024}};
    host_inputs inputs[] = {{10, 14, 20}, {64, 64, 64}};
    struct host_choice vectors = HOST_VECTORS;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "bitonic_sort",
        .summary = "Sorts random keys on the first OpenCL device and checks their order.",
        .sizes = sizes,
        .size_count = 2,
        .inputs = inputs,
        .choices = &vectors,
        .choice_count = 1,
        .seed = &seed,
        .of_papers = true};
    char *source = host_parse_command(argc, argv, &command);
    if (sizes[1].value & (sizes[1].value - 1)) HOST_FAIL("--group %u is no power of two", sizes[1].value);
    if (vectors.value && (sizes[0].value < 3 || sizes[1].value < 4))
        HOST_FAIL("--vectors on needs --log2-count 3 and --group 4, or more");
    const size_t count = (size_t)1 << sizes[0].value;
    cl_uint *found = host_allocate(count * sizeof *found), *wanted = host_allocate(count * sizeof *wanted);
    for (size_t i = 0; i < count; i++) found[i] = wanted[i] = host_random(&seed);
    qsort(wanted, count, sizeof *wanted, compare);
    const cl_ulong time_ns =
        sort_on_device(source, vectors.value ? 4 : 1, found, sizes[0].value, sizes[1].value);
    const unsigned wrong = host_count_wrong("bitonic_sort", found, wanted, sizeof *found, count);
    printf("bitonic_sort: %zu keys, kernel time %llu ns\n", count, (unsigned long long)time_ns);
    free(found);
    free(wanted);
    free(source);
    return host_verdict("bitonic_sort", wrong == 0, "%u of %zu keys are wrong", wrong, count);
}
